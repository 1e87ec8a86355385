# SPDX-License-Identifier: Apache-2.0
"""--show-args: which arguments a launch file and the files it includes take."""

import os

from . import reader
from .context import Context
from .errors import LaunchError


def declared(path, given):
    """<arg> elements by name, those of included files as well as far as their names can be told beforehand."""
    found = {}
    collect(os.path.abspath(path), Context(given), found)
    return found


def collect(path, context, found):
    if path in context.includes:
        return
    context.file = context.last_included[0] = path
    context.includes.append(path)
    visit(reader.read(path).children, context, found)
    context.includes.pop()


def visit(elements, context, found):
    for element in elements:
        if element.tag == 'arg' and 'name' in element.attributes:
            found.setdefault(element.attributes['name'], element)
            remember(element, 'default', context)
        elif element.tag == 'let':
            remember(element, 'value', context)
        elif element.tag in ('group', 'timer'):
            visit(element.children, context, found)
        elif element.tag == 'include':
            fixed = {child.attributes.get('name') for child in element.children}
            inner = {}
            outer = context.file
            try:
                collect(context.text(element.attributes['file']), context, inner)
            except (KeyError, LaunchError):
                pass  # its name depends on an argument that has no value yet
            context.file = outer
            for name, argument in inner.items():
                if name not in fixed:
                    found.setdefault(name, argument)


def remember(element, attribute, context):
    try:
        context.variables.setdefault(element.attributes['name'], context.text(element.attributes[attribute]))
    except (KeyError, LaunchError):
        pass  # its value depends on something that is not known yet


def describe(found):
    if not found:
        return 'No arguments.'
    lines = ["Arguments (pass arguments as '<name>:=<value>'):"]
    for name, element in found.items():
        lines += ['', f"    '{name}':", f"        {element.attributes.get('description', 'no description given')}"]
        choices = [child.attributes.get('value', '') for child in element.children if child.tag == 'choice']
        if choices:
            lines.append(f'        Valid choices are: {choices}')
        if 'default' in element.attributes:
            lines.append(f"        (default: '{element.attributes['default']}')")
    return '\n'.join(lines)
