// SPDX-License-Identifier: Apache-2.0
#include "slider_panel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <opencv2/imgproc.hpp>

namespace joint_state_publisher_gui {

using joint_state_publisher::FreeJoint;
using joint_state_publisher::JointPositions;

namespace {

// px
constexpr int kMargin = 12;
constexpr int kHeader = 56;
constexpr int kRowHeight = 26;
constexpr int kNameWidth = 190;
constexpr int kTrackWidth = 200;
constexpr int kValueWidth = 150;
constexpr int kColumnWidth = kNameWidth + kTrackWidth + kValueWidth;
constexpr int kKnob = 7;
constexpr std::size_t kRowsPerColumn = 24;
constexpr std::size_t kLongestName = 24;  // characters that fit

const cv::Scalar kBackground(245, 245, 245), kText(40, 40, 40), kTrack(200, 200, 200), kFill(190, 130, 50),
    kKnobColour(140, 80, 20), kButton(222, 222, 222);

void write(cv::Mat& picture, const std::string& text, cv::Point at) {
  cv::putText(picture, text, at, cv::FONT_HERSHEY_SIMPLEX, 0.45, kText, 1, cv::LINE_AA);
}

void draw_button(cv::Mat& picture, const cv::Rect& area, const std::string& text) {
  cv::rectangle(picture, area, kButton, cv::FILLED);
  cv::rectangle(picture, area, kTrack);
  write(picture, text, area.tl() + cv::Point(10, 19));
}

cv::Rect track_of(const cv::Rect& row) {
  return {row.x + kNameWidth, row.y, kTrackWidth, row.height};
}

/// The mouse's place on the track as a position of the joint, within its range.
double position_at(int x, const cv::Rect& track, const FreeJoint& joint) {
  const double share = std::clamp((x - track.x) / static_cast<double>(track.width), 0.0, 1.0);
  return joint.lower + share * (joint.upper - joint.lower);
}

int x_of(double position, const cv::Rect& track, const FreeJoint& joint) {
  const double range = joint.upper - joint.lower;
  const double share = range > 0.0 ? std::clamp((position - joint.lower) / range, 0.0, 1.0) : 0.5;
  return track.x + static_cast<int>(std::lround(share * track.width));
}

}  // namespace

SliderPanel::SliderPanel(const JointPositions& joints) {
  for (const auto& entry : joints.free_joints()) {
    const int column = static_cast<int>(rows_.size() / kRowsPerColumn);
    const int row = static_cast<int>(rows_.size() % kRowsPerColumn);
    rows_.push_back(
        {entry.first,
         {kMargin + column * kColumnWidth, kHeader + row * kRowHeight, kColumnWidth - kMargin, kRowHeight}});
  }
  const int columns = static_cast<int>((rows_.size() + kRowsPerColumn - 1) / kRowsPerColumn);
  const int rows = static_cast<int>(std::min(rows_.size(), kRowsPerColumn));
  size_ = {2 * kMargin + std::max(1, columns) * kColumnWidth, kHeader + std::max(1, rows) * kRowHeight + kMargin};
}

cv::Rect SliderPanel::center_button() const {
  return {kMargin, kMargin, 104, 28};
}

cv::Rect SliderPanel::randomize_button() const {
  return {kMargin + 116, kMargin, 128, 28};
}

cv::Rect SliderPanel::track(const std::string& joint) const {
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& entry) { return entry.joint == joint; });
  return row == rows_.end() ? cv::Rect() : track_of(row->area);
}

cv::Mat SliderPanel::draw(const JointPositions& joints) const {
  cv::Mat picture(size_, CV_8UC3, kBackground);
  draw_button(picture, center_button(), "Center (c)");
  draw_button(picture, randomize_button(), "Randomize (r)");
  if (rows_.empty()) write(picture, "Waiting for robot_description", {kMargin, kHeader + 18});
  for (const auto& row : rows_) {
    const FreeJoint& joint = joints.free_joints().at(row.joint);
    const double position = joint.motion.position.value_or(joint.zero);
    const cv::Rect track = track_of(row.area);
    const int middle = row.area.y + row.area.height / 2;
    const int knob = x_of(position, track, joint);
    const bool cut = row.joint.size() > kLongestName;
    write(picture, cut ? row.joint.substr(0, kLongestName - 2) + ".." : row.joint, {row.area.x, middle + 5});
    cv::rectangle(picture, {track.x, middle - 2, track.width, 4}, kTrack, cv::FILLED);
    cv::rectangle(picture, cv::Point(track.x, middle - 2), cv::Point(knob, middle + 1), kFill, cv::FILLED);
    cv::circle(picture, {knob, middle}, kKnob, kKnobColour, cv::FILLED, cv::LINE_AA);
    char value[64];
    if (joint.turns) {
      std::snprintf(value, sizeof value, "%+.3f (%+.0f deg)", position, position * 180.0 / M_PI);
    } else {
      std::snprintf(value, sizeof value, "%+.4f m", position);
    }
    write(picture, value, {track.x + track.width + 2 * kKnob, middle + 5});
  }
  return picture;
}

void SliderPanel::press(cv::Point at, JointPositions& joints) {
  if (center_button().contains(at)) return joints.center();
  if (randomize_button().contains(at)) return joints.randomize(random_);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    cv::Rect area = track_of(rows_[i].area);
    area.x -= kKnob;  // the knob at the end sticks out
    area.width += 2 * kKnob;
    if (!area.contains(at)) continue;
    held_ = i;
    move(at, joints);
    return;
  }
}

void SliderPanel::move(cv::Point at, JointPositions& joints) const {
  if (!held_) return;
  const Row& row = rows_[*held_];
  if (FreeJoint* joint = joints.find(row.joint)) {
    joint->motion.position = position_at(at.x, track_of(row.area), *joint);
  }
}

void SliderPanel::key(int code, JointPositions& joints) {
  if (code == 'c') joints.center();
  if (code == 'r') joints.randomize(random_);
}

}  // namespace joint_state_publisher_gui
