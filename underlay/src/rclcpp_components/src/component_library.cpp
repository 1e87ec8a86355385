// SPDX-License-Identifier: Apache-2.0
#include "rclcpp_components/component_library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <mutex>
#include <string_view>

namespace rclcpp_components::detail {
namespace {

struct Entry {
  std::string class_name;
  MakeFactory make;
};

struct Registry {
  std::mutex mutex;
  std::vector<Entry> entries;
};

Registry& registry() {
  static auto* kept = new Registry;  // libraries unregister while the process ends, after statics are gone
  return *kept;
}

/// "::a :: B" -> "a::B": users write the same class in several ways.
std::string normalized(const std::string& class_name) {
  std::string name;
  std::copy_if(class_name.begin(), class_name.end(), std::back_inserter(name), [](char c) { return c != ' '; });
  return name.rfind("::", 0) == 0 ? name.substr(2) : name;
}

bool is_of(const Entry& entry, const link_map* library) {
  Dl_info info{};
  return dladdr(reinterpret_cast<void*>(entry.make), &info) != 0 && std::string_view(info.dli_fname) == library->l_name;
}

std::size_t common_prefix(const std::string& a, const std::string& b) {
  std::size_t length = 0;
  while (length < std::min(a.size(), b.size()) && std::tolower(a[length]) == std::tolower(b[length])) ++length;
  return length;
}

}  // namespace

Registration::Registration(const char* class_name, MakeFactory make) : make_(make) {
  const std::lock_guard lock(registry().mutex);
  registry().entries.push_back({normalized(class_name), make});
}

Registration::~Registration() {
  const std::lock_guard lock(registry().mutex);
  auto& entries = registry().entries;
  entries.erase(std::remove_if(entries.begin(), entries.end(), [this](const Entry& e) { return e.make == make_; }),
                entries.end());
}

std::shared_ptr<NodeFactory> load_factory(const std::string& library, const std::string& class_name) {
  // All symbols now: a missing one is an error of loading, not a crash in the middle of a game.
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    throw ComponentManagerException("Failed to load library '" + library + "' for class '" + class_name +
                                    "': " + (reason == nullptr ? "unknown reason" : reason) +
                                    "; is its package built, and its setup file sourced?");
  }
  link_map* map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  const std::string wanted = normalized(class_name);
  std::vector<std::string> offered;
  const std::lock_guard lock(registry().mutex);
  for (const auto& entry : registry().entries) {
    if (!is_of(entry, map)) continue;
    if (entry.class_name == wanted) return entry.make();
    offered.push_back(entry.class_name);
  }
  throw ComponentManagerException("Library '" + library + "' does not register class '" + class_name + "'" +
                                  hint(wanted, offered) + "; RCLCPP_COMPONENTS_REGISTER_NODE(" + wanted +
                                  ") must stand in one of its sources");
}

std::string hint(const std::string& wanted, const std::vector<std::string>& known) {
  if (known.empty()) return " (there are none)";
  const auto nearest = std::max_element(known.begin(), known.end(), [&wanted](const auto& a, const auto& b) {
    return common_prefix(a, wanted) < common_prefix(b, wanted);
  });
  if (common_prefix(*nearest, wanted) * 2 > wanted.size()) return "; did you mean '" + *nearest + "'?";
  std::string list;
  for (const auto& name : known) list += (list.empty() ? "" : ", ") + name;
  return " (there are: " + list + ")";
}

}  // namespace rclcpp_components::detail
