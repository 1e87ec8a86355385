# SPDX-License-Identifier: Apache-2.0
"""ros2 run PACKAGE EXECUTABLE [ARGUMENT ...]"""

import argparse
import os
import shlex
import shutil

from .errors import CommandError
from .packages import executable


def main(words):
    parser = argparse.ArgumentParser(prog='ros2 run', description='Starts one program of a package.')
    parser.add_argument('--prefix', default='', metavar='COMMAND',
                        help="put this in front, e.g. 'gdb -ex run --args' or 'valgrind'")
    parser.add_argument('package', metavar='PACKAGE')
    parser.add_argument('executable', metavar='EXECUTABLE', help='`ros2 pkg executables PACKAGE` lists them')
    parser.add_argument('arguments', nargs=argparse.REMAINDER, metavar='ARGUMENT',
                        help='handed to the program, e.g. --ros-args -p rate:=10.0')
    parsed = parser.parse_args(words)
    command = shlex.split(parsed.prefix) + [executable(parsed.package, parsed.executable)] + parsed.arguments
    if shutil.which(command[0]) is None:
        raise CommandError(f"--prefix: program '{command[0]}' not found")
    # In place of this process: signals and the exit code are the program's own.
    os.execvp(command[0], command)
