// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/typesupport_helpers.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>

#include "rclcpp/detail/type_support.hpp"

namespace rclcpp {
namespace {

/// Package, folder ("msg" if left out) and name of a type.
std::array<std::string, 3> parts_of(const std::string& type) {
  const auto first = type.find('/'), last = type.rfind('/');
  if (first == std::string::npos || first == 0 || last + 1 == type.size()) {
    throw std::runtime_error("Message type '" + type + "' is not of the form package/type and cannot be processed");
  }
  return {type.substr(0, first), first == last ? "msg" : type.substr(first + 1, last - first - 1),
          type.substr(last + 1)};
}

std::string library_path(const std::string& package, const std::string& identifier) {
  const char* prefixes = std::getenv("AMENT_PREFIX_PATH");
  std::istringstream list(prefixes != nullptr ? prefixes : "");
  for (std::string prefix; std::getline(list, prefix, ':');) {
    const auto path = std::filesystem::path(prefix) / "lib" / ("lib" + package + "__" + identifier + ".so");
    if (std::filesystem::exists(path)) return path.string();
  }
  throw std::runtime_error("package '" + package + "' not found, or it has no messages: no lib" + package + "__" +
                           identifier + ".so below AMENT_PREFIX_PATH");
}

}  // namespace

std::shared_ptr<rcpputils::SharedLibrary> get_typesupport_library(const std::string& type,
                                                                  const std::string& typesupport_identifier) {
  // Kept for ever: the middleware may still use a type when its last publisher is gone.
  static auto& loaded = *new std::map<std::string, std::shared_ptr<rcpputils::SharedLibrary>>;
  static auto& mutex = *new std::mutex;
  const auto path = library_path(parts_of(type)[0], typesupport_identifier);
  const std::lock_guard<std::mutex> lock(mutex);
  auto& library = loaded[path];
  if (!library) library = std::make_shared<rcpputils::SharedLibrary>(path);
  return library;
}

const rosidl_message_type_support_t* get_typesupport_handle(const std::string& type,
                                                            const std::string& typesupport_identifier,
                                                            rcpputils::SharedLibrary& library) {
  const auto [package, folder, name] = parts_of(type);
  const std::string symbol =
      typesupport_identifier + "__get_message_type_support_handle__" + package + "__" + folder + "__" + name;
  if (!library.has_symbol(symbol)) {
    throw std::runtime_error("package '" + package + "' has no message type '" + type + "'");
  }
  using Function = const rosidl_message_type_support_t* (*)();
  return reinterpret_cast<Function>(library.get_symbol(symbol))();
}

namespace detail {

const underlay_cdr::MessageOps& ops_of(const std::string& type, rcpputils::SharedLibrary& library) {
  return *static_cast<const underlay_cdr::MessageOps*>(
      get_typesupport_handle(type, "rosidl_typesupport_cpp", library)->data);
}

}  // namespace detail
}  // namespace rclcpp
