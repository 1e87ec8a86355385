# SPDX-License-Identifier: Apache-2.0
"""Expands a description: reads elements, returns new elements. Nothing is changed in place."""

import glob
import os
import sys

from . import functions, tree
from .errors import XacroError, did_you_mean
from .expression import CONSTANTS, FUNCTIONS, MATH, Namespace, evaluate
from .macro import Macro, parse_parameters
from .scope import Block, Evaluations, Property, Scope
from .text import literal, tokens, truth
from .tree import Comment, Element

MAX_DEPTH = 400  # nested macro calls and includes

KNOWN_ATTRIBUTES = {
    'arg': {'name', 'default'},
    'attribute': {'name', 'value'},
    'if': {'value'},
    'unless': {'value'},
    'include': {'filename', 'ns', 'optional'},
    'insert_block': {'name'},
    'macro': {'name', 'params'},
    'property': {'name', 'value', 'default', 'scope', 'lazy_eval', 'remove'},
}
REQUIRED_ATTRIBUTES = {
    'arg': ['name'], 'attribute': ['name', 'value'], 'if': ['value'], 'unless': ['value'], 'include': ['filename'],
    'insert_block': ['name'], 'macro': ['name'], 'property': ['name'], 'element': ['xacro:name'], 'call': ['macro'],
}


class Processor:
    def __init__(self, arguments):
        self.arguments = dict(arguments)  # from the command line; they win over <xacro:arg default>
        self.evaluations = Evaluations()
        self.files = []  # files being included now, outermost first
        self.read_files = []  # every file that was read, for --deps
        self.namespaces = {}  # xmlns:* of all roots
        self.depth = 0

    # --- files ---------------------------------------------------------------------------------------------------

    def process(self, path):
        """The expanded root element of a file."""
        source = self.read(os.path.abspath(path))
        self.files.append(source.file)
        scope = Scope()
        out = Element(source.name, {}, source.file, source.line)
        target_namespace = source.attributes.pop('xacro:targetNamespace', None)
        if target_namespace is not None:
            out.attributes['xmlns'] = target_namespace
        with_trail(source, lambda: self.expand_attributes(source, out, scope))
        self.expand_children(source, out, scope)
        for name, uri in self.namespaces.items():
            out.attributes.setdefault(name, uri)
        out.attributes = {k: v for k, v in out.attributes.items() if k != 'xmlns:xacro'}
        return out

    def read(self, path):
        try:
            with open(path, 'rb') as file:
                text = file.read()
        except OSError as error:
            raise XacroError(f"cannot read '{path}': {error.strerror}")
        self.read_files.append(path)
        return tree.parse(text, path)

    # --- texts ---------------------------------------------------------------------------------------------------

    def value(self, text, scope, file):
        """A text with its expressions replaced; a lone ${...} keeps its Python type."""
        parts = []
        for kind, content in tokens(text):
            if kind == 'expression':
                content = self.evaluate(content, scope, file)
            elif kind == 'substitution':
                content = functions.substitute(str(self.value(content, scope, file)), self.arguments, file)
            parts.append(content)
        return parts[0] if len(parts) == 1 else ''.join(str(part) for part in parts)

    def string(self, text, scope, file):
        return str(self.value(text, scope, file))

    def evaluate(self, expression, scope, file):
        if '$(' in expression:  # $(arg x) inside ${...} is replaced first
            expression = self.string(expression, scope, file)
        tools = functions.xacro_functions(file, self.arguments)

        def lookup(name):
            if scope.owner('properties', name):
                return self.property(scope, name)
            if scope.owner('namespaces', name):
                return self.namespace(name, scope.find('namespaces', name))
            if name == 'math':
                return Namespace('math', MATH.__getitem__, MATH.keys)
            if name == 'xacro':
                return Namespace('xacro', tools.__getitem__, tools.keys)
            if name in ('load_yaml', 'tokenize'):  # the old spelling without `xacro.`
                return tools[name]
            if scope.owner('blocks', name):
                raise XacroError(f"'{name}' is a block; insert it with <xacro:insert_block name=\"{name}\"/>")
            raise KeyError(name)

        return evaluate(expression, lookup, lambda: scope.names('properties') | scope.names('namespaces') | {'xacro'})

    def namespace(self, name, scope):
        def lookup(member):
            if member in scope.properties:
                return self.property(scope, member)
            return self.namespace(f'{name}.{member}', scope.namespaces[member])
        return Namespace(name, lookup, lambda: list(scope.properties) + list(scope.namespaces))

    def property(self, scope, name):
        owner = scope.owner('properties', name)
        entry = owner.properties[name]
        if entry.origin is not None:
            self.evaluations.enter(owner, name)
            try:
                value = literal(self.value(entry.value, owner, entry.origin.file))
            except XacroError as error:
                raise error.at(entry.origin.file, entry.origin.line, entry.origin.tag())
            finally:
                self.evaluations.leave()
            entry.value, entry.origin = value, None
        return entry.value

    # --- elements ------------------------------------------------------------------------------------------------

    def expand_children(self, source, out, scope):
        """Expands all children of `source` into `out`."""
        for child in source.children:
            if isinstance(child, Comment):
                out.children.append(child)
            elif isinstance(child, str):
                out.children.append(with_trail(source, lambda c=child: self.string(c, scope, source.file)))
            else:
                with_trail(child, lambda c=child: self.expand(c, out, scope))

    def expand(self, element, out, scope):
        if not element.name.startswith('xacro:'):
            result = Element(element.name, {}, element.file, element.line)
            self.expand_attributes(element, result, scope)
            self.expand_children(element, result, scope)
            out.children.append(result)
            return
        name = element.name[len('xacro:'):]
        handler = getattr(self, 'do_' + name, None)
        if handler is None:
            self.call(name, element, out, scope)
            return
        check_attributes(name, element)
        handler(element, out, scope)

    def expand_attributes(self, source, out, scope):
        for key, text in source.attributes.items():
            if key.startswith('xmlns:'):
                self.namespaces.setdefault(key, text)
            else:
                out.attributes[key] = self.string(text, scope, source.file)

    def do_property(self, element, _out, scope):
        given = element.attributes
        name = self.string(given['name'], scope, element.file)
        if not name.isidentifier() or name.startswith('__'):
            raise XacroError(f"'{name}' cannot be a property name; use letters, digits and underscores")
        target = scope
        if 'scope' in given:
            targets = {'parent': scope.caller or scope.parent or scope, 'global': scope.root()}
            if given['scope'] not in targets:
                raise XacroError(f"scope=\"{given['scope']}\" is not known; write parent or global")
            target = targets[given['scope']]
        if 'remove' in given and truth(self.value(given['remove'], scope, element.file), given['remove']):
            target.properties.pop(name, None)
            target.blocks.pop(name, None)
            return
        if 'value' in given and 'default' in given:
            raise XacroError(f"property '{name}' has both value and default; keep one")
        if 'default' in given and (target.owner('properties', name) or target.owner('blocks', name)):
            return
        text = given.get('value', given.get('default'))
        if text is None:
            target.properties.pop(name, None)
            target.blocks[name] = Block(element, content_only=True, expanded=False)
            return
        if name in FUNCTIONS or name in CONSTANTS:
            print(f"warning: property '{name}' redefines a global symbol ({element.file}:{element.line})", file=sys.stderr)
        target.blocks.pop(name, None)
        lazy = truth(self.value(given.get('lazy_eval', 'true'), scope, element.file), given.get('lazy_eval'))
        if lazy and target is scope:
            target.properties[name] = Property(text, element)
        else:  # another scope does not see the names of this one
            target.properties[name] = Property(literal(self.value(text, scope, element.file)))

    def do_arg(self, element, _out, scope):
        name = self.string(element.attributes['name'], scope, element.file)
        if 'default' in element.attributes:
            self.arguments.setdefault(name, self.string(element.attributes['default'], scope, element.file))

    def do_if(self, element, out, scope):
        text = element.attributes['value']
        if truth(self.value(text, scope, element.file), text):
            self.expand_children(element, out, scope)

    def do_unless(self, element, out, scope):
        text = element.attributes['value']
        if not truth(self.value(text, scope, element.file), text):
            self.expand_children(element, out, scope)

    def do_element(self, element, out, scope):
        attributes = dict(element.attributes)
        name = self.string(attributes.pop('xacro:name'), scope, element.file)
        if not name or any(c.isspace() or c in '<>&"\'/=' for c in name):
            raise XacroError(f"'{name}' cannot be the name of an element")
        source = Element(name, attributes, element.file, element.line)
        result = Element(name, {}, element.file, element.line)
        self.expand_attributes(source, result, scope)
        self.expand_children(element, result, scope)
        out.children.append(result)

    def do_attribute(self, element, out, scope):
        name = self.string(element.attributes['name'], scope, element.file)
        if not name or any(c.isspace() or c in '<>&"\'/=' for c in name):
            raise XacroError(f"'{name}' cannot be the name of an attribute")
        out.attributes[name] = self.string(element.attributes['value'], scope, element.file)

    def do_include(self, element, out, scope):
        given = element.attributes
        name = self.string(given['filename'], scope, element.file)
        pattern = os.path.join(os.path.dirname(self.files[-1]), name)  # in a macro: of the file that calls it
        paths = sorted(glob.glob(pattern)) if any(c in name for c in '*?[') and not os.path.exists(pattern) \
            else [os.path.normpath(pattern)]
        optional = 'optional' in given and truth(self.value(given['optional'], scope, element.file), given['optional'])
        inner = scope
        if 'ns' in given:
            namespace = self.string(given['ns'], scope, element.file)
            if not namespace.isidentifier():
                raise XacroError(f"ns=\"{namespace}\" cannot be the name of a namespace")
            inner = scope.namespaces[namespace] = Scope(scope)
        for path in paths:
            if optional and not os.path.exists(path):
                continue
            if path in self.files:
                circle = self.files[self.files.index(path):] + [path]
                raise XacroError('files include each other in a circle: ' + ' -> '.join(map(os.path.basename, circle)))
            included = self.read(path)
            self.expand_attributes(Element('', {k: v for k, v in included.attributes.items()
                                                if k.startswith('xmlns:')}, path, 1), out, scope)
            self.files.append(path)
            self.expand_children(included, out, inner)
            self.files.pop()

    # --- macros and blocks ---------------------------------------------------------------------------------------

    def do_macro(self, element, _out, scope):
        name = self.string(element.attributes['name'], scope, element.file)
        name = name[len('xacro:'):] if name.startswith('xacro:') else name
        if hasattr(self, 'do_' + name) or name == 'call':
            raise XacroError(f"macro cannot be named '{name}': <xacro:{name}> has a meaning of its own")
        if '.' in name or not name:
            raise XacroError(f"'{name}' cannot be the name of a macro")
        scope.macros[name] = Macro(name, parse_parameters(element.attributes.get('params', '')), element)

    def do_call(self, element, out, scope):
        attributes = dict(element.attributes)
        name = self.string(attributes.pop('macro'), scope, element.file)
        call = Element(element.name, attributes, element.file, element.line)
        call.children = element.children
        self.call(name, call, out, scope)

    def call(self, name, element, out, scope):
        *path, short = name.split('.')
        home = scope.namespace(path)
        macro = None if home is None else home.macros.get(short) if path else home.find('macros', short)
        if macro is None:
            known = {n[3:] for n in dir(self) if n.startswith('do_')} | scope.names('macros')
            for prefix in scope.names('namespaces'):
                known |= {f'{prefix}.{m}' for m in scope.find('namespaces', prefix).macros}
            raise XacroError(f"macro '{name}' is not defined{did_you_mean(name, known)} "
                             '(a macro must be defined before it is called)')
        inner = Scope(home if path else scope)
        inner.caller = scope
        self.bind_values(macro, element, scope, inner)
        self.bind_blocks(macro, element, scope, inner)
        self.depth += 1
        try:
            if self.depth > MAX_DEPTH:
                raise XacroError(f"macro '{name}' calls itself without end (limit {MAX_DEPTH} levels); "
                                 'stop the recursion with <xacro:if>')
            self.expand_children(macro.body, out, inner)
        except XacroError as error:
            raise error.at(macro.body.file, macro.body.line, f"macro '{name}'")
        finally:
            self.depth -= 1

    def bind_values(self, macro, element, scope, inner):
        values = {p.name: p for p in macro.parameters if not p.block}
        for key, text in element.attributes.items():
            if key not in values:
                raise XacroError(f"macro '{macro.name}' has no parameter '{key}'{did_you_mean(key, values)}")
            inner.properties[key] = Property(literal(self.value(text, scope, element.file)))
        for name, parameter in values.items():
            if name in inner.properties:
                continue
            if parameter.forward and scope.owner('properties', name):
                inner.properties[name] = Property(self.property(scope, name))
            elif parameter.default is not None:
                text = parameter.default
                inner.properties[name] = Property(literal(self.value(text, scope, macro.body.file)))
            elif parameter.forward:
                raise XacroError(f"macro '{macro.name}' takes '{name}' from its caller (:=^), where no property "
                                 'of that name exists')
            else:
                raise XacroError(f"macro '{macro.name}' needs the parameter '{name}'")

    def bind_blocks(self, macro, element, scope, inner):
        names = [p for p in macro.parameters if p.block]
        content = Element(element.name, {}, element.file, element.line)
        self.expand_children(element, content, scope)  # blocks see the names of the caller
        blocks = content.elements()
        if len(blocks) < len(names):
            raise XacroError(f"macro '{macro.name}' needs the block '{names[len(blocks)].name}': put "
                             f'{len(names)} element(s) into the call')
        if len(blocks) > len(names):
            extra = blocks[len(names)]
            raise XacroError(f"macro '{macro.name}' takes {len(names)} block(s); {extra.tag()} is one too many")
        for parameter, block in zip(names, blocks):
            inner.blocks[parameter.name] = Block(block, parameter.block == '**', expanded=True)

    def do_insert_block(self, element, out, scope):
        name = self.string(element.attributes['name'], scope, element.file)
        path = name.split('.')
        owner = scope.namespace(path[:-1])
        block = owner and owner.find('blocks', path[-1])
        if block is None:
            raise XacroError(f"block '{name}' is not defined{did_you_mean(name, scope.names('blocks'))}")
        if block.expanded:
            out.children.extend(block.element.children if block.content_only else [block.element])
        else:
            self.expand_children(block.element, out, scope)


def check_attributes(name, element):
    for attribute in REQUIRED_ATTRIBUTES.get(name, []):
        if attribute not in element.attributes:
            raise XacroError(f"<xacro:{name}> needs the attribute '{attribute}'"
                             + did_you_mean(attribute, element.attributes))
    known = KNOWN_ATTRIBUTES.get(name)
    for attribute in element.attributes if known else []:
        if attribute not in known:
            raise XacroError(f"<xacro:{name}> has no attribute '{attribute}'{did_you_mean(attribute, known)}")


def with_trail(element, action):
    """Runs `action`; an error that passes learns the element's place."""
    try:
        return action()
    except XacroError as error:
        raise error.at(element.file, element.line, element.tag())


def process_file(path, mappings=None):
    """Expands a file; `mappings` are the arguments. Returns a minidom document."""
    return run(path, mappings)[0]


def run(path, mappings=None):
    """(document, files read)."""
    processor = Processor(mappings or {})
    # Nested macros nest Python calls, about a dozen per level.
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20000))
    try:
        return tree.to_document(processor.process(path)), processor.read_files
    except RecursionError:
        raise XacroError(f"'{path}': elements are nested too deeply")
    finally:
        sys.setrecursionlimit(limit)
