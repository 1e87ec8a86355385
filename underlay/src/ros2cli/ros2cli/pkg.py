# SPDX-License-Identifier: Apache-2.0
"""ros2 pkg list | prefix | executables | xml"""

import argparse
import os
from xml.etree import ElementTree

from .errors import CommandError, did_you_mean
from .packages import all_packages, executables_of, prefix_of, share_of


def list_packages(parsed):
    names = sorted(all_packages())
    print(len(names) if parsed.count else '\n'.join(names))


def prefix(parsed):
    print(share_of(parsed.package) if parsed.share else prefix_of(parsed.package))


def executables(parsed):
    packages = [parsed.package] if parsed.package else sorted(all_packages())
    for package in packages:
        for name, path in sorted(executables_of(package, prefix_of(package)).items()):
            print(path if parsed.full_path else f'{package} {name}')


def xml(parsed):
    path = os.path.join(share_of(parsed.package), 'package.xml')
    try:
        with open(path, encoding='utf-8') as file:
            text = file.read()
        root = ElementTree.fromstring(text)
    except (OSError, ElementTree.ParseError) as error:
        raise CommandError(f"cannot read '{path}': {error}")
    if parsed.tag is None:
        print(text.rstrip())
        return
    found = root.findall(parsed.tag)
    if not found:
        raise CommandError(f"{path} has no <{parsed.tag}>{did_you_mean(parsed.tag, {e.tag for e in root})}")
    print('\n'.join(element.text or '' for element in found))


def main(words):
    parser = argparse.ArgumentParser(prog='ros2 pkg', description='Finds packages and their programs.')
    verbs = parser.add_subparsers(metavar='VERB', required=True)
    verb = verbs.add_parser('list', help='names of all packages')
    verb.add_argument('-c', '--count', action='store_true', help='only how many there are')
    verb.set_defaults(function=list_packages)
    verb = verbs.add_parser('prefix', help='where a package is installed')
    verb.add_argument('--share', action='store_true', help='its share folder instead')
    verb.add_argument('package')
    verb.set_defaults(function=prefix)
    verb = verbs.add_parser('executables', help='programs of a package, or of all')
    verb.add_argument('--full-path', action='store_true', help='paths instead of names')
    verb.add_argument('package', nargs='?')
    verb.set_defaults(function=executables)
    verb = verbs.add_parser('xml', help="a package's package.xml")
    verb.add_argument('-t', '--tag', help='only the text of this tag')
    verb.add_argument('package')
    verb.set_defaults(function=xml)
    parsed = parser.parse_args(words)
    parsed.function(parsed)
    return 0
