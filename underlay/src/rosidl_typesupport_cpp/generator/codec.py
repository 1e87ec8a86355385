# SPDX-License-Identifier: Apache-2.0
"""C++ text that writes and reads a message as CDR, and the sizes that text needs."""
from type_description import ARRAY, BOUNDED_SEQUENCE, TYPE_ID, UNBOUNDED_SEQUENCE

# type number -> (bytes on the wire, C++ type)
_NUMBERS = {
    TYPE_ID['int8']: (1, 'std::int8_t'), TYPE_ID['uint8']: (1, 'std::uint8_t'),
    TYPE_ID['int16']: (2, 'std::int16_t'), TYPE_ID['uint16']: (2, 'std::uint16_t'),
    TYPE_ID['int32']: (4, 'std::int32_t'), TYPE_ID['uint32']: (4, 'std::uint32_t'),
    TYPE_ID['int64']: (8, 'std::int64_t'), TYPE_ID['uint64']: (8, 'std::uint64_t'),
    TYPE_ID['float']: (4, 'float'), TYPE_ID['double']: (8, 'double'),
    TYPE_ID['char']: (1, 'std::uint8_t'), TYPE_ID['octet']: (1, 'std::uint8_t'),
}
_BOOL = TYPE_ID['boolean']
_STRINGS = {TYPE_ID[name] for name in ('string', 'wstring', 'bounded_string', 'bounded_wstring')}
_NESTED = 1
_LENGTH_BYTES = 4


class Field:
    """One member of a message, with its container and element kind told apart."""

    def __init__(self, owner, field):
        kind = field['type']
        self.name = field['name']
        self.label = f'"{owner}.{self.name}"'
        self.container = max(base for base in (0, ARRAY, BOUNDED_SEQUENCE, UNBOUNDED_SEQUENCE)
                             if kind['type_id'] > base)
        self.element = kind['type_id'] - self.container
        self.capacity = kind['capacity']
        self.string_bound = kind['string_capacity']
        self.nested = kind['nested_type_name']
        known = self.element == _NESTED or self.element == _BOOL or self.element in _STRINGS
        if not known and self.element not in _NUMBERS:
            names = {number: name for name, number in TYPE_ID.items()}
            raise ValueError(f'{owner}.{self.name}: the type {names[self.element]} has no agreed form in ROS 2 CDR; '
                             'use float64 or wstring')

    @property
    def is_sequence(self):
        return self.container in (BOUNDED_SEQUENCE, UNBOUNDED_SEQUENCE)


class Codec:
    def __init__(self, library):
        self._library = library

    def fields(self, type_name):
        return [Field(type_name, field) for field in self._library.fields(type_name)]

    def min_bytes(self, type_name):
        """A lower limit for the bytes of one message, without padding."""
        return sum(self._min_field_bytes(field) for field in self.fields(type_name))

    def fixed_end(self, type_name, offset=0):
        """Where a message that starts at `offset` ends, or None if that depends on its content."""
        for field in self.fields(type_name):
            if field.is_sequence or field.element in _STRINGS:
                return None
            for _ in range(field.capacity if field.container == ARRAY else 1):
                if field.element == _NESTED:
                    offset = self.fixed_end(field.nested, offset)
                    if offset is None:
                        return None
                else:
                    size = 1 if field.element == _BOOL else _NUMBERS[field.element][0]
                    offset = -(-offset // size) * size + size
        return offset

    def flat(self, type_name):
        """(C++ number type, count) if the message is nothing but numbers of one type, else None."""
        number, count = None, 0
        for field in self.fields(type_name):
            if field.is_sequence or field.element == _BOOL or field.element in _STRINGS:
                return None
            if field.element == _NESTED:
                inner = self.flat(field.nested)
                if inner is None:
                    return None
                inner_number, inner_count = inner
            else:
                inner_number, inner_count = _NUMBERS[field.element][1], 1
            if number not in (None, inner_number):
                return None
            number = inner_number
            count += inner_count * (field.capacity if field.container == ARRAY else 1)
        return number, count

    def functions(self, type_name):
        """`write` and `read` of one message type."""
        cpp = '::' + type_name.replace('/', '::')
        flat = self.flat(type_name)
        if flat is not None:
            number, count = flat
            return (f'template <>\nstruct Flat<{cpp}> {{\n  using Scalar = {number};\n'
                    f'  static constexpr std::size_t count = {count};\n'
                    f'  static_assert(sizeof({cpp}) == count * sizeof(Scalar));\n}};\n'
                    + self._pair(cpp, [f'stream.template block<{number}>(&msg, {count});'],
                                 [f'reader.block<{number}>(&msg, {count});']))
        writes, reads = [], []
        for field in self.fields(type_name):
            writes += self._write(field)
            reads += self._read(field)
        return self._pair(cpp, writes, reads)

    @staticmethod
    def _pair(cpp, writes, reads):
        indent = '\n  '
        return (f'template <class Stream>\nvoid write(Stream& stream, const {cpp}& msg) {{{indent}'
                f'{indent.join(writes)}\n}}\ninline void read(Reader& reader, {cpp}& msg) {{{indent}'
                f'{indent.join(reads)}\n}}\n')

    def _min_element_bytes(self, field):
        if field.element == _NESTED:
            return self.min_bytes(field.nested)
        if field.element in _STRINGS:
            return _LENGTH_BYTES
        return 1 if field.element == _BOOL else _NUMBERS[field.element][0]

    def _min_field_bytes(self, field):
        if field.is_sequence:
            return _LENGTH_BYTES
        return self._min_element_bytes(field) * (field.capacity if field.container == ARRAY else 1)

    def _block(self, field):
        """(C++ number type, numbers per element) if the elements can be copied as they lie in memory."""
        if field.element == _NESTED:
            return self.flat(field.nested)
        number = _NUMBERS.get(field.element)
        return number and (number[1], 1)

    @staticmethod
    def _bound(field):
        return f', {field.string_bound}' if field.string_bound else ''

    def _write(self, field):
        value = f'msg.{field.name}'
        if not field.container:
            return [self._write_one(field, value)]
        lines = []
        if field.is_sequence:
            lines.append(f'stream.scalar(static_cast<std::uint32_t>({value}.size()));')
        block = self._block(field)
        if block:
            number, count = block
            times = f' * {count}' if count > 1 else ''
            lines.append(f'stream.template block<{number}>(first({value}), {value}.size(){times});')
        elif field.element == _BOOL:
            lines.append(f'write_bools(stream, {value});')
        else:
            lines.append(f'for (const auto& element : {value}) {self._write_one(field, "element")}')
        return lines

    def _write_one(self, field, value):
        if field.element == _NESTED:
            return f'write(stream, {value});'
        if field.element in _STRINGS:
            return f'stream.string({value}, {field.label}{self._bound(field)});'
        return f'stream.scalar(static_cast<std::uint8_t>({value}));' if field.element == _BOOL else \
            f'stream.scalar({value});'

    def _read(self, field):
        value = f'msg.{field.name}'
        if not field.container:
            return [self._read_one(field, value)]
        lines = []
        if field.is_sequence:
            bound = f', {field.capacity}' if field.container == BOUNDED_SEQUENCE else ''
            lines.append(f'{value}.resize(reader.length({field.label}, {self._min_element_bytes(field)}{bound}));')
        block = self._block(field)
        if block:
            number, count = block
            times = f' * {count}' if count > 1 else ''
            lines.append(f'reader.block<{number}>(first({value}), {value}.size(){times});')
        elif field.element == _BOOL:
            lines.append(f'read_bools(reader, {value});')
        else:
            lines.append(f'for (auto& element : {value}) {self._read_one(field, "element")}')
        return lines

    def _read_one(self, field, value):
        if field.element == _NESTED:
            return f'read(reader, {value});'
        if field.element in _STRINGS:
            return f'reader.string({value}, {field.label}{self._bound(field)});'
        return f'reader.scalar({value});'
