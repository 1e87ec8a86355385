# SPDX-License-Identifier: Apache-2.0
"""The functions behind $(...) and `xacro.` in expressions."""

import os
import sys

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory, get_packages_with_prefixes

from . import yaml_files
from .errors import XacroError, did_you_mean
from .text import literal


def substitute(text, arguments, file):
    """The value of $(text)."""
    words = text.split()
    if not words:
        raise XacroError('$() is empty')
    name, rest = words[0], words[1:]
    if name == 'find':
        return find(single(name, rest))
    if name == 'arg':
        return argument(single(name, rest), arguments)
    if name == 'env':
        variable = single(name, rest)
        if variable not in os.environ:
            raise XacroError(f"environment variable '{variable}' is not set; $(optenv {variable} default) has a default")
        return os.environ[variable]
    if name == 'optenv':
        if not rest:
            raise XacroError('$(optenv NAME default) needs the name of a variable')
        return os.environ.get(rest[0], ' '.join(rest[1:]))
    if name == 'dirname':
        return os.path.dirname(file)
    if name == 'cwd':
        return os.getcwd()
    known = ['find', 'arg', 'env', 'optenv', 'dirname', 'cwd']
    raise XacroError(f"$({text}): '{name}' is not known{did_you_mean(name, known)} (known: {', '.join(known)})")


def single(name, words):
    if len(words) != 1:
        raise XacroError(f"$({' '.join([name] + words)}): {name} takes one name, got {len(words)}")
    return words[0]


def find(package):
    try:
        return get_package_share_directory(package)
    except (PackageNotFoundError, ValueError, LookupError):
        try:
            known = list(get_packages_with_prefixes())
        except LookupError:
            known = []
        raise XacroError(f"package '{package}' not found{did_you_mean(package, known)}; "
                         'is it built, and its setup file sourced?')


def argument(name, arguments):
    if name not in arguments:
        raise XacroError(f"argument '{name}' has no value{did_you_mean(name, arguments)}; give {name}:=... or declare "
                         f'<xacro:arg name="{name}" default="..."/> first')
    return arguments[name]


def xacro_functions(file, arguments):
    """What an expression in `file` reaches as xacro.NAME."""
    def path(name):
        return os.path.join(os.path.dirname(file), str(name))

    def say(kind):
        return lambda *words: print(kind + ' '.join(map(str, words)), file=sys.stderr) or ''

    def fail(*words):
        raise XacroError(' '.join(map(str, words)))

    return {
        'load_yaml': lambda name: yaml_files.load(path(name)),
        'abs_filename': path,
        'arg': lambda name: literal(argument(name, arguments)),
        'dotify': yaml_files.dotify,
        'tokenize': tokenize,
        'message': say(''),
        'warning': say('warning: '),
        'error': say('error: '),
        'fatal': fail,
    }


def tokenize(text, sep=',; ', skip_empty=True):
    """The parts of a list written in one attribute."""
    for separator in sep[1:]:
        text = text.replace(separator, sep[0])
    return [part for part in (p.strip() for p in text.split(sep[0])) if part or not skip_empty]
