// SPDX-License-Identifier: Apache-2.0
#include "hl_team_comm/protobuf_wire.hpp"

#include <cstring>

namespace hl_team_comm::protobuf {
namespace {

constexpr std::uint64_t kMaxNumber = (1U << 29U) - 1;

}  // namespace

float Field::f32() const {
  const auto bits = static_cast<std::uint32_t>(value);
  float result = 0.0F;
  if (wire == Wire::Fixed32) std::memcpy(&result, &bits, sizeof result);
  return result;
}

std::optional<std::uint64_t> FieldReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && at_ < bytes_.size; shift += 7) {
    const std::uint8_t byte = bytes_.data[at_++];
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> FieldReader::fixed(std::size_t size) {
  if (bytes_.size - at_ < size) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{bytes_.data[at_++]} << (8 * i);
  return value;
}

bool FieldReader::read_content(Field& field) {
  std::optional<std::uint64_t> value;
  switch (field.wire) {
    case Wire::Varint:
      value = varint();
      break;
    case Wire::Fixed64:
      value = fixed(8);
      break;
    case Wire::Fixed32:
      value = fixed(4);
      break;
    case Wire::Length:
      value = varint();
      if (!value || *value > bytes_.size - at_) return false;
      field.content = {bytes_.data + at_, static_cast<std::size_t>(*value)};
      at_ += field.content.size;
      return true;
    default:
      return false;
  }
  field.value = value.value_or(0);
  return value.has_value();
}

std::optional<Field> FieldReader::next() {
  if (!ok_ || at_ == bytes_.size) return std::nullopt;
  const std::size_t begin = at_;
  const auto tag = varint();
  Field field;
  field.wire = static_cast<Wire>(tag.value_or(0) & 7U);
  ok_ = tag && *tag >> 3U >= 1 && *tag >> 3U <= kMaxNumber && read_content(field);
  if (!ok_) return std::nullopt;
  field.number = static_cast<std::uint32_t>(*tag >> 3U);
  field.complete = {bytes_.data + begin, at_ - begin};
  return field;
}

void FieldWriter::put_varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<std::uint8_t>(value | 0x80U));
  bytes_.push_back(static_cast<std::uint8_t>(value));
}

void FieldWriter::put_fixed(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
}

void FieldWriter::varint(std::uint32_t number, std::uint64_t value) {
  if (value == 0) return;  // version 3: zeros are not written
  tag(number, Wire::Varint);
  put_varint(value);
}

void FieldWriter::f32(std::uint32_t number, float value) {
  if (value == 0.0F) return;
  tag(number, Wire::Fixed32);
  put_fixed(value);
}

void FieldWriter::message(std::uint32_t number, const FieldWriter& content) {
  tag(number, Wire::Length);
  put_varint(content.bytes_.size());
  raw({content.bytes_.data(), content.bytes_.size()});
}

void FieldWriter::packed(std::uint32_t number, const std::vector<float>& values) {
  if (values.empty()) return;
  tag(number, Wire::Length);
  put_varint(values.size() * 4);
  for (const float value : values) put_fixed(value);
}

void FieldWriter::raw(hl_network::Bytes bytes) {
  bytes_.insert(bytes_.end(), bytes.data, bytes.data + bytes.size);
}

void append_floats(const Field& field, std::vector<float>& values) {
  if (field.wire == Wire::Fixed32) values.push_back(field.f32());
  if (field.wire != Wire::Length) return;
  hl_network::ByteReader reader(field.content);
  while (reader.remaining() >= 4) values.push_back(reader.f32());
}

}  // namespace hl_team_comm::protobuf
