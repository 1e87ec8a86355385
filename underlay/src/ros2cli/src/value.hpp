// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "type_library.hpp"

namespace ros2cli {

/// A number or truth value with the type it has in the message.
struct Number {
  Kind kind = Kind::Int64;
  std::variant<std::int64_t, std::uint64_t, double> value;

  static Number of_signed(Kind kind, std::int64_t value) { return {kind, value}; }
  static Number of_unsigned(Kind kind, std::uint64_t value) { return {kind, value}; }
  static Number of_real(Kind kind, double value) { return {kind, value}; }
};

/// Array or sequence of numbers, kept as the bytes of the host: an image has a million of them.
struct Numbers {
  Kind kind = Kind::UInt8;
  std::vector<std::uint8_t> bytes;

  std::size_t size() const { return bytes.size() / size_of(kind); }
  Number at(std::size_t index) const;
  void append(const Number& number);
};

struct Value;

struct Message {
  const Description* type = nullptr;
  std::vector<Value> fields;  // in the order of type->fields
};

struct Value {
  std::variant<Number, std::string, std::u16string, Numbers, std::vector<Value>, Message> content;
};

/// A message with the default values of its definition.
Message make_message(const Description& type);
/// An element of an array of `field`, with the default value of its type.
Value make_element(const Field& field);

/// Encapsulation header and body.
std::vector<std::uint8_t> encode(const Message& message);
/// Reads the body of a message; throws CommandError with the reason for malformed data.
Message decode(const Description& type, const std::uint8_t* body, std::size_t size, bool foreign_byte_order);

/// The field named `name`; throws CommandError with a hint.
Value& member(Message& message, const std::string& name);
const Value& member(const Message& message, const std::string& name);

// Short forms for the fixed types that commands deal with; they throw std::bad_variant_access for another type.
const std::string& text(const Message& message, const std::string& name);
std::int64_t integer(const Message& message, const std::string& name);
const Message& nested(const Message& message, const std::string& name);
const std::vector<Value>& items(const Message& message, const std::string& name);
std::vector<std::string> texts(const Message& message, const std::string& name);

/// For messages that rosidl gives a dummy member because they have none.
bool is_placeholder(const Field& field);

std::string to_utf8(const std::u16string& text);
std::u16string to_utf16(const std::string& text);

}  // namespace ros2cli
