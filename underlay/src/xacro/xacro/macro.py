# SPDX-License-Identifier: Apache-2.0
"""The parameter list of a macro: `a b:=1 c:=^ d:=^|2 *block **content`."""

import re

from .errors import XacroError

NAME = re.compile(r'\**[^\W\d]\w*')


class Parameter:
    def __init__(self, name, block='', forward=False, default=None):
        self.name = name
        self.block = block  # '' for a value, '*' for an element, '**' for an element's content
        self.forward = forward  # ^: take the caller's property of this name
        self.default = default  # text, or None if there is none


class Macro:
    def __init__(self, name, parameters, body):
        self.name, self.parameters, self.body = name, parameters, body


def parse_parameters(text):
    result, rest = [], text.strip()
    while rest:
        match = NAME.match(rest)
        if not match:
            raise XacroError(f"macro parameter list '{text}' is not valid at '{rest}'")
        stars = match[0].count('*')
        name, rest = match[0][stars:], rest[match.end():]
        if stars > 2:
            raise XacroError(f"'{match[0]}': a block parameter has one or two asterisks")
        if name in (parameter.name for parameter in result):
            raise XacroError(f"macro parameter '{name}' is given twice in '{text}'")
        parameter = Parameter(name, '*' * stars)
        assignment = re.match(r'\s*:?=\s*', rest)
        if assignment:
            if stars:
                raise XacroError(f"block parameter '{match[0]}' cannot have a default value")
            default, rest = cut_default(rest[assignment.end():])
            parameter.forward = default.startswith('^')
            if not parameter.forward:
                parameter.default = default
            elif default.startswith('^|'):
                parameter.default = default[2:]
            elif default != '^':
                raise XacroError(f"default '{default}' of '{name}' is not valid; write '^' or '^|value'")
        elif rest and not rest[0].isspace():
            raise XacroError(f"macro parameter list '{text}' is not valid at '{rest}'")
        result.append(parameter)
        rest = rest.lstrip()
    return result


def cut_default(text):
    """(default value, remaining text). Spaces belong to the value inside quotes, ${} and $()."""
    depth, quote = 0, ''
    for i, character in enumerate(text):
        if quote:
            quote = '' if character == quote else quote
        elif character in '\'"':
            quote = character
        elif character in '{(':
            depth += 1
        elif character in '})':
            depth -= 1
        elif character.isspace() and depth <= 0:
            return text[:i], text[i:]
    if quote:
        raise XacroError(f"default value {text} has no closing {quote}")
    return text, ''
