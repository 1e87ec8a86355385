#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the names, types and qualities of service of contract.yaml as a C++ header.

usage: contract_header.py CONTRACT HEADER
"""

import pathlib
import re
import sys

import yaml

HEAD = '''// SPDX-License-Identifier: Apache-2.0
// Written from contract.yaml of humanoid_league_msgs by contract_header.py.
#pragma once

namespace hl_node {

enum class Qos { Sensor, Image, Latched, Reliable };  // what they mean stands in contract.yaml

struct Topic {
  const char* name;  // relative to the robot's namespace
  const char* type;
  Qos qos;
};
'''


def constant(name):
    return 'k' + ''.join(word.capitalize() for word in re.split(r'[/_]+', name.strip('/')))


def main():
    contract = yaml.safe_load(pathlib.Path(sys.argv[1]).read_text(encoding='utf-8'))
    lines = [HEAD, 'namespace topics {']
    for name, entry in contract['topics'].items():
        lines.append(f'inline constexpr Topic {constant(name)}'
                     f'{{"{name}", "{entry["type"]}", Qos::{entry["qos"].capitalize()}}};')
    lines.append('}  // namespace topics\n')
    for kind in ('services', 'actions'):
        lines.append(f'namespace {kind} {{')
        lines += [f'inline constexpr const char* {constant(name)} = "{name}";' for name in contract[kind]]
        lines.append(f'}}  // namespace {kind}\n')
    lines.append('}  // namespace hl_node\n')
    out = pathlib.Path(sys.argv[2])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text('\n'.join(lines), encoding='utf-8')


main()
