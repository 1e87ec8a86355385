// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hl_network {

/// A view of received or to-be-sent bytes (C++17 has no std::span).
struct Bytes {
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;
};

/// Reads little-endian values one after the other. Reading past the end gives zeros and clears `ok()`.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  std::uint8_t u8() { return get<std::uint8_t>(); }
  std::uint16_t u16() { return get<std::uint16_t>(); }
  std::int16_t i16() { return get<std::int16_t>(); }
  std::uint32_t u32() { return get<std::uint32_t>(); }
  std::int32_t i32() { return get<std::int32_t>(); }
  float f32() {
    const std::uint32_t bits = u32();
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  void skip(std::size_t count) { take(count); }

  void copy(void* destination, std::size_t count) {
    if (const auto* from = take(count)) std::memcpy(destination, from, count);
  }

  bool ok() const { return ok_; }
  std::size_t remaining() const { return bytes_.size - position_; }

 private:
  const std::uint8_t* take(std::size_t count) {
    if (!ok_ || count > remaining()) {
      ok_ = false;
      return nullptr;
    }
    const auto* at = bytes_.data + position_;
    position_ += count;
    return at;
  }

  template <class Integer>
  Integer get() {
    using Unsigned = std::make_unsigned_t<Integer>;
    Unsigned value = 0;
    if (const auto* from = take(sizeof(Integer))) {
      for (std::size_t i = 0; i < sizeof(Integer); ++i) {
        value = static_cast<Unsigned>(value | static_cast<Unsigned>(static_cast<Unsigned>(from[i]) << (8 * i)));
      }
    }
    return static_cast<Integer>(value);
  }

  Bytes bytes_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

/// Writes little-endian values into a buffer of fixed capacity. Writing past the end is ignored and clears `ok()`.
class ByteWriter {
 public:
  ByteWriter(std::uint8_t* buffer, std::size_t capacity) : buffer_(buffer), capacity_(capacity) {}

  void u8(std::uint8_t value) { put(value); }
  void u16(std::uint16_t value) { put(value); }
  void i16(std::int16_t value) { put(static_cast<std::uint16_t>(value)); }
  void u32(std::uint32_t value) { put(value); }
  void i32(std::int32_t value) { put(static_cast<std::uint32_t>(value)); }
  void f32(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    put(bits);
  }

  void copy(const void* from, std::size_t count) {
    if (auto* to = take(count)) std::memcpy(to, from, count);
  }

  void zeros(std::size_t count) {
    if (auto* to = take(count)) std::memset(to, 0, count);
  }

  bool ok() const { return ok_; }
  std::size_t size() const { return position_; }
  Bytes bytes() const { return {buffer_, position_}; }

 private:
  std::uint8_t* take(std::size_t count) {
    if (!ok_ || count > capacity_ - position_) {
      ok_ = false;
      return nullptr;
    }
    auto* at = buffer_ + position_;
    position_ += count;
    return at;
  }

  template <class Unsigned>
  void put(Unsigned value) {
    if (auto* to = take(sizeof(Unsigned))) {
      for (std::size_t i = 0; i < sizeof(Unsigned); ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
  }

  std::uint8_t* buffer_;
  std::size_t capacity_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace hl_network
