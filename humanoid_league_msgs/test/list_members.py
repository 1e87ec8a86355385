#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a C++ header that names every member of every message, service and action of a package.

usage: list_members.py OUT.hpp PACKAGE DEPENDENCY=SHARE_DIRECTORY... FILE...

For each type T (and each type it contains) the header has `Members<T>::visit(message, visitor)`. `Types0`, `Types1`, ...
list the package's own types with the halves of services and the five wire messages of actions.
"""
import pathlib
import re
import sys

from rosidl_adapter.parser import parse_action_file, parse_message_file, parse_service_file

MOST_TYPES = 50  # that ::testing::Types of gtest 1.10 takes, which Humble brings


def header_of(package, kind, name):
    words = re.sub(r'([a-z0-9])([A-Z])', r'\1_\2', re.sub(r'(.)([A-Z][a-z]+)', r'\1_\2', name))
    return f'{package}/{kind}/{words.lower()}.hpp'


class Listing:
    def __init__(self, package, shares):
        self.package, self.shares = package, shares
        self.headers, self.visits, self.types, self.known = set(), [], [], set()

    def members(self, cpp_type, spec):
        """Lists the members of a parsed message, after those of the messages in it."""
        for field in spec.fields:
            if not field.type.is_primitive_type():
                self.contained(field.type.pkg_name, field.type.type)
        self.visit(cpp_type, [field.name for field in spec.fields])

    def contained(self, package, name):
        if (package, name) in self.known:
            return
        self.known.add((package, name))
        self.headers.add(header_of(package, 'msg', name))
        path = self.shares[package] / 'msg' / f'{name}.msg'
        self.members(f'{package}::msg::{name}', parse_message_file(package, str(path)))

    def visit(self, cpp_type, names):
        calls = ''.join(f' v(m.{name});' for name in names)
        arguments = f'{cpp_type}& m, V& v' if names else f'{cpp_type}&, V&'
        self.visits.append(f'template <>\nstruct Members<{cpp_type}> {{\n  static constexpr int count = {len(names)};\n'
                           f'  template <class V>\n  static void visit({arguments}) {{{calls} }}\n}};\n')

    def own(self, path):
        package, name, kind = self.package, path.stem, path.suffix[1:]
        cpp_type = f'{package}::{kind}::{name}'
        self.headers.add(header_of(package, kind, name))
        if kind == 'msg':
            self.contained(package, name)
            self.types.append(cpp_type)
        elif kind == 'srv':
            service = parse_service_file(package, str(path))
            for part in ('Request', 'Response'):
                self.members(f'{cpp_type}::{part}', getattr(service, part.lower()))
                self.types.append(f'{cpp_type}::{part}')
        elif kind == 'action':
            action = parse_action_file(package, str(path))
            for part in ('Goal', 'Result', 'Feedback'):
                self.members(f'{cpp_type}::{part}', getattr(action, part.lower()))
            self.contained('unique_identifier_msgs', 'UUID')
            self.contained('builtin_interfaces', 'Time')
            for part, names in (('SendGoalService::Request', ['goal_id', 'goal']),
                                ('SendGoalService::Response', ['accepted', 'stamp']),
                                ('GetResultService::Request', ['goal_id']),
                                ('GetResultService::Response', ['status', 'result']),
                                ('FeedbackMessage', ['goal_id', 'feedback'])):
                self.visit(f'{cpp_type}::Impl::{part}', names)
                self.types.append(f'{cpp_type}::Impl::{part}')
        else:
            sys.exit(f'{path}: neither msg, srv nor action')

    def text(self):
        includes = ''.join(f'#include <{header}>\n' for header in sorted(self.headers))
        return ('// SPDX-License-Identifier: Apache-2.0\n// Written by list_members.py.\n#pragma once\n\n'
                f'#include <gtest/gtest.h>\n\n{includes}\n'
                'template <class T>\nstruct Members;\n\n' + '\n'.join(self.visits) + self.type_lists())

    def type_lists(self):
        """Types0, Types1, ..., and a macro that names the numbers."""
        parts = [self.types[i:i + MOST_TYPES] for i in range(0, len(self.types), MOST_TYPES)]
        lists = [f'\nusing Types{n} = ::testing::Types<\n    ' + ',\n    '.join(part) + '>;\n'
                 for n, part in enumerate(parts)]
        return ''.join(lists) + '\n#define FOR_EACH_TYPE_LIST(F) ' + ' '.join(f'F({n})' for n in range(len(parts))) + '\n'


def main():
    out, package = sys.argv[1:3]
    pairs = [argument.split('=', 1) for argument in sys.argv[3:] if '=' in argument]
    listing = Listing(package, {name: pathlib.Path(path) for name, path in pairs})
    for argument in sys.argv[3:]:
        if '=' not in argument:
            listing.own(pathlib.Path(argument))
    pathlib.Path(out).write_text(listing.text(), encoding='utf-8')


main()
