// SPDX-License-Identifier: Apache-2.0
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <chrono>
#include <deque>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/strategy.hpp>
#include <humanoid_league_msgs/msg/support_state.hpp>
#include <humanoid_league_msgs/msg/walking_debug.hpp>
#include <memory>
#include <nav_msgs/msg/path.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#include "../topics/messages.hpp"
#include "../topics/surroundings.hpp"
#include "hl_description/support_polygon.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/node_parameters.hpp"
#include "marker_scene.hpp"
#include "rviz_markers_params.hpp"

namespace hl_visualization {
namespace {

using geometry_msgs::msg::PoseWithCovarianceStamped;
using namespace humanoid_league_msgs::msg;
using visualization_msgs::msg::MarkerArray;

constexpr double kLifetimes = 3.0;  // publication periods that a marker outlives
constexpr double kTrail = 3.0;      // s
constexpr double kWalkLasts = 1.0;  // s: then the walk has ended
constexpr const char* kRoles[] = {"idling", "other", "striker", "supporter", "defender", "goalie"};

hl_description::Field field_from(const std::string& preset) {
  return hl_description::Field::from_file(
      ament_index_cpp::get_package_share_directory("hl_description") + "/config/field.yaml", preset);
}

/// Listens while somebody looks at the markers.
class Ears {
 public:
  Ears(rclcpp::Node& node, const std::string& robot)
      : topics_(std::make_unique<RobotTopics>(node, robot)), surroundings_(*topics_) {
    using namespace hl_node;
    topics_->subscribe<PoseWithCovarianceStamped>(topics::kPose, 0.0, [this](const PoseWithCovarianceStamped& m) {
      const auto& p = m.pose.pose;
      pose_ = {p.position.x, p.position.y, yaw_from(p.orientation)};
      posed_ = finite(pose_.x, pose_.y, pose_.yaw);
    });
    topics_->subscribe<nav_msgs::msg::Path>(topics::kPath, 0.0, [this](const nav_msgs::msg::Path& m) {
      path_.clear();
      for (const auto& p : m.poses)
        path_.push_back({p.pose.position.x, p.pose.position.y, yaw_from(p.pose.orientation)});
    });
    topics_->subscribe<Strategy>(topics::kStrategy, 0.0,
                                 [this](const Strategy& m) { role_ = m.role < 6 ? kRoles[m.role] : ""; });
    topics_->subscribe<SupportState>(topics::kSupportState, 0.0, [this](const SupportState& m) { support_ = m.state; });
    topics_->subscribe<WalkingDebug>(topics::kWalkingDebug, 0.0, [this](const WalkingDebug& m) {
      capture_ = {m.capture_point.x, m.capture_point.y};
      capture_frame_ = m.header.frame_id;
      walked_ = std::chrono::steady_clock::now();
    });
  }
  ~Ears() { topics_.reset(); }  // first: its callbacks use the rest

  void fill(SceneData& data, const RvizMarkersParams& params) {
    const std::lock_guard<std::mutex> lock(topics_->mutex());
    data.around = surroundings_.now();
    data.path = path_;
    data.label = role_;
    follow_ball(data);
    const double since = std::chrono::duration<double>(std::chrono::steady_clock::now() - walked_).count();
    data.capture_known = !capture_frame_.empty() && since < kWalkLasts && finite(capture_.x, capture_.y);
    data.capture = capture_;
    data.capture_frame = capture_frame_;
    data.support = support_outline(params);
  }
  std::vector<std::string> notices() const { return topics_->notices(); }

 private:
  void follow_ball(SceneData& data) {
    const auto now = std::chrono::steady_clock::now();
    if (data.around.model_ball && posed_ && data.around.model_ball->age < 0.5) {
      const BelievedBall ball = moved(*data.around.model_ball, pose_);
      trail_.push_back({now, {ball.x, ball.y}});
    }
    while (!trail_.empty() && std::chrono::duration<double>(now - trail_.front().first).count() > kTrail)
      trail_.pop_front();
    data.ball_trail.clear();
    for (const auto& [when, at] : trail_) data.ball_trail.push_back(at);
  }

  std::vector<Point2> support_outline(const RvizMarkersParams& params) const {
    hl_description::SupportPolygon polygon;
    const bool left = support_ == SupportState::LEFT || support_ == SupportState::DOUBLE;
    const bool right = support_ == SupportState::RIGHT || support_ == SupportState::DOUBLE;
    for (const auto& [carries, frame] : {std::pair{left, "l_sole"}, std::pair{right, "r_sole"}}) {
      const auto sole = carries ? surroundings_.camera().ground_from(frame) : std::nullopt;
      if (!sole) continue;
      for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
          polygon.add((*sole * Eigen::Vector3d(x * params.sole_length, y * params.sole_width, 0)).head<2>());
    }
    std::vector<Point2> outline;
    for (std::size_t i = 0; i < polygon.size(); ++i) outline.push_back({polygon[i].x(), polygon[i].y()});
    return outline;
  }

  std::unique_ptr<RobotTopics> topics_;
  Surroundings surroundings_;
  FieldPose pose_;
  bool posed_ = false;
  std::vector<FieldPose> path_;
  std::string role_;
  std::uint8_t support_ = SupportState::UNKNOWN;
  Point2 capture_;
  std::string capture_frame_;
  std::chrono::steady_clock::time_point walked_;
  std::deque<std::pair<std::chrono::steady_clock::time_point, Point2>> trail_;
};

}  // namespace

/// What the robot believes, as markers for RViz. Without a subscriber it listens to nothing.
class RvizMarkersNode : public rclcpp::Node {
 public:
  explicit RvizMarkersNode(const rclcpp::NodeOptions& options)
      : Node("rviz_markers", options),
        parameters_(*this, rviz_markers_parameters()),
        scene_(field_from(parameters_.values().field), kLifetimes / parameters_.values().rate),
        diagnostics_(*this, "markers") {
    markers_ = hl_node::create_publisher<MarkerArray>(*this, hl_node::topics::kMarkers);
    // Real time: RViz looks in real time, and lifetimes are counted there.
    publish_ = create_wall_timer(std::chrono::duration<double>(1.0 / parameters_.values().rate), [this] { publish(); });
    watch_ = create_wall_timer(std::chrono::seconds(1), [this] { watch(); });
  }

 private:
  std::string robot() const {
    const std::string space = get_namespace();
    return space == "/" ? "" : space.substr(1);
  }

  void publish() {
    const bool wanted = markers_->get_subscription_count() > 0;
    if (!wanted) {
      ears_.reset();
      return;
    }
    if (!ears_) {
      ears_ = std::make_unique<Ears>(*this, robot());
      markers_->publish(scene_.still());
    }
    ears_->fill(data_, parameters_.values());
    markers_->publish(scene_.moving(data_));
  }

  /// Once a second: the field again, for those who came late, and how it goes.
  void watch() {
    if (!ears_) return diagnostics_.report(hl_node::Level::Ok, "nobody listens");
    markers_->publish(scene_.still());
    const auto notices = ears_->notices();
    diagnostics_.report(notices.empty() ? hl_node::Level::Ok : hl_node::Level::Warn,
                        notices.empty() ? "draws" : notices.front(),
                        {{"left out (not a number)", std::to_string(scene_.left_out())}});
  }

  hl_node::NodeParameters<RvizMarkersParams> parameters_;
  MarkerScene scene_;
  SceneData data_;
  hl_node::Diagnostics diagnostics_;
  std::unique_ptr<Ears> ears_;
  rclcpp::Publisher<MarkerArray>::SharedPtr markers_;
  rclcpp::TimerBase::SharedPtr publish_, watch_;
};

}  // namespace hl_visualization

RCLCPP_COMPONENTS_REGISTER_NODE(hl_visualization::RvizMarkersNode)
