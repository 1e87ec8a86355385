# SPDX-License-Identifier: Apache-2.0
"""Packages and their programs, from the ament index."""

import os

from ament_index_python.packages import get_packages_with_prefixes

from .errors import CommandError, did_you_mean


def all_packages():
    """Name -> prefix of every package of the sourced workspaces."""
    require_workspace()
    return get_packages_with_prefixes()


def require_workspace():
    if not os.environ.get('AMENT_PREFIX_PATH'):
        raise CommandError('AMENT_PREFIX_PATH is not set; source the setup file of a workspace first, '
                           'e.g. `. install/setup.bash`')


def prefix_of(package):
    packages = all_packages()
    if package not in packages:
        raise CommandError(f"package '{package}' not found{did_you_mean(package, packages)} "
                           '(is it built, and its setup file sourced?)')
    return packages[package]


def share_of(package):
    return os.path.join(prefix_of(package), 'share', package)


def executables_of(package, prefix=None):
    """Name -> path of the package's programs."""
    folder = os.path.join(prefix or prefix_of(package), 'lib', package)
    found = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            if os.access(path, os.X_OK) and os.path.isfile(path):
                found.setdefault(name, path)
    return found


def executable(package, name):
    """The path of one program; the error lists what there is."""
    found = executables_of(package)
    if name not in found:
        hint = did_you_mean(name, found) or (f" (it has: {', '.join(sorted(found))})" if found else ' (it has none)')
        raise CommandError(f"package '{package}' has no executable '{name}'{hint}")
    return found[name]
