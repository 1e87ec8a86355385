// SPDX-License-Identifier: Apache-2.0
// The record of the visual compass as bytes: a word, the number of pictures and places, then each place's position,
// height and panorama as little-endian 32 bit floats.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "hl_vision/visual_compass.hpp"

namespace hl_vision {
namespace {

constexpr char kWord[] = "HLCOMPASS2";
constexpr std::size_t kWordLength = sizeof kWord - 1;

void put(std::string& bytes, std::uint32_t value) {
  for (int n = 0; n < 4; ++n) bytes += static_cast<char>((value >> (8 * n)) & 0xffu);
}
void put(std::string& bytes, float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  put(bytes, bits);
}

class Bytes {
 public:
  Bytes(const std::string& bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}
  [[noreturn]] void refuse(const std::string& why) const { throw std::runtime_error(name_ + ": " + why); }
  std::uint32_t number() {
    if (bytes_.size() - at_ < 4) refuse("is cut off");
    std::uint32_t value = 0;
    for (int n = 0; n < 4; ++n)
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes_[at_++])) << (8 * n);
    return value;
  }
  float real(float low, float high) {
    const std::uint32_t bits = number();
    float value = 0.0f;
    std::memcpy(&value, &bits, sizeof value);
    if (!(value >= low && value <= high)) refuse("holds a value that cannot be");
    return value;
  }
  void word() {
    if (bytes_.compare(0, kWordLength, kWord) != 0) refuse("is no record of a visual compass");
    at_ = kWordLength;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  const std::string& bytes_;
  std::string name_;
  std::size_t at_ = 0;
};

}  // namespace

std::string VisualCompass::to_bytes() const {
  std::string bytes(kWord);
  put(bytes, static_cast<std::uint32_t>(views_));
  put(bytes, static_cast<std::uint32_t>(places_.size()));
  for (const RecordedPlace& place : places_) {
    put(bytes, static_cast<float>(place.position.x()));
    put(bytes, static_cast<float>(place.position.y()));
    put(bytes, static_cast<float>(place.height));
    for (int n = 0; n < Panorama::kCells; ++n) {
      put(bytes, place.panorama.weights[n]);
      for (const auto& channel : place.panorama.values) put(bytes, channel[n]);
    }
  }
  return bytes;
}

void VisualCompass::from_bytes(const std::string& bytes, const std::string& name) {
  Bytes in(bytes, name);
  in.word();
  const std::uint32_t views = in.number(), count = in.number();
  if (count > 100 || views < count || views > 1000000) in.refuse("says it holds an impossible number of places");
  std::vector<RecordedPlace> places(count);
  for (RecordedPlace& place : places) {
    place.position.x() = in.real(-50.0f, 50.0f);
    place.position.y() = in.real(-50.0f, 50.0f);
    place.height = in.real(0.0f, 3.0f);
    for (int n = 0; n < Panorama::kCells; ++n) {
      place.panorama.weights[n] = in.real(0.0f, 1.0f);
      for (auto& channel : place.panorama.values) channel[n] = in.real(-20.0f, 20.0f);
    }
  }
  if (!in.at_end()) in.refuse("is longer than it says");
  places_ = std::move(places);
  views_ = static_cast<int>(views);
  stale_ = true;
  memory_.forget();
}

void VisualCompass::save(const std::string& path) const {
  std::ofstream file(path, std::ios::binary);
  file << to_bytes();
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
}

void VisualCompass::load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  from_bytes(text.str(), path);
}

}  // namespace hl_vision
