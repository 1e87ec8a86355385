# SPDX-License-Identifier: Apache-2.0
"""Includes, arguments, conditions, substitutions and the command line."""

import os
import random
import subprocess
import sys

import pytest

import xacro
from xacro.command_line import main

from conftest import HEAD


def test_include_shares_properties_and_macros(files):
    files.write('parts/leg.xacro', f'{HEAD}<xacro:property name="k" value="2"/>'
                '<xacro:macro name="leg" params=""><leg k="${k}"/></xacro:macro><mark/></robot>')
    assert files.expand('<xacro:include filename="parts/leg.xacro"/><xacro:leg/>') == '<mark/><leg k="2"/>'


def test_include_is_relative_to_its_own_file(files):
    files.write('a/one.xacro', f'{HEAD}<xacro:include filename="two.xacro"/></robot>')
    files.write('a/two.xacro', f'{HEAD}<x d="$(dirname)"/></robot>')
    assert files.expand('<xacro:include filename="a/one.xacro"/>') == f'<x d="{files.folder}/a"/>'


def test_include_with_namespace(files):
    files.write('leg.xacro', f'{HEAD}<xacro:property name="k" value="2"/><xacro:property name="j" value="${{k + 1}}"/>'
                '<xacro:macro name="leg" params=""><leg k="${k}"/></xacro:macro></robot>')
    body = '<xacro:property name="k" value="0"/><xacro:include filename="leg.xacro" ns="l"/>'
    assert files.expand(body + '<xacro:l.leg/><x v="${k} ${l.k} ${l.j}"/>') == '<leg k="2"/><x v="0 2 3"/>'
    assert "'l.q' is not defined" in files.error(body + '<x v="${l.q}"/>')
    assert "did you mean 'l.leg'" in files.error(body + '<xacro:l.lg/>')


def test_include_pattern_and_optional(files):
    for name in 'ba':
        files.write(f'p/{name}.xacro', f'{HEAD}<{name}/></robot>')
    assert files.expand('<xacro:include filename="p/*.xacro"/>') == '<a/><b/>'
    assert files.expand('<xacro:include filename="none.xacro" optional="true"/>') == ''


def test_include_errors(files):
    text = files.error('\n<xacro:include filename="none.xacro"/>')
    assert 'cannot read' in text and 'main.xacro:2' in text
    files.write('a.xacro', f'{HEAD}\n<xacro:include filename="b.xacro"/></robot>')
    files.write('b.xacro', f'{HEAD}\n\n<xacro:include filename="a.xacro"/></robot>')
    text = files.error('<xacro:include filename="a.xacro"/>')
    assert 'circle: a.xacro -> b.xacro -> a.xacro' in text and 'b.xacro:3' in text and 'main.xacro:1' in text
    files.write('c.xacro', f'{HEAD}\n\n<a></robot>')
    assert 'c.xacro:3' in files.error('<xacro:include filename="c.xacro"/>')


def test_arguments(files):
    body = '<xacro:arg name="n" default="${1 + 1}"/><x v="$(arg n)"/>'
    assert files.expand(body) == '<x v="2"/>'
    assert files.expand(body, {'n': '7'}) == '<x v="7"/>'
    assert files.expand('<xacro:arg name="n" default="4"/><x v="${xacro.arg(\'n\') + 1}"/>') == '<x v="5"/>'
    assert "argument 'm' has no value" in files.error('<x v="$(arg m)"/>')


def test_find(files, monkeypatch):
    files.write('share/ament_index/resource_index/packages/my_robot', '')
    files.write('share/my_robot/part.xacro', f'{HEAD}<part/></robot>')
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(files.folder))
    assert files.expand('<xacro:include filename="$(find my_robot)/part.xacro"/>') == '<part/>'
    assert "package 'my_robo' not found; did you mean 'my_robot'" in files.error('<x v="$(find my_robo)"/>')


def test_environment(files, monkeypatch):
    monkeypatch.setenv('ROBOT', 'mini')
    assert files.expand('<x v="$(env ROBOT) $(optenv ROBOT no) $(optenv NOPE a b)"/>') == '<x v="mini mini a b"/>'
    assert "'NOPE' is not set" in files.error('<x v="$(env NOPE)"/>')
    assert "did you mean 'env'" in files.error('<x v="$(enf ROBOT)"/>')
    assert 'takes one name' in files.error('<x v="$(env A B)"/>')


@pytest.mark.parametrize('value, expected', [
    ('true', True), ('True', True), ('1', True), ('${1 == 1}', True), ('0.5', True), ('${[1]}', True),
    ('false', False), ('False', False), ('0', False), ('${2 &lt; 1}', False), ('${None}', False)])
def test_conditions(files, value, expected):
    body = f'<xacro:if value="{value}"><y/></xacro:if><xacro:unless value="{value}"><n/></xacro:unless>'
    assert files.expand(body) == ('<y/>' if expected else '<n/>')


def test_condition_that_is_none(files):
    assert 'neither true/false nor a number' in files.error('<xacro:if value="maybe"/>')


def test_element_and_attribute(files):
    body = '''<xacro:element xacro:name="${'jo' + 'int'}" type="fixed"><xacro:attribute name="n" value="${1}"/>
              <b/></xacro:element>'''
    assert files.expand(body) == '<joint type="fixed" n="1"><b/></joint>'
    assert "needs the attribute 'xacro:name'" in files.error('<xacro:element name="a"/>')
    assert 'cannot be the name' in files.error('<xacro:element xacro:name="a b"/>')
    assert 'cannot be the name' in files.error('<xacro:attribute name="" value="1"/>')


def test_comments_stay_and_the_xacro_namespace_goes(files):
    path = files.write('r.xacro', '<!-- top --><robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro" '
                       'xmlns:k="urn:k"><!-- in --><a>t &amp; u</a></robot>')
    text = xacro.process(path)
    assert '<!-- top -->' in text and '<!-- in -->' in text and 'xmlns:k' in text and 'xmlns:xacro' not in text
    assert '<a>t &amp; u</a>' in text


def test_broken_xml(files):
    for text, line in (('', 1), ('<a>', 1), ('<a>\n</b>', 2), ('no xml', 1), ('<a>\n<b c=d/></a>', 2)):
        with pytest.raises(xacro.XacroError) as caught:
            xacro.process_file(files.write('bad.xacro', text))
        assert f'bad.xacro:{line}' in str(caught.value)


def test_entities_are_refused(files):
    bomb = '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;">]><a>&z;</a>'
    with pytest.raises(xacro.XacroError, match='entities are not supported'):
        xacro.process_file(files.write('bomb.xacro', bomb))


def test_deep_nesting_is_an_error(files):
    with pytest.raises(xacro.XacroError, match='nested'):
        xacro.process_file(files.write('deep.xacro', '<a>' * 50000 + '</a>' * 50000))


def test_mutated_files_give_errors_not_crashes(files):
    seed = (f'{HEAD}<xacro:arg name="n" default="1"/><xacro:property name="p" value="$(arg n)"/>'
            '<xacro:macro name="m" params="a b:=^|1 *c **d"><x v="${a+b}"/><xacro:insert_block name="c"/>'
            '<xacro:if value="${p &gt; 0}"><xacro:element xacro:name="e"/></xacro:if></xacro:macro>'
            '<xacro:m a="1"><o/><q><r/></q></xacro:m></robot>')
    rng = random.Random(1)
    alphabet = '<>/="${}()[]*^|:.xacro property macro 019'
    outcomes = {True: 0, False: 0}
    for _ in range(100000 if os.environ.get('HL_FULL') == '1' else 1500):
        text = list(seed)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(HEAD), len(text))
            text[place:place + rng.randint(0, 3)] = rng.choices(alphabet, k=rng.randint(0, 3))
        try:
            xacro.process(files.write('fuzz.xacro', ''.join(text)))
            outcomes[True] += 1
        except xacro.XacroError as error:
            assert 'fuzz.xacro:' in str(error)
            outcomes[False] += 1
    assert outcomes[True] and outcomes[False]


def test_command_line(files, capsys):
    path = files.write('r.xacro', f'{HEAD}<xacro:arg name="n" default="1"/><x v="$(arg n)"/></robot>')
    assert main([path, 'n:=5', '--inorder']) == 0
    assert '<x v="5"/>' in capsys.readouterr().out
    target = str(files.folder / 'new' / 'out.urdf')
    assert main(['-o', target, path]) == 0
    with open(target) as file:
        assert '<x v="1"/>' in file.read()
    assert main([path, '--deps']) == 0
    assert capsys.readouterr().out.strip() == path
    with pytest.raises(SystemExit):
        main([path, 'n=5'])
    assert main(['none.xacro']) == 2
    assert 'cannot read' in capsys.readouterr().err


def test_program(files):
    path = files.write('r.xacro', f'{HEAD}\n<x v="${{oops}}"/></robot>')
    program = os.path.join(os.path.dirname(__file__), '..', 'bin', 'xacro')
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    result = subprocess.run([sys.executable, program, path], capture_output=True, text=True, env=environment)
    assert result.returncode == 2
    assert f'{path}:2: <x v="${{oops}}">' in result.stderr
