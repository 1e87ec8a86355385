# SPDX-License-Identifier: Apache-2.0
"""Reads a launch file into elements that know their line."""

from xml.parsers import expat

from .errors import LaunchError

MAX_NESTING = 100


class Element:
    def __init__(self, tag, attributes, file, line):
        self.tag, self.attributes, self.file, self.line = tag, attributes, file, line
        self.children = []

    def __str__(self):
        text = ''.join(f' {key}="{value}"' for key, value in self.attributes.items())
        return f'<{self.tag}{text if len(text) < 160 else text[:157] + "..."}>'


def is_xml(path):
    """Also *.launch: ROS 2 reads those as XML."""
    return path.endswith(('.xml', '.launch'))


def read(path):
    """The <launch> element of a file."""
    try:
        with open(path, 'rb') as file:
            return parse(file.read(), path)
    except OSError as error:
        raise LaunchError(f"cannot read launch file '{path}': {error.strerror}")


def parse(text, path):
    parser = expat.ParserCreate()
    top = Element('', {}, path, 1)
    stack = [top]

    def fail(reason):
        raise LaunchError(reason).at(Element(stack[-1].tag, stack[-1].attributes, path, parser.CurrentLineNumber))

    def start(tag, attributes):
        element = Element(tag, attributes, path, parser.CurrentLineNumber)
        stack[-1].children.append(element)
        stack.append(element)
        if len(stack) > MAX_NESTING:
            fail(f'elements are nested more than {MAX_NESTING} levels deep')

    def characters(data):
        if data.strip():
            fail(f"text '{data.strip()[:40]}' outside of a tag; values belong into attributes")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _tag: stack.pop()
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler = lambda *_: fail('entity declarations are not supported')
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise LaunchError(f'not well-formed XML: {expat.errors.messages[error.code]}, column {error.offset + 1}').at(
            Element(stack[-1].tag, stack[-1].attributes, path, error.lineno))
    root = top.children[0]
    if root.tag != 'launch':
        raise LaunchError(f'the outermost tag of a launch file is <launch>, not <{root.tag}>').at(root)
    return root
