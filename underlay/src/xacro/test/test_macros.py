# SPDX-License-Identifier: Apache-2.0
"""Macros with values, defaults and blocks; recursion."""

import pytest

from xacro.errors import XacroError
from xacro.macro import parse_parameters


def macro(params, content, name='m'):
    return f'<xacro:macro name="{name}" params="{params}">{content}</xacro:macro>'


def test_values_and_defaults(files):
    body = macro("side length:=${2 * 3} text:='a b' n=4", '<l n="${side}" v="${length}" t="${text}" k="${n}"/>')
    assert files.expand(body + '<xacro:m side="left"/>') == '<l n="left" v="6" t="a b" k="4"/>'
    assert files.expand(body + '<xacro:m side="r" length="1" n="0"/>') == '<l n="r" v="1" t="a b" k="0"/>'


def test_a_default_does_not_see_the_other_parameters(files):
    body = '<xacro:macro name="m" params="a b:=${a * 2}"><x b="${b}"/></xacro:macro><xacro:m a="3"/>'
    assert "name 'a' is not defined" in files.error(body)
    assert files.expand('<xacro:property name="a" value="5"/>' + body) == '<x b="10"/>'


def test_values_from_the_caller(files):
    body = macro('a:=^ b:=^|5', '<x v="${a} ${b}"/>')
    assert files.expand('<xacro:property name="a" value="1"/>' + body + '<xacro:m/>') == '<x v="1 5"/>'
    both = '<xacro:property name="a" value="1"/><xacro:property name="b" value="2"/>'
    assert files.expand(both + body + '<xacro:m/>') == '<x v="1 2"/>'
    assert 'from its caller' in files.error(body + '<xacro:m/>')


def test_blocks(files):
    body = macro('n *origin **content', '<link name="${n}"><xacro:insert_block name="content"/>'
                                        '<xacro:insert_block name="origin"/></link>')
    call = '<xacro:m n="a"><origin xyz="${1+1}"/><any><b/><c/></any></xacro:m>'
    assert files.expand(body + call) == '<link name="a"><b/><c/><origin xyz="2"/></link>'


def test_blocks_see_the_names_of_the_caller(files):
    body = '<xacro:property name="a" value="outer"/>' + macro('a *b', '<xacro:insert_block name="b"/>')
    assert files.expand(body + '<xacro:m a="inner"><x v="${a}"/></xacro:m>') == '<x v="outer"/>'


def test_blocks_pass_through_nested_macros(files):
    body = macro('*b', '<in><xacro:insert_block name="b"/></in>', 'inner') \
        + macro('*b', '<xacro:inner><xacro:insert_block name="b"/></xacro:inner>', 'outer')
    assert files.expand(body + '<xacro:outer><x/></xacro:outer>') == '<in><x/></in>'


def test_an_escape_in_a_block_is_expanded_once(files):
    assert files.expand(macro('*b', '<xacro:insert_block name="b"/>') + '<xacro:m><x v="$${a}"/></xacro:m>') \
        == '<x v="${a}"/>'


def test_recursion(files):
    body = macro('i', '<l n="${i}"><xacro:if value="${i > 1}"><xacro:m i="${i - 1}"/></xacro:if></l>')
    assert files.expand(body + '<xacro:m i="3"/>') == '<l n="3"><l n="2"><l n="1"/></l></l>'


def test_deep_recursion_works(files):
    body = macro('i', '<l/><xacro:if value="${i > 1}"><xacro:m i="${i - 1}"/></xacro:if>')
    assert files.expand(body + '<xacro:m i="300"/>').count('<l/>') == 300


def test_endless_recursion_is_an_error(files):
    text = files.error(macro('', '<xacro:m/>') + '<xacro:m/>')
    assert 'calls itself without end' in text and 'more steps' in text


def test_call_by_computed_name(files):
    assert files.expand(macro('a', '<x v="${a}"/>', 'leg') + '<xacro:call macro="${\'l\' + \'eg\'}" a="1"/>') == '<x v="1"/>'


def test_a_macro_in_a_macro_is_local(files):
    body = macro('', macro('', '<x/>', 'inner') + '<xacro:inner/>') + '<xacro:m/>'
    assert files.expand(body) == '<x/>'
    assert "macro 'inner' is not defined" in files.error(body + '<xacro:inner/>')


def test_errors_of_calls(files):
    body = macro('side *origin', '')
    assert "needs the parameter 'side'" in files.error(body + '<xacro:m><o/></xacro:m>')
    assert "no parameter 'sid'; did you mean 'side'" in files.error(body + '<xacro:m sid="1"><o/></xacro:m>')
    assert "needs the block 'origin'" in files.error(body + '<xacro:m side="1"/>')
    assert 'one too many' in files.error(body + '<xacro:m side="1"><o/><p/></xacro:m>')
    assert "did you mean 'include'" in files.error('<xacro:inclde filename="x"/>')
    assert "block 'orign' is not defined; did you mean 'origin'" in files.error(
        macro('*origin', '<xacro:insert_block name="orign"/>') + '<xacro:m><o/></xacro:m>')
    assert 'meaning of its own' in files.error(macro('', '', 'include'))


def test_the_trail_names_call_and_definition(files):
    text = files.error('\n<xacro:macro name="leg" params="s">\n<x v="${nope}"/>\n</xacro:macro>\n<xacro:leg s="l"/>')
    assert text.index('main.xacro:3') < text.index("main.xacro:2: macro 'leg'") < text.index('main.xacro:5: <xacro:leg s="l">')


@pytest.mark.parametrize('text', ['a a', '1a', "a:='x", '*a:=1', '***a', 'a:=^x', 'a,b'])
def test_bad_parameter_lists(text):
    with pytest.raises(XacroError):
        parse_parameters(text)
