# SPDX-License-Identifier: Apache-2.0
"""Bad launch files: the message names place and remedy."""

import os
import random

import pytest

from launch_xml import actions, arguments
from ros2cli.errors import CommandError


@pytest.mark.parametrize('body, reason', [
    ('<nod pkg="a"/>', "did you mean 'node'"),
    ('<rosparam/>', '<param from="file.yaml"/>'),
    ('<node pkg="soccer" exec="show" nam="x"/>', "did you mean 'name'"),
    ('<node pkg="soccer" exec="show" type="x"/>', 'spelled exec'),
    ('<node pkg="soccer" exec="show" on_exit="shutdown"/>', 'Humble does not know it'),
    ('<node exec="no_such_program"/>', 'without pkg'),
    ('<node pkg="soccer" exec="show" sigterm_timeout="1"/>', 'Humble does not know it'),
    ('<executable cmd="true" sigkill_timeout="1"/>', 'Humble does not know it'),
    ('<test/>', 'not supported here'),
    ('<timer period="soon"/>', 'number of seconds'),
    ('<group scoped="false" forwarding="false"/>', 'needs scoped'),
    ('<reset><keep name="a"/></reset>', "needs the attribute 'value'"),
    ('<let name="a" value="$(param none)"/>', "sets 'none'"),
    ('<node pkg="socer" exec="show"/>', "did you mean 'soccer'"),
    ('<node pkg="soccer" exec="shw"/>', "did you mean 'show'"),
    ('<node pkg="soccer" exec="show" name="a/b"/>', 'is not a node name'),
    ('<node pkg="soccer" exec="show" output="scren"/>', 'is not known'),
    ('<node pkg="soccer" exec="show" respawn="maybe"/>', 'not true, false'),
    ('<node pkg="soccer" exec="show" respawn="$(var r)"/>', 'Humble takes only true or false'),
    ('<node pkg="soccer" exec="show" respawn_delay="-1"/>', 'number of seconds'),
    ('<node pkg="soccer" exec="show" cwd="/no/such/folder"/>', 'is not a folder'),
    ('<node pkg="soccer" exec="show"><remp from="a" to="b"/></node>', "did you mean 'remap'"),
    ('<node pkg="soccer" exec="show"><remap from="" to="b"/></node>', 'both sides need a name'),
    ('<node pkg="soccer" exec="show"><param name="a"/></node>', "needs the attribute 'value'"),
    ('<node pkg="soccer" exec="show"><param name="a" value="[1, x]"/></node>', 'one type'),
    ('<node pkg="soccer" exec="show"><param name="a" value="{x: 1}"/></node>', 'type="str"'),
    ('<node pkg="soccer" exec="show"><param name="a" value="x: y: z"/></node>', 'type="str"'),
    ('<node pkg="soccer" exec="show"><param name="a" value="x" type="int"/></node>', 'not of type int'),
    ('<node pkg="soccer" exec="show"><param name="a" value="x" type="integer"/></node>', 'is not known'),
    ('<node pkg="soccer" exec="show"><param name="a" value="1" if="true"/></node>', 'no conditions on <param>'),
    ('<node pkg="soccer" exec="show"><param from="/no/file.yaml"/></node>', 'cannot read parameter file'),
    ('<node pkg="soccer" exec="show"><param from="/no/file.yaml" name="x"/></node>', 'whole file'),
    ('<node pkg="soccer" exec="show" if="true" unless="true"/>', 'exclude each other'),
    ('<node pkg="soccer" exec="show" if="perhaps"/>', 'not true, false'),
    ('<arg name="a"/>', "argument 'a' is required: give a:=VALUE"),
    ('<arg name="a" value="1"/>', '<let'),
    ('<arg name="a" default="lft"><choice value="left"/><choice value="right"/></arg>', "did you mean 'left'"),
    ('<include file="x.launch.xml"/>', '$(dirname)/x.launch.xml'),
    ('<include file="/x.launch.py"/>', "included file '/x.launch.py' is not an XML launch file"),
    ('<include file="/no/x.launch.xml"/>', 'cannot read launch file'),
    ('<include file="$(filename)"/>', 'circle'),
    ('<include file="$(filename)"><let name="a" value="1"/></include>', 'cannot contain <let>'),
    ('<group ns="a"/>', 'push_ros_namespace'),
    ('<executable cmd=""/>', 'cmd is empty'),
    ('<executable cmd="echo \'a"/>', 'no closing'),
    ('<load_composable_node target="/c"/>', 'loads nothing'),
    ('text', 'outside of a tag'),
    ('<a', 'not well-formed'),
])
def test_message_and_line(workspace, body, reason):
    text = workspace.error('\n' + body)
    assert reason in text
    assert 'main.launch.xml:3' in text or 'main.launch.xml:4' in text  # the latter: noticed at the end tag


def test_the_includes_that_led_there(workspace):
    path = workspace.launch_file('\n<nod/>', 'inner.launch.xml')
    text = workspace.error('<include file="$(dirname)/inner.launch.xml"/>')
    assert text.startswith(f'{path}:3: ') and 'included from' in text and 'main.launch.xml:2' in text


def test_wrong_root(workspace):
    path = workspace.write('x.launch.xml', '<robot/>')
    with pytest.raises(CommandError, match='not <robot>'):
        actions.make_plan(path, {})


def test_broken_parameter_file(workspace):
    path = workspace.write('p.yaml', 'a: [1\nb: 2')
    assert 'is broken' in workspace.error(f'<node pkg="soccer" exec="show"><param from="{path}"/></node>')
    path = workspace.write('p.yaml', '- 1')
    assert 'does not start with a node name' in workspace.error(f'<set_parameters_from_file filename="{path}"/>')


def test_mutated_files_give_errors_not_crashes(workspace):
    seed = '''<launch><arg name="a" default="1"><choice value="1"/></arg><let name="b" value="$(var a)"/>
      <group><push_ros_namespace namespace="r$(eval '$(var a) + 1')"/><set_remap from="/tf" to="tf"/>
      <node pkg="soccer" exec="show" name="n" if="$(not false)" args="'x y' $(var b)"><param name="p" value="[1, 2]"/>
      <remap from="a" to="b"/></node></group><executable cmd="echo hello"/>
      <node_container pkg="soccer" exec="show" name="c" namespace=""><composable_node pkg="p" plugin="q" name="m">
      <extra_arg name="e" value="true"/></composable_node></node_container></launch>'''
    rng = random.Random(2)
    alphabet = '<>/="$()\'[]{}:,| var not include node param 01'
    outcomes = {True: 0, False: 0}
    for _ in range(50000 if os.environ.get('HL_FULL') == '1' else 800):
        text = list(seed)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(text))
            text[place:place + rng.randint(0, 3)] = rng.choices(alphabet, k=rng.randint(0, 3))
        path = workspace.write('fuzz.launch.xml', ''.join(text))
        try:
            actions.make_plan(path, {}).close()
            arguments.describe(arguments.declared(path, {}))
            outcomes[True] += 1
        except CommandError as error:
            assert 'fuzz.launch.xml:' in str(error)
            outcomes[False] += 1
    assert outcomes[True] and outcomes[False]
