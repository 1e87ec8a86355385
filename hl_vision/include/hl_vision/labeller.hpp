// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_vision/detection.hpp"

namespace hl_vision {

/// Labels a folder of pictures with keys and clicks; knows no window. Entries and keys of an existing labels.yaml that
/// it does not know stay as they are.
class Labeller {
 public:
  /// Throws std::runtime_error if the folder holds no picture, or its labels.yaml cannot be read.
  explicit Labeller(const std::string& folder);

  static const char* help();  // the keys

  std::size_t size() const { return files_.size(); }
  const std::string& file() const { return files_[at_]; }  // the present picture, with its folder
  /// What to do next: the kind that a click sets, and how many of each there are.
  std::string status() const;

  /// One key of `help()`; others do nothing. False: enough, save and leave.
  bool press(char key);
  /// A place in the present picture, px.
  void click(const cv::Point2d& place);
  /// Takes over what the detection found; a person then only mends it.
  void take_over(const Detection::Outputs& found);
  void draw(cv::Mat& bgr) const;
  /// Writes labels.yaml; throws std::runtime_error if that is not possible.
  void save() const;

 private:
  YAML::Node entry() const;
  YAML::Node list(const char* key);
  void add(const char* key, const YAML::Node& item);
  YAML::Node last();
  void resize(double factor);
  void move(double dx, double dy);
  void undo();

  std::string folder_;
  std::vector<std::string> files_;
  std::vector<std::size_t> entries_;  // of each file, in root_["images"]
  YAML::Node root_;
  std::size_t at_ = 0;
  char kind_ = 'b';
  std::optional<cv::Point2d> corner_;  // first click of a robot's box
  std::string last_list_;              // where the last label of this picture went
};

}  // namespace hl_vision
