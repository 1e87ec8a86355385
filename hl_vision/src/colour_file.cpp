// SPDX-License-Identifier: Apache-2.0
// The learned colour of the field as a file: its brightness, and the bins of the histogram that are not empty.
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "hl_vision/field_colour.hpp"

namespace hl_vision {

std::string FieldColour::to_text() const {
  char line[64];
  std::snprintf(line, sizeof line, "brightness: %.3f\nhistogram:\n", brightness_);
  std::string text = line;
  for (std::size_t bin = 0; bin < histogram_.size(); ++bin) {
    if (histogram_[bin] < 1e-6f) continue;
    std::snprintf(line, sizeof line, "  - [%zu, %.6f]\n", bin, static_cast<double>(histogram_[bin]));
    text += line;
  }
  return text;
}

void FieldColour::from_text(const std::string& text, const std::string& name) {
  std::vector<float> histogram(histogram_.size(), 0.0f);
  double brightness = 0.0;
  bool any = false;
  try {
    const YAML::Node root = YAML::Load(text);
    brightness = root["brightness"].as<double>();
    if (!(brightness >= 0.0 && brightness <= 255.0)) throw std::runtime_error("brightness must be in 0..255");
    for (const YAML::Node& entry : root["histogram"]) {
      const auto bin = entry[0].as<std::size_t>();
      const auto share = entry[1].as<float>();
      if (bin >= histogram.size() || !(share >= 0.0f && share <= 10.0f))
        throw std::runtime_error("a bin of the histogram cannot be");
      histogram[bin] = share;
      any = any || share > 0.0f;
    }
    if (!any) throw std::runtime_error("the histogram is empty");
  } catch (const std::exception& error) {
    throw std::runtime_error(name + ": " + error.what());
  }
  histogram_ = std::move(histogram);
  brightness_ = brightness;
  known_ = true;
  rebuild();
}

void FieldColour::save(const std::string& path) const {
  std::ofstream file(path);
  file << to_text();
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
}

void FieldColour::load(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  from_text(text.str(), path);
}

}  // namespace hl_vision
