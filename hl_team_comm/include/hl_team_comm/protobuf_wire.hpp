// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hl_network/bytes.hpp"

/// The wire format of protocol buffers, as much of it as team messages use: fields one after the other, each with its
/// number. Groups (obsolete) are refused.
namespace hl_team_comm::protobuf {

enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Length = 2, Fixed32 = 5 };

struct Field {
  std::uint32_t number = 0;
  Wire wire = Wire::Varint;
  std::uint64_t value = 0;     // Varint, Fixed64, Fixed32
  hl_network::Bytes content;   // Length
  hl_network::Bytes complete;  // the whole field with its tag, to be kept where its number is unknown

  float f32() const;
};

class FieldReader {
 public:
  explicit FieldReader(hl_network::Bytes bytes) : bytes_(bytes) {}

  /// The next field; nothing at the end, and nothing more once something was wrong.
  std::optional<Field> next();
  bool ok() const { return ok_; }

 private:
  std::optional<std::uint64_t> varint();
  std::optional<std::uint64_t> fixed(std::size_t size);
  bool read_content(Field& field);

  hl_network::Bytes bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

class FieldWriter {
 public:
  void varint(std::uint32_t number, std::uint64_t value);
  void f32(std::uint32_t number, float value);
  void message(std::uint32_t number, const FieldWriter& content);
  void packed(std::uint32_t number, const std::vector<float>& values);
  void raw(hl_network::Bytes bytes);
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  void put_varint(std::uint64_t value);
  void put_fixed(float value);
  void tag(std::uint32_t number, Wire wire) { put_varint(std::uint64_t{number} << 3U | static_cast<unsigned>(wire)); }

  std::vector<std::uint8_t> bytes_;
};

/// The floats of a repeated field, packed or one by one.
void append_floats(const Field& field, std::vector<float>& values);

}  // namespace hl_team_comm::protobuf
