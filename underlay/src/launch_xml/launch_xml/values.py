# SPDX-License-Identifier: Apache-2.0
"""Parameter values: from text to a typed value by YAML's rules, and to parameter files."""

import re

import yaml

from . import substitution
from .errors import LaunchError

EXPONENT = re.compile(r'[-+]?\d+(\.\d*)?[eE][-+]?\d+')  # a number to every ROS parser, a text to YAML 1.1
SCALARS = {'bool': bool, 'int': int, 'float': float, 'str': str}
TYPES = list(SCALARS) + [f'list_of_{name}' for name in SCALARS]


class QuotedStrings(yaml.SafeDumper):
    """Texts always in quotes: no reader can take '1e5' or 'on' for something else."""


QuotedStrings.add_representer(str, lambda dumper, text: dumper.represent_scalar('tag:yaml.org,2002:str', text, style='"'))


def dump(data):
    return yaml.dump(data, Dumper=QuotedStrings, default_flow_style=False, sort_keys=False, allow_unicode=True)


def load(text):
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise LaunchError(f"value is not valid YAML; if it is meant as a text, add type=\"str\" ({first_line(error)})")


def first_line(error):
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def text(value):
    """A value as a launch file writes it."""
    return spelled(value) if not isinstance(value, list) else '[' + ', '.join(spelled(item) for item in value) + ']'


def spelled(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def infer(text, name, context):
    """The value a bare text stands for: true, 3, 0.5, [1, 2] or a text.

    YAML reads it first, substitutions and backslashes come after that, and what a substitution brought is read by YAML
    once more: that is the order of ROS 2, and it decides what quotes and backslashes mean.
    """
    if text == '':
        return ''
    try:
        value = load(text)
    except LaunchError:
        if '$(' not in text:
            raise
        value = text  # what the substitution brings may be better
    if isinstance(value, list):
        value = [substituted(item, name, context) if isinstance(item, str) else item for item in value]
    elif isinstance(value, str):
        value = substituted(value, name, context)
    return checked(value, text, name)


def substituted(text, name, context):
    template = substitution.parse(text)
    result = substitution.perform(template, context)
    literal = result == '' or all(isinstance(part, str) for part in template)
    value = result if literal else load(result)
    if isinstance(value, str) and EXPONENT.fullmatch(value):
        return float(value)
    return checked(value, result, name)


def checked(value, text, name):
    """Refuses what is no parameter value."""
    if isinstance(value, list):
        kinds = {type(item) for item in value}
        if kinds - set(SCALARS.values()):
            raise LaunchError(f"parameter '{name}': a list holds numbers, texts or truth values only: {text}")
        if len(kinds) > 1:
            raise LaunchError(f"parameter '{name}': all elements of a list have one type (write 1.0 for a whole number "
                              f'among fractions): {text}')
        return value
    if isinstance(value, tuple(SCALARS.values())):
        return value
    hint = ' (if it is meant as a text, add type="str")'
    raise LaunchError(f"parameter '{name}' is not a number, text, truth value or list{hint}: {text[:80]}")


def convert(text, kind, name):
    """The value of `text` with the type that the launch file names."""
    if kind not in TYPES:
        raise LaunchError(f"type=\"{kind}\" is not known; write {', '.join(TYPES)}")
    if kind == 'str':
        return text
    value = load(text)
    if kind.startswith('list_of_'):
        if not isinstance(value, list):
            raise LaunchError(f"parameter '{name}' is not a list: {text}")
        return [scalar(item, kind[len('list_of_'):], name) for item in value]
    return scalar(value, kind, name)


def scalar(value, kind, name):
    if kind == 'float' and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind == 'float' and isinstance(value, str) and EXPONENT.fullmatch(value):
        return float(value)
    if kind == 'str' and not isinstance(value, (list, dict)):
        return str(value)
    if type(value) is not SCALARS[kind]:
        raise LaunchError(f"parameter '{name}': '{value}' is not of type {kind}")
    return value
