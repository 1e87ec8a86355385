// SPDX-License-Identifier: Apache-2.0
#include "printer.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "hints.hpp"

namespace ros2cli {
namespace {

/// The shortest decimal form that reads back as the same double, in Python's notation.
std::string real_text(double value, const char* not_a_number, const char* infinity) {
  if (std::isnan(value)) return not_a_number;
  if (std::isinf(value)) return (value < 0 ? "-" : "") + std::string(infinity);
  char buffer[32];
  const double size = std::fabs(value);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific)
                       .ptr;
  std::string text(buffer, end);
  if (text.find('.') == std::string::npos) {
    const auto exponent = text.find('e');
    text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
  }
  return text;
}

std::size_t count_of(const Value& value) {
  if (const auto* numbers = std::get_if<Numbers>(&value.content)) return numbers->size();
  return std::get<std::vector<Value>>(value.content).size();
}

/// Calls `each(value)` for the elements of an array.
template <class Each>
void for_elements(const Value& value, std::size_t limit, Each&& each) {
  const std::size_t count = std::min(count_of(value), limit == 0 ? count_of(value) : limit);
  const auto* numbers = std::get_if<Numbers>(&value.content);
  for (std::size_t i = 0; i < count; ++i) {
    each(numbers != nullptr ? Value{numbers->at(i)} : std::get<std::vector<Value>>(value.content)[i]);
  }
}

std::string element_type(const Field& field) {
  return field.kind == Kind::Message ? field.message->name : name_of(field.kind);
}

std::string plain_text(const Value& value) {
  if (const auto* wide = std::get_if<std::u16string>(&value.content)) return to_utf8(*wide);
  return std::get<std::string>(value.content);
}

/// Whether some YAML reader could take a plain text for a number, a truth value, a date or nothing at all.
bool could_be_other_type(const std::string& text) {
  std::string lower;
  for (const char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* word : {"~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "=", "<<", ".inf", "-.inf",
                           "+.inf", ".nan"}) {
    if (lower == word) return true;
  }
  const bool starts_as_number = std::string("0123456789+-.").find(text[0]) != std::string::npos;
  return starts_as_number && lower.find_first_not_of("0123456789+-._:exoabcdf") == std::string::npos;
}

class YamlPrinter {
 public:
  explicit YamlPrinter(const PrintOptions& options) : options_(options) {}
  std::string text;

  void message(const Message& message, int indent, bool first_line_is_indented) {
    bool lead = !first_line_is_indented;
    for (std::size_t i = 0; i < message.fields.size(); ++i) {
      const auto& field = message.type->fields[i];
      if (is_placeholder(field)) continue;
      if (lead) text.append(static_cast<std::size_t>(indent), ' ');
      lead = true;
      text += field.name + ":";
      value(message.fields[i], field, indent);
    }
  }

  /// What follows "name:" of a field at `indent`.
  void value(const Value& value, const Field& field, int indent) {
    if (field.shape != Shape::Single) {
      array(value, field, indent);
    } else if (const auto* nested = std::get_if<Message>(&value.content)) {
      if (is_empty(*nested)) {
        text += " {}\n";
      } else {
        text += "\n";
        message(*nested, indent + 2, false);
      }
    } else {
      text += " " + scalar(value) + "\n";
    }
  }

  void array(const Value& value, const Field& field, int indent) {
    const auto count = count_of(value);
    if (options_.hide_arrays) {
      text += " " +
              yaml_scalar("<" + std::string(field.shape == Shape::Array ? "array" : "sequence") +
                          " type: " + element_type(field) +
                          (field.shape == Shape::Array ? "[" + std::to_string(field.capacity) + "]>"
                                                       : ", length: " + std::to_string(count) + ">")) +
              "\n";
      return;
    }
    if (count == 0) {
      text += " []\n";
      return;
    }
    text += "\n";
    items(value, indent);
  }

  void items(const Value& value, int indent) {
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    for_elements(value, options_.truncate_length, [&](const Value& item) {
      text += margin + "- ";
      if (const auto* nested = std::get_if<Message>(&item.content)) {
        if (is_empty(*nested)) {
          text += "{}\n";
        } else {
          message(*nested, indent + 2, true);
        }
      } else {
        text += scalar(item) + "\n";
      }
    });
    if (options_.truncate_length > 0 && count_of(value) > options_.truncate_length) text += margin + "- '...'\n";
  }

  std::string flow(const Value& value, const Field& field) {
    if (field.shape != Shape::Single) {
      std::string line = "[";
      for_elements(value, options_.truncate_length, [&](const Value& item) {
        Field element = field;
        element.shape = Shape::Single;
        line += (line.size() > 1 ? ", " : "") + flow(item, element);
      });
      if (options_.truncate_length > 0 && count_of(value) > options_.truncate_length) line += ", '...'";
      return line + "]";
    }
    if (const auto* nested = std::get_if<Message>(&value.content)) return flow(*nested);
    return scalar(value);
  }

  std::string flow(const Message& message) {
    std::string line = "{";
    for (std::size_t i = 0; i < message.fields.size(); ++i) {
      const auto& field = message.type->fields[i];
      if (is_placeholder(field)) continue;
      line += (line.size() > 1 ? ", " : "") + field.name + ": " + flow(message.fields[i], field);
    }
    return line + "}";
  }

  std::string scalar(const Value& value) {
    if (const auto* number = std::get_if<Number>(&value.content)) return number_text(*number);
    auto content = plain_text(value);
    if (options_.hide_texts) return yaml_scalar("<string length: <" + std::to_string(content.size()) + ">>");
    if (options_.truncate_length > 0 && content.size() > options_.truncate_length) {
      content.resize(options_.truncate_length);
      content += "...";
    }
    return yaml_scalar(content);
  }

 private:
  static bool is_empty(const Message& message) {
    return message.fields.empty() || (message.fields.size() == 1 && is_placeholder(message.type->fields[0]));
  }

  const PrintOptions& options_;
};

void csv(const Value& value, const Field& field, const PrintOptions& options, std::string& line) {
  const auto add = [&](const std::string& cell) { line += (line.empty() ? "" : ",") + cell; };
  if (field.shape != Shape::Single) {
    if (options.hide_arrays) {
      add("<" + std::to_string(count_of(value)) + " x " + element_type(field) + ">");
      return;
    }
    Field element = field;
    element.shape = Shape::Single;
    for_elements(value, options.truncate_length, [&](const Value& item) { csv(item, element, options, line); });
    if (options.truncate_length > 0 && count_of(value) > options.truncate_length) add("...");
  } else if (const auto* nested = std::get_if<Message>(&value.content)) {
    for (std::size_t i = 0; i < nested->fields.size(); ++i) {
      if (!is_placeholder(nested->type->fields[i])) csv(nested->fields[i], nested->type->fields[i], options, line);
    }
  } else if (const auto* number = std::get_if<Number>(&value.content)) {
    add(number_text(*number));
  } else {
    add(plain_text(value));
  }
}

std::string python(const Value& value, const Field& field) {
  if (field.shape != Shape::Single) {
    Field element = field;
    element.shape = Shape::Single;
    std::string text = "[";
    for_elements(value, 0, [&](const Value& item) { text += (text.size() > 1 ? ", " : "") + python(item, element); });
    return text + "]";
  }
  if (const auto* nested = std::get_if<Message>(&value.content)) return to_python(*nested);
  if (const auto* number = std::get_if<Number>(&value.content)) {
    if (number->kind == Kind::Bool) return std::get<std::uint64_t>(number->value) != 0 ? "True" : "False";
    if (const auto* real = std::get_if<double>(&number->value)) return real_text(*real, "nan", "inf");
    return number_text(*number);
  }
  std::string text = "'";
  for (const char c : plain_text(value)) {
    if (c == '\n') {
      text += "\\n";
    } else {
      text += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string{c};
    }
  }
  return text + "'";
}

}  // namespace

std::string number_text(const Number& number) {
  if (number.kind == Kind::Bool) return std::get<std::uint64_t>(number.value) != 0 ? "true" : "false";
  if (const auto* real = std::get_if<double>(&number.value)) return real_text(*real, ".nan", ".inf");
  return std::visit([](auto value) { return std::to_string(value); }, number.value);
}

std::string yaml_scalar(const std::string& text) {
  bool printable = true;
  for (const char c : text) printable = printable && (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
  if (!printable) {
    std::string quoted = "\"";
    for (const char c : text) {
      char escape[8];
      if (c == '"' || c == '\\') {
        quoted += std::string{'\\', c};
      } else if (c == '\n') {
        quoted += "\\n";
      } else if (c == '\t') {
        quoted += "\\t";
      } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
        std::snprintf(escape, sizeof(escape), "\\x%02X", static_cast<unsigned>(c));
        quoted += escape;
      } else {
        quoted += c;
      }
    }
    return quoted + "\"";
  }
  const bool special = text.empty() || std::string("-?:,[]{}#&*!|>'\"%@` ").find(text[0]) != std::string::npos ||
                       text.back() == ' ' || text.back() == ':' || text.find(": ") != std::string::npos ||
                       text.find(" #") != std::string::npos || text == "---" || text == "...";
  // A leading '-', '?' or ':' before a letter is plain YAML, e.g. -x or :=.
  const bool harmless = text.size() > 1 && (text[0] == '-' || text[0] == '?' || text[0] == ':') && text[1] != ' ' &&
                        text.back() != ' ' && text.back() != ':' && text.find(": ") == std::string::npos &&
                        text.find(" #") == std::string::npos && text != "---";
  if ((!special || harmless) && !could_be_other_type(text)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string{c};
  return quoted + "'";
}

std::string to_yaml(const Message& message, const PrintOptions& options) {
  YamlPrinter printer(options);
  if (options.flow_style) return printer.flow(message) + "\n";
  printer.message(message, 0, false);
  return printer.text.empty() ? "{}\n" : printer.text;
}

std::string to_yaml(const Value& value, const Field& field, const PrintOptions& options) {
  YamlPrinter printer(options);
  if (options.flow_style) return printer.flow(value, field) + "\n";
  if (field.shape == Shape::Single) {
    const auto* nested = std::get_if<Message>(&value.content);
    return nested != nullptr ? to_yaml(*nested, options) : printer.scalar(value) + "\n";
  }
  if (options.hide_arrays || count_of(value) == 0) {
    printer.array(value, field, 0);
    return printer.text.substr(1);
  }
  printer.items(value, 0);
  return printer.text;
}

std::string to_csv(const Value& value, const Field& field, const PrintOptions& options) {
  std::string line;
  csv(value, field, options, line);
  return line + "\n";
}

std::string to_python(const Message& message) {
  std::string text;
  for (const char c : message.type->name) text += c == '/' ? '.' : c;
  text += "(";
  bool first = true;
  for (std::size_t i = 0; i < message.fields.size(); ++i) {
    const auto& field = message.type->fields[i];
    if (is_placeholder(field)) continue;
    text += (first ? "" : ", ") + field.name + "=" + python(message.fields[i], field);
    first = false;
  }
  return text + ")";
}

Selected select(const Value& value, const Field& field, const std::string& path) {
  Selected now{&value, field, {}};
  const auto refuse = [&](const std::string& reason) { throw CommandError("'" + path + "': " + reason); };
  for (std::size_t position = 0; position < path.size();) {
    if (now.value == nullptr) refuse("a number has no parts");
    if (path[position] == '.') {
      ++position;
    } else if (path[position] == '[') {
      const auto end = path.find(']', position);
      const auto digits = path.substr(position + 1, end - position - 1);
      if (end == std::string::npos || digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) {
        refuse("write an element as [0]");
      }
      const std::size_t index = digits.size() > 9 ? SIZE_MAX : std::stoul(digits);
      if (now.field.shape == Shape::Single || index >= count_of(*now.value)) {
        refuse("'" + now.field.name + "' has no element " + digits);
      }
      now.field.shape = Shape::Single;
      if (const auto* numbers = std::get_if<Numbers>(&now.value->content)) {
        now.element = Value{numbers->at(index)};
        now.value = nullptr;
      } else {
        now.value = &std::get<std::vector<Value>>(now.value->content)[index];
      }
      position = end + 1;
    } else {
      const auto end = std::min(path.find_first_of(".[", position), path.size());
      const auto* message = std::get_if<Message>(&now.value->content);
      if (message == nullptr || now.field.shape != Shape::Single) refuse("'" + now.field.name + "' has no fields");
      const Value& inner = member(*message, path.substr(position, end - position));
      now.field = message->type->fields[static_cast<std::size_t>(&inner - message->fields.data())];
      now.value = &inner;
      position = end;
    }
  }
  return now;
}

}  // namespace ros2cli
