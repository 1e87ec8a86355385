// SPDX-License-Identifier: Apache-2.0
#include <tf2_ros/transform_broadcaster.h>

#include <geometry_msgs/msg/pose_array.hpp>
#include <humanoid_league_msgs/srv/reset_localization.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "input_collector.hpp"
#include "parameters.hpp"

namespace hl_localization {
namespace {

constexpr double kPublishPeriod = 0.04;   // s, position and pose
constexpr double kParticlePeriod = 0.25;  // s
constexpr double kFreshModel = 2.0;       // s: a model of before the restart that is still worth something
constexpr double kListenFirst = 1.0;      // s after the start in which such a model is waited for
constexpr double kSpeedMeanwhile = 0.2;   // m/s and
constexpr double kTurnMeanwhile = 0.4;    // rad/s, standard deviation of the motion since that model

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
        collector_(params_.core.field.circle_radius()),
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
      collector_.add(m);
      update();  // none is skipped: each tells the way since the one before
    });
    subscribe<nav_msgs::msg::Odometry>(topics::kVisualOdometry,
                                       [this](const nav_msgs::msg::Odometry& m) { collector_.add_visual(m); });
    collect<LineInformationRelative>(topics::kLinesRelative);
    collect<GoalRelative>(topics::kGoalRelative);
    collect<sensor_msgs::msg::PointCloud2>(topics::kLinePoints);
    collect<VisualCompassRotation>(topics::kVisualCompass);
    collect<RobotControlState>(topics::kRobotState);
    collect<SupportState>(topics::kSupportState);
    collect<GameState>(topics::kGamestate);
    collect<TeamData>(topics::kTeamData);
    subscribe<PoseWithCovarianceStamped>(topics::kInitialpose,
                                         [this](const PoseWithCovarianceStamped& m) { collector_.add_initial(m); });
    subscribe<Model>(topics::kPersonalModel, [this](const Model& m) {
      collector_.add(m);
      resume_from(m);
    });
  }

  template <class Message>
  void collect(const hl_node::Topic& topic) {
    subscribe<Message>(topic, [this](const Message& m) { collector_.add(m); });
  }

  /// After a restart in play: where the robot believed to be a moment ago.
  void resume_from(const humanoid_league_msgs::msg::Model& model) {
    if (!fresh_start_) return;
    fresh_start_ = false;
    const double age = now().seconds() - seconds(model.position.header.stamp);
    PoseEstimate before = estimate_from(model.position);
    if (!(age >= 0.0 && age < kFreshModel) || !(before.covariance.diagonal().head<2>().maxCoeff() < 1.0)) return;
    const double way = kSpeedMeanwhile * age, turn = kTurnMeanwhile * age;
    before.covariance += Eigen::Vector3d(way * way, way * way, turn * turn).asDiagonal();
    collector_.inputs.reset = Start::Pose;
    collector_.inputs.pose = before;
  }

  /// Just started it says nothing: an unknown pose would wipe out the old one in the model before that could be heard.
  bool listens_first(double time) {
    if (!started_ && time > 0.0) started_ = time;  // simulated time is 0 until the clock is heard
    if (started_ && std::abs(time - *started_) > kListenFirst) fresh_start_ = false;
    return fresh_start_;
  }

  void on_reset(const ResetLocalization::Request& request, ResetLocalization::Response& response) {
    switch (request.mode) {
      case ResetLocalization::Request::GLOBAL:
        collector_.inputs.reset = Start::Anywhere;
        break;
      case ResetLocalization::Request::OWN_HALF:
        collector_.inputs.reset = Start::OwnHalf;
        break;
      case ResetLocalization::Request::START_POSITION:
        collector_.inputs.reset = Start::StartPosition;
        break;
      case ResetLocalization::Request::POSE:
        collector_.inputs.reset = Start::Pose;
        collector_.inputs.pose = PoseEstimate{{request.pose.x, request.pose.y, request.pose.theta},
                                              Eigen::Vector3d(0.04, 0.04, 0.03).asDiagonal()};
        if (!collector_.inputs.pose->pose.finite()) {
          collector_.inputs.reset.reset();
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
    if (collector_.inputs.reset) fresh_start_ = false;
    outputs_ = core_.step(collector_.inputs, time);
    collector_.taken();
    if (listens_first(time) || std::abs(time - published_) < kPublishPeriod) return;
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
                         {"unknown frames", text(collector_.unknown_frames)},
                         {"malformed clouds", text(collector_.malformed)}});
  }

  hl_node::NodeParameters<NodeParams> parameters_;
  NodeParams params_;
  Localization core_;
  InputCollector collector_;
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
  double published_ = -1e9, particles_published_ = -1e9;
  bool fresh_start_ = true;
  std::optional<double> started_;  // s
};

}  // namespace hl_localization

RCLCPP_COMPONENTS_REGISTER_NODE(hl_localization::LocalizationNode)
