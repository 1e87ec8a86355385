// SPDX-License-Identifier: Apache-2.0
#include "hl_remote/message_text.hpp"

#include <ament_index_cpp/get_package_prefix.hpp>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

namespace hl_remote {
namespace {

constexpr std::size_t kMostParts = 200;  // a definition that needs more is damaged

struct TypeName {
  std::string package, name;
};

bool is_primitive(const std::string& type) {
  static const std::set<std::string> kPrimitives = {"bool",   "byte",  "char",   "float32", "float64",
                                                    "int8",   "uint8", "int16",  "uint16",  "int32",
                                                    "uint32", "int64", "uint64", "string",  "wstring"};
  return kPrimitives.count(type) != 0;
}

/// First word of a field, without array and bound: `geometry_msgs/Point[<=3] points` -> geometry_msgs/Point.
std::string field_type(const std::string& line) {
  const std::string code = line.substr(0, line.find('#'));
  std::istringstream words(code);
  std::string type;
  words >> type;
  return type.substr(0, type.find_first_of("[<"));
}

/// Types a text refers to, by the names written there, sorted.
std::set<std::string> parts_of(const std::string& text) {
  std::set<std::string> parts;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string type = field_type(line);
    if (!type.empty() && !is_primitive(type)) parts.insert(type);
  }
  return parts;
}

/// `Point`, `geometry_msgs/Point` or `geometry_msgs/msg/Point`.
TypeName resolve(const std::string& written, const std::string& package) {
  const std::size_t first = written.find('/'), last = written.rfind('/');
  if (first == std::string::npos) return {package, written};
  return {written.substr(0, first), written.substr(last + 1)};
}

bool append_parts(std::string& result, const std::string& text, const std::string& package,
                  std::set<std::string>& known, const DefinitionFile& file) {
  for (const std::string& written : parts_of(text)) {
    const TypeName part = resolve(written, package);
    const std::string name = part.package + "/" + part.name;
    if (!known.insert(name).second) continue;
    const auto content = file(part.package, "msg", part.name + ".msg");
    if (!content || known.size() > kMostParts) return false;
    result += "\n" + std::string(80, '=') + "\nMSG: " + name + "\n" + *content;
    if (!append_parts(result, *content, part.package, known, file)) return false;
  }
  return true;
}

std::optional<std::string> with_parts(const std::string& text, const std::string& package, const DefinitionFile& file) {
  std::string result = text;
  std::set<std::string> known;
  if (!append_parts(result, text, package, known, file)) return std::nullopt;
  return result;
}

/// package, name of `package/<kind>/Type`.
std::optional<TypeName> split(const std::string& type, const std::string& kind) {
  const std::string middle = "/" + kind + "/";
  const std::size_t at = type.find(middle);
  if (at == 0 || at == std::string::npos) return std::nullopt;
  const std::string name = type.substr(at + middle.size());
  if (name.empty() || name.find('/') != std::string::npos) return std::nullopt;
  return TypeName{type.substr(0, at), name};
}

/// The parts of a definition between lines of `---`, always `count` of them.
std::vector<std::string> sections(const std::string& text, std::size_t count) {
  std::vector<std::string> result(count);
  std::size_t at = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line == "---" && at + 1 < count)
      ++at;
    else
      result[at] += line + "\n";
  }
  return result;
}

std::optional<ServiceText> service_text_of(const std::string& request, const std::string& response,
                                           const std::string& package, const DefinitionFile& file) {
  const auto asked = with_parts(request, package, file), answered = with_parts(response, package, file);
  if (!asked || !answered) return std::nullopt;
  return ServiceText{*asked, *answered};
}

/// For `package/action/Type_SendGoal` and `_GetResult`, the services an action consists of.
std::optional<ServiceText> action_service_text(const std::string& type, const DefinitionFile& file) {
  const auto name = split(type, "action");
  const std::size_t end = name ? name->name.rfind('_') : std::string::npos;
  if (end == std::string::npos) return std::nullopt;
  const std::string action = name->name.substr(0, end), service = name->name.substr(end);
  const auto text = file(name->package, "action", action + ".action");
  if (!text) return std::nullopt;
  const auto parts = sections(*text, 3);
  const DefinitionFile with_action = [&](const std::string& package, const std::string& folder,
                                         const std::string& wanted) -> std::optional<std::string> {
    if (package == name->package && wanted == action + "_Goal.msg") return parts[0];
    if (package == name->package && wanted == action + "_Result.msg") return parts[1];
    return file(package, folder, wanted);
  };
  const std::string id = "unique_identifier_msgs/UUID goal_id\n", own = name->package + "/" + action;
  if (service == "_SendGoal")
    return service_text_of(id + own + "_Goal goal\n", "bool accepted\nbuiltin_interfaces/Time stamp\n", name->package,
                           with_action);
  if (service == "_GetResult")
    return service_text_of(id, "int8 status\n" + own + "_Result result\n", name->package, with_action);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> installed_definition(const std::string& package, const std::string& folder,
                                                const std::string& file) {
  std::string share;
  try {
    share = ament_index_cpp::get_package_share_directory(package);
  } catch (const ament_index_cpp::PackageNotFoundError&) {
    return std::nullopt;
  }
  std::ifstream input(share + "/" + folder + "/" + file, std::ios::binary);
  if (!input) return std::nullopt;
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

std::optional<std::string> message_text(const std::string& type, const DefinitionFile& file) {
  const auto name = split(type, "msg");
  if (!name) return std::nullopt;
  const auto text = file(name->package, "msg", name->name + ".msg");
  if (!text) return std::nullopt;
  return with_parts(*text, name->package, file);
}

std::optional<ServiceText> service_text(const std::string& type, const DefinitionFile& file) {
  if (type.find("/action/") != std::string::npos) return action_service_text(type, file);
  const auto name = split(type, "srv");
  if (!name) return std::nullopt;
  const auto text = file(name->package, "srv", name->name + ".srv");
  if (!text) return std::nullopt;
  const auto halves = sections(*text, 2);
  return service_text_of(halves[0], halves[1], name->package, file);
}

}  // namespace hl_remote
