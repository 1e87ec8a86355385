# SPDX-License-Identifier: Apache-2.0
"""Maths and texts in ${...}."""

import pytest


@pytest.mark.parametrize('expression, expected', [
    ('1 + 2 * 3', '7'),
    ('7 // 2', '3'),
    ('2 ** 10', '1024'),
    ('-7 % 3', '2'),
    ('1 / 4', '0.25'),
    ('pi', '3.141592653589793'),
    ('radians(180)', '3.141592653589793'),
    ('degrees(pi / 2)', '90.0'),
    ('round(sin(pi / 6), 6)', '0.5'),
    ('sqrt(2) * sqrt(2) > 1.99', 'True'),
    ('max(1, 5, 3) - min([4, 2])', '3'),
    ('abs(-2.5)', '2.5'),
    ('[1, 2, 3][-1]', '3'),
    ("dict(a=1, b=2)['b']", '2'),
    ('sum([x * x for x in range(4) if x != 2])', '10'),
    ('sum(map(lambda x: x + 1, [1, 2]))', '5'),
    ("'left'.upper()[0:2]", 'LE'),
    ("'l' if 1 &lt; 2 else 'r'", 'l'),
    ("'%.2f' % 1.2345", '1.23'),
    ('not True or 1 in [1, 2]', 'True'),
    ('1 &lt; 2 &lt; 3', 'True'),
    ("','.join([str(i) for i in range(3)])", '0,1,2'),
    ("xacro.tokenize('a, b;c')", "['a', 'b', 'c']"),
    ("[a + b for a, b in zip([1, 2], [10, 20])]", '[11, 22]'),
    ('(lambda: 3)()', '3'),
])
def test_value(files, expression, expected):
    assert files.expand(f'<a v="${{{expression}}}"/>') == f'<a v="{expected}"/>'


@pytest.mark.parametrize('expression, reason', [
    ('lenght * 2', "name 'lenght' is not defined; did you mean 'length'?"),
    ('1 +', "expression '1 +' is not valid"),
    ('1 / 0', 'division by zero'),
    ("__import__('os')", "name '__import__' is not defined"),
    ("open('/etc/passwd')", "name 'open' is not defined"),
    ('().__class__', "'__class__' is not available"),
    ("'a'.__class__.__mro__", "'__class__' is not available"),
    ("'a'.format(1)", "'format' is not available"),
    ("dict({'a': 1})", 'write dict(...)'),
    ('[].append(1)', "'append' is not available"),
    ('9 ** 9 ** 9', 'too large'),
    ("'a' * 10**9", 'too long'),
    ('range(10**9)', 'too long'),
    ("'%1000000000d' % 1", 'too wide'),
    ('length(3)', "'length' is a value, not a function"),
    ("dict(a=1)['b']", "key 'b' does not exist"),
    ('(' * 300 + ')' * 300, 'is not valid'),
    ('yield 1', 'not valid'),
    ('[x := 1]', "'NamedExpr' is not allowed"),
])
def test_refused(files, expression, reason):
    body = '<xacro:property name="length" value="1"/>\n<a v="${%s}"/>' % expression
    text = files.error(body)
    assert reason in text
    assert 'main.xacro:2' in text


def test_the_expression_is_named(files):
    assert "expression 'a + oops'" in files.error('<xacro:property name="a" value="1"/><x v="${a + oops}"/>')


def test_text_around_expressions_and_escapes(files):
    assert files.expand('<a v="x${1+1}y${3}z $ $${no} $$(no)">t${4}</a>') == '<a v="x2y3z $ ${no} $(no)">t4</a>'


def test_unclosed_expression(files):
    assert "has no closing '}'" in files.error('<a v="${1 + 2"/>')
    assert "has no closing ')'" in files.error('<a v="$(arg x"/>')
