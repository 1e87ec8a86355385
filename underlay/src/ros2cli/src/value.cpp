// SPDX-License-Identifier: Apache-2.0
#include "value.hpp"

#include <yaml-cpp/yaml.h>

#include <cstring>

#include "hints.hpp"
#include "underlay_cdr/cdr.hpp"
#include "yaml_reader.hpp"

namespace ros2cli {
namespace {

/// Calls `function` with a value of the C++ type of `kind`; only for numbers.
template <class Function>
auto with_type(Kind kind, Function&& function) {
  switch (kind) {
    case Kind::Int8:
      return function(std::int8_t{});
    case Kind::Int16:
      return function(std::int16_t{});
    case Kind::UInt16:
      return function(std::uint16_t{});
    case Kind::Int32:
      return function(std::int32_t{});
    case Kind::UInt32:
      return function(std::uint32_t{});
    case Kind::Int64:
      return function(std::int64_t{});
    case Kind::UInt64:
      return function(std::uint64_t{});
    case Kind::Float:
      return function(float{});
    case Kind::Double:
      return function(double{});
    default:
      return function(std::uint8_t{});
  }
}

template <class T>
Number number_from(Kind kind, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return Number::of_real(kind, value);
  } else if constexpr (std::is_signed_v<T>) {
    return Number::of_signed(kind, value);
  } else {
    return Number::of_unsigned(kind, value);
  }
}

template <class T>
T number_to(const Number& number) {
  return std::visit([](auto value) { return static_cast<T>(value); }, number.value);
}

/// Writes to a Sizer or a Writer, so that both agree.
template <class Stream>
class Encoder {
 public:
  explicit Encoder(Stream& stream) : stream_(stream) {}

  void message(const Message& message) {
    for (std::size_t i = 0; i < message.fields.size(); ++i) value(message.fields[i], message.type->fields[i]);
  }

 private:
  void value(const Value& value, const Field& field) {
    if (field.shape == Shape::Single) {
      single(value, field);
      return;
    }
    const auto* numbers = std::get_if<Numbers>(&value.content);
    const auto* items = std::get_if<std::vector<Value>>(&value.content);
    const std::size_t count = numbers != nullptr ? numbers->size() : items->size();
    if (field.shape != Shape::Array) stream_.scalar(static_cast<std::uint32_t>(count));
    if (numbers != nullptr) {
      with_type(field.kind, [&](auto zero) { stream_.template block<decltype(zero)>(numbers->bytes.data(), count); });
    } else {
      for (const auto& item : *items) single(item, field);
    }
  }

  void single(const Value& value, const Field& field) {
    if (const auto* nested = std::get_if<Message>(&value.content)) {
      message(*nested);
    } else if (const auto* text = std::get_if<std::string>(&value.content)) {
      stream_.string(*text, field.name.c_str(), field.string_capacity);
    } else if (const auto* wide = std::get_if<std::u16string>(&value.content)) {
      stream_.string(*wide, field.name.c_str(), field.string_capacity);
    } else {
      const auto& number = std::get<Number>(value.content);
      with_type(field.kind, [&](auto zero) { stream_.scalar(number_to<decltype(zero)>(number)); });
    }
  }

  Stream& stream_;
};

class Decoder {
 public:
  explicit Decoder(underlay_cdr::Reader& reader) : reader_(reader) {}

  Message message(const Description& type) {
    Message result{&type, {}};
    result.fields.reserve(type.fields.size());
    for (const auto& field : type.fields) result.fields.push_back(value(field));
    return result;
  }

 private:
  Value value(const Field& field) {
    if (field.shape == Shape::Single) return single(field);
    const std::size_t element = size_of(field.kind);
    std::size_t count = field.capacity;
    if (field.shape != Shape::Array) {
      // A text takes at least its length, a message at least one byte.
      const std::size_t least = field.kind == Kind::Message ? 1 : element > 0 ? element : sizeof(std::uint32_t);
      count = reader_.length(field.name.c_str(), least, field.shape == Shape::BoundedSequence ? field.capacity : 0);
    }
    if (element > 0) {
      Numbers numbers{field.kind, std::vector<std::uint8_t>(count * element)};
      with_type(field.kind, [&](auto zero) { reader_.block<decltype(zero)>(numbers.bytes.data(), count); });
      return {std::move(numbers)};
    }
    std::vector<Value> items;
    for (std::size_t i = 0; i < count; ++i) items.push_back(single(field));
    return {std::move(items)};
  }

  Value single(const Field& field) {
    if (field.kind == Kind::Message) return {message(*field.message)};
    if (field.kind == Kind::String) {
      std::string text;
      reader_.string(text, field.name.c_str(), field.string_capacity);
      return {std::move(text)};
    }
    if (field.kind == Kind::WString) {
      std::u16string text;
      reader_.string(text, field.name.c_str(), field.string_capacity);
      return {std::move(text)};
    }
    return with_type(field.kind, [&](auto zero) {
      reader_.scalar(zero);
      return Value{number_from(field.kind, zero)};
    });
  }

  underlay_cdr::Reader& reader_;
};

Value zero_of(const Field& field) {
  if (field.kind == Kind::Message) return {make_message(*field.message)};
  if (field.kind == Kind::String) return {std::string()};
  if (field.kind == Kind::WString) return {std::u16string()};
  return with_type(field.kind, [&](auto zero) { return Value{number_from(field.kind, zero)}; });
}

}  // namespace

Number Numbers::at(std::size_t index) const {
  return with_type(kind, [&](auto value) {
    std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
    return number_from(kind, value);
  });
}

void Numbers::append(const Number& number) {
  with_type(kind, [&](auto zero) {
    const auto value = number_to<decltype(zero)>(number);
    const auto* start = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), start, start + sizeof(value));
  });
}

Value make_element(const Field& field) {
  return zero_of(field);
}

Message make_message(const Description& type) {
  Message message{&type, {}};
  for (const auto& field : type.fields) {
    const std::size_t count = field.shape == Shape::Array ? field.capacity : 0;
    if (field.shape == Shape::Single) {
      message.fields.push_back(zero_of(field));
    } else if (size_of(field.kind) > 0) {
      message.fields.push_back({Numbers{field.kind, std::vector<std::uint8_t>(count * size_of(field.kind))}});
    } else {
      message.fields.push_back({std::vector<Value>(count, zero_of(field))});
    }
    if (!field.default_text.empty()) assign_text(message.fields.back(), field, field.default_text);
  }
  return message;
}

std::vector<std::uint8_t> encode(const Message& message) {
  try {
    underlay_cdr::Sizer sizer;
    Encoder<underlay_cdr::Sizer>(sizer).message(message);
    std::vector<std::uint8_t> bytes(4 + sizer.offset());
    const std::uint16_t probe = 1;
    std::memcpy(bytes.data(), "\0\0\0", 4);
    bytes[1] = *reinterpret_cast<const std::uint8_t*>(&probe);  // 1: the low byte comes first
    underlay_cdr::Writer writer(bytes.data() + 4);
    Encoder<underlay_cdr::Writer>(writer).message(message);
    return bytes;
  } catch (const underlay_cdr::CdrError& error) {
    throw CommandError(error.what());
  }
}

Message decode(const Description& type, const std::uint8_t* body, std::size_t size, bool foreign_byte_order) {
  try {
    underlay_cdr::Reader reader(body, size, foreign_byte_order);
    return Decoder(reader).message(type);
  } catch (const underlay_cdr::CdrError& error) {
    throw CommandError("malformed " + type.name + ": " + error.what());
  }
}

const Value& member(const Message& message, const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < message.fields.size(); ++i) {
    if (message.type->fields[i].name == name) return message.fields[i];
    known.push_back(message.type->fields[i].name);
  }
  throw CommandError("'" + name + "' is not a field of " + message.type->name + did_you_mean(name, known) +
                     " (it has: " + joined(known) + ")");
}

Value& member(Message& message, const std::string& name) {
  return const_cast<Value&>(member(static_cast<const Message&>(message), name));
}

const std::string& text(const Message& message, const std::string& name) {
  return std::get<std::string>(member(message, name).content);
}

std::int64_t integer(const Message& message, const std::string& name) {
  return number_to<std::int64_t>(std::get<Number>(member(message, name).content));
}

const Message& nested(const Message& message, const std::string& name) {
  return std::get<Message>(member(message, name).content);
}

const std::vector<Value>& items(const Message& message, const std::string& name) {
  return std::get<std::vector<Value>>(member(message, name).content);
}

std::vector<std::string> texts(const Message& message, const std::string& name) {
  std::vector<std::string> result;
  for (const auto& item : items(message, name)) result.push_back(std::get<std::string>(item.content));
  return result;
}

bool is_placeholder(const Field& field) {
  return field.name == "structure_needs_at_least_one_member";
}

std::string to_utf8(const std::u16string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::uint32_t code = text[i];
    if (code >= 0xD800 && code < 0xDC00 && i + 1 < text.size() && text[i + 1] >= 0xDC00 && text[i + 1] < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (text[++i] - 0xDC00u);
    } else if (code >= 0xD800 && code < 0xE000) {
      code = 0xFFFD;  // half of a pair
    }
    if (code < 0x80) {
      result += static_cast<char>(code);
      continue;
    }
    const int extra = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const std::uint32_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    result += static_cast<char>(lead[extra] | (code >> (6 * extra)));
    for (int shift = 6 * (extra - 1); shift >= 0; shift -= 6)
      result += static_cast<char>(0x80 | ((code >> shift) & 0x3F));
  }
  return result;
}

std::u16string to_utf16(const std::string& text) {
  std::u16string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<std::uint8_t>(text[i++]);
    const int extra = lead < 0x80 ? 0 : lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    std::uint32_t code = extra == 0 ? lead : lead & (0x3Fu >> extra);
    for (int k = 0; k < extra && i < text.size() && (static_cast<std::uint8_t>(text[i]) & 0xC0) == 0x80; ++k) {
      code = (code << 6) | (static_cast<std::uint8_t>(text[i++]) & 0x3Fu);
    }
    if (code < 0x10000) {
      result += static_cast<char16_t>(code);
    } else {
      result += static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10));
      result += static_cast<char16_t>(0xDC00 + ((code - 0x10000) & 0x3FF));
    }
  }
  return result;
}

}  // namespace ros2cli
