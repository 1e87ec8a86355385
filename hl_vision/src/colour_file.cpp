// SPDX-License-Identifier: Apache-2.0
// The learned colour of the field as a file: its brightness, and the bins of the histogram that are not empty.
#include <fstream>
#include <hl_description/formatted.hpp>
#include <hl_description/yaml_reader.hpp>
#include <stdexcept>

#include "hl_vision/field_colour.hpp"

namespace hl_vision {

using hl_description::formatted;
using hl_description::YamlReader;

std::string FieldColour::to_text() const {
  std::string text = formatted("brightness: %.3f\nhistogram:\n", brightness_);
  for (std::size_t bin = 0; bin < histogram_.size(); ++bin) {
    if (histogram_[bin] < 1e-6f) continue;
    text += formatted("  - [%zu, %.6f]\n", bin, static_cast<double>(histogram_[bin]));
  }
  return text;
}

void FieldColour::from_text(const std::string& text, const std::string& name) {
  const auto root = YamlReader::from_text(text, name);
  const double brightness = root["brightness"].number_in(0.0, 255.0);
  std::vector<float> histogram(histogram_.size(), 0.0f);
  bool any = false;
  for (const auto& entry : root["histogram"].items()) {
    const auto pair = entry.items(2);
    const auto bin = static_cast<std::size_t>(pair[0].integer_in(0, static_cast<int>(histogram.size()) - 1));
    histogram[bin] = static_cast<float>(pair[1].number_in(0.0, 10.0));
    any = any || histogram[bin] > 0.0f;
  }
  if (!any) root["histogram"].refuse("the histogram is empty");
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
  from_text(YamlReader::read_file(path), path);
}

}  // namespace hl_vision
