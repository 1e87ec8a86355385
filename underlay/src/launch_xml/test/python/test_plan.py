# SPDX-License-Identifier: Apache-2.0
"""From launch file to command lines."""

import os

import pytest
import yaml
from launch_xml import actions


def ros_arguments(process):
    return process.command[process.command.index('--ros-args') + 1:] if '--ros-args' in process.command else []


def parameters(process):
    merged = {}
    for option, path in zip(ros_arguments(process), ros_arguments(process)[1:]):
        if option == '--params-file':
            with open(path) as file:
                merged.update(yaml.safe_load(file)['/**']['ros__parameters'])
    return merged


def remaps(process):
    words = ros_arguments(process)
    return [after for before, after in zip(words, words[1:]) if before == '-r']


def test_node(workspace):
    plan = workspace.plan('''
      <node pkg="soccer" exec="show" name="walk" namespace="robot1" args="--fast 'a b'" ros_args="--log-level debug"
            exec_name="walker" output="screen" respawn="true" respawn_delay="1.5" cwd="/tmp" launch-prefix="nice -n 5">
        <remap from="a" to="/b"/><env name="X" value="1"/><param name="rate" value="50.0"/>
      </node>''')
    process, = plan.processes
    assert process.command[:6] == ['nice', '-n', '5', f'{workspace.folder}/lib/soccer/show', '--fast', 'a b']
    assert remaps(process) == ['__node:=walk', '__ns:=/robot1', 'a:=/b']
    assert ros_arguments(process)[-2:] == ['--log-level', 'debug']
    assert (process.label, process.output, process.respawn, process.respawn_delay, process.cwd) == \
        ('walker', 'screen', True, 1.5, '/tmp')
    assert process.environment['X'] == '1' and process.node == '/robot1/walk'
    assert parameters(process) == {'rate': 50.0}


@pytest.mark.parametrize('attributes, expected', [
    ('value="1"', 1), ('value="1.0"', 1.0), ('value="1e-3"', 0.001), ('value="true"', True), ('value="a b"', 'a b'),
    ('value="\'1\'"', '1'), ('value="[1, 2]"', [1, 2]), ('value="[0.5]"', [0.5]), ('value=""', ''), ('value="[]"', []),
    ('value="1" type="str"', '1'), ('value="1" type="float"', 1.0), ('value="a: b" type="str"', 'a: b'),
    ('value="1;2" value-sep=";"', [1, 2]), ('value="[1, 2]" type="list_of_float"', [1.0, 2.0]),
    ('value="1,2" value-sep="," type="list_of_str"', ['1', '2'])])
def test_parameter_types(workspace, attributes, expected):
    process = workspace.plan(f'<node pkg="soccer" exec="show"><param name="p" {attributes}/></node>').processes[0]
    value = parameters(process)['p']
    assert value == expected and type(value) is type(expected)
    assert not isinstance(expected, list) or [type(v) for v in value] == [type(v) for v in expected]


# YAML reads the value first, substitutions and backslashes come after it, as in Humble and Jazzy.
@pytest.mark.parametrize('attributes, expected', [
    (r'''value="\'2\', \'5\'" value-sep=", "''', ["'2'", "'5'"]),
    (r'''value="'\asd', '\bsd'" value-sep=", "''', ['asd', 'bsd']),
    (r'''value="\'2\'"''', "'2'"), (r'''value="'\asd'"''', 'asd'), (r'value="a\\b"', 'a\\b'),
    (r"""value='"a\tb"'""", 'a\tb'), (r'''value="['\a', 'b']"''', ['a', 'b']),
    ("value=\"'''2''', '''5'''\" value-sep=\", \"", ["'2'", "'5'"]),
    ('value="&quot;\'asd\'&quot;, &quot;\'bsd\'&quot;" value-sep=", "', ["'asd'", "'bsd'"]),
    ('''value="'2', '5'" value-sep=", "''', ['2', '5']),
    ('''value="'2', '5'" value-sep=", " type="list_of_str"''', ["'2'", "'5'"]),
    ('value="2., 5." value-sep=", "', [2., 5.]), ('value="$(var list)"', [2, 5]), ('value="$(var text)"', '[2, 5]'),
    ('value="$(var number)" type="str"', '100'), ('value="$(var number)"', 100), ('''value="'$(var number)'"''', 100),
    ('value="[$(var number), 7]"', [100, 7]), ('value="a $(var number)"', 'a 100')])
def test_escapes_of_parameter_values(workspace, attributes, expected):
    process = workspace.plan(fr'''<let name="list" value="[2, 5]"/><let name="text" value="\'[2, 5]\'"/>
      <let name="number" value="100"/>
      <node pkg="soccer" exec="show"><param name="p" {attributes}/></node>''').processes[0]
    value = parameters(process)['p']
    assert value == expected and type(value) is type(expected)


def test_texts_are_quoted_for_every_yaml_reader(workspace):
    process = workspace.plan('<node pkg="soccer" exec="show"><param name="p" value="1e5" type="str"/></node>').processes[0]
    with open(ros_arguments(process)[1]) as file:
        assert '"1e5"' in file.read()


def test_nested_parameters_and_files(workspace):
    path = workspace.write('p.yaml', 'walk:\n  ros__parameters:\n    side: $(var side)\n')
    plan = workspace.plan(f'''<arg name="side" default="left"/>
      <node pkg="soccer" exec="show"><param name="a"><param name="b" value="1"/><param name="c" value="x"/></param>
      <param from="{path}"/><param from="{path}" allow_substs="true"/></node>''')
    words = ros_arguments(plan.processes[0])
    assert words[3] == path
    with open(words[1]) as file:
        assert yaml.safe_load(file)['/**']['ros__parameters'] == {'a': {'b': 1, 'c': 'x'}}
    with open(words[5]) as file:
        assert 'side: left' in file.read()
    folder = os.path.dirname(words[1])
    plan.close()
    assert not os.path.exists(folder)


def test_groups_scope_everything(workspace):
    first, second, third = workspace.plan('''
      <let name="v" value="out"/>
      <group>
        <push_ros_namespace namespace="a"/><set_parameter name="p" value="1"/><set_remap from="/tf" to="tf"/>
        <set_env name="E" value="in"/><let name="v" value="in"/><set_use_sim_time value="true"/>
        <node pkg="soccer" exec="show" args="$(var v)"/>
        <group><push-ros-namespace namespace="b"/><node pkg="soccer" exec="show" namespace="c"/></group>
      </group>
      <node pkg="soccer" exec="show" args="$(var v)"/>''').processes
    assert first.command[1] == 'in' and first.environment['E'] == 'in'
    assert remaps(first) == ['__ns:=/a', '/tf:=tf'] and parameters(first) == {'p': 1, 'use_sim_time': True}
    assert remaps(second)[0] == '__ns:=/a/b/c'
    assert third.command[1:] == ['out'] and 'E' not in third.environment


def test_unscoped_group_and_absolute_namespace(workspace):
    first, second = workspace.plan('''
      <push_ros_namespace namespace="a"/><group scoped="false"><let name="v" value="in"/></group>
      <node pkg="soccer" exec="show" namespace="/abs" args="$(var v)"/>
      <group><push_ros_namespace namespace="/"/><node pkg="soccer" exec="show"/></group>''').processes
    assert first.command[1] == 'in' and remaps(first) == ['__ns:=/abs']
    assert remaps(second) == []


# Humble forgets where it was: after an include, $(dirname) is the folder of the included file.
def test_include_passes_arguments_and_dirname_is_that_of_the_file_included_last(workspace):
    workspace.write('share/soccer/launch/sub/robot.launch.xml', '''<launch><arg name="robot"/><arg name="speed" default="1"/>
      <node pkg="soccer" exec="show" args="$(var robot) $(var speed) $(dirname)"/></launch>''')
    first, second, third = workspace.plan('''
      <group><include file="$(dirname)/sub/robot.launch.xml"><arg name="robot" value="r1"/></include></group>
      <group><include file="$(find-pkg-share soccer)/launch/sub/robot.launch.xml">
        <arg name="robot" value="r2"/><arg name="speed" value="2"/></include></group>
      <node pkg="soccer" exec="show" args="$(dirname) $(var robot none)"/>''').processes
    here = f'{workspace.folder}/share/soccer/launch'
    assert first.command[1:] == ['r1', '1', f'{here}/sub']
    assert second.command[1:] == ['r2', '2', f'{here}/sub']
    assert third.command[1:] == [f'{here}/sub', 'none']


def test_a_dirname_that_humble_reads_otherwise_is_warned_of(workspace):
    workspace.write('share/soccer/launch/sub/a.launch.xml', '<launch/>')
    workspace.launch_file('<node pkg="soccer" exec="show"/>', 'b.launch.xml')
    assert workspace.plan('<include file="$(dirname)/sub/a.launch.xml"/>').warnings == []
    text = workspace.error('<include file="$(dirname)/sub/a.launch.xml"/><include file="$(dirname)/b.launch.xml"/>')
    assert "sub/b.launch.xml'" in text and 'cannot read' in text
    warnings = workspace.plan('<include file="$(dirname)/sub/a.launch.xml"/><let name="x" value="$(filename)"/>').warnings
    assert len(warnings) == 1 and 'sub/a.launch.xml' in warnings[0] and 'find-pkg-share' in warnings[0]


def test_files_named_launch_and_deprecated_ones(workspace):
    workspace.write('share/soccer/launch/old.launch', '<launch deprecated="use new.launch.xml"><executable cmd="a"/></launch>')
    plan = workspace.plan('<include file="$(dirname)/old.launch"/>')
    assert plan.processes[0].command == ['a']
    assert len(plan.warnings) == 1 and plan.warnings[0].endswith('is deprecated: use new.launch.xml')


def test_reset_and_groups_that_do_not_forward(workspace):
    commands = [process.command for process in workspace.plan('''<let name="a" value="1"/><let name="b" value="2"/>
      <group forwarding="false"><keep name="b" value="$(var b)3"/><executable cmd="$(var a none) $(var b)"/></group>
      <group><keep name="a" value="kept"/><executable cmd="$(var a) $(var b)"/></group>
      <reset><keep name="a" value="$(var b)"/></reset><executable cmd="$(var a) $(var b none)"/>''').processes]
    assert commands == [['none', '23'], ['kept', '2'], ['2', 'none']]


def test_timers_delay_what_is_inside(workspace):
    plan = workspace.plan('''<executable cmd="now"/><timer period="1.5"><executable cmd="later"/><log message="m"/>
      <timer period="$(eval '1.0')"><shutdown reason="enough"/></timer></timer><executable cmd="now"/>''')
    assert [process.delay for process in plan.processes] == [0.0, 1.5, 0.0]
    assert plan.messages == [(1.5, 'm')] and plan.shutdowns == [(2.5, 'enough')]


def test_parameter_and_log_folder_substitutions(workspace):
    path = workspace.launch_file('''<set_parameter name="x" value="[1.5, 2.0]"/><set_parameter name="s" value="true"/>
      <executable cmd="$(param x) $(param s) $(log_dir)"/>''')
    process, = actions.make_plan(path, {}, log_folder='/logs').processes
    assert process.command == ['[1.5, 2.0]', 'true', '/logs']


def test_a_node_without_package(workspace):
    program = f'{workspace.folder}/lib/soccer/show'
    process, = workspace.plan(f'<node exec="{program}" name="n"/>').processes
    assert process.command[0] == program and process.label == 'show'


def test_arguments_of_an_include_stay_set_as_in_ros_2(workspace):
    workspace.launch_file('<arg name="x" default="1"/>', 'other.launch.xml')
    process, = workspace.plan('''<include file="$(dirname)/other.launch.xml"/>
      <node pkg="soccer" exec="show" args="$(var x)"/>''').processes
    assert process.command[1:] == ['1']


def test_a_file_may_include_itself_under_a_condition(workspace):
    workspace.write('share/soccer/launch/count.launch.xml', '''<launch><arg name="number"/>
      <node pkg="soccer" exec="show" args="$(var number)"/>
      <group if="$(eval '$(var number) &lt; 3')"><include file="$(dirname)/count.launch.xml">
        <arg name="number" value="$(eval '$(var number) + 1')"/></include></group></launch>''')
    plan = workspace.plan('''<include file="$(dirname)/count.launch.xml"><arg name="number" value="1"/></include>''')
    assert [process.command[1] for process in plan.processes] == ['1', '2', '3']


def test_conditions(workspace):
    plan = workspace.plan('''<arg name="sim" default="false"/>
      <node pkg="soccer" exec="show" args="a" if="$(var sim)"/><node pkg="soccer" exec="show" args="b" unless="$(var sim)"/>
      <node pkg="soccer" exec="show" args="c" if="$(eval '1 &lt; 2')"/>''', sim='True')
    assert [process.command[1] for process in plan.processes] == ['a', 'c']


def test_executable(workspace):
    first, second = workspace.plan('''<executable cmd="echo 'a b' c" name="say" output="both"/>
      <executable cmd="echo $HOME | cat" shell="true"/>''').processes
    assert first.command == ['echo', 'a b', 'c'] and first.label == 'say'
    assert second.command == 'echo $HOME | cat' and second.is_shell()


def test_environment_actions(workspace):
    process, = workspace.plan('''<set_env name="A" value="1"/><append_env name="A" value="2"/>
      <append_env name="A" value="0" prepend="true" separator=";"/><unset_env name="HOME"/>
      <executable cmd="env"/>''').processes
    assert process.environment['A'] == '0;1:2' and 'HOME' not in process.environment


CONTAINER = '''
  <group><push_ros_namespace namespace="robot1"/><set_parameter name="use_sim_time" value="true"/>
    <node_container pkg="soccer" exec="show" name="motion" namespace="">
      <composable_node pkg="hl_walking" plugin="hl_walking::Node" name="walking" namespace="legs">
        <param name="rate" value="100.0"/><param from="{file}"/><remap from="cmd_vel" to="/cmd_vel"/>
        <extra_arg name="use_intra_process_comms" value="true"/>
      </composable_node>
    </node_container>
    <load_composable_node target="motion"><composable_node pkg="hl_hcm" plugin="H" name="hcm"/></load_composable_node>
  </group>
  <load_composable_node target="/elsewhere"><composable_node pkg="p" plugin="P" name="n"/></load_composable_node>'''


def test_components(workspace):
    path = workspace.write('p.yaml', '/**:\n  ros__parameters: {all: 1}\n/robot1/legs/walking:\n  ros__parameters: '
                           '{nested: {x: [1.5]}}\nother:\n  ros__parameters: {no: 1}\n')
    plan = workspace.plan(CONTAINER.format(file=path))
    process, = plan.processes
    assert process.node == '/robot1/motion'
    request, = process.loads[0].requests
    assert (request['package_name'], request['plugin_name'], request['node_name'], request['node_namespace']) == \
        ('hl_walking', 'hl_walking::Node', 'walking', '/robot1/legs')
    assert request['remap_rules'] == ['cmd_vel:=/cmd_vel']
    assert {p['name']: p['value'] for p in request['parameters']} == {
        'use_sim_time': {'type': 1, 'bool_value': True}, 'rate': {'type': 3, 'double_value': 100.0},
        'all': {'type': 2, 'integer_value': 1}, 'nested.x': {'type': 8, 'double_array_value': [1.5]}}
    assert request['extra_arguments'][0]['name'] == 'use_intra_process_comms'
    assert process.loads[1].requests[0]['node_name'] == 'hcm'
    assert plan.loads[0].container == '/elsewhere'


def test_components_written_before_their_container(workspace):
    plan = workspace.plan('''
      <load_composable_node target="/c"><composable_node pkg="p" plugin="P" name="n"/></load_composable_node>
      <node_container pkg="soccer" exec="show" name="c" namespace=""/>''')
    assert not plan.loads and plan.processes[0].loads[0].container == '/c'
