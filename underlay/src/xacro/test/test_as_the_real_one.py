# SPDX-License-Identifier: Apache-2.0
"""What robots of other teams rely on."""

import xacro
from conftest import HEAD


def test_substitutions_inside_expressions(files):
    body = '<xacro:arg name="n" default="3"/><xacro:arg name="side" default="left"/>'
    assert files.expand(body + '<x a="${$(arg n) + 1}"/>') == '<x a="4"/>'
    assert files.expand(body + """<x a="${'$(arg side)' == 'left'}"/>""") == '<x a="True"/>'
    assert 'has no value' in files.error('<x a="${$(arg none) + 1}"/>')


def test_places_of_packages_inside_expressions(files, monkeypatch):
    files.write('share/ament_index/resource_index/packages/my_robot', '')
    files.write('share/my_robot/data.yaml', 'length: 0.25')
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(files.folder))
    assert files.expand("""<x a="${xacro.load_yaml('$(find my_robot)/data.yaml').length * 2}"/>""") == '<x a="0.5"/>'


def test_math_is_a_module_too(files):
    assert files.expand('<x a="${math.cos(0)} ${int(math.pi)} ${cos(0)}"/>') == '<x a="1.0 3 1.0"/>'
    assert "'math.cso' is not defined" in files.error('<x a="${math.cso(0)}"/>')


def test_a_default_of_a_macro_is_evaluated_where_it_is_called(files):
    body = '<xacro:property name="a" value="outside"/>' \
           '<xacro:macro name="m" params="a b:=${a}"><x a="${a}" b="${b}"/></xacro:macro>'
    assert files.expand(body + '<xacro:m a="inside"/>') == '<x a="inside" b="outside"/>'


def test_an_include_in_a_macro_is_relative_to_the_file_that_calls(files):
    files.write('lib/m.xacro', f'{HEAD}<xacro:macro name="m" params=""><xacro:include filename="part.xacro"/>'
                '</xacro:macro></robot>')
    files.write('part.xacro', f'{HEAD}<here/></robot>')
    files.write('lib/part.xacro', f'{HEAD}<there/></robot>')
    assert files.expand('<xacro:include filename="lib/m.xacro"/><xacro:m/>') == '<here/>'


def test_parent_scope_of_a_namespaced_macro_is_its_caller(files):
    files.write('lib.xacro', f'{HEAD}<xacro:macro name="set" params=""><xacro:property name="p" value="1" scope="parent"/>'
                '</xacro:macro></robot>')
    assert files.expand('<xacro:include filename="lib.xacro" ns="l"/><xacro:l.set/><x p="${p}"/>') == '<x p="1"/>'


def test_target_namespace(files):
    path = files.write('n.xacro', HEAD.replace('>', ' xacro:targetNamespace="http://example.org/robot"/>'))
    text = xacro.process_file(path).documentElement.toxml()
    assert 'xmlns="http://example.org/robot"' in text and 'targetNamespace' not in text


def test_a_redefined_global_symbol_is_warned_of(files, capsys):
    assert files.expand('<xacro:property name="pi" value="3"/><x a="${pi}"/>') == '<x a="3"/>'
    assert "property 'pi' redefines a global symbol" in capsys.readouterr().err


def test_comments_stay(files):
    body = '<!-- outside --><xacro:macro name="m" params=""><!-- inside --><x/></xacro:macro><xacro:m/>'
    assert files.expand(body) == '<!-- outside --><!-- inside --><x/>'
