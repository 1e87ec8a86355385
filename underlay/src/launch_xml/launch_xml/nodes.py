# SPDX-License-Identifier: Apache-2.0
"""Processes: <executable>, <node>, <node_container>; and the components that go into containers."""

import os
import re
import shlex
import shutil

from ros2cli.errors import CommandError
from ros2cli.packages import executable as find_executable

from . import parameters
from .errors import LaunchError
from .plan import Load, Process
from .requests import load_request
from .substitutions import truth

OUTPUTS = ('log', 'screen', 'both', 'own_log', 'full')
NODE_NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')


def executable(element, context, plan):
    shell = fixed_truth(element, 'shell')
    command = context.text(element.attributes['cmd']) if shell else context.words(element.attributes['cmd'])
    if not command:
        raise LaunchError('cmd is empty')
    program = command.split()[0] if shell else command[0]
    label = context.text(element.attributes['name']) if 'name' in element.attributes else os.path.basename(program)
    add_process(element, context, plan, label, command)


def node(element, context, plan):
    given = element.attributes
    program = context.text(given['exec'])
    path = program_of(context.text(given['pkg']), program) if 'pkg' in given else program_without_package(program)
    name = node_name(element, context)
    namespace = context.join_namespace(context.text(given.get('namespace', '')))
    ros = ['-r', f'__node:={name}'] if name else []
    ros += ['-r', f'__ns:={namespace}'] if namespace else []
    ros += parameters.as_arguments(parameter_list(element, context, plan), plan)
    for source, target in remap_list(element, context):
        ros += ['-r', f'{source}:={target}']
    ros += context.words(given.get('ros_args', ''))
    command = [path] + context.words(given.get('args', '')) + (['--ros-args'] + ros if ros else [])
    if fixed_truth(element, 'shell'):
        command = ' '.join(shlex.quote(word) for word in command)
    label = context.text(given['exec_name']) if 'exec_name' in given else os.path.basename(program)
    process = add_process(element, context, plan, label, command)
    process.node = f'{namespace}/{name}' if name else ''
    return process


def program_of(package, name):
    try:
        return find_executable(package, name)
    except CommandError as error:
        raise LaunchError(str(error))


def program_without_package(name):
    path = shutil.which(name)  # a path stands for itself
    if path is None:
        raise LaunchError(f"exec=\"{name}\" without pkg is not a program on the PATH, nor the path of one")
    return path


def node_container(element, context, plan):
    process = node(element, context, plan)
    components = [child for child in element.children if child.tag == 'composable_node']
    if components:
        process.loads.append(make_load(process.node, components, context, plan))


def load_composable_node(element, context, plan):
    target = context.text(element.attributes['target'])
    if not element.children:
        raise LaunchError('<load_composable_node> without <composable_node> loads nothing')
    container = target if target.startswith('/') else f'{context.namespace}/{target}'
    plan.add_load(make_load(container, element.children, context, plan))


def make_load(container, components, context, plan):
    return Load(container, [component(element, context, plan) for element in components], context.environment)


def component(element, context, plan):
    try:
        given = {key: context.text(text) for key, text in element.attributes.items()}
        name = node_name(element, context)
        namespace = context.join_namespace(given.get('namespace', ''))
        values = parameters.as_flat_dict(parameter_list(element, context, plan), namespace, name)
        extra = dict(parameters.named_value(child, context) for child in element.children if child.tag == 'extra_arg')
        return load_request(given['pkg'], given['plugin'], name, namespace, remap_list(element, context), values, extra)
    except LaunchError as error:
        raise error.at(element)


def node_name(element, context):
    name = context.text(element.attributes.get('name', ''))
    if name and not NODE_NAME.fullmatch(name):
        raise LaunchError(f"'{name}' is not a node name: letters, digits and underscores, no leading digit"
                          + ('; put the part before the last slash into namespace' if '/' in name else ''))
    return name


def parameter_list(element, context, plan):
    own = [parameters.of_element(child, context, plan) for child in element.children if child.tag == 'param']
    return context.parameters + own


def remap_list(element, context):
    own = [(context.text(child.attributes['from']), context.text(child.attributes['to']))
           for child in element.children if child.tag == 'remap']
    for source, target in own:
        if not source or not target:
            raise LaunchError(f"<remap from=\"{source}\" to=\"{target}\">: both sides need a name")
    return context.remaps + own


def add_process(element, context, plan, label, command):
    given = element.attributes
    prefix = shlex.split(context.text(given.get('launch-prefix', '')))
    if prefix:
        command = ' '.join(prefix) + ' ' + command if isinstance(command, str) else prefix + command
    process = Process(label, command, context)
    process.environment = dict(context.environment)
    for child in element.children:
        if child.tag == 'env':
            process.environment[context.text(child.attributes['name'])] = context.text(child.attributes['value'])
    if 'cwd' in given:
        process.cwd = context.text(given['cwd'])
        if not os.path.isdir(process.cwd):
            raise LaunchError(f"cwd=\"{process.cwd}\" is not a folder")
    process.output = context.text(given.get('output', 'log'))
    if process.output not in OUTPUTS:
        raise LaunchError(f"output=\"{process.output}\" is not known; write {', '.join(OUTPUTS)}")
    process.respawn = fixed_truth(element, 'respawn')
    process.respawn_delay = seconds(given.get('respawn_delay', '0'), 'respawn_delay')
    plan.add_process(process)
    return process


def fixed_truth(element, attribute):
    text = element.attributes.get(attribute, 'false')
    if '$(' in text:
        raise LaunchError(f'{attribute}="{text}": Humble takes only true or false here; write two elements with if/unless')
    return truth(text, attribute)


def seconds(text, attribute):
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e6:
        raise LaunchError(f'{attribute}="{text}" is not a number of seconds')
    return value
