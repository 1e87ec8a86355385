# SPDX-License-Identifier: Apache-2.0
"""Message, service and action types of the installed packages, and their definitions."""

import os
import re

from ament_index_python.resources import get_resource, get_resources

from .errors import CommandError, did_you_mean
from .packages import require_workspace

KINDS = ('msg', 'srv', 'action')
FIELD = re.compile(r'^(?P<type>[\w/]+(?:<=\d+)?)(?P<array>\[[^\]]*\])?\s+\w+(?!\s*=)')


def packages():
    """Package -> prefix of those that define interfaces."""
    require_workspace()
    return get_resources('rosidl_interfaces')


def of_package(package, kinds=KINDS):
    """Sorted names like 'std_msgs/msg/String'."""
    known = packages()
    if package not in known:
        raise CommandError(f"package '{package}' defines no interfaces{did_you_mean(package, known)}")
    content, _ = get_resource('rosidl_interfaces', package)
    names = set()
    for line in content.split():
        folder, _, file = line.partition('/')
        stem, _, extension = file.rpartition('.')
        if folder in kinds and extension == folder:
            names.add(f'{package}/{folder}/{stem}')
    return sorted(names)


def everything(kinds=KINDS):
    return sorted(name for package in packages() for name in of_package(package, kinds))


def path_of(name):
    """The definition file of 'pkg/msg/Name' (also 'pkg/Name' if that is not ambiguous)."""
    parts = name.split('/')
    if len(parts) == 2:
        parts = next(([parts[0], kind, parts[1]] for kind in KINDS
                      if parts[0] in packages() and f'{parts[0]}/{kind}/{parts[1]}' in of_package(parts[0])), parts)
    if len(parts) != 3 or '/'.join(parts) not in everything():
        raise CommandError(f"interface '{name}' not found{did_you_mean(name, everything())} "
                           '(write package/msg/Name; `ros2 interface list` shows all)')
    package, kind, short = parts
    return os.path.join(packages()[package], 'share', package, kind, f'{short}.{kind}')


def definition(name, comments='own'):
    """The text of a definition with nested types spelled out, indented by tabs. `comments`: own, all or none."""
    package = name.split('/')[0]
    lines = []
    with open(path_of(name), encoding='utf-8') as file:
        for line in file.read().splitlines():
            code = line.split('#')[0].rstrip() if '"' not in line and "'" not in line else line.rstrip()
            if not code and line.strip() and comments == 'none':
                continue
            lines.append(code if comments == 'none' else line.rstrip())
            nested = nested_type(code.strip(), package)
            if nested:
                inner = definition(nested, comments if comments == 'all' else 'none')
                lines += ['\t' + x for x in inner if x]
    return lines


def nested_type(line, package):
    """The full name of the message type a field line uses, or None for a plain type or no field."""
    match = FIELD.match(line)
    if not match:
        return None
    parts = match['type'].split('/')
    if len(parts) == 1 and not parts[0][0].isupper():
        return None
    return '/'.join([parts[0] if len(parts) > 1 else package_of_bare(parts[0], package), 'msg', parts[-1]])


def package_of_bare(type_name, package):
    return 'std_msgs' if type_name == 'Header' else package
