// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/detail/parameter_file.hpp"

#include <yaml.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rclcpp/parameter_map.hpp"

namespace rclcpp {
namespace detail {
namespace {

constexpr int kDeepest = 64;  // levels of nesting; a parameter file has three or four

/// Pulls events out of a YAML text; knows the place for error messages.
class Events {
 public:
  Events(const std::string& yaml, std::string source) : source_(std::move(source)) {
    if (!yaml_parser_initialize(&parser_)) {
      throw std::bad_alloc();
    }
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(yaml.data()), yaml.size());
  }
  ~Events() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  const yaml_event_t& next() {
    yaml_event_delete(&event_);
    if (!yaml_parser_parse(&parser_, &event_)) {
      const char* problem = parser_.problem ? parser_.problem : "cannot be read";
      throw error_at(parser_.problem_mark.line, std::string("not valid YAML: ") + problem);
    }
    if (event_.type == YAML_ALIAS_EVENT) {
      throw error("aliases (*name) are not supported in parameter files; write the value out");
    }
    return event_;
  }

  void expect(yaml_event_type_t type, const char* otherwise) {
    if (next().type != type) {
      throw error(otherwise);
    }
  }

  std::runtime_error error(const std::string& what) const { return error_at(event_.start_mark.line, what); }

 private:
  std::runtime_error error_at(size_t line, const std::string& what) const {
    return std::runtime_error((source_.empty() ? "" : source_ + ":" + std::to_string(line + 1) + ": ") + what);
  }

  std::string source_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

std::string text_of(const yaml_event_t& scalar) {
  return std::string(reinterpret_cast<const char*>(scalar.data.scalar.value), scalar.data.scalar.length);
}

bool is_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text == word; });
}

std::optional<double> special_double(const std::string& text) {
  if (is_one_of(text, {".nan", ".NaN", ".NAN"})) {
    return std::nan("");
  }
  if (is_one_of(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) {
    return HUGE_VAL;
  }
  if (is_one_of(text, {"-.inf", "-.Inf", "-.INF"})) {
    return -HUGE_VAL;
  }
  return std::nullopt;
}

/// The type of an unquoted scalar follows from its text.
ParameterValue infer(const std::string& text) {
  if (is_one_of(text, {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y"})) {
    return ParameterValue(true);
  }
  if (is_one_of(text, {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N"})) {
    return ParameterValue(false);
  }
  if (const auto value = special_double(text)) {
    return ParameterValue(*value);
  }
  const bool like_a_number =
      !text.empty() && text.find_first_not_of("+-.0123456789abcdefABCDEFxXpP") == std::string::npos &&
      text.find_first_of("0123456789") != std::string::npos && !std::isalpha(static_cast<unsigned char>(text[0]));
  if (like_a_number) {
    const char* const end = text.c_str() + text.size();
    char* rest = nullptr;
    errno = 0;
    const long long integer = std::strtoll(text.c_str(), &rest, 0);
    if (rest == end && errno == 0) {
      return ParameterValue(static_cast<int64_t>(integer));
    }
    const double number = std::strtod(text.c_str(), &rest);
    if (rest == end) {
      return ParameterValue(number);
    }
  }
  return ParameterValue(text);
}

ParameterValue scalar_value(const yaml_event_t& event, const Events& events) {
  const std::string text = text_of(event);
  const auto& scalar = event.data.scalar;
  const char* tag = reinterpret_cast<const char*>(scalar.tag);
  if (scalar.style != YAML_PLAIN_SCALAR_STYLE || (tag && std::strcmp(tag, YAML_STR_TAG) == 0)) {
    return ParameterValue(text);
  }
  if (text.empty()) {
    throw events.error("there is no value; for an empty text write ''");
  }
  return infer(text);
}

template <class T>
ParameterValue array_of(const std::vector<ParameterValue>& values) {
  std::vector<T> array;
  array.reserve(values.size());
  for (const auto& value : values) {
    array.push_back(value.get<T>());
  }
  return ParameterValue(array);
}

/// All elements of one type; called behind the start of the sequence.
ParameterValue sequence_value(Events& events) {
  std::vector<ParameterValue> values;
  for (;;) {
    const auto& event = events.next();
    if (event.type == YAML_SEQUENCE_END_EVENT) {
      break;
    }
    if (event.type != YAML_SCALAR_EVENT) {
      throw events.error("an array can only hold single values, neither arrays nor maps");
    }
    values.push_back(scalar_value(event, events));
    const ParameterType first = values.front().get_type();
    const ParameterType last = values.back().get_type();
    if (first != last) {
      const bool numbers = first + last == PARAMETER_INTEGER + PARAMETER_DOUBLE;
      throw events.error("an array must hold values of one type, here are " + to_string(first) + " and " +
                         to_string(last) + (numbers ? "; write 1.0 instead of 1 in an array of doubles" : ""));
    }
  }
  if (values.empty()) {
    return ParameterValue(std::vector<std::string>{});
  }
  switch (values.front().get_type()) {
    case PARAMETER_BOOL:
      return array_of<bool>(values);
    case PARAMETER_INTEGER:
      return array_of<int64_t>(values);
    case PARAMETER_DOUBLE:
      return array_of<double>(values);
    default:
      return array_of<std::string>(values);
  }
}

/// Reads the maps of a parameter file; each function is called behind the start of its map.
class FileReader {
 public:
  explicit FileReader(Events& events) : events_(events) {}

  /// Namespaces and node names, down to `ros__parameters`.
  void read_nodes(const std::string& node, int depth) {
    check_depth(depth);
    while (const auto key = next_key()) {
      const bool parameters = *key == "ros__parameters";
      if (parameters && node.empty()) {
        throw events_.error("ros__parameters needs a node name (or /**) above it");
      }
      if (events_.next().type != YAML_MAPPING_START_EVENT) {
        throw events_.error(parameters ? "ros__parameters must hold a map of names and values"
                                       : "'" + *key + "' has a value, but no ros__parameters is above it");
      }
      if (parameters) {
        read_parameters(node, "", depth + 1);
      } else {
        read_nodes(below(node, *key), depth + 1);
      }
    }
  }

  std::vector<ParameterOverride> take() { return std::move(overrides_); }

 private:
  void read_parameters(const std::string& node, const std::string& prefix, int depth) {
    check_depth(depth);
    while (const auto key = next_key()) {
      const auto& event = events_.next();
      if (event.type == YAML_MAPPING_START_EVENT) {
        read_parameters(node, prefix + *key + ".", depth + 1);
      } else if (event.type == YAML_SEQUENCE_START_EVENT) {
        overrides_.push_back({node, prefix + *key, sequence_value(events_)});
      } else {
        overrides_.push_back({node, prefix + *key, scalar_value(event, events_)});
      }
    }
  }

  /// The next key of the map, nothing at its end.
  std::optional<std::string> next_key() {
    const auto& event = events_.next();
    if (event.type == YAML_MAPPING_END_EVENT) {
      return std::nullopt;
    }
    if (event.type != YAML_SCALAR_EVENT || event.data.scalar.length == 0) {
      throw events_.error("a name is expected here");
    }
    return text_of(event);
  }

  static std::string below(const std::string& node, std::string key) {
    if (key.front() != '/') {
      key = "/" + key;
    }
    if (key.size() > 1 && key.back() == '/') {
      key.pop_back();
    }
    return node == "/" ? key : node + key;
  }

  void check_depth(int depth) const {
    if (depth > kDeepest) {
      throw events_.error("nested deeper than " + std::to_string(kDeepest) + " levels");
    }
  }

  Events& events_;
  std::vector<ParameterOverride> overrides_;
};

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < name.size();) {
    const size_t end = std::min(name.find('/', begin), name.size());
    if (end > begin) {
      parts.push_back(name.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return parts;
}

}  // namespace

std::vector<ParameterOverride> parse_parameter_yaml(const std::string& yaml, const std::string& source) {
  Events events(yaml, source);
  events.expect(YAML_STREAM_START_EVENT, "not a YAML text");
  if (events.next().type == YAML_STREAM_END_EVENT) {
    return {};
  }
  events.expect(YAML_MAPPING_START_EVENT, "a parameter file starts with node names, as in `my_node: ros__parameters:`");
  FileReader reader(events);
  reader.read_nodes("", 0);
  events.expect(YAML_DOCUMENT_END_EVENT, "the end is expected here");
  events.expect(YAML_STREAM_END_EVENT, "only one YAML document is allowed in a parameter file");
  return reader.take();
}

std::vector<ParameterOverride> read_parameter_file(const std::string& path) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  std::string text;
  char block[4096];
  while (file && !std::feof(file.get()) && !std::ferror(file.get())) {
    text.append(block, std::fread(block, 1, sizeof(block), file.get()));
  }
  if (!file || std::ferror(file.get())) {
    throw std::runtime_error(path + ": " + std::strerror(errno));
  }
  return parse_parameter_yaml(text, path);
}

ParameterValue parse_parameter_value(const std::string& yaml) {
  Events events(yaml, "");
  events.expect(YAML_STREAM_START_EVENT, "not a value");
  if (events.next().type == YAML_STREAM_END_EVENT) {
    throw events.error("there is no value; for an empty text write ''");
  }
  const auto& event = events.next();
  if (event.type == YAML_MAPPING_START_EVENT) {
    throw events.error("a map is not a parameter value; give each of its parameters by its dotted name");
  }
  const ParameterValue value =
      event.type == YAML_SEQUENCE_START_EVENT ? sequence_value(events) : scalar_value(event, events);
  events.expect(YAML_DOCUMENT_END_EVENT, "there is more than one value");
  events.expect(YAML_STREAM_END_EVENT, "there is more than one value");
  return value;
}

bool node_pattern_matches(const std::string& pattern, const std::string& fully_qualified_name) {
  const auto wanted = parts_of(pattern);
  const auto name = parts_of(fully_qualified_name);
  // fits[j]: the parts of the pattern so far fit the first j parts of the name
  std::vector<bool> fits(name.size() + 1, false);
  fits[0] = true;
  for (const auto& part : wanted) {
    if (part == "**") {
      for (size_t j = 1; j <= name.size(); ++j) {
        fits[j] = fits[j] || fits[j - 1];
      }
      continue;
    }
    for (size_t j = name.size(); j > 0; --j) {
      fits[j] = fits[j - 1] && (part == "*" || part == name[j - 1]);
    }
    fits[0] = false;
  }
  return fits[name.size()];
}

std::map<std::string, ParameterValue> overrides_for(const std::string& fully_qualified_name,
                                                    const std::vector<ParameterOverride>& overrides) {
  std::vector<std::string> patterns;  // that fit, in the order of their first mention
  for (const auto& override : overrides) {
    if (std::find(patterns.begin(), patterns.end(), override.node) == patterns.end() &&
        node_pattern_matches(override.node, fully_qualified_name)) {
      patterns.push_back(override.node);
    }
  }
  std::map<std::string, ParameterValue> result;
  for (const auto& pattern : patterns) {
    for (const auto& override : overrides) {
      if (override.node == pattern) {
        result[override.name] = override.value;
      }
    }
  }
  return result;
}

}  // namespace detail

ParameterMap parameter_map_from_yaml_file(const std::string& yaml_filename) {
  ParameterMap map;
  for (const auto& override : detail::read_parameter_file(yaml_filename)) {
    auto& parameters = map[override.node];
    const auto known = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const Parameter& parameter) { return parameter.get_name() == override.name; });
    if (known != parameters.end()) {
      *known = Parameter(override.name, override.value);
    } else {
      parameters.emplace_back(override.name, override.value);
    }
  }
  return map;
}

}  // namespace rclcpp
