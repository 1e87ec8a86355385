# SPDX-License-Identifier: Apache-2.0
"""ros2 launch PACKAGE FILE [name:=value ...]   or   ros2 launch PATH [name:=value ...]"""

import argparse
import os
import sys

from ros2cli.errors import CommandError, did_you_mean
from ros2cli.packages import executable, share_of

from . import actions, arguments, reader
from .output import Output, log_folder
from .supervisor import Supervisor


def find_file(package, name):
    """A launch file by its name, anywhere in the package's share folder."""
    share = share_of(package)
    found, others = [], set()
    for folder, _, files in sorted(os.walk(share)):
        found += [os.path.join(folder, file) for file in files if file == name]
        others |= {file for file in files if file.endswith(('.launch.xml', '.launch'))}
    if not found:
        hint = did_you_mean(name, others) or (f" (it has: {', '.join(sorted(others))})" if others else ' (it has none)')
        raise CommandError(f"package '{package}' has no launch file '{name}'{hint}")
    if len(found) > 1:
        raise CommandError(f"package '{package}' has several files '{name}': {', '.join(found)}; give a path")
    return found[0]


def parse_arguments(words):
    parser = argparse.ArgumentParser(
        prog='ros2 launch', usage='%(prog)s [options] (PACKAGE FILE | PATH) [name:=value ...]',
        description='Starts what an XML launch file describes, and takes it all down on Ctrl-C.')
    parser.add_argument('words', nargs='*', help=argparse.SUPPRESS)
    parser.add_argument('-s', '--show-args', '--show-arguments', action='store_true', dest='show_args',
                        help='only show which arguments the file takes')
    parser.add_argument('-p', '--print', '--print-description', action='store_true', dest='print_only',
                        help='only print the commands that would be started')
    parser.add_argument('-a', '--show-all-subprocesses-output', action='store_true', dest='all_output',
                        help='show all output of all processes')
    parser.add_argument('-n', '--noninteractive', action='store_true', help='accepted; there is nothing to ask')
    parsed = parser.parse_intermixed_args(words)
    places = [word for word in parsed.words if ':=' not in word]
    assignments = dict(word.split(':=', 1) for word in parsed.words if ':=' in word)
    if not places or len(places) > 2:
        parser.error('give a package and a launch file, or the path of a launch file'
                     if not places else f"'{places[2]}' is not an argument; write name:=value")
    parsed.file = find_file(*places) if len(places) == 2 else places[0]
    if not reader.is_xml(parsed.file):
        raise CommandError(f"'{parsed.file}' is not an XML launch file (*.launch.xml, *.launch)"
                           + ('; a package alone does not say which file' if not os.path.exists(parsed.file) else
                              '; Python and YAML launch files need a full ROS 2 installation'))
    return parsed, assignments


def print_plan(plan):
    for process in plan.processes:
        print(f'{process.label}: {process.command_text()}')
        for load in process.loads:
            print_load(load)
    for load in plan.loads:
        print_load(load)


def print_load(load):
    for request in load.requests:
        print(f"  {load.container} loads {request['plugin_name']} as {request['node_namespace']}/{request['node_name']}")


def loader_command(_load):
    return [executable('ros2cli', 'component_loader')]


def main(words):
    parsed, assignments = parse_arguments(words)
    if parsed.show_args:
        print(arguments.describe(arguments.declared(parsed.file, assignments)))
        return 0
    if parsed.all_output:
        os.environ['OVERRIDE_LAUNCH_PROCESS_OUTPUT'] = 'both'
    folder = log_folder(os.environ)
    plan = actions.make_plan(parsed.file, assignments, log_folder=folder)
    try:
        for warning in plan.warnings:
            print(f'[WARNING] [launch]: {warning}', file=sys.stderr)
        for name in assignments:
            if name not in plan.arguments:
                print(f"[WARNING] [launch]: no launch file declares the argument '{name}'"
                      f'{did_you_mean(name, plan.arguments)}', file=sys.stderr)
        if parsed.print_only:
            print_plan(plan)
            return 0
        output = Output(folder)
        try:
            return Supervisor(plan, output, loader_command).run()
        finally:
            output.close()
    finally:
        plan.close()
