# SPDX-License-Identifier: Apache-2.0
"""Which tags, attributes and children exist: of those that Humble and Jazzy share. All else is an error."""

from ros2cli.errors import did_you_mean

from .errors import LaunchError

CONDITIONS = {'if', 'unless'}
PROCESS = {'cwd', 'launch-prefix', 'output', 'respawn', 'respawn_delay', 'shell'}
NODE = PROCESS | {'pkg', 'exec', 'name', 'namespace', 'args', 'ros_args', 'exec_name'}

# tag -> (required attributes, optional attributes, children)
ACTIONS = {
    'append_env': ({'name', 'value'}, {'prepend', 'separator'}, set()),
    'arg': ({'name'}, {'default', 'description'}, {'choice'}),
    'executable': ({'cmd'}, PROCESS | {'name'}, {'env'}),
    'group': (set(), {'scoped', 'forwarding'}, 'actions'),
    'include': ({'file'}, set(), {'arg'}),
    'let': ({'name', 'value'}, set(), set()),
    'load_composable_node': ({'target'}, set(), {'composable_node'}),
    'log': ({'message'}, set(), set()),
    'node': ({'exec'}, NODE, {'param', 'remap', 'env'}),
    'node_container': ({'pkg', 'exec', 'name', 'namespace'}, NODE, {'param', 'remap', 'env', 'composable_node'}),
    'push_ros_namespace': ({'namespace'}, set(), set()),
    'reset': (set(), set(), {'keep'}),
    'set_env': ({'name', 'value'}, set(), set()),
    'set_parameter': ({'name', 'value'}, set(), set()),
    'set_parameters_from_file': ({'filename'}, set(), set()),
    'set_remap': ({'from', 'to'}, set(), set()),
    'set_use_sim_time': ({'value'}, set(), set()),
    'shutdown': (set(), {'reason'}, set()),
    'timer': ({'period'}, set(), 'actions'),
    'unset_env': ({'name'}, set(), set()),
}
PARTS = {
    'choice': ({'value'}, set(), set()),
    'composable_node': ({'pkg', 'plugin', 'name'}, {'namespace'}, {'param', 'remap', 'extra_arg'}),
    'env': ({'name', 'value'}, set(), set()),
    'extra_arg': ({'name', 'value'}, set(), set()),
    'keep': ({'name', 'value'}, set(), set()),
    'param': (set(), {'name', 'value', 'value-sep', 'type', 'from', 'allow_substs'}, {'param'}),
    'remap': ({'from', 'to'}, set(), set()),
}
INCLUDE_ARGUMENT = ({'name', 'value'}, set(), set())
ALIASES = {'push-ros-namespace': 'push_ros_namespace'}

REMEDIES = {
    ('node', 'type'): "it is spelled exec", ('node', 'ns'): 'it is spelled namespace',
    ('node', 'on_exit'): 'Humble does not know it; use respawn="true"',
    ('node', 'required'): 'ROS 2 does not know it; use respawn="true"',
    ('node', 'machine'): 'ROS 2 does not know it',
    ('node', 'sigterm_timeout'): 'Humble does not know it',
    ('node', 'sigkill_timeout'): 'Humble does not know it',
    ('node', 'respawn_max_retries'): 'Humble does not know it',
    ('node', 'emulate_tty'): 'set RCUTILS_COLORIZED_OUTPUT=1 with <env> for coloured output',
    ('arg', 'value'): 'use <let name="..." value="..."/> for a fixed value',
    ('arg', 'doc'): 'it is spelled description',
    ('include', 'pass_all_args'): 'ROS 2 passes all arguments anyway',
    ('include', 'ns'): 'put <push_ros_namespace> and the include into a <group>',
    ('group', 'ns'): 'put <push_ros_namespace namespace="..."/> into the group',
    ('push_ros_namespace', 'ns'): 'it is spelled namespace',
}
TAG_REMEDIES = {
    'rosparam': '<param from="file.yaml"/> inside the <node>', 'machine': 'nothing: ROS 2 has no machines',
    'test': 'a test program', 'remap': '<set_remap>, or <remap> inside a <node>', 'lifecycle_node': '<node>',
    'param': '<set_parameter>, or <param> inside a <node>', 'env': '<set_env>, or <env> inside a <node>',
}


def canonical(tag):
    return ALIASES.get(tag, tag)


def check_action(element):
    tag = canonical(element.tag)
    if tag not in ACTIONS:
        remedy = f'; use {TAG_REMEDIES[tag]}' if tag in TAG_REMEDIES else did_you_mean(tag, ACTIONS)
        raise LaunchError(f'<{element.tag}> is not supported here{remedy}')
    check(element, *ACTIONS[tag], CONDITIONS)


def check_part(element):
    check(element, *PARTS[element.tag], set())


def check(element, required, optional, children, conditions):
    known = required | optional | conditions
    for name in element.attributes:
        if name not in known:
            raise LaunchError(f"<{element.tag}> has no attribute '{name}'" + remedy_for(element, name, known))
    for name in sorted(required - set(element.attributes)):
        raise LaunchError(f"<{element.tag}> needs the attribute '{name}'")
    if children == 'actions':
        return
    for child in element.children:
        if child.tag not in children:
            allowed = f' (it may have: {", ".join(sorted(children))})' if children else ' (it has no children)'
            raise LaunchError(f'<{element.tag}> cannot contain <{child.tag}>{did_you_mean(child.tag, children)}{allowed}')
        if element.tag == 'include':
            check(child, *INCLUDE_ARGUMENT, set())
        else:
            check_part(child)


def remedy_for(element, name, known):
    if name in CONDITIONS:
        return f'; put the condition on an action around it (Humble has no conditions on <{element.tag}>)'
    family = 'node' if element.tag in ('node_container', 'executable') else element.tag
    if (family, name) in REMEDIES:
        return '; ' + REMEDIES[family, name]
    return did_you_mean(name, known) or f" (known: {', '.join(sorted(known))})"
