# SPDX-License-Identifier: Apache-2.0
"""<param> elements and parameter files.

A node's parameters are a list of dicts (values of the launch file) and paths (parameter files); later entries win.
"""

import yaml

from . import values
from .errors import LaunchError
from .substitutions import truth


def of_element(element, context, plan):
    """One <param> of a node: a dict, or the path of a parameter file."""
    try:
        if 'from' not in element.attributes:
            name, value = named_value(element, context)
            return {name: value}
        extra = set(element.attributes) - {'from', 'allow_substs'}
        if extra or element.children:
            raise LaunchError(f"<param from=...> takes a whole file; remove {', '.join(sorted(extra)) or 'its children'}")
        path = context.text(element.attributes['from'])
        load_file(path)  # a broken one would stop the node later, with less of a hint
        if truth(context.text(element.attributes.get('allow_substs', 'false')), 'allow_substs'):
            with open(path, encoding='utf-8') as file:
                return plan.write_file(context.text(file.read()))
        return path
    except LaunchError as error:
        raise error.at(element)


def named_value(element, context):
    for attribute in ('name', 'value') if not element.children else ('name',):
        if attribute not in element.attributes:
            raise LaunchError(f"<{element.tag}> needs the attribute '{attribute}'"
                              + (' (or from="file.yaml")' if attribute == 'name' else ''))
    name = context.text(element.attributes['name'])
    if element.children:
        if 'value' in element.attributes:
            raise LaunchError(f"parameter '{name}' has both a value and nested parameters")
        return name, dict(named_value(child, context) for child in element.children)
    text = element.attributes['value']
    kind = element.attributes.get('type')
    if 'value-sep' not in element.attributes:
        return name, values.convert(context.text(text), kind, name) if kind else values.infer(text, name, context)
    if element.attributes['value-sep'] == '':
        raise LaunchError('value-sep is empty')
    parts = [part.strip() for part in text.split(element.attributes['value-sep'])]
    single = kind[len('list_of_'):] if kind and kind.startswith('list_of_') else kind
    items = [values.convert(context.text(part), single, name) if single else values.infer(part, name, context)
             for part in parts]
    return name, values.checked(items, text, name)


def load_file(path):
    try:
        with open(path, encoding='utf-8') as file:
            data = yaml.safe_load(file)
    except OSError as error:
        raise LaunchError(f"cannot read parameter file '{path}': {error.strerror}")
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise LaunchError(f"parameter file '{path}' is broken: {error}")
    if data is not None and not isinstance(data, dict):
        raise LaunchError(f"parameter file '{path}' does not start with a node name or /**")
    return data or {}


def as_arguments(parameters, plan):
    """--params-file options for a node's command line."""
    arguments = []
    for entry in parameters:
        path = plan.write_file(values.dump({'/**': {'ros__parameters': entry}})) if isinstance(entry, dict) else entry
        arguments += ['--params-file', path]
    return arguments


def as_flat_dict(parameters, namespace, name):
    """All values for one node, 'a.b' for nested names: what a container is told when it loads the node."""
    flat = {}
    for entry in parameters:
        if isinstance(entry, dict):
            flatten(entry, '', flat)
        else:
            for section in sections(load_file(entry), namespace or '/', name):
                flatten(section, '', flat)
    return flat


def sections(data, namespace, name, prefix=''):
    """The ros__parameters of a parameter file that are meant for a node."""
    for key, content in data.items():
        if not isinstance(content, dict):
            continue
        path = f'{prefix}/{str(key).strip("/")}'
        if isinstance(content.get('ros__parameters'), dict) and matches(path, namespace, name):
            yield content['ros__parameters']
        elif 'ros__parameters' not in content:
            yield from sections(content, namespace, name, path)


def matches(pattern, namespace, name):
    """/a/b against a node's full name; * is one part, ** any number of parts."""
    def match(left, right):
        if not left:
            return not right
        if left[0] == '**':
            return any(match(left[1:], right[i:]) for i in range(len(right) + 1))
        return bool(right) and left[0] in ('*', right[0]) and match(left[1:], right[1:])
    full = [part for part in f'{namespace}/{name}'.split('/') if part]
    return match([part for part in pattern.split('/') if part], full)


def flatten(values_by_name, prefix, flat):
    for key, value in values_by_name.items():
        if isinstance(value, dict):
            flatten(value, f'{prefix}{key}.', flat)
        else:
            flat[f'{prefix}{key}'] = value
