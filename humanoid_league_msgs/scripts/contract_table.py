#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of README.md from contract.yaml.

usage: contract_table.py CONTRACT README            rewrites the tables between the markers in README
       contract_table.py CONTRACT README --check    exit code 1 if README is not what would be written
"""

import re
import sys

import yaml

BEGIN, END = '<!-- contract: {} begin -->', '<!-- contract: {} end -->'
QOS = ('sensor', 'image', 'latched', 'reliable')


def check(contract):
    """Words that say what is wrong in the contract itself."""
    nodes = set(contract['nodes']) | {'any'}
    for kind, middle in (('topics', 'msg'), ('services', 'srv'), ('actions', 'action')):
        for name, entry in contract[kind].items():
            if not re.fullmatch(r'/?[a-z][a-z0-9_]*(/[a-z][a-z0-9_]*)*', name):
                yield f'{name}: not a valid ROS name'
            if not re.fullmatch(rf'[a-z][a-z0-9_]*/{middle}/[A-Z]\w*', entry['type']):
                yield f"{name}: type {entry['type']} is not of the form package/{middle}/Name"
            for key in ('from', 'to', 'needed_by'):
                for node in entry.get(key, []):
                    if node not in nodes:
                        yield f"{name}: node '{node}' in {key} is not listed under nodes"
            if not set(entry.get('needed_by', [])) <= set(entry['to']):
                yield f'{name}: needed_by names nodes that are not in to'
            if kind == 'topics' and entry.get('qos') not in QOS:
                yield f"{name}: qos must be one of {', '.join(QOS)}"


def cell(values):
    return ', '.join(values)


def topic_table(topics):
    yield '| topic | type | from | to | QoS | rate (Hz) | frame | remarks |'
    yield '|---|---|---|---|---|---|---|---|'
    for name, entry in topics.items():
        needed = set(entry.get('needed_by', []))
        to = cell(f'**{node}**' if node in needed else node for node in entry['to'])
        yield (f"| `{name}` | {entry['type'].replace('humanoid_league_msgs/msg/', '').replace('/msg/', '/')} | {cell(entry['from'])}"
               f" | {to} | {entry['qos']} | {entry['rate']} | {entry.get('frame', '')} | {entry.get('remark', '')} |")


def call_table(calls):
    yield '| name | type | served by | called by |'
    yield '|---|---|---|---|'
    for name, entry in calls.items():
        needed = set(entry.get('needed_by', []))
        to = cell(f'**{node}**' if node in needed else node for node in entry['to'])
        yield f"| `{name}` | {entry['type'].split('/')[-1]} | {cell(entry['from'])} | {to} |"


def generate(contract, readme):
    tables = {'topics': topic_table(contract['topics']), 'services': call_table(contract['services']),
              'actions': call_table(contract['actions'])}
    for kind, lines in tables.items():
        begin, end = BEGIN.format(kind), END.format(kind)
        if begin not in readme or end not in readme:
            sys.exit(f'README lacks the markers "{begin}" and "{end}"')
        head, rest = readme.split(begin, 1)
        readme = head + begin + '\n' + '\n'.join(lines) + '\n' + end + rest.split(end, 1)[1]
    return readme


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    contract_path, readme_path = arguments[:2]
    with open(contract_path, encoding='utf-8') as file:
        contract = yaml.safe_load(file)
    problems = list(check(contract))
    for problem in problems:
        print(f'{contract_path}: {problem}', file=sys.stderr)
    with open(readme_path, encoding='utf-8') as file:
        old = file.read()
    new = generate(contract, old)
    if '--check' in arguments:
        if old != new:
            print(f'{readme_path} does not match {contract_path}; run {sys.argv[0]} {contract_path} {readme_path}', file=sys.stderr)
            problems.append(readme_path)
    elif old != new:
        with open(readme_path, 'w', encoding='utf-8') as file:
            file.write(new)
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main(sys.argv[1:])
