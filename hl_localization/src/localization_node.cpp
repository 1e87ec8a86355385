// SPDX-License-Identifier: Apache-2.0
#include <tf2_ros/transform_broadcaster.h>

#include <geometry_msgs/msg/pose_array.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/visual_compass_rotation.hpp>
#include <humanoid_league_msgs/srv/reset_localization.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "messages.hpp"
#include "parameters.hpp"

namespace hl_localization {
namespace {

constexpr double kPublishPeriod = 0.04;      // s, position and pose
constexpr double kParticlePeriod = 0.25;     // s
constexpr double kFreshModel = 2.0;          // s: a model of before the restart that is still worth something
constexpr double kDoubledUncertainty = 2.0;  // of the old pose after a restart

NodeParams with_field(NodeParams params) {
  if (!params.field_file.empty()) {
    params.core.field = hl_description::Field::from_file(params.field_file, params.field_preset);
  }
  return params;
}

}  // namespace

/// Messages in, messages out; see Localization.
class LocalizationNode : public rclcpp::Node {
 public:
  explicit LocalizationNode(const rclcpp::NodeOptions& options)
      : Node("localization", options),
        parameters_(*this, parameters()),
        params_(with_field(parameters_.values())),
        core_(params_.core),
        diagnostics_(*this, "pose") {
    using namespace hl_node;
    position_ = hl_node::create_publisher<Position2D>(*this, topics::kPosition);
    pose_ = hl_node::create_publisher<PoseWithCovarianceStamped>(*this, topics::kPose);
    particles_ = hl_node::create_publisher<PoseArray>(*this, topics::kParticles);
    if (params_.publish_tf) broadcaster_ = std::make_unique<tf2_ros::TransformBroadcaster>(*this);
    listen();
    reset_ = create_service<ResetLocalization>(
        services::kResetLocalization,
        [this](const ResetLocalization::Request::SharedPtr request, ResetLocalization::Response::SharedPtr response) {
          on_reset(*request, *response);
        });
    update_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0 / params_.rate),
                                         [this] { update(); });
    health_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { health(); });
  }

 private:
  using Position2D = humanoid_league_msgs::msg::Position2D;
  using PoseWithCovarianceStamped = geometry_msgs::msg::PoseWithCovarianceStamped;
  using PoseArray = geometry_msgs::msg::PoseArray;
  using ResetLocalization = humanoid_league_msgs::srv::ResetLocalization;

  template <class Message, class Callback>
  void subscribe(const hl_node::Topic& topic, Callback&& callback) {
    subscriptions_.push_back(hl_node::create_subscription<Message>(*this, topic, std::forward<Callback>(callback)));
  }

  void listen() {
    using namespace humanoid_league_msgs::msg;
    using namespace hl_node;
    subscribe<nav_msgs::msg::Odometry>(topics::kOdom, [this](const nav_msgs::msg::Odometry& m) {
      inputs_.odometry = odometry_from(m);
      update();  // none is skipped: each tells the way since the one before
    });
    subscribe<nav_msgs::msg::Odometry>(topics::kVisualOdometry,
                                       [this](const nav_msgs::msg::Odometry& m) { on_visual_odometry(m); });
    subscribe<LineInformationRelative>(topics::kLinesRelative, [this](const LineInformationRelative& m) {
      if (auto* look = look_at(m.header)) add_lines(m, params_.core.field.circle_radius(), *look);
    });
    subscribe<GoalRelative>(topics::kGoalRelative, [this](const GoalRelative& m) {
      if (auto* look = look_at(m.header)) add_goal(m, *look);
    });
    subscribe<sensor_msgs::msg::PointCloud2>(topics::kLinePoints, [this](const sensor_msgs::msg::PointCloud2& m) {
      auto* look = look_at(m.header);
      if (look != nullptr && !add_points(m, *look)) ++malformed_;
    });
    subscribe<VisualCompassRotation>(topics::kVisualCompass, [this](const VisualCompassRotation& m) {
      if (m.confidence <= 0.0F) return;
      if (auto* look = look_at(m.header, "map")) look->heading = hl_soccer::SeenHeading{m.orientation, m.confidence};
    });
    subscribe<RobotControlState>(topics::kRobotState, [this](const RobotControlState& m) {
      inputs_.body = static_cast<hl_soccer::BodyState>(std::min<int>(m.state, RobotControlState::KICKING));
    });
    subscribe<GameState>(topics::kGamestate, [this](const GameState& m) { inputs_.game = game_from(m); });
    subscribe<PoseWithCovarianceStamped>(topics::kInitialpose, [this](const PoseWithCovarianceStamped& m) {
      if (!m.header.frame_id.empty() && m.header.frame_id != "map") {
        ++unknown_frames_;
        return;
      }
      inputs_.reset = Start::Pose;
      inputs_.pose = estimate_from(m);
    });
    subscribe<Model>(topics::kPersonalModel, [this](const Model& m) { on_model(m); });
  }

  /// What is already known of the picture of this header; nothing for frames the core cannot read.
  hl_soccer::Percepts* look_at(const std_msgs::msg::Header& header, const char* frame = "base_footprint") {
    if (header.frame_id != frame) {
      ++unknown_frames_;
      return nullptr;
    }
    const double stamp = seconds(header.stamp);
    for (auto& look : inputs_.percepts) {
      if (look.stamp == stamp) return &look;
    }
    inputs_.percepts.emplace_back();
    inputs_.percepts.back().stamp = stamp;
    return &inputs_.percepts.back();
  }

  void on_visual_odometry(const nav_msgs::msg::Odometry& message) {
    const hl_soccer::Odometry now = odometry_from(message);
    constexpr double kKnown = 0.1;  // rad^2; with more the background could not be followed
    if (visual_ && now.stamp > visual_->stamp && now.pose.finite() && message.pose.covariance[35] < kKnown) {
      std_msgs::msg::Header header = message.header;
      header.frame_id = "base_footprint";
      look_at(header)->turn =
          hl_soccer::SeenTurn{visual_->stamp, hl_description::wrap_angle(now.pose.yaw - visual_->pose.yaw), 0.8};
    }
    visual_ = now;
  }

  /// After a restart in play: where the robot believed to be a moment ago.
  void on_model(const humanoid_league_msgs::msg::Model& model) {
    if (knows_ || !fresh_start_) return;
    fresh_start_ = false;
    const double age = now().seconds() - seconds(model.position.header.stamp);
    const PoseEstimate before = estimate_from(model.position);
    if (!(age >= 0.0 && age < kFreshModel) || !(before.covariance.diagonal().head<2>().maxCoeff() < 1.0)) return;
    inputs_.reset = Start::Pose;
    inputs_.pose = before;
    inputs_.pose->covariance *= kDoubledUncertainty;
  }

  void on_reset(const ResetLocalization::Request& request, ResetLocalization::Response& response) {
    switch (request.mode) {
      case ResetLocalization::Request::GLOBAL:
        inputs_.reset = Start::Anywhere;
        break;
      case ResetLocalization::Request::OWN_HALF:
        inputs_.reset = Start::OwnHalf;
        break;
      case ResetLocalization::Request::START_POSITION:
        inputs_.reset = Start::StartPosition;
        break;
      case ResetLocalization::Request::POSE:
        inputs_.reset = Start::Pose;
        inputs_.pose = PoseEstimate{{request.pose.x, request.pose.y, request.pose.theta},
                                    Eigen::Vector3d(0.04, 0.04, 0.03).asDiagonal()};
        if (!inputs_.pose->pose.finite()) {
          inputs_.reset.reset();
          response.message = "the pose is not a number";
          return;
        }
        break;
      default:
        response.message = "mode " + std::to_string(request.mode) +
                           " is none of 0 (global), 1 (own half), 2 (start position), 3 (pose)";
        return;
    }
    response.success = true;
  }

  void update() {
    const double time = now().seconds();
    outputs_ = core_.step(inputs_, time);
    inputs_.odometry.reset();
    inputs_.percepts.clear();
    inputs_.reset.reset();
    inputs_.pose.reset();
    knows_ = knows_ || outputs_.belief.known();
    if (std::abs(time - published_) < kPublishPeriod) return;
    published_ = time;
    fill(position_message_, outputs_.belief);
    fill(pose_message_, outputs_.belief);
    position_->publish(position_message_);
    pose_->publish(pose_message_);
    if (broadcaster_ && outputs_.belief.known()) {
      transform_.header = pose_message_.header;
      transform_.child_frame_id = "odom";
      transform_.transform.translation.x = outputs_.map_from_odom.x;
      transform_.transform.translation.y = outputs_.map_from_odom.y;
      transform_.transform.rotation = to_quaternion(outputs_.map_from_odom.yaw);
      broadcaster_->sendTransform(transform_);
    }
    if (std::abs(time - particles_published_) > kParticlePeriod && particles_->get_subscription_count() > 0) {
      particles_published_ = time;
      publish_particles();
    }
  }

  void publish_particles() {
    PoseArray array;
    array.header = pose_message_.header;
    for (const auto& hypothesis : core_.hypotheses()) {
      geometry_msgs::msg::Pose pose;
      pose.position.x = hypothesis.estimate.pose.x;
      pose.position.y = hypothesis.estimate.pose.y;
      pose.orientation = to_quaternion(hypothesis.estimate.pose.yaw);
      array.poses.push_back(pose);
    }
    particles_->publish(array);
  }

  void health() {
    const auto& r = outputs_.refused;
    const auto text = [](auto value) { return std::to_string(value); };
    const auto level = outputs_.belief.confidence > 0.3 ? hl_node::Level::Ok : hl_node::Level::Warn;
    diagnostics_.report(level, outputs_.reason,
                        {{"confidence", text(outputs_.belief.confidence)},
                         {"not the opposite side", text(outputs_.side)},
                         {"explained", text(outputs_.explained)},
                         {"hypotheses", text(outputs_.hypotheses)},
                         {"mended flips", text(outputs_.mended_flips)},
                         {"refused stamps", text(r.stamps)},
                         {"refused repetitions", text(r.repeated)},
                         {"refused values", text(r.values)},
                         {"refused odometry", text(r.odometry)},
                         {"pictures without odometry", text(r.unplaced)},
                         {"unknown frames", text(unknown_frames_)},
                         {"malformed clouds", text(malformed_)}});
  }

  hl_node::NodeParameters<NodeParams> parameters_;
  NodeParams params_;
  Localization core_;
  Localization::Inputs inputs_;
  Localization::Outputs outputs_;
  hl_node::Diagnostics diagnostics_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::Publisher<Position2D>::SharedPtr position_;
  rclcpp::Publisher<PoseWithCovarianceStamped>::SharedPtr pose_;
  rclcpp::Publisher<PoseArray>::SharedPtr particles_;
  std::unique_ptr<tf2_ros::TransformBroadcaster> broadcaster_;
  rclcpp::Service<ResetLocalization>::SharedPtr reset_;
  rclcpp::TimerBase::SharedPtr update_timer_, health_timer_;
  Position2D position_message_;
  PoseWithCovarianceStamped pose_message_;
  geometry_msgs::msg::TransformStamped transform_;
  std::optional<hl_soccer::Odometry> visual_;
  double published_ = -1e9, particles_published_ = -1e9;
  bool knows_ = false, fresh_start_ = true;
  int unknown_frames_ = 0, malformed_ = 0;
};

}  // namespace hl_localization

RCLCPP_COMPONENTS_REGISTER_NODE(hl_localization::LocalizationNode)
