# SPDX-License-Identifier: Apache-2.0
"""ros2 interface list | show | package | packages"""

import argparse

from . import interfaces

TITLES = {'msg': 'Messages', 'srv': 'Services', 'action': 'Actions'}


def chosen_kinds(parsed):
    kinds = [kind for kind in interfaces.KINDS if getattr(parsed, kind)]
    return kinds or interfaces.KINDS


def list_all(parsed):
    for kind in chosen_kinds(parsed):
        print(f'{TITLES[kind]}:')
        for name in interfaces.everything([kind]):
            print(f'    {name}')


def show(parsed):
    comments = 'none' if parsed.no_comments else 'all' if parsed.all_comments else 'own'
    print('\n'.join(interfaces.definition(parsed.type, comments)))


def package(parsed):
    for name in interfaces.of_package(parsed.package):
        print(name)


def packages(parsed):
    for name in sorted(interfaces.packages()):
        if interfaces.of_package(name, chosen_kinds(parsed)):
            print(name)


def add_kinds(verb):
    verb.add_argument('-m', '--only-msgs', dest='msg', action='store_true', help='messages')
    verb.add_argument('-s', '--only-srvs', dest='srv', action='store_true', help='services')
    verb.add_argument('-a', '--only-actions', dest='action', action='store_true', help='actions')


def main(words):
    parser = argparse.ArgumentParser(prog='ros2 interface', description='Shows message, service and action types.')
    verbs = parser.add_subparsers(metavar='VERB', required=True)
    verb = verbs.add_parser('list', help='all types')
    add_kinds(verb)
    verb.set_defaults(function=list_all)
    verb = verbs.add_parser('show', help='the definition of a type')
    verb.add_argument('--all-comments', action='store_true', help='also the comments of nested types')
    verb.add_argument('--no-comments', action='store_true', help='no comments at all')
    verb.add_argument('type', help='e.g. geometry_msgs/msg/Twist')
    verb.set_defaults(function=show)
    verb = verbs.add_parser('package', help='types of one package')
    verb.add_argument('package')
    verb.set_defaults(function=package)
    verb = verbs.add_parser('packages', help='packages that define types')
    add_kinds(verb)
    verb.set_defaults(function=packages)
    parsed = parser.parse_args(words)
    parsed.function(parsed)
    return 0
