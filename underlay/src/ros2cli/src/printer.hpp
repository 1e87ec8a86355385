// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "value.hpp"

namespace ros2cli {

struct PrintOptions {
  std::size_t truncate_length = 128;  // elements of a list, characters of a text; 0: all
  bool hide_arrays = false;
  bool hide_texts = false;
  bool flow_style = false;
};

/// YAML as `ros2 topic echo` prints it, with a newline at the end.
std::string to_yaml(const Message& message, const PrintOptions& options = {});
std::string to_yaml(const Value& value, const Field& field, const PrintOptions& options = {});
/// One line of comma-separated values.
std::string to_csv(const Value& value, const Field& field, const PrintOptions& options = {});
/// A constructor call as Python would show it: std_msgs.msg.String(data='hello')
std::string to_python(const Message& message);

std::string number_text(const Number& number);
/// A text as a YAML scalar, in quotes if it could be taken for something else.
std::string yaml_scalar(const std::string& text);

/// The value at "a.b[0].c" in a message.
struct Selected {
  const Value* value = nullptr;  // null: see `element`
  Field field;
  Value element;  // a number out of an array
  const Value& get() const { return value != nullptr ? *value : element; }
};
Selected select(const Value& value, const Field& field, const std::string& path);

}  // namespace ros2cli
