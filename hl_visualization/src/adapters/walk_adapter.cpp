// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <deque>
#include <humanoid_league_msgs/msg/support_state.hpp>
#include <humanoid_league_msgs/msg/walking_debug.hpp>
#include <limits>

#include "../topics/robot_topics.hpp"
#include "adapter.hpp"
#include "hl_description/geometry.hpp"
#include "hl_visualization/walk_view.hpp"

namespace hl_visualization {
namespace {

using hl_description::Pose2;
using humanoid_league_msgs::msg::SupportState;
using humanoid_league_msgs::msg::WalkingDebug;

constexpr double kKept = 5.5;             // s of history
constexpr std::size_t kMostTicks = 6000;  // whatever the rate is
constexpr std::size_t kFootsteps = 6;

struct Tick {
  double time;
  float zmp_x_planned, zmp_x_measured, zmp_y_planned, zmp_y_measured, roll, pitch, stability;
};

Pose2 pose_of(const geometry_msgs::msg::Pose& pose) {
  const auto& q = pose.orientation;
  return {pose.position.x, pose.position.y, hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z))};
}

class WalkAdapter : public Adapter {
 public:
  WalkAdapter(rclcpp::Node& node, const Target& target, WalkView& view) : view_(view), topics_(node, target.robot) {
    topics_.subscribe<WalkingDebug>(hl_node::topics::kWalkingDebug, 2.0,
                                    [this](const WalkingDebug& m) { on_debug(m); });
  }

  bool refresh() override {
    WalkData data;
    {
      const std::lock_guard<std::mutex> lock(topics_.mutex());
      if (!fresh_) return false;
      fresh_ = false;
      data = data_;
      for (const Tick& t : ticks_) {
        auto& h = data.history;
        h.time.push_back(t.time);
        h.zmp_x_planned.push_back(t.zmp_x_planned);
        h.zmp_x_measured.push_back(t.zmp_x_measured);
        h.zmp_y_planned.push_back(t.zmp_y_planned);
        h.zmp_y_measured.push_back(t.zmp_y_measured);
        h.roll.push_back(t.roll);
        h.pitch.push_back(t.pitch);
        h.stability.push_back(t.stability);
      }
      for (std::size_t i = 0; i < steps_.size(); ++i)
        data.footsteps.push_back({{steps_[i].pose.x, steps_[i].pose.y, steps_[i].pose.yaw}, steps_[i].left});
    }
    view_.set_data(data);
    return true;
  }
  std::vector<std::string> notices() override { return topics_.notices(); }

 private:
  struct Step {
    Pose2 pose;  // in the present support sole
    bool left;
  };

  void on_debug(const WalkingDebug& m) {
    const double now = seconds(m.header.stamp);
    if (topics_.went_back(now)) {
      ticks_.clear();
      steps_.clear();
    }
    fresh_ = true;
    const bool left = m.header.frame_id.find("l_sole") != std::string::npos;
    const Pose2 swing = pose_of(m.swing_foot);
    if (!finite(m.zmp_planned.x, m.zmp_planned.y, m.roll, m.pitch, m.next_step.x, m.next_step.y) || !swing.finite())
      topics_.complain("walking_debug: a planned value or the tilt is not a number");
    if (data_.known && left != data_.left_frame && last_swing_.finite()) {
      // The swing foot has become the support: everything is seen from it now.
      steps_.push_back({Pose2{}, data_.left_frame});
      for (Step& step : steps_) step.pose = last_swing_.inverse() * step.pose;
      while (steps_.size() > kFootsteps) steps_.pop_front();
    }
    if (m.engine_state == "idle") steps_.clear();
    last_swing_ = swing;
    data_.known = true;
    data_.engine = m.engine_state;
    data_.support =
        m.support <= SupportState::NONE ? static_cast<WalkData::Support>(m.support) : WalkData::Support::Unknown;
    data_.left_frame = left;
    data_.phase = m.phase;
    data_.steps = m.steps;
    data_.vx = m.commanded.linear.x;
    data_.vy = m.commanded.linear.y;
    data_.vyaw = m.commanded.angular.z;
    data_.zmp_planned = {m.zmp_planned.x, m.zmp_planned.y};
    data_.zmp_measured = {m.zmp_measured.x, m.zmp_measured.y};
    data_.com_planned = {m.com_planned.x, m.com_planned.y};
    data_.com_measured = {m.com_measured.x, m.com_measured.y};
    data_.capture_point = {m.capture_point.x, m.capture_point.y};
    data_.swing_foot = {swing.x, swing.y, swing.yaw};
    data_.swing_height = m.swing_foot.position.z;
    data_.next_step = {m.next_step.x, m.next_step.y, m.next_step.theta};
    ticks_.push_back({now, static_cast<float>(m.zmp_planned.x), static_cast<float>(m.zmp_measured.x),
                      static_cast<float>(m.zmp_planned.y), static_cast<float>(m.zmp_measured.y), m.roll, m.pitch,
                      m.stability});
    while (ticks_.size() > kMostTicks || ticks_.front().time < now - kKept) ticks_.pop_front();
  }

  WalkView& view_;
  WalkData data_;
  std::deque<Tick> ticks_;
  std::deque<Step> steps_;
  Pose2 last_swing_;
  bool fresh_ = false;
  RobotTopics topics_;
};

}  // namespace

std::unique_ptr<Adapter> make_walk_adapter(rclcpp::Node& node, const Target& target, WalkView& view) {
  return std::make_unique<WalkAdapter>(node, target, view);
}

}  // namespace hl_visualization
