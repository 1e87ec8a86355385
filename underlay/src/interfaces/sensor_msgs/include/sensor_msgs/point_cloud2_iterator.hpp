// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "sensor_msgs/msg/point_cloud2.hpp"
#include "sensor_msgs/msg/point_field.hpp"

namespace sensor_msgs {

/// Bytes of one element of a PointField.
inline std::uint32_t sizeOfPointField(int datatype) {
  using sensor_msgs::msg::PointField;
  switch (datatype) {
    case PointField::INT8:
    case PointField::UINT8:
      return 1;
    case PointField::INT16:
    case PointField::UINT16:
      return 2;
    case PointField::INT32:
    case PointField::UINT32:
    case PointField::FLOAT32:
      return 4;
    case PointField::FLOAT64:
      return 8;
    default:
      throw std::runtime_error("PointField of type " + std::to_string(datatype) + " does not exist");
  }
}

/// Lays out and sizes a cloud; the cloud must outlive it.
class PointCloud2Modifier {
 public:
  explicit PointCloud2Modifier(sensor_msgs::msg::PointCloud2& cloud) : cloud_(cloud) {}

  /// Points, not bytes.
  std::size_t size() const { return cloud_.point_step == 0 ? 0 : cloud_.data.size() / cloud_.point_step; }
  void reserve(std::size_t points) { cloud_.data.reserve(points * cloud_.point_step); }
  void resize(std::size_t points) {
    cloud_.data.resize(points * cloud_.point_step);
    if (cloud_.height == 1 || cloud_.width * cloud_.height != points) {
      cloud_.height = 1;
      cloud_.width = static_cast<std::uint32_t>(points);
    }
    cloud_.row_step = cloud_.width * cloud_.point_step;
  }
  void clear() { resize(0); }

  /// For each of `fields` fields: `const char* name, int count, int datatype`.
  void setPointCloud2Fields(int fields, ...) {
    va_list arguments;
    va_start(arguments, fields);
    begin();
    for (int i = 0; i < fields; ++i) {
      const char* name = va_arg(arguments, const char*);
      const int count = va_arg(arguments, int);
      const int datatype = va_arg(arguments, int);
      add(name, static_cast<std::uint32_t>(count), datatype);
    }
    va_end(arguments);
    finish();
  }

  /// For each of `fields` groups its name: "xyz", or "rgb" or "rgba" for a packed colour.
  void setPointCloud2FieldsByString(int fields, ...) {
    using sensor_msgs::msg::PointField;
    va_list arguments;
    va_start(arguments, fields);
    begin();
    std::string unknown;
    for (int i = 0; i < fields; ++i) {
      const std::string group = va_arg(arguments, const char*);
      if (group == "xyz") {
        for (const char* name : {"x", "y", "z"}) add(name, 1, PointField::FLOAT32);
        cloud_.point_step += sizeof(float);  // room for a fourth coordinate, as point cloud libraries align it
      } else if (group == "rgb" || group == "rgba") {
        add(group, 1, PointField::FLOAT32);
        cloud_.point_step += 3 * sizeof(float);
      } else {
        unknown = group;
      }
    }
    va_end(arguments);
    if (!unknown.empty()) throw std::runtime_error("Field " + unknown + " does not exist");
    finish();
  }

 private:
  void begin() {
    cloud_.fields.clear();
    cloud_.point_step = 0;
  }
  void add(const std::string& name, std::uint32_t count, int datatype) {
    sensor_msgs::msg::PointField field;
    field.name = name;
    field.offset = cloud_.point_step;
    field.datatype = static_cast<std::uint8_t>(datatype);
    field.count = count;
    cloud_.fields.push_back(field);
    cloud_.point_step += count * sizeOfPointField(datatype);
  }
  void finish() {
    cloud_.row_step = cloud_.width * cloud_.point_step;
    cloud_.data.resize(static_cast<std::size_t>(cloud_.row_step) * cloud_.height);
  }

  sensor_msgs::msg::PointCloud2& cloud_;
};

namespace detail {

/// Walks over one field of all points. The channels of a packed colour are the fields "r", "g", "b" and "a".
template <class T, class Cloud>
class PointCloud2FieldIterator {
  using Byte = std::conditional_t<std::is_const_v<Cloud>, const unsigned char, unsigned char>;

 public:
  PointCloud2FieldIterator(Cloud& cloud, const std::string& field) : step_(cloud.point_step) {
    const std::size_t offset = offset_of(cloud, field);
    current_ = cloud.data.data() + offset;
    end_ = cloud.data.data() + (step_ == 0 ? 0 : cloud.data.size() / step_ * step_) + offset;
  }

  T& operator*() const { return *reinterpret_cast<T*>(current_); }
  /// The `i`-th element of the field, or of what follows it in the point.
  T& operator[](std::size_t i) const { return reinterpret_cast<T*>(current_)[i]; }
  PointCloud2FieldIterator& operator++() { return *this += 1; }
  PointCloud2FieldIterator& operator+=(int points) {
    current_ += static_cast<std::ptrdiff_t>(points) * static_cast<std::ptrdiff_t>(step_);
    return *this;
  }
  PointCloud2FieldIterator operator+(int points) const { return PointCloud2FieldIterator(*this) += points; }
  bool operator==(const PointCloud2FieldIterator& other) const { return current_ == other.current_; }
  bool operator!=(const PointCloud2FieldIterator& other) const { return current_ != other.current_; }
  PointCloud2FieldIterator end() const {
    PointCloud2FieldIterator last(*this);
    last.current_ = end_;
    return last;
  }

 private:
  static std::size_t offset_of(const sensor_msgs::msg::PointCloud2& cloud, const std::string& name) {
    for (const auto& field : cloud.fields) {
      if (field.name == name) return field.offset;
    }
    static const std::string channels = "bgra";  // in the order of a little-endian packed colour
    const auto channel = name.size() == 1 ? channels.find(name[0]) : std::string::npos;
    if (channel != std::string::npos) {
      for (const auto& field : cloud.fields) {
        if (field.name == "rgb" || field.name == "rgba") {
          return field.offset + (cloud.is_bigendian ? 3 - channel : channel);
        }
      }
    }
    throw std::runtime_error("Field " + name + " does not exist");
  }

  std::size_t step_;
  Byte* current_ = nullptr;
  Byte* end_ = nullptr;
};

}  // namespace detail

template <class T>
using PointCloud2Iterator = detail::PointCloud2FieldIterator<T, sensor_msgs::msg::PointCloud2>;

template <class T>
using PointCloud2ConstIterator = detail::PointCloud2FieldIterator<const T, const sensor_msgs::msg::PointCloud2>;

}  // namespace sensor_msgs
