# SPDX-License-Identifier: Apache-2.0
"""Requests of composition_interfaces/srv/LoadNode as plain data."""

from .errors import LaunchError

# rcl_interfaces/msg/ParameterType and the field of ParameterValue it selects, by type and type in a list
SCALARS = {bool: (1, 'bool_value'), int: (2, 'integer_value'), float: (3, 'double_value'), str: (4, 'string_value')}
LISTS = {bool: (6, 'bool_array_value'), int: (7, 'integer_array_value'), float: (8, 'double_array_value'),
         str: (9, 'string_array_value')}


def load_request(package, plugin, name, namespace, remaps, values, extra):
    return {
        'package_name': package,
        'plugin_name': plugin,
        'node_name': name,
        'node_namespace': namespace,
        'remap_rules': [f'{source}:={target}' for source, target in remaps],
        'parameters': [parameter(key, value) for key, value in values.items()],
        'extra_arguments': [parameter(key, value) for key, value in extra.items()],
    }


def parameter(name, value):
    kinds = SCALARS
    sample = value
    if isinstance(value, list):
        kinds, sample = LISTS, value[0] if value else ''
    if type(sample) not in kinds:
        raise LaunchError(f"parameter '{name}' is not a number, text, truth value or list: {value}")
    number, field = kinds[type(sample)]
    return {'name': name, 'value': {'type': number, field: value}}
