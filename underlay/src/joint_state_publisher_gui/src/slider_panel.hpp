// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "joint_state_publisher/joint_positions.hpp"

namespace joint_state_publisher_gui {

/// One slider per joint that moves on its own, and two buttons: what is where, what a click means, and the picture.
/// Knows no window: the mouse and the keys come as arguments.
class SliderPanel {
 public:
  explicit SliderPanel(const joint_state_publisher::JointPositions& joints);

  cv::Size size() const { return size_; }
  cv::Mat draw(const joint_state_publisher::JointPositions& joints) const;

  /// A button of the mouse goes down: a slider is held from now on, or a button of the panel is pressed.
  void press(cv::Point at, joint_state_publisher::JointPositions& joints);
  /// The mouse moves: the slider that is held follows.
  void move(cv::Point at, joint_state_publisher::JointPositions& joints) const;
  void release() { held_.reset(); }
  /// 'c' centers, 'r' randomizes; others are ignored.
  void key(int code, joint_state_publisher::JointPositions& joints);

  // What is where in the picture, px.
  cv::Rect track(const std::string& joint) const;
  cv::Rect center_button() const;
  cv::Rect randomize_button() const;

 private:
  struct Row {
    std::string joint;
    cv::Rect area;
  };

  std::vector<Row> rows_;
  cv::Size size_;
  std::optional<std::size_t> held_;
  std::mt19937 random_{std::random_device{}()};
};

}  // namespace joint_state_publisher_gui
