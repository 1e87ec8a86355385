# SPDX-License-Identifier: Apache-2.0
"""Carries out a launch file: every action changes the context or adds to the plan."""

import os

from ros2cli.errors import did_you_mean

from . import nodes, parameters, reader, schema, values
from .context import Context
from .errors import LaunchError
from .plan import Plan
from .substitutions import truth

MAX_INCLUDES = 50


def make_plan(path, arguments, environment=None, log_folder=''):
    """The plan of a launch file; nothing is started if any part of it is wrong."""
    context, plan = Context(arguments, environment), Plan()
    context.log_folder = log_folder
    plan.warnings = context.warnings
    try:
        run_file(os.path.abspath(path), context, plan)
        plan.attach_loads()
    except BaseException:
        plan.close()
        raise
    return plan


def run_file(path, context, plan):
    # A file may include itself under a condition (to count robots, say), so only the depth tells a circle.
    if len(context.includes) >= MAX_INCLUDES:
        circle = ' -> '.join(os.path.basename(file) for file in context.includes[-4:] + [path])
        raise LaunchError(f'launch files include each other in a circle, or more than {MAX_INCLUDES} deep: ... {circle}')
    root = reader.read(path)
    schema.check(root, set(), {'version', 'deprecated'}, 'actions', set())
    if 'deprecated' in root.attributes:
        context.warnings.append(f"the launch file '{path}' is deprecated: {root.attributes['deprecated']}")
    outer = context.file
    context.file = context.last_included[0] = path
    context.includes.append(path)
    run_all(root.children, context, plan)
    context.includes.pop()
    context.file = outer


def run_all(elements, context, plan):
    for element in elements:
        try:
            schema.check_action(element)
            if enabled(element, context):
                TABLE[schema.canonical(element.tag)](element, context, plan)
        except LaunchError as error:
            raise error.at(element)


def enabled(element, context):
    given = element.attributes
    if 'if' in given and 'unless' in given:
        raise LaunchError("'if' and 'unless' exclude each other; combine them with $(and ...) and $(not ...)")
    if 'if' in given:
        return truth(context.text(given['if']), f"the condition if=\"{given['if']}\"")
    if 'unless' in given:
        return not truth(context.text(given['unless']), f"the condition unless=\"{given['unless']}\"")
    return True


def arg(element, context, plan):
    name = context.text(element.attributes['name'])
    plan.arguments[name] = True
    if name not in context.variables:
        if 'default' not in element.attributes:
            description = element.attributes.get('description')
            raise LaunchError(f"argument '{name}' is required: give {name}:=VALUE"
                              + (f' ({description})' if description else ''))
        context.variables[name] = context.text(element.attributes['default'])
    choices = [context.text(child.attributes['value']) for child in element.children]
    if choices and context.variables[name] not in choices:
        raise LaunchError(f"argument '{name}' is '{context.variables[name]}'"
                          f"{did_you_mean(context.variables[name], choices)}; valid are: {', '.join(choices)}")


def let(element, context, _plan):
    context.variables[context.text(element.attributes['name'])] = context.text(element.attributes['value'])


def include(element, context, plan):
    path = context.text(element.attributes['file'])
    for child in element.children:
        try:
            let(child, context, plan)
        except LaunchError as error:
            raise error.at(child)
    if not reader.is_xml(path):
        raise LaunchError(f"the included file '{path}' is not an XML launch file (*.launch.xml, *.launch): not supported "
                          'here. Python launch files need a full ROS 2 installation; include an XML file that starts '
                          'the same nodes, or start them with <node> or <executable>')
    if not os.path.isabs(path):
        raise LaunchError(f"'{path}' is relative; write $(dirname)/{path} or $(find-pkg-share PACKAGE)/launch/...")
    run_file(os.path.normpath(path), context, plan)


def group(element, context, plan):
    scoped = truth(context.text(element.attributes.get('scoped', 'true')), 'scoped')
    forwarding = truth(context.text(element.attributes.get('forwarding', 'true')), 'forwarding')
    keeps, children = split_keeps(element)
    kept = kept_variables(keeps, context)
    if not forwarding and not scoped:
        raise LaunchError('forwarding="false" needs scoped="true": without a scope there is nothing to keep out')
    inner = context.fork() if scoped else context
    if not forwarding:
        inner.variables.clear()
    inner.variables.update(kept)
    run_all(children, inner, plan)


def reset(element, context, _plan):
    """Forgets all launch configurations but the ones to keep."""
    kept = kept_variables(element.children, context)
    context.variables.clear()
    context.variables.update(kept)


def split_keeps(element):
    keeps = [child for child in element.children if child.tag == 'keep']
    return keeps, [child for child in element.children if child.tag != 'keep']


def kept_variables(keeps, context):
    kept = {}
    for keep in keeps:
        schema.check_part(keep)
        kept[context.text(keep.attributes['name'])] = context.text(keep.attributes['value'])
    return kept


def timer(element, context, plan):
    """What is inside starts `period` seconds later."""
    period = nodes.seconds(context.text(element.attributes['period']), 'period')
    plan.delay += period
    run_all(element.children, context, plan)
    plan.delay -= period


def shutdown(element, context, plan):
    reason = context.text(element.attributes.get('reason', 'the launch file says so'))
    plan.shutdowns.append((plan.delay, reason))


def push_ros_namespace(element, context, _plan):
    context.namespace = context.join_namespace(context.text(element.attributes['namespace']))


def set_parameter(element, context, _plan):
    name, value = parameters.named_value(element, context)
    context.parameters.append({name: value})


def set_parameters_from_file(element, context, _plan):
    path = context.text(element.attributes['filename'])
    parameters.load_file(path)
    context.parameters.append(path)


def set_use_sim_time(element, context, _plan):
    text = context.text(element.attributes['value'])
    context.parameters.append({'use_sim_time': values.convert(text, 'bool', 'use_sim_time')})


def set_remap(element, context, _plan):
    context.remaps.append((context.text(element.attributes['from']), context.text(element.attributes['to'])))


def set_env(element, context, _plan):
    context.environment[context.text(element.attributes['name'])] = context.text(element.attributes['value'])


def unset_env(element, context, _plan):
    context.environment.pop(context.text(element.attributes['name']), None)


def append_env(element, context, _plan):
    given = {key: context.text(text) for key, text in element.attributes.items() if key not in schema.CONDITIONS}
    parts = [context.environment[given['name']]] if given['name'] in context.environment else []
    parts.insert(0 if truth(given.get('prepend', 'false'), 'prepend') else len(parts), given['value'])
    context.environment[given['name']] = given.get('separator', os.pathsep).join(parts)


def log(element, context, plan):
    plan.messages.append((plan.delay, context.text(element.attributes['message'])))


TABLE = {
    'append_env': append_env, 'arg': arg, 'executable': nodes.executable, 'group': group, 'include': include, 'let': let,
    'load_composable_node': nodes.load_composable_node, 'log': log, 'node': nodes.node,
    'node_container': nodes.node_container, 'push_ros_namespace': push_ros_namespace, 'reset': reset, 'set_env': set_env,
    'set_parameter': set_parameter, 'set_parameters_from_file': set_parameters_from_file, 'set_remap': set_remap,
    'set_use_sim_time': set_use_sim_time, 'shutdown': shutdown, 'timer': timer, 'unset_env': unset_env,
}
