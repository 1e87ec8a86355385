# SPDX-License-Identifier: Apache-2.0
"""The substitutions that Humble and Jazzy share."""

import math
import os
import shlex
import shutil
import subprocess
import sys
import uuid

from ros2cli.errors import did_you_mean
from ros2cli.packages import executable, prefix_of, share_of

from . import values
from .errors import LaunchError

NOT_IN_HUMBLE = {
    'equals': "$(eval '...')", 'not-equals': "$(eval '...')", 'if': "$(eval '...')", 'any': '$(or ...)',
    'all': '$(and ...)', 'file-content': "$(command 'cat ...')", 'path-join': 'a plain path',
}


def truth(text, what):
    """A condition is true, 1, false or 0, in any case."""
    word = text.strip().lower()
    if word in ('true', '1'):
        return True
    if word in ('false', '0'):
        return False
    raise LaunchError(f"{what} is '{text}', which is not true, false, 1 or 0")


def spelled(value):
    return 'true' if value else 'false'


def var(context, name, default=None):
    if name in context.variables:
        return context.variables[name]
    if default is None:
        raise LaunchError(f"launch configuration '{name}' does not exist{did_you_mean(name, context.variables)} "
                          f'(declare <arg name="{name}"/> before its use)')
    return default


def env(context, name, default=None):
    if name in context.environment:
        return context.environment[name]
    if default is None:
        raise LaunchError(f"environment variable '{name}' is not set; $(env {name} default) has a default")
    return default


def evaluate(_context, expression):
    names = {**vars(math), 'math': math}
    try:
        return str(eval(expression, names))  # a launch file starts programs: it is trusted as they are
    except Exception as error:
        hint = ''
        if isinstance(error, NameError):
            hint = f"; a text needs quotes: $(eval \"'$(var x)' == 'a'\"){did_you_mean(error.name, names)}"
        raise LaunchError(f"expression '{expression}' fails: {type(error).__name__}: {error}{hint}")


def command(context, text, on_stderr='fail'):
    if on_stderr not in ('fail', 'ignore', 'warn', 'capture'):
        raise LaunchError(f"$(command ...): '{on_stderr}' is not known; write fail, ignore, warn or capture")
    try:
        words = shlex.split(text)
        result = subprocess.run(words, capture_output=True, text=True, errors='replace', env=context.environment)
    except (OSError, ValueError, IndexError) as error:
        raise LaunchError(f"command '{text}' cannot be run: {error}")
    if result.returncode != 0:
        raise LaunchError(f"command '{text}' failed with exit code {result.returncode}:\n{result.stderr.rstrip()}")
    if result.stderr and on_stderr == 'fail':
        raise LaunchError(f"command '{text}' wrote to its error output ($(command '...' 'warn') allows it):\n"
                          + result.stderr.rstrip())
    if result.stderr and on_stderr == 'warn':
        print(f"[WARNING] [launch]: command '{text}': {result.stderr.rstrip()}", file=sys.stderr)
    return result.stdout + (result.stderr if on_stderr == 'capture' else '')


def find_exec(_context, name):
    path = shutil.which(name)
    if path is None:
        raise LaunchError(f"program '{name}' is not on the PATH")
    return path


def this_file(context):
    """In Humble these are about the file that was included last, even after its end; see the README."""
    path = context.last_included[0] or context.file
    if path != context.file:
        text = (f"'{context.file}': after an <include>, $(dirname) and $(filename) mean the included file ('{path}') in "
                'Humble; write $(find-pkg-share PACKAGE)')
        if text not in context.warnings:
            context.warnings.append(text)
    return path


def param(context, name):
    """A value of an earlier <set_parameter>."""
    for entry in reversed(context.parameters):
        if isinstance(entry, dict) and name in entry:
            return values.text(entry[name])
    raise LaunchError(f"no <set_parameter> before this place sets '{name}'")


def log_dir(context):
    if not context.log_folder:
        raise LaunchError('$(log_dir) is known only when the file is launched')
    return context.log_folder


def anon(context, name):
    return context.anonymous.setdefault(name, f'{name}_{os.getpid()}_{uuid.uuid4().hex[:8]}')


# name -> (function, fewest arguments, most arguments)
TABLE = {
    'and': (lambda c, a, b: spelled(truth(a, '$(and): a value') and truth(b, '$(and): a value')), 2, 2),
    'anon': (anon, 1, 1),
    'command': (command, 1, 2),
    'dirname': (lambda c: os.path.dirname(this_file(c)), 0, 0),
    'env': (env, 1, 2),
    'eval': (evaluate, 1, 1),
    'exec-in-pkg': (lambda c, name, package: executable(package, name), 2, 2),
    'filename': (this_file, 0, 0),
    'find-exec': (find_exec, 1, 1),
    'find-pkg-prefix': (lambda c, package: prefix_of(package), 1, 1),
    'find-pkg-share': (lambda c, package: share_of(package), 1, 1),
    'launch_log_dir': (log_dir, 0, 0),
    'log_dir': (log_dir, 0, 0),
    'not': (lambda c, a: spelled(not truth(a, '$(not): the value')), 1, 1),
    'or': (lambda c, a, b: spelled(truth(a, '$(or): a value') or truth(b, '$(or): a value')), 2, 2),
    'param': (param, 1, 1),
    'var': (var, 1, 2),
}


def perform(call, arguments, context):
    if call.name not in TABLE:
        if call.name in NOT_IN_HUMBLE:
            raise LaunchError(f'{call.source}: Humble has no $({call.name} ...); use {NOT_IN_HUMBLE[call.name]}')
        raise LaunchError(f"{call.source}: substitution '{call.name}' is not known{did_you_mean(call.name, TABLE)}")
    function, fewest, most = TABLE[call.name]
    if not fewest <= len(arguments) <= most:
        quote = "; quote it: $(%s '...')" % call.name if len(arguments) > most and call.name in ('eval', 'command') else ''
        count = str(fewest) if fewest == most else f'{fewest} or {most}'
        raise LaunchError(f'{call.source}: {call.name} takes {count} argument(s), got {len(arguments)}{quote}')
    return function(context, *arguments)
