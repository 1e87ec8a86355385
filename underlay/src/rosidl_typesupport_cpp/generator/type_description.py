# SPDX-License-Identifier: Apache-2.0
"""Describes interface types as REP 2011 does and hashes the descriptions (RIHS01).

A description is {'type_name': 'pkg/msg/Name', 'fields': [{'name', 'type': {'type_id', 'capacity',
'string_capacity', 'nested_type_name'}}]}; order of keys and spacing are part of the hash.
"""
import hashlib
import json
import pathlib

from rosidl_parser import definition
from rosidl_parser.parser import parse_idl_file

NESTED_TYPE = 1
_SCALARS = ('int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float', 'double',
            'long double', 'char', 'wchar', 'boolean', 'octet', 'string', 'wstring', 'fixed_string', 'fixed_wstring',
            'bounded_string', 'bounded_wstring')
TYPE_ID = {name: number for number, name in enumerate(_SCALARS, start=2)}
ARRAY, BOUNDED_SEQUENCE, UNBOUNDED_SEQUENCE = 48, 96, 144  # added to the number of the element's type


def ros_name(namespaced_type):
    return '/'.join(namespaced_type.namespaced_name())


def element_type(member_type):
    """The type of an array's or sequence's elements; of anything else, the type itself."""
    return member_type.value_type if isinstance(member_type, definition.AbstractNestedType) else member_type


def _field(name, type_id, capacity=0, string_capacity=0, nested_type_name=''):
    return {'name': name, 'type': {'type_id': type_id, 'capacity': capacity, 'string_capacity': string_capacity,
                                   'nested_type_name': nested_type_name}}


def _member_field(member):
    element = element_type(member.type)
    string_capacity, nested_type_name = 0, ''
    if isinstance(element, definition.BasicType):
        type_id = TYPE_ID[element.typename]
    elif isinstance(element, definition.AbstractGenericString):
        type_id = TYPE_ID['wstring' if isinstance(element, definition.AbstractWString) else 'string']
        if element.has_maximum_size():
            type_id += TYPE_ID['bounded_string'] - TYPE_ID['string']
            string_capacity = element.maximum_size
    else:
        type_id, nested_type_name = NESTED_TYPE, ros_name(element)
    capacity = 0
    if isinstance(member.type, definition.Array):
        type_id, capacity = type_id + ARRAY, member.type.size
    elif isinstance(member.type, definition.BoundedSequence):
        type_id, capacity = type_id + BOUNDED_SEQUENCE, member.type.maximum_size
    elif isinstance(member.type, definition.UnboundedSequence):
        type_id += UNBOUNDED_SEQUENCE
    return _field(member.name, type_id, capacity, string_capacity, nested_type_name)


def _nested(name, type_name):
    return _field(name, NESTED_TYPE, nested_type_name=type_name)


def _at_most_one(name, type_name):
    return _field(name, NESTED_TYPE + BOUNDED_SEQUENCE, 1, nested_type_name=type_name)


# Every service's description refers to these two, whether or not its package depends on theirs.
_ALWAYS_KNOWN = {
    'builtin_interfaces/msg/Time': [_field('sec', TYPE_ID['int32']), _field('nanosec', TYPE_ID['uint32'])],
    'service_msgs/msg/ServiceEventInfo': [
        _field('event_type', TYPE_ID['uint8']), _nested('stamp', 'builtin_interfaces/msg/Time'),
        _field('client_gid', TYPE_ID['uint8'] + ARRAY, 16), _field('sequence_number', TYPE_ID['int64'])],
}


class TypeLibrary:
    """All types a package defines, and those of its dependencies as far as they are asked for."""

    def __init__(self, dependency_files=None):
        self.own = {}  # type name -> description, of added types only
        self._types = {}
        self._dependency_files = dependency_files or {}  # 'pkg/msg/Name' -> .idl file
        for name, fields in _ALWAYS_KNOWN.items():
            self._types[name] = {'type_name': name, 'fields': fields}

    def add(self, element):
        """A rosidl_parser Message, Service or Action of the package itself."""
        described = dict(self._describe(element))
        self.own.update(described)
        self._types.update(described)

    def fields(self, name):
        """Fields of the type `name`; reads the dependency that defines it when asked for the first time."""
        if name not in self._types:
            if name not in self._dependency_files:
                raise KeyError(f"{name} is used but defined nowhere: add its package to the DEPENDENCIES of "
                               'rosidl_generate_interfaces()')
            path = pathlib.Path(self._dependency_files[name])
            content = parse_idl_file(definition.IdlLocator(str(path.parent), path.name)).content
            for element in content.elements:
                self._types.update(self._describe(element))
        return self._types[name]['fields']

    def hash(self, name):
        referenced, pending = set(), [name]
        while pending:
            for field in self.fields(pending.pop()):
                nested = field['type']['nested_type_name']
                if nested and nested not in referenced:
                    referenced.add(nested)
                    pending.append(nested)
        text = json.dumps({'type_description': self._types[name],
                           'referenced_type_descriptions': [self._types[other] for other in sorted(referenced)]})
        return 'RIHS01_' + hashlib.sha256(text.encode()).hexdigest()

    def _describe(self, element):
        """Yields (name, description) of the element and of all types derived from it."""
        if isinstance(element, definition.Message):
            yield self._named(ros_name(element.structure.namespaced_type),
                              [_member_field(member) for member in element.structure.members])
        elif isinstance(element, definition.Service):
            name = ros_name(element.namespaced_type)
            yield from self._describe(element.request_message)
            yield from self._describe(element.response_message)
            yield self._named(name + '_Event', [
                _nested('info', 'service_msgs/msg/ServiceEventInfo'),
                _at_most_one('request', name + '_Request'), _at_most_one('response', name + '_Response')])
            yield self._named(name, [
                _nested('request_message', name + '_Request'), _nested('response_message', name + '_Response'),
                _nested('event_message', name + '_Event')])
        elif isinstance(element, definition.Action):
            name = ros_name(element.namespaced_type)
            for part in (element.goal, element.result, element.feedback, element.send_goal_service,
                         element.get_result_service, element.feedback_message):
                yield from self._describe(part)
            yield self._named(name, [
                _nested('goal', name + '_Goal'), _nested('result', name + '_Result'),
                _nested('feedback', name + '_Feedback'), _nested('send_goal_service', name + '_SendGoal'),
                _nested('get_result_service', name + '_GetResult'),
                _nested('feedback_message', name + '_FeedbackMessage')])

    @staticmethod
    def _named(name, fields):
        return name, {'type_name': name, 'fields': fields}
