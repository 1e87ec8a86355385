# SPDX-License-Identifier: Apache-2.0
"""xacro.load_yaml(): YAML data with unit tags and attribute access."""

import math

import yaml

from .errors import XacroError
from .expression import Dict, evaluate

UNITS = {'radians': 1.0, 'degrees': math.pi / 180, 'meters': 1.0, 'millimeters': 1e-3, 'foot': 0.3048, 'inches': 0.0254}


class Loader(yaml.SafeLoader):
    pass


def unit_constructor(factor):
    def construct(loader, node):
        text = loader.construct_scalar(node)
        value = evaluate(text, lambda name: {'pi': math.pi}[name], lambda: ['pi'])
        return float(value) * factor
    return construct


def mapping(loader, node):
    result = Dict()
    yield result
    result.update(loader.construct_mapping(node, deep=True))


Loader.add_constructor('tag:yaml.org,2002:map', mapping)
for unit_name, unit_factor in UNITS.items():
    Loader.add_constructor('!' + unit_name, unit_constructor(unit_factor))


def load(path):
    try:
        with open(path, encoding='utf-8') as file:
            return yaml.load(file, Loader)
    except OSError as error:
        raise XacroError(f"cannot read YAML file '{path}': {error.strerror}")
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise XacroError(f"YAML file '{path}' is broken: {error}")


def dotify(value):
    """A dict whose members are reached with a dot."""
    return Dict({key: dotify(item) for key, item in value.items()}) if isinstance(value, dict) else value
