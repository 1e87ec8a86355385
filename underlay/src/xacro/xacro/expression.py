# SPDX-License-Identifier: Apache-2.0
"""Evaluates the Python expressions in ${...} without handing a description file the whole interpreter.

The expression's syntax tree is walked by hand: only listed node types, functions and methods exist, and results
are bounded, so that a file from elsewhere can neither run code nor fill the memory.
"""

import ast
import math
import operator

from .errors import XacroError, did_you_mean

MAX_SIZE = 1_000_000  # characters of a text, elements of a list, bits of a number
MAX_STEPS = 1_000_000  # evaluated syntax nodes of one expression


def bounded_range(*args):
    result = range(*args)
    if len(result) > MAX_SIZE:
        raise XacroError(f'range of {len(result)} elements is too long (limit {MAX_SIZE})')
    return list(result)


MATH = {name: value for name, value in vars(math).items()
        if not name.startswith('_') and name not in ('factorial', 'perm', 'comb')}
FUNCTIONS = dict(MATH)
FUNCTIONS.update(
    {f.__name__: f for f in (abs, all, any, bool, dict, divmod, float, int, len, list, max, min, round, set, sorted,
                             str, sum, tuple)},
    range=bounded_range, map=lambda f, *a: list(map(f, *a)), filter=lambda f, a: list(filter(f, a)),
    zip=lambda *a: list(zip(*a)), enumerate=lambda *a: list(enumerate(*a)), reversed=lambda a: list(reversed(a)))
CONSTANTS = {'True': True, 'False': False, 'None': None, 'true': True, 'false': False}

METHODS = {
    str: ('capitalize count endswith find index isalpha isdigit isnumeric join lower lstrip partition replace rfind '
          'rpartition rsplit rstrip split splitlines startswith strip title upper zfill').split(),
    list: ['count', 'index'],
    tuple: ['count', 'index'],
    dict: ['get', 'items', 'keys', 'values'],
}

BINARY = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}
UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_, ast.Invert: operator.invert}
COMPARE = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}


class Namespace:
    """Things reached with a dot: the functions of `xacro.`, or the properties of an included namespace."""

    def __init__(self, name, lookup, names):
        self.name, self.lookup, self.names = name, lookup, names


class Dict(dict):
    """A mapping loaded from YAML: d.key is d['key'], as in real xacro."""


def evaluate(text, lookup, names):
    """The value of `text`; `lookup(name)` resolves properties or raises KeyError, `names()` lists them for hints."""
    try:
        tree = ast.parse(text.strip(), mode='eval')
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        hint = "; a '}' ends the expression, so write dict(...) for {...}" if '{' in text else ''
        raise XacroError(f"expression '{text}' is not valid: {getattr(error, 'msg', error)}{hint}")
    try:
        return Evaluator(lookup, names).visit(tree.body)
    except XacroError as error:
        if "expression '" not in error.text:  # an inner property's expression is the one to look at
            error.text += f"\n  when evaluating expression '{text}'"
        raise
    except RecursionError:
        raise XacroError(f"expression '{text}' is nested too deeply")
    except KeyError as error:
        raise XacroError(f"key {error} does not exist\n  when evaluating expression '{text}'")
    except Exception as error:  # whatever a listed function throws on bad values: name the expression
        raise XacroError(f"{type(error).__name__}: {error}\n  when evaluating expression '{text}'")


class Evaluator:
    def __init__(self, lookup, names):
        self.lookup, self.names, self.locals, self.steps = lookup, names, {}, 0

    def visit(self, node):
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise XacroError(f'evaluation takes more than {MAX_STEPS} steps')
        method = getattr(self, 'eval_' + type(node).__name__, None)
        if method is None:
            raise XacroError(f"'{type(node).__name__}' is not allowed in an expression")
        return method(node)

    def eval_Constant(self, node):
        return node.value

    def eval_Name(self, node):
        if node.id in self.locals:
            return self.locals[node.id]
        try:
            return self.lookup(node.id)
        except KeyError:
            pass
        if node.id in CONSTANTS:
            return CONSTANTS[node.id]
        if node.id in FUNCTIONS:
            return FUNCTIONS[node.id]
        known = list(self.names()) + list(FUNCTIONS)
        raise XacroError(f"name '{node.id}' is not defined{did_you_mean(node.id, known)}")

    def eval_BinOp(self, node):
        left, right = self.visit(node.left), self.visit(node.right)
        check_growth(type(node.op), left, right)
        return bounded(BINARY[type(node.op)](left, right)) if type(node.op) in BINARY else self.refuse(node.op)

    def eval_UnaryOp(self, node):
        return UNARY[type(node.op)](self.visit(node.operand))

    def eval_BoolOp(self, node):
        stop = isinstance(node.op, ast.Or)
        for part in node.values:
            value = self.visit(part)
            if bool(value) == stop:
                break
        return value

    def eval_Compare(self, node):
        left = self.visit(node.left)
        for op, right_node in zip(node.ops, node.comparators):
            right = self.visit(right_node)
            if not COMPARE[type(op)](left, right):
                return False
            left = right
        return True

    def eval_IfExp(self, node):
        return self.visit(node.body if self.visit(node.test) else node.orelse)

    def eval_List(self, node):
        return [self.visit(x) for x in node.elts]

    def eval_Tuple(self, node):
        return tuple(self.visit(x) for x in node.elts)

    def eval_Set(self, node):
        return {self.visit(x) for x in node.elts}

    def eval_Dict(self, node):
        return {self.visit(k): self.visit(v) for k, v in zip(node.keys, node.values)}

    def eval_Slice(self, node):
        return slice(*(None if x is None else self.visit(x) for x in (node.lower, node.upper, node.step)))

    def eval_Subscript(self, node):
        return self.visit(node.value)[self.visit(node.slice)]

    def eval_Attribute(self, node):
        owner = self.visit(node.value)
        if isinstance(owner, Namespace):
            try:
                return owner.lookup(node.attr)
            except KeyError:
                raise XacroError(f"'{owner.name}.{node.attr}' is not defined{did_you_mean(node.attr, owner.names())}")
        if isinstance(owner, Dict) and node.attr in owner:
            return owner[node.attr]
        for kind, methods in METHODS.items():
            if isinstance(owner, kind) and node.attr in methods:
                return getattr(owner, node.attr)
        hint = did_you_mean(node.attr, owner) if isinstance(owner, Dict) else ''
        raise XacroError(f"'{node.attr}' is not available on a {type(owner).__name__}{hint}")

    def eval_Call(self, node):
        function = self.visit(node.func)
        arguments = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                arguments.extend(self.visit(argument.value))
            else:
                arguments.append(self.visit(argument))
        keywords = {}
        for keyword in node.keywords:
            keywords.update(self.visit(keyword.value) if keyword.arg is None
                            else {keyword.arg: self.visit(keyword.value)})
        if not callable(function):
            raise XacroError(f"'{ast.unparse(node.func)}' is a value, not a function")
        check_text_method(function, arguments)
        if function is math.ldexp or function is math.pow:
            arguments = [float(arguments[0]), *arguments[1:]]
        return bounded(function(*arguments, **keywords))

    def eval_ListComp(self, node):
        return [self.visit(node.elt) for _ in self.loop(node.generators)]

    eval_GeneratorExp = eval_ListComp

    def eval_SetComp(self, node):
        return {self.visit(node.elt) for _ in self.loop(node.generators)}

    def eval_DictComp(self, node):
        return {self.visit(node.key): self.visit(node.value) for _ in self.loop(node.generators)}

    def eval_Lambda(self, node):
        names = [argument.arg for argument in node.args.args]

        def call(*values):
            if len(values) != len(names):
                raise XacroError(f'the lambda takes {len(names)} values, got {len(values)}')
            outer, self.locals = self.locals, {**self.locals, **dict(zip(names, values))}
            try:
                return self.visit(node.body)
            finally:
                self.locals = outer
        return call

    def loop(self, generators):
        if not generators:
            yield
            return
        first, rest = generators[0], generators[1:]
        outer = self.locals
        for item in self.visit(first.iter):
            self.locals = {**outer, **unpack(first.target, item)}
            if all(self.visit(condition) for condition in first.ifs):
                yield from self.loop(rest)
        self.locals = outer

    def refuse(self, op):
        raise XacroError(f"operator '{type(op).__name__}' is not allowed in an expression")


def unpack(target, value):
    if isinstance(target, ast.Name):
        return {target.id: value}
    if isinstance(target, (ast.Tuple, ast.List)):
        values = list(value)
        if len(values) != len(target.elts):
            raise XacroError(f'cannot unpack {len(values)} values into {len(target.elts)} names')
        result = {}
        for part, item in zip(target.elts, values):
            result.update(unpack(part, item))
        return result
    raise XacroError(f"'{ast.unparse(target)}' cannot be a loop variable")


def numbers_in(text):
    number = ''
    for character in text + ' ':
        if character.isdigit():
            number += character
        elif number:
            yield number[:12]
            number = ''


def check_growth(op, left, right):
    """Refuses the operations whose result could be far larger than their operands."""
    if op is ast.Pow and isinstance(left, int) and isinstance(right, int):
        if right > 0 and left.bit_length() * right > MAX_SIZE:
            raise XacroError(f'{left} ** {right} is too large')
    if op is ast.LShift and isinstance(right, int) and right > MAX_SIZE:
        raise XacroError(f'shift by {right} is too large')
    if op is ast.Mult:
        for a, b in ((left, right), (right, left)):
            if isinstance(a, (str, list, tuple)) and isinstance(b, int) and len(a) * b > MAX_SIZE:
                raise XacroError(f'repetition by {b} is too long (limit {MAX_SIZE})')
    if op is ast.Mod and isinstance(left, str) and ('*' in left or any(int(n) > MAX_SIZE for n in numbers_in(left))):
        raise XacroError(f"format '{left}' is too wide")


def check_text_method(function, arguments):
    owner = getattr(function, '__self__', '')
    if not isinstance(owner, str):
        return  # not a method of a text
    if function.__name__ == 'zfill' and arguments and int(arguments[0]) > MAX_SIZE:
        raise XacroError(f'zfill({arguments[0]}) is too long')
    if function.__name__ == 'replace' and len(arguments) > 1 and (len(owner) + 1) * (len(arguments[1]) + 1) > MAX_SIZE:
        raise XacroError('the replaced text would be too long')
    if function.__name__ == 'join' and arguments and len(owner) * len(arguments[0]) > MAX_SIZE:
        raise XacroError('the joined text would be too long')


def bounded(value):
    if isinstance(value, (str, list, tuple, dict, set)) and len(value) > MAX_SIZE:
        raise XacroError(f'result of {len(value)} elements is too long (limit {MAX_SIZE})')
    if isinstance(value, int) and value.bit_length() > MAX_SIZE:
        raise XacroError('result is too large')
    return value
