# SPDX-License-Identifier: Apache-2.0
"""Properties: lazy values, scopes, blocks."""

MACRO = '<xacro:macro name="m" params="">%s</xacro:macro><xacro:m/>'


def test_numbers_texts_and_truth_values_keep_their_type(files):
    body = '''<xacro:property name="n" value="2"/><xacro:property name="t" value="'2'"/>
              <xacro:property name="b" value="true"/><xacro:property name="l" value="${[1, 2]}"/>'''
    assert files.expand(body + '<a v="${n + 1} ${t + t} ${not b} ${l[1]}"/>') == '<a v="3 22 False 2"/>'


def test_values_are_lazy(files):
    body = '<xacro:property name="a" value="${2 * b}"/><xacro:property name="b" value="3"/>'
    assert files.expand(body + '<x v="${a}"/>') == '<x v="6"/>'


def test_a_definition_in_terms_of_itself_is_an_error(files):
    text = files.error('<xacro:property name="a" value="${b}"/><xacro:property name="b" value="${a}"/><x v="${a}"/>')
    assert 'a -> b -> a' in text


def test_counter_with_lazy_eval_false(files):
    body = '<xacro:property name="i" value="1"/><xacro:property name="i" value="${i + 1}" lazy_eval="false"/>'
    assert files.expand(body + '<x v="${i}"/>') == '<x v="2"/>'


def test_default_only_fills_a_gap(files):
    body = '<xacro:property name="a" value="1"/><xacro:property name="a" default="2"/><xacro:property name="b" default="3"/>'
    assert files.expand(body + '<x v="${a} ${b}"/>') == '<x v="1 3"/>'


def test_remove(files):
    body = '<xacro:property name="a" value="1"/><xacro:property name="a" remove="true"/><x v="${a}"/>'
    assert "name 'a' is not defined" in files.error(body)


def test_a_property_of_a_macro_ends_with_it(files):
    assert "name 'a'" in files.error(MACRO % '<xacro:property name="a" value="1"/>' + '<x v="${a}"/>')


def test_parent_scope_sees_the_value(files):
    body = MACRO % '<xacro:property name="k" value="7"/><xacro:property name="a" value="${k}" scope="parent"/>'
    assert files.expand(body + '<x v="${a}"/>') == '<x v="7"/>'


def test_global_scope_from_a_nested_macro(files):
    body = '''<xacro:macro name="inner" params=""><xacro:property name="a" value="9" scope="global"/></xacro:macro>
              <xacro:macro name="outer" params=""><xacro:inner/></xacro:macro><xacro:outer/><x v="${a}"/>'''
    assert files.expand(body) == '<x v="9"/>'


def test_block_property(files):
    body = '''<xacro:property name="a" value="1"/>
              <xacro:property name="origin"><origin xyz="${a} 0 0"/><b/></xacro:property>
              <link><xacro:insert_block name="origin"/></link>'''
    assert files.expand(body) == '<link><origin xyz="1 0 0"/><b/></link>'


def test_block_used_as_value_is_explained(files):
    assert 'insert_block' in files.error('<xacro:property name="o"><b/></xacro:property><x v="${o}"/>')


def test_bad_properties(files):
    assert "needs the attribute 'name'" in files.error('<xacro:property value="1"/>')
    assert 'cannot be a property name' in files.error('<xacro:property name="a.b" value="1"/>')
    assert "did you mean 'scope'" in files.error('<xacro:property name="a" value="1" scop="global"/>')
    assert 'parent or global' in files.error('<xacro:property name="a" value="1" scope="world"/>')
    assert 'both value and default' in files.error('<xacro:property name="a" value="1" default="2"/>')


def test_yaml_data(files):
    files.write('data/robot.yaml', 'legs: {left: {length: 0.1}}\nangles: [!degrees 180, !millimeters 5]\n')
    body = '''<xacro:property name="d" value="${xacro.load_yaml('data/robot.yaml')}"/>
              <x a="${d['legs']['left']['length'] * 2}" b="${d.legs.left.length}" c="${d.angles[0] == pi}"/>'''
    assert files.expand(body) == '<x a="0.2" b="0.1" c="True"/>'
    assert files.expand("<x v=\"${load_yaml('data/robot.yaml')['angles'][1]}\"/>") == '<x v="0.005"/>'


def test_yaml_errors(files):
    assert "cannot read YAML file" in files.error("<x v=\"${xacro.load_yaml('none.yaml')}\"/>")
    files.write('bad.yaml', 'a: [1, 2\nb: 3')
    text = files.error("<x v=\"${xacro.load_yaml('bad.yaml')}\"/>")
    assert 'bad.yaml' in text and 'line 2' in text
    files.write('ok.yaml', 'length: 1')
    assert "did you mean 'length'" in files.error("<x v=\"${xacro.load_yaml('ok.yaml').lenght}\"/>")
