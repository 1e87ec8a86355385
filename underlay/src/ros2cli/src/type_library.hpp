// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ros2cli {

enum class Kind {
  Message,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Float,
  Double,
  Char,
  Bool,
  Byte,
  String,
  WString,
};

enum class Shape { Single, Array, BoundedSequence, Sequence };

struct Description;

struct Field {
  std::string name;
  Kind kind = Kind::Message;
  Shape shape = Shape::Single;
  std::size_t capacity = 0;              // elements of an array, at most so many of a bounded sequence
  std::size_t string_capacity = 0;       // characters; 0: any number
  const Description* message = nullptr;  // of Kind::Message
  std::string default_text;              // YAML; empty: zero
};

struct Description {
  std::string name;  // pkg/msg/Name
  std::string hash;  // RIHS01_...
  std::vector<Field> fields;
};

/// The size of a number on the wire; 0 for texts and messages.
std::size_t size_of(Kind kind);
std::string name_of(Kind kind);

/// Interface types of the installed packages, read when asked for from share/<pkg>/type_descriptions.json, and their
/// default values from the definition files.
class TypeLibrary {
 public:
  /// A library of all sourced workspaces, or of the given prefixes.
  TypeLibrary();
  explicit TypeLibrary(std::vector<std::string> prefixes);
  ~TypeLibrary();

  /// "pkg/msg/Name", also "pkg/Name" for a message, "pkg/srv/Name_Request", "pkg/action/Name_Goal" ...
  /// Throws CommandError with a hint if there is none.
  const Description& find(const std::string& name);
  /// The name with its middle part, e.g. "std_msgs/msg/String" for "std_msgs/String".
  static std::string full_name(const std::string& name, const std::string& middle);
  /// The hash of a type of which only the name matters (a service or action as a whole).
  std::string hash(const std::string& name);

 private:
  struct Package;
  Package& package(const std::string& name);

  std::vector<std::string> prefixes_;
  std::map<std::string, std::unique_ptr<Package>> packages_;
  std::map<std::string, std::unique_ptr<Description>> types_;
};

/// Packages of the ament index, name -> prefix.
std::map<std::string, std::string> installed_packages(const std::vector<std::string>& prefixes);
std::vector<std::string> prefixes_from_environment();

}  // namespace ros2cli
