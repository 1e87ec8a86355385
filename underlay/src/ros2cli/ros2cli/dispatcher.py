# SPDX-License-Identifier: Apache-2.0
"""`ros2 COMMAND ...` runs the program `ros2-COMMAND` of whichever package has one in lib/<package>/."""

import os
import sys
from xml.etree import ElementTree

from .errors import CommandError, did_you_mean
from .packages import all_packages

PROGRAM = 'ros2-'


def commands():
    """Command -> (package, prefix)."""
    found = {}
    for package, prefix in sorted(all_packages().items()):
        try:
            names = os.listdir(os.path.join(prefix, 'lib', package))
        except OSError:
            continue
        for name in names:
            if name.startswith(PROGRAM):
                found.setdefault(name[len(PROGRAM):], (package, prefix))
    return found


def description(command, package, prefix):
    """The text of <ros2_command name="..."> in the <export> part of the package's package.xml."""
    try:
        root = ElementTree.parse(os.path.join(prefix, 'share', package, 'package.xml')).getroot()
    except (OSError, ElementTree.ParseError):
        return ''
    texts = [e.text for e in root.findall('export/ros2_command') if e.get('name') == command]
    return texts[0] if texts and texts[0] else ''


def usage(found):
    lines = ['usage: ros2 COMMAND [ARGUMENT ...]', '', 'Commands (`ros2 COMMAND --help` tells more):']
    lines += [f'  {name:<11}{description(name, *found[name])}'.rstrip() for name in sorted(found)]
    return '\n'.join(lines)


def run(words):
    found = commands()
    if not words or words[0] in ('-h', '--help'):
        print(usage(found))
        return 0 if words else 2
    if words[0] == '--list-commands':  # for shell completion
        print('\n'.join(sorted(found)))
        return 0
    command = words[0]
    if command not in found:
        raise CommandError(f"'{command}' is not a command{did_you_mean(command, found)}\n{usage(found)}")
    package, prefix = found[command]
    program = os.path.join(prefix, 'lib', package, PROGRAM + command)
    try:
        os.execv(program, [program] + words[1:])
    except OSError as error:
        raise CommandError(f"cannot start '{program}': {error.strerror}")


def main(words):
    try:
        return run(words)
    except CommandError as error:
        print(f'ros2: {error}', file=sys.stderr)
        return 1
