# SPDX-License-Identifier: Apache-2.0
"""$(name argument ...) in attribute values: the grammar. What each name does is in `substitutions`."""

from .errors import LaunchError


class Call:
    """One $(name argument ...); every argument is a template."""

    def __init__(self, name, arguments, source):
        self.name, self.arguments, self.source = name, arguments, source


class Parser:
    """A template is a list of literal texts and Calls."""

    def __init__(self, text):
        self.text, self.position = text, 0

    def peek(self, length=1):
        return self.text[self.position:self.position + length]

    def template(self, stop):
        """Up to the first unquoted character of `stop`, which is left to be read."""
        parts, literal = [], ''
        while self.position < len(self.text) and self.peek() not in stop:
            if self.peek(2) == '$(':
                parts, literal = parts + ([literal] if literal else []), ''
                parts.append(self.call())
            elif self.peek() == '\\' and self.peek(2)[1:] not in ('', '\n'):  # any character, whether it needs it or not
                literal += self.peek(2)[1]
                self.position += 2
            else:
                literal += self.peek()
                self.position += 1
        return parts + ([literal] if literal else [])

    def call(self):
        start = self.position
        self.position += 2
        words = []
        while True:
            while self.peek().isspace():
                self.position += 1
            if not self.peek():
                raise LaunchError(f"'{self.text[start:]}' has no closing ')'")
            if self.peek() == ')':
                self.position += 1
                break
            words.append(self.argument(start))
        source = self.text[start:self.position]
        if not words or len(words[0]) != 1 or not isinstance(words[0][0], str):
            raise LaunchError(f"'{source}' does not start with the name of a substitution")
        return Call(words[0][0], words[1:], source)

    def argument(self, start):
        parts = []
        while self.peek() and not self.peek().isspace() and self.peek() != ')':
            if self.peek() in '\'"':
                quote = self.peek()
                self.position += 1
                parts += self.template(quote) or ['']
                if self.peek() != quote:
                    raise LaunchError(f"'{self.text[start:]}' has no closing {quote}")
                self.position += 1
            else:
                parts += self.template(' \t\n\r)\'"')
        return parts


def parse(text):
    return Parser(text).template('')


def perform(template, context):
    return ''.join(part if isinstance(part, str) else context.call(part) for part in template)


def split(text, context):
    """The words of a command line. White space that comes out of a substitution does not separate words."""
    words, word, quote = [], None, ''
    for part in parse(text):
        if not isinstance(part, str):
            word = (word or '') + context.call(part)
            continue
        for character in part:
            if quote:
                quote, word = ('', word) if character == quote else (quote, word + character)
            elif character in '\'"':
                quote, word = character, word or ''
            elif character.isspace():
                if word is not None:
                    words.append(word)
                word = None
            else:
                word = (word or '') + character
    if quote:
        raise LaunchError(f"'{text}' has no closing {quote}")
    return words + ([word] if word is not None else [])
