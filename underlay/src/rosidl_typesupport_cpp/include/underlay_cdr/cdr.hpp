// SPDX-License-Identifier: Apache-2.0
// Plain CDR (XCDR version 1) as ROS 2 puts it on the wire. Only generated type support includes this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "underlay_cdr/ops.hpp"

namespace underlay_cdr {

inline constexpr std::size_t unbounded = 0;

/// Specialised for message types whose memory is an array of one kind of number, hence a copy of their CDR form:
/// `using Scalar`, `count`.
template <class T>
struct Flat;

[[noreturn]] inline void throw_too_long(const char* field, std::size_t length, std::size_t bound) {
  throw CdrError(std::string(field) + " has length " + std::to_string(length) + ", its bound is " +
                 std::to_string(bound));
}

inline void check_bound(const char* field, std::size_t length, std::size_t bound) {
  if (bound != unbounded && length > bound) throw_too_long(field, length, bound);
}

constexpr std::size_t aligned(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) & ~(alignment - 1);
}

/// Counts the bytes that Writer would write.
class Sizer {
 public:
  std::size_t offset() const { return offset_; }

  template <class T>
  void scalar(T) {
    offset_ = aligned(offset_, sizeof(T)) + sizeof(T);
  }
  void string(const std::string& value, const char* field, std::size_t bound = unbounded) {
    check_bound(field, value.size(), bound);
    scalar(std::uint32_t{});
    offset_ += value.size() + 1;
  }
  void string(const std::u16string& value, const char* field, std::size_t bound = unbounded) {
    check_bound(field, value.size(), bound);
    scalar(std::uint32_t{});
    offset_ += value.size() * sizeof(std::uint32_t);
  }
  template <class T>
  void block(const void*, std::size_t count) {
    if (count > 0) offset_ = aligned(offset_, sizeof(T)) + count * sizeof(T);
  }

 private:
  std::size_t offset_ = 0;
};

/// Writes in the byte order of the host.
class Writer {
 public:
  explicit Writer(void* body) : body_(static_cast<std::uint8_t*>(body)) {}
  std::size_t offset() const { return offset_; }

  template <class T>
  void scalar(T value) {
    align(sizeof(T));
    std::memcpy(body_ + offset_, &value, sizeof(T));
    offset_ += sizeof(T);
  }
  void string(const std::string& value, const char*, std::size_t = unbounded) {
    scalar(static_cast<std::uint32_t>(value.size() + 1));
    std::memcpy(body_ + offset_, value.c_str(), value.size() + 1);
    offset_ += value.size() + 1;
  }
  /// ROS 2 gives every UTF-16 unit four bytes and no terminator.
  void string(const std::u16string& value, const char*, std::size_t = unbounded) {
    scalar(static_cast<std::uint32_t>(value.size()));
    for (const char16_t unit : value) scalar(static_cast<std::uint32_t>(unit));
  }
  template <class T>
  void block(const void* values, std::size_t count) {
    if (count == 0) return;  // an empty block is not aligned either
    align(sizeof(T));
    std::memcpy(body_ + offset_, values, count * sizeof(T));
    offset_ += count * sizeof(T);
  }

 private:
  void align(std::size_t alignment) {
    const std::size_t next = aligned(offset_, alignment);
    for (; offset_ < next; ++offset_) body_[offset_] = 0;
  }

  std::uint8_t* body_;
  std::size_t offset_ = 0;
};

/// Reads either byte order. Every access is checked against the end of the body, and every length against what the rest
/// of the body can hold, before anything is allocated.
class Reader {
 public:
  Reader(const void* body, std::size_t bytes, bool swap)
      : body_(static_cast<const std::uint8_t*>(body)), bytes_(bytes), swap_(swap) {}

  template <class T>
  void scalar(T& value) {
    align(sizeof(T));
    require(sizeof(T));
    load(&value, sizeof(T), 1);
  }
  void scalar(bool& value) {
    std::uint8_t byte;
    scalar(byte);
    value = byte != 0;
  }
  void string(std::string& value, const char* field, std::size_t bound = unbounded) {
    const std::size_t bytes = read_length();
    if (bytes == 0) {  // not CDR, but some writers send an empty string without its terminator
      value.clear();
      return;
    }
    require(bytes);
    check_bound(field, bytes - 1, bound);
    if (body_[offset_ + bytes - 1] != 0) throw CdrError(std::string(field) + " is a string without terminator");
    value.assign(reinterpret_cast<const char*>(body_ + offset_), bytes - 1);
    offset_ += bytes;
  }
  void string(std::u16string& value, const char* field, std::size_t bound = unbounded) {
    const std::size_t units = length(field, sizeof(std::uint32_t), bound);
    value.resize(units);
    for (char16_t& unit : value) {
      std::uint32_t wide;
      scalar(wide);
      unit = static_cast<char16_t>(wide);
    }
  }
  /// Length of a sequence whose elements take at least `element_bytes` each.
  std::size_t length(const char* field, std::size_t element_bytes, std::size_t bound = unbounded) {
    const std::size_t count = read_length();
    check_bound(field, count, bound);
    if (count > (bytes_ - offset_) / element_bytes) {
      throw CdrError(std::string(field) + " claims " + std::to_string(count) + " elements, but only " +
                     std::to_string(bytes_ - offset_) + " bytes follow");
    }
    return count;
  }
  template <class T>
  void block(void* values, std::size_t count) {
    if (count == 0) return;
    align(sizeof(T));
    require(count * sizeof(T));
    load(values, sizeof(T), count);
  }

 private:
  std::size_t read_length() {
    std::uint32_t value;
    scalar(value);
    return value;
  }
  void align(std::size_t alignment) { offset_ = aligned(offset_, alignment); }  // may pass the end: see require()
  void require(std::size_t bytes) const {
    if (offset_ > bytes_ || bytes > bytes_ - offset_) {
      throw CdrError("data ends after " + std::to_string(bytes_) + " bytes, " + std::to_string(bytes) +
                     " are needed from offset " + std::to_string(offset_));
    }
  }
  void load(void* values, std::size_t size, std::size_t count) {
    std::memcpy(values, body_ + offset_, size * count);
    offset_ += size * count;
    if (!swap_ || size == 1) return;
    auto* bytes = static_cast<std::uint8_t*>(values);
    for (std::size_t i = 0; i < count; ++i, bytes += size) {
      for (std::size_t low = 0, high = size - 1; low < high; ++low, --high) {
        const std::uint8_t byte = bytes[low];
        bytes[low] = bytes[high];
        bytes[high] = byte;
      }
    }
  }

  const std::uint8_t* body_;
  std::size_t bytes_;
  std::size_t offset_ = 0;
  bool swap_;
};

/// First element of an array, vector or BoundedVector (whose data() cannot be used).
template <class Container>
auto first(Container& values) -> decltype(&values[0]) {
  return values.size() == 0 ? nullptr : &values[0];
}

template <class Stream, class Bools>
void write_bools(Stream& stream, const Bools& values) {
  for (const bool value : values) stream.scalar(static_cast<std::uint8_t>(value));
}

template <class Bools>
void read_bools(Reader& reader, Bools& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    bool value;
    reader.scalar(value);
    values[i] = value;
  }
}

// The members of MessageOps for a type T, for which generated code offers `write(stream, T)` and `read(reader, T)`.

template <class T>
std::size_t size_of(const void* msg) {
  Sizer sizer;
  write(sizer, *static_cast<const T*>(msg));
  return sizer.offset();
}

template <class T>
std::size_t serialize(const void* msg, void* body) {
  Writer writer(body);
  write(writer, *static_cast<const T*>(msg));
  return writer.offset();
}

template <class T>
void deserialize(void* msg, const void* body, std::size_t bytes, bool swap) {
  Reader reader(body, bytes, swap);
  read(reader, *static_cast<T*>(msg));
}

}  // namespace underlay_cdr
