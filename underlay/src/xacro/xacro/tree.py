# SPDX-License-Identifier: Apache-2.0
"""XML in and out: elements that know their file and line."""

from xml.dom import minidom
from xml.parsers import expat

from .errors import XacroError

MAX_NESTING = 800  # levels of elements; keeps every walk of the tree within Python's call depth


class Element:
    """A tag with attributes; children are Element, Comment or str."""

    def __init__(self, name, attributes, file, line):
        self.name, self.attributes, self.file, self.line = name, attributes, file, line
        self.children = []

    def elements(self):
        return [child for child in self.children if isinstance(child, Element)]

    def tag(self):
        """The start tag as a person wrote it, cut to a readable length."""
        text = ''.join(f' {key}="{value}"' for key, value in self.attributes.items())
        return f'<{self.name}{text if len(text) < 120 else text[:117] + "..."}>'


class Comment:
    def __init__(self, text):
        self.text = text


def parse(text, file):
    """The root element of an XML text; top-level comments become its first children."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.ordered_attributes = True
    stack, roots, early_comments = [], [], []

    def start(name, attributes):
        pairs = dict(zip(attributes[::2], attributes[1::2]))
        element = Element(name, pairs, file, parser.CurrentLineNumber)
        (stack[-1].children if stack else roots).append(element)
        stack.append(element)
        if len(stack) > MAX_NESTING:
            raise XacroError(f'elements are nested more than {MAX_NESTING} levels deep')

    def end(_name):
        stack.pop()

    def text_node(data):
        if stack:
            stack[-1].children.append(data)

    def comment(data):
        (stack[-1].children if stack else early_comments).append(Comment(data))

    def entity(name, *_):
        raise XacroError(f"entity '{name}' is declared; entities are not supported, use a property")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.CommentHandler = text_node, comment
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages[error.code]
        raise XacroError(f'not well-formed XML: {reason}').at(file, error.lineno, f'column {error.offset + 1}')
    except XacroError as error:
        raise error.at(file, parser.CurrentLineNumber, f'column {parser.CurrentColumnNumber + 1}')
    root = roots[0]  # expat has refused a document without one
    root.children[:0] = early_comments
    return root


def to_document(root):
    """A minidom document, the type that xacro.process_file() is known to return."""
    document = minidom.Document()

    def convert(node):
        if isinstance(node, Comment):
            return document.createComment(node.text)
        if isinstance(node, str):
            return document.createTextNode(node)
        element = document.createElement(node.name)
        for key, value in node.attributes.items():
            element.setAttribute(key, value)
        for child in node.children:
            element.appendChild(convert(child))
        return element

    document.appendChild(convert(root))
    return document


def to_text(document, banner=''):
    """Indented XML; text that is not only white space stays as it is."""
    lines = ['<?xml version="1.0" ?>'] + ([f'<!-- {banner} -->'] if banner else [])

    def write(node, indent):
        if node.nodeType == node.COMMENT_NODE:
            lines.append(f'{indent}<!--{node.data}-->')
        elif node.nodeType == node.TEXT_NODE:
            if node.data.strip():
                lines.append(indent + node.toxml())
        elif any(c.nodeType == c.TEXT_NODE and c.data.strip() for c in node.childNodes):
            lines.append(indent + node.toxml())
        else:
            shell = node.cloneNode(False).toxml()
            children = [c for c in node.childNodes if c.nodeType != c.TEXT_NODE]
            if not children:
                lines.append(indent + shell)
                return
            lines.append(indent + shell[:-2] + '>')
            for child in children:
                write(child, indent + '  ')
            lines.append(f'{indent}</{node.tagName}>')

    for child in document.childNodes:
        write(child, '')
    return '\n'.join(lines) + '\n'
