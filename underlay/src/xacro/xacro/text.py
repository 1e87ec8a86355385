# SPDX-License-Identifier: Apache-2.0
"""Splits attribute values and texts into plain text, ${expressions} and $(substitutions)."""

import re

from .errors import XacroError

TOKEN = re.compile(r'(?P<escaped>\$\$+[{(])|\$\{(?P<expression>[^}]*)\}|\$\((?P<substitution>[^)]*)\)'
                   r'|(?P<plain>[^$]+|\$(?![{(]))', re.S)


def tokens(text):
    """Pairs (kind, content) with kind 'plain', 'expression' or 'substitution'."""
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            closing = '}' if text[position + 1] == '{' else ')'
            raise XacroError(f"'{text[position:]}' has no closing '{closing}'; write '$${text[position + 1]}' for "
                             f"a literal '{text[position:position + 2]}'")
        position = match.end()
        kind = match.lastgroup
        yield ('plain', match[kind][1:]) if kind == 'escaped' else (kind, match[kind])


def literal(value):
    """The number, truth value or quoted text a string spells; otherwise the value itself."""
    if not isinstance(value, str):
        return value
    if len(value) >= 2 and value[0] == value[-1] == "'":
        return value[1:-1]
    if '_' not in value:  # Python reads 1_000 as a number; a name like 1_0 is meant as text
        for kind in (int, float):
            try:
                return kind(value)
            except ValueError:
                pass
    return {'true': True, 'True': True, 'false': False, 'False': False}.get(value, value)


def truth(value, attribute):
    """The truth value of a condition, by the rules of `xacro:if`."""
    if isinstance(value, str):
        value = value.strip()
        value = literal(value)
        if isinstance(value, str) or value is None:
            raise XacroError(f"condition '{attribute}' evaluated to '{value}', which is neither true/false nor a number")
    return bool(value)
