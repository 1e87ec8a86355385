// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/detail/parameter_store.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace rclcpp {
namespace detail {
namespace {

constexpr char kSeparator = '.';

std::string range_text(const std::string& from, const std::string& to, const std::string& step, bool has_step) {
  return "[" + from + ", " + to + "]" + (has_step ? " in steps of " + step : "");
}

/// Whether `value` lies on the grid of the range, up to the rounding of a few operations.
bool on_step(double value, const rcl_interfaces::msg::FloatingPointRange& range) {
  if (range.step <= 0.0 || value == range.to_value) {
    return true;
  }
  const double nearest = range.from_value + std::round((value - range.from_value) / range.step) * range.step;
  const double scale = std::max({std::abs(value), std::abs(range.from_value), range.step});
  return std::abs(value - nearest) <= 1e-12 * scale;
}

bool on_step(int64_t value, const rcl_interfaces::msg::IntegerRange& range) {
  const uint64_t above = static_cast<uint64_t>(value) - static_cast<uint64_t>(range.from_value);
  return range.step == 0 || value == range.to_value || above % range.step == 0;
}

std::string number_text(int64_t value) {
  return std::to_string(value);
}
std::string number_text(double value) {
  return detail::shortest_text(value);
}

template <class T, class Range>
std::optional<std::string> range_problem(const std::string& name, const char* kind, T value, const Range& range) {
  if (value >= range.from_value && value <= range.to_value && on_step(value, range)) {
    return std::nullopt;
  }
  const auto text = [](auto number) { return number_text(static_cast<T>(number)); };
  return "Parameter {" + name + "} doesn't comply with " + kind + " range: " + text(value) + " is not in " +
         range_text(text(range.from_value), text(range.to_value), text(range.step), range.step > 0);
}

/// Why the value does not fit the range in the descriptor.
std::optional<std::string> range_problem(const std::string& name, const ParameterValue& value,
                                         const rcl_interfaces::msg::ParameterDescriptor& descriptor) {
  if (value.get_type() == PARAMETER_INTEGER && !descriptor.integer_range.empty()) {
    return range_problem(name, "integer", value.get<int64_t>(), descriptor.integer_range[0]);
  }
  if (value.get_type() == PARAMETER_DOUBLE && !descriptor.floating_point_range.empty()) {
    return range_problem(name, "floating point", value.get<double>(), descriptor.floating_point_range[0]);
  }
  return std::nullopt;
}

/// Why the value does not fit the declared type.
std::optional<std::string> type_problem(const std::string& name, const ParameterValue& value,
                                        const rcl_interfaces::msg::ParameterDescriptor& descriptor) {
  if (descriptor.dynamic_typing || value.get_type() == descriptor.type) {
    return std::nullopt;
  }
  const auto declared = static_cast<ParameterType>(descriptor.type);
  std::string text = "Wrong parameter type, parameter {" + name + "} is of type {" + to_string(declared) +
                     "}, setting it to {" + to_string(value.get_type()) + "} is not allowed.";
  if (declared == PARAMETER_DOUBLE && value.get_type() == PARAMETER_INTEGER) {
    text += " Write " + to_string(value) + ".0 for a double.";
  }
  return text;
}

rcl_interfaces::msg::SetParametersResult refusal(const std::string& reason) {
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = false;
  result.reason = reason;
  return result;
}

rcl_interfaces::msg::SetParametersResult success() {
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = true;
  return result;
}

/// `[]` in a parameter file does not say of what type it is; the declaration does.
ParameterValue typed_empty_array(const ParameterValue& value, ParameterType type) {
  if (value.get_type() != PARAMETER_STRING_ARRAY || type < PARAMETER_BYTE_ARRAY ||
      !value.get<PARAMETER_STRING_ARRAY>().empty()) {
    return value;
  }
  rcl_interfaces::msg::ParameterValue empty;
  empty.type = type;
  return ParameterValue(empty);
}

bool is_below(const std::string& name, const std::string& prefix) {
  return name.size() > prefix.size() && name.compare(0, prefix.size(), prefix) == 0 &&
         name[prefix.size()] == kSeparator;
}

}  // namespace

/// Holds the lock for a change and refuses one that is asked for from inside a callback.
class ParameterStore::ChangeGuard {
 public:
  explicit ChangeGuard(ParameterStore& store) : lock_(store.mutex_), changing_(store.changing_) {
    if (changing_) {
      throw exceptions::ParameterModifiedInCallbackException(
          "parameters and their callbacks cannot be changed from within an on-set callback; return the result instead");
    }
    changing_ = true;
  }
  ~ChangeGuard() { changing_ = false; }
  ChangeGuard(const ChangeGuard&) = delete;
  ChangeGuard& operator=(const ChangeGuard&) = delete;

 private:
  Lock lock_;
  bool& changing_;
};

ParameterStore::ParameterStore(Options options) : options_(std::move(options)) {
  if (options_.declare_from_overrides) {
    Descriptor descriptor;
    descriptor.dynamic_typing = true;
    for (const auto& [name, value] : options_.overrides) {
      declare(name, value, descriptor);
    }
  }
}

const ParameterValue& ParameterStore::declare(const std::string& name, const ParameterValue& default_value,
                                              const Descriptor& descriptor, bool ignore_override) {
  if (!descriptor.dynamic_typing && default_value.get_type() == PARAMETER_NOT_SET) {
    throw std::invalid_argument("parameter '" + name +
                                "' needs a default with a type, or a descriptor with dynamic_typing");
  }
  return declare(name, default_value.get_type(), default_value, descriptor, ignore_override);
}

const ParameterValue& ParameterStore::declare(const std::string& name, ParameterType type, const Descriptor& descriptor,
                                              bool ignore_override) {
  if (type == PARAMETER_NOT_SET) {
    throw std::invalid_argument("parameter '" + name + "' cannot be declared with the type PARAMETER_NOT_SET");
  }
  if (descriptor.dynamic_typing) {
    throw std::invalid_argument("parameter '" + name +
                                "' cannot be declared with a type and a descriptor with dynamic_typing");
  }
  return declare(name, type, ParameterValue(), descriptor, ignore_override);
}

const ParameterValue& ParameterStore::declare(const std::string& name, ParameterType type,
                                              const ParameterValue& default_value, Descriptor descriptor,
                                              bool ignore_override) {
  ChangeGuard guard(*this);
  if (name.empty()) {
    throw exceptions::InvalidParametersException("parameter name must not be empty");
  }
  if (entries_.count(name) > 0) {
    throw exceptions::ParameterAlreadyDeclaredException("parameter '" + name + "' has already been declared");
  }
  descriptor.name = name;
  descriptor.type = type;
  ParameterValue value = default_value;
  const auto override = options_.overrides.find(name);
  if (!ignore_override && override != options_.overrides.end()) {
    value = typed_empty_array(override->second, type);
  }
  if (value.get_type() == PARAMETER_NOT_SET && !descriptor.dynamic_typing) {
    return entries_.emplace(name, Entry{value, descriptor}).first->second.value;
  }
  if (const auto problem = type_problem(name, value, descriptor)) {
    throw exceptions::InvalidParameterTypeException(name, *problem);
  }
  if (const auto problem = range_problem(name, value, descriptor)) {
    throw exceptions::InvalidParameterValueException("parameter '" + name + "' could not be set: " + *problem);
  }
  const auto result = ask_callbacks({Parameter(name, value)});
  if (!result.successful) {
    throw exceptions::InvalidParameterValueException("parameter '" + name + "' could not be set: " + result.reason);
  }
  descriptor.type = value.get_type();
  const auto& entry = entries_.emplace(name, Entry{value, descriptor}).first->second;
  rcl_interfaces::msg::ParameterEvent event;
  event.new_parameters.push_back(Parameter(name, value).to_parameter_msg());
  publish(std::move(event));
  return entry.value;
}

void ParameterStore::undeclare(const std::string& name) {
  ChangeGuard guard(*this);
  const auto entry = entries_.find(name);
  if (entry == entries_.end()) {
    throw exceptions::ParameterNotDeclaredException("cannot undeclare parameter '" + name +
                                                    "' which has not yet been declared");
  }
  if (entry->second.descriptor.read_only) {
    throw exceptions::ParameterImmutableException("cannot undeclare parameter '" + name + "' because it is read-only");
  }
  if (!entry->second.descriptor.dynamic_typing) {
    throw exceptions::InvalidParameterTypeException(name, "cannot undeclare a statically typed parameter");
  }
  entries_.erase(entry);
}

bool ParameterStore::has(const std::string& name) const {
  Lock lock(mutex_);
  return entries_.count(name) > 0;
}

std::vector<ParameterStore::SetResult> ParameterStore::set(const std::vector<Parameter>& parameters) {
  std::vector<SetResult> results;
  results.reserve(parameters.size());
  for (const auto& parameter : parameters) {
    results.push_back(set_atomically({parameter}));
  }
  return results;
}

ParameterStore::SetResult ParameterStore::set_atomically(const std::vector<Parameter>& parameters) {
  ChangeGuard guard(*this);
  std::map<std::string, Entry> changed;
  for (const auto& parameter : parameters) {
    const std::string& name = parameter.get_name();
    if (name.empty()) {
      throw exceptions::InvalidParametersException("parameter name must not be empty");
    }
    auto entry = entries_.find(name);
    Descriptor descriptor;
    if (entry != entries_.end()) {
      descriptor = entry->second.descriptor;
    } else if (options_.allow_undeclared) {
      descriptor.name = name;
      descriptor.dynamic_typing = true;
    } else {
      throw exceptions::ParameterNotDeclaredException("parameter '" + name +
                                                      "' cannot be set because it was not declared");
    }
    if (descriptor.read_only) {
      return refusal("parameter '" + name + "' cannot be set because it is read-only");
    }
    const auto& value = parameter.get_parameter_value();
    for (const auto& problem : {type_problem(name, value, descriptor), range_problem(name, value, descriptor)}) {
      if (problem) {
        return refusal(*problem);
      }
    }
    descriptor.type = value.get_type();
    changed[name] = Entry{value, descriptor};
  }
  const auto result = ask_callbacks(parameters);
  if (!result.successful) {
    return result;
  }

  rcl_interfaces::msg::ParameterEvent event;
  for (const auto& [name, entry] : changed) {
    const bool known = entries_.count(name) > 0;
    const auto message = Parameter(name, entry.value).to_parameter_msg();
    if (entry.value.get_type() != PARAMETER_NOT_SET) {
      (known ? event.changed_parameters : event.new_parameters).push_back(message);
      entries_[name] = entry;
    } else if (known) {
      event.deleted_parameters.push_back(message);
      entries_.erase(name);
    }
  }
  publish(std::move(event));
  return result;
}

const ParameterStore::Entry* ParameterStore::find(const std::string& name) const {
  const auto entry = entries_.find(name);
  if (entry != entries_.end()) {
    return &entry->second;
  }
  if (!options_.allow_undeclared) {
    throw exceptions::ParameterNotDeclaredException("parameter '" + name + "' has not been declared");
  }
  return nullptr;
}

Parameter ParameterStore::get(const std::string& name) const {
  Lock lock(mutex_);
  const Entry* entry = find(name);
  if (!entry) {
    return Parameter(name);
  }
  if (entry->value.get_type() == PARAMETER_NOT_SET && !entry->descriptor.dynamic_typing) {
    throw exceptions::ParameterUninitializedException(name);
  }
  return Parameter(name, entry->value);
}

std::vector<Parameter> ParameterStore::get(const std::vector<std::string>& names) const {
  Lock lock(mutex_);
  std::vector<Parameter> parameters;
  parameters.reserve(names.size());
  for (const auto& name : names) {
    parameters.push_back(get(name));
  }
  return parameters;
}

bool ParameterStore::get(const std::string& name, Parameter& parameter) const {
  Lock lock(mutex_);
  const auto entry = entries_.find(name);
  if (entry == entries_.end() || entry->second.value.get_type() == PARAMETER_NOT_SET) {
    return false;
  }
  parameter = Parameter(name, entry->second.value);
  return true;
}

bool ParameterStore::get_by_prefix(const std::string& prefix, std::map<std::string, Parameter>& parameters) const {
  Lock lock(mutex_);
  bool found = false;
  for (const auto& [name, entry] : entries_) {
    if (prefix.empty() || is_below(name, prefix)) {
      const std::string rest = prefix.empty() ? name : name.substr(prefix.size() + 1);
      parameters[rest] = Parameter(name, entry.value);
      found = true;
    }
  }
  return found;
}

std::vector<ParameterStore::Descriptor> ParameterStore::describe(const std::vector<std::string>& names) const {
  Lock lock(mutex_);
  std::vector<Descriptor> descriptors;
  for (const auto& name : names) {
    const Entry* entry = find(name);
    descriptors.push_back(entry ? entry->descriptor : Descriptor());
    descriptors.back().name = name;
  }
  return descriptors;
}

std::vector<uint8_t> ParameterStore::types(const std::vector<std::string>& names) const {
  Lock lock(mutex_);
  std::vector<uint8_t> result;
  for (const auto& name : names) {
    const Entry* entry = find(name);
    result.push_back(entry ? entry->value.get_type() : PARAMETER_NOT_SET);
  }
  return result;
}

rcl_interfaces::msg::ListParametersResult ParameterStore::list(const std::vector<std::string>& prefixes,
                                                               uint64_t depth) const {
  Lock lock(mutex_);
  const auto shallow = [depth](const std::string& name, size_t begin) {
    const auto separators = std::count(name.begin() + static_cast<std::ptrdiff_t>(begin), name.end(), kSeparator);
    return depth == 0 || static_cast<uint64_t>(separators) < depth;
  };
  rcl_interfaces::msg::ListParametersResult result;
  for (const auto& [name, entry] : entries_) {
    const auto wanted = [&, &listed = name](const std::string& prefix) {
      return listed == prefix || (is_below(listed, prefix) && shallow(listed, prefix.size() + 1));
    };
    if (prefixes.empty() ? !shallow(name, 0) : std::none_of(prefixes.begin(), prefixes.end(), wanted)) {
      continue;
    }
    result.names.push_back(name);
    const size_t last = name.rfind(kSeparator);
    if (last != std::string::npos) {
      const std::string prefix = name.substr(0, last);
      if (std::find(result.prefixes.begin(), result.prefixes.end(), prefix) == result.prefixes.end()) {
        result.prefixes.push_back(prefix);
      }
    }
  }
  return result;
}

ParameterStore::CallbackHandle::SharedPtr ParameterStore::add_on_set_callback(
    CallbackHandle::OnParametersSetCallbackType callback) {
  ChangeGuard guard(*this);
  auto handle = std::make_shared<CallbackHandle>();
  handle->callback = std::move(callback);
  callbacks_.push_front(handle);
  return handle;
}

void ParameterStore::remove_on_set_callback(const CallbackHandle* handle) {
  ChangeGuard guard(*this);
  const auto found = std::find_if(callbacks_.begin(), callbacks_.end(),
                                  [&](const CallbackHandle::WeakPtr& weak) { return weak.lock().get() == handle; });
  if (!handle || found == callbacks_.end()) {
    throw std::runtime_error("Callback doesn't exist");
  }
  callbacks_.erase(found);
}

ParameterStore::SetResult ParameterStore::ask_callbacks(const std::vector<Parameter>& parameters) {
  for (auto it = callbacks_.begin(); it != callbacks_.end();) {
    const auto handle = it->lock();
    if (!handle) {
      it = callbacks_.erase(it);
      continue;
    }
    const auto result = handle->callback(parameters);
    if (!result.successful) {
      return result;
    }
    ++it;
  }
  return success();
}

void ParameterStore::publish(rcl_interfaces::msg::ParameterEvent&& event) const {
  const bool empty =
      event.new_parameters.empty() && event.changed_parameters.empty() && event.deleted_parameters.empty();
  if (options_.on_event && !empty) {
    options_.on_event(std::move(event));
  }
}

}  // namespace detail
}  // namespace rclcpp
