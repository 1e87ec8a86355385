// SPDX-License-Identifier: Apache-2.0
#include "ros2bag/info.hpp"

#include <array>
#include <cstdio>
#include <ctime>

#include "ros2bag/time.hpp"

namespace ros2bag {
namespace {

constexpr std::int64_t ns_per_ms = 1'000'000;

std::string size_text(std::uint64_t bytes) {
  static constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024.0 && unit + 1 < units.size(); ++unit) value /= 1024.0;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text.data();
}

std::string seconds_text(std::int64_t ns) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%lld.%09lld", static_cast<long long>(ns / ns_per_second),
                static_cast<long long>(ns % ns_per_second));
  return text.data();
}

std::string time_text(std::int64_t ns) {
  const auto seconds = static_cast<std::time_t>(ns / ns_per_second);
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 64> date{};
  std::strftime(date.data(), date.size(), "%b %e %Y %H:%M:%S", &local);
  std::array<char, 8> ms{};
  std::snprintf(ms.data(), ms.size(), ".%03d", static_cast<int>(ns % ns_per_second / ns_per_ms));
  return std::string(date.data()) + ms.data() + " (" + seconds_text(ns) + ")";
}

}  // namespace

std::string describe(const Metadata& metadata, std::uint64_t bytes) {
  static const std::string indent(19, ' ');
  std::string text = "\nFiles:             ";
  for (std::size_t i = 0; i < metadata.files.size(); ++i)
    text += (i == 0 ? "" : indent) + metadata.files[i].path + "\n";
  text += "Bag size:          " + size_text(bytes) + "\n";
  text += "Storage id:        sqlite3\n";
  text += "Duration:          " + seconds_text(metadata.duration()) + "s\n";
  text += "Start:             " + time_text(metadata.start()) + "\n";
  text += "End:               " + time_text(metadata.start() + metadata.duration()) + "\n";
  text += "Messages:          " + std::to_string(metadata.messages()) + "\n";
  text += "Topic information: ";
  for (std::size_t i = 0; i < metadata.topics.size(); ++i) {
    const auto& topic = metadata.topics[i];
    text += (i == 0 ? "" : indent) + "Topic: " + topic.name + " | Type: " + topic.type +
            " | Count: " + std::to_string(topic.messages) + " | Serialization Format: cdr\n";
  }
  if (metadata.topics.empty()) text += "\n";
  return text;
}

}  // namespace ros2bag
