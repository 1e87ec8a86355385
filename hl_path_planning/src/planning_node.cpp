// SPDX-License-Identifier: Apache-2.0
#include "planning_node.hpp"

#include <tf2/exceptions.h>

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_node/interfaces.hpp"

namespace hl_path_planning {
namespace {

constexpr double kUnknown = 1e3;    // m^2, variance of an unknown pose
constexpr double kPoseWord = 1.0;   // s that a message `pose` counts for whether the pose is known
constexpr double kTeamModel = 0.5;  // s, an older team model is not better than the own one

hl_description::Field load_field(const std::string& preset) {
  const std::string share = ament_index_cpp::get_package_share_directory("hl_description");
  return hl_description::Field::from_file(share + "/config/field.yaml", preset);
}

Pose2 pose_from(const geometry_msgs::msg::TransformStamped& t) {
  const auto& q = t.transform.rotation;
  return {t.transform.translation.x, t.transform.translation.y,
          hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z))};
}

bool match_runs(const hl_soccer::GameState& game) {
  using hl_soccer::GamePhase;
  return game.referee_connected && game.phase != GamePhase::Initial && game.phase != GamePhase::Finished;
}

}  // namespace

std::optional<std::string> NodeSettings::validate() const {
  if (!limits.valid()) return "limits.*: all speeds and accelerations must be greater than 0";
  return std::nullopt;
}

const hl_node::ParameterTable<NodeSettings>& node_settings() {
  using S = NodeSettings;
  using hl_node::Change;
  static const hl_node::ParameterTable<NodeSettings> table = {
      {"rate", &S::rate, 5.0, 200.0, "of commands, Hz", Change::AtStart},
      {"field", &S::field, "preset of hl_description's field.yaml; empty: its default", Change::AtStart},
      {"limits.forward", [](S& s) -> double& { return s.limits.forward; }, 0.01, 3.0, "fastest forward walk, m/s"},
      {"limits.backward", [](S& s) -> double& { return s.limits.backward; }, 0.01, 3.0, "fastest backward walk, m/s"},
      {"limits.sideways", [](S& s) -> double& { return s.limits.sideways; }, 0.01, 3.0, "fastest sideways walk, m/s"},
      {"limits.turn", [](S& s) -> double& { return s.limits.turn; }, 0.05, 10.0, "fastest turn, rad/s"},
      {"limits.acceleration", [](S& s) -> double& { return s.limits.acceleration; }, 0.05, 20.0,
       "as the robot really gets going and stops, m/s^2"},
      {"limits.turn_acceleration", [](S& s) -> double& { return s.limits.turn_acceleration; }, 0.1, 100.0,
       "the same for turning, rad/s^2"},
      {"limits.delay", [](S& s) -> double& { return s.limits.delay; }, 0.0, 1.0,
       "until a command shows, about a step, s"},
      {"limits.start_delay", [](S& s) -> double& { return s.limits.start_delay; }, 0.0, 2.0,
       "from a stand until the first step is taken, s"},
  };
  return table;
}

PlanningNode::PlanningNode(const rclcpp::NodeOptions& options)
    : Node("planning", options),
      settings_(*this, node_settings()),
      parameters_(*this, parameters()),
      planner_(load_field(settings_.values().field), parameters_.values()),
      tf_buffer_(get_clock()),
      tf_listener_(tf_buffer_, this, false, tf2_ros::DynamicListenerQoS(), tf2_ros::StaticListenerQoS(),
                   rclcpp::SubscriptionOptions(),
                   hl_node::options_for<rclcpp::SubscriptionOptions>(hl_node::topics::kTfStatic)),
      diagnostics_(*this, "planning") {
  namespace topics = hl_node::topics;
  using humanoid_league_msgs::msg::GameState;
  using humanoid_league_msgs::msg::Model;
  using humanoid_league_msgs::msg::RobotControlState;
  inputs_.limits = settings_.values().limits;
  settings_.on_change([this](const NodeSettings& settings) { inputs_.limits = settings.limits; });
  parameters_.on_change([this](const Params& params) { planner_.set_params(params); });

  command_ = hl_node::create_publisher<geometry_msgs::msg::Twist>(*this, topics::kCmdVel);
  path_publisher_ = hl_node::create_publisher<nav_msgs::msg::Path>(*this, topics::kPath);
  subscriptions_ = {
      hl_node::create_subscription<Model>(*this, topics::kPersonalModel,
                                          [this](const Model& m) { personal_ = model_from(m); }),
      hl_node::create_subscription<Model>(*this, topics::kTeamModel, [this](const Model& m) { team_ = model_from(m); }),
      hl_node::create_subscription<GameState>(*this, topics::kGamestate,
                                              [this](const GameState& m) { inputs_.game = game_from(m); }),
      hl_node::create_subscription<RobotControlState>(
          *this, topics::kRobotState,
          [this](const RobotControlState& m) { inputs_.body = static_cast<hl_soccer::BodyState>(m.state); }),
      hl_node::create_subscription<geometry_msgs::msg::PoseWithCovarianceStamped>(
          *this, topics::kPose, [this](const geometry_msgs::msg::PoseWithCovarianceStamped& m) { on_pose(m); }),
      hl_node::create_subscription<geometry_msgs::msg::PoseStamped>(
          *this, topics::kGoalPose, [this](const geometry_msgs::msg::PoseStamped& m) { on_goal_pose(m); })};
  server_ = rclcpp_action::create_server<Navigate>(
      this, hl_node::actions::kNavigate,
      [](const rclcpp_action::GoalUUID&, std::shared_ptr<const Navigate::Goal>) {
        return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;  // a bad goal ends with a reason
      },
      [](const std::shared_ptr<Handle>) { return rclcpp_action::CancelResponse::ACCEPT; },
      [this](const std::shared_ptr<Handle> handle) { on_goal(handle); });
  timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0 / settings_.values().rate),
                                [this] { tick(); });
  diagnosis_timer_ =
      rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { diagnose(); });
}

void PlanningNode::on_goal(const std::shared_ptr<Handle>& handle) {
  if (handle_) finish({Outcome::Replaced, "a new goal came"});
  handle_ = handle;
  inputs_.goal = goal_from(*handle->get_goal(), now().seconds());
}

void PlanningNode::on_goal_pose(const geometry_msgs::msg::PoseStamped& message) {
  if (handle_ || match_runs(inputs_.game)) {
    RCLCPP_WARN(get_logger(), "goal_pose ignored: %s", handle_ ? "navigate is active" : "a match runs");
    return;
  }
  const auto& q = message.pose.orientation;
  Goal goal;
  goal.stamp = now().seconds();
  goal.frame = message.header.frame_id.empty() ? Frame::Map : frame_from(message.header.frame_id);
  goal.pose = {message.pose.position.x, message.pose.position.y,
               hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z))};
  inputs_.goal = goal;
}

void PlanningNode::on_pose(const geometry_msgs::msg::PoseWithCovarianceStamped& message) {
  pose_message_stamp_ = seconds(message.header.stamp);
  inputs_.pose.covariance(0, 0) = message.pose.covariance[0];
  inputs_.pose.covariance(1, 1) = message.pose.covariance[7];
  inputs_.pose.covariance(2, 2) = message.pose.covariance[35];
  pose_known_ = message.pose.covariance[0] < kUnknown && message.pose.covariance[7] < kUnknown;
}

/// Latest map -> odom and latest odom -> base_footprint, each as new as it is: the first changes slowly.
void PlanningNode::look_up_poses() {
  const double now_s = now().seconds();
  inputs_.odometry.reset();
  inputs_.pose.confidence = 0.0;
  tf_fault_.clear();
  try {
    const auto odometry = tf_buffer_.lookupTransform("odom", "base_footprint", tf2::TimePointZero);
    inputs_.odometry = pose_from(odometry);
    const auto correction = tf_buffer_.lookupTransform("map", "odom", tf2::TimePointZero);
    const double correction_stamp = seconds(correction.header.stamp);
    inputs_.pose.pose = pose_from(correction) * *inputs_.odometry;
    // A static map -> odom (stamp 0) holds for ever.
    const double odometry_stamp = seconds(odometry.header.stamp);
    inputs_.pose.stamp = correction_stamp > 0.0 ? std::min(correction_stamp, odometry_stamp) : odometry_stamp;
    const bool told = now_s - pose_message_stamp_ < kPoseWord;
    if (!told) inputs_.pose.covariance = Eigen::Matrix3d::Identity() * 1e-2;
    inputs_.pose.confidence = !told || pose_known_ ? 1.0 : 0.0;
  } catch (const tf2::TransformException& e) {
    tf_fault_ = e.what();
  }
}

void PlanningNode::tick() {
  const double now_s = now().seconds();
  look_up_poses();
  inputs_.model = now_s - team_.stamp < kTeamModel && team_.stamp >= personal_.stamp - kTeamModel ? team_ : personal_;
  inputs_.cancel = handle_ && handle_->is_canceling();
  const bool had_goal = inputs_.goal.has_value();
  if (inputs_.cancel && had_goal) {  // cancelled before it began
    inputs_.goal.reset();
    finish({Outcome::Cancelled, "cancelled"});
  }
  const Planner::Outputs& outputs = planner_.step(inputs_, now_s);
  inputs_.goal.reset();
  if (outputs.velocity) command_->publish(twist_from(*outputs.velocity));
  if (outputs.planned) publish_path(outputs);
  if (outputs.result) {
    last_result_ = outputs.result->reason;
    finish(*outputs.result);
  } else if (handle_ && (outputs.planned || !outputs.feedback.blocked_by.empty())) {
    auto feedback = std::make_shared<Navigate::Feedback>();
    feedback->distance = static_cast<float>(outputs.feedback.distance);
    feedback->time_left = static_cast<float>(outputs.feedback.time_left);
    feedback->blocked_by = outputs.feedback.blocked_by;
    feedback->adjusted_goal.x = outputs.feedback.adjusted_goal.x;
    feedback->adjusted_goal.y = outputs.feedback.adjusted_goal.y;
    feedback->adjusted_goal.theta = outputs.feedback.adjusted_goal.yaw;
    handle_->publish_feedback(feedback);
  }
}

void PlanningNode::publish_path(const Planner::Outputs& outputs) {
  path_.header.stamp = now();
  path_.header.frame_id = outputs.path_in_map ? "map" : "odom";
  path_.poses.resize(outputs.path.size());
  for (std::size_t i = 0; i < outputs.path.size(); ++i) {
    path_.poses[i].header = path_.header;
    path_.poses[i].pose.position.x = outputs.path[i].x();
    path_.poses[i].pose.position.y = outputs.path[i].y();
  }
  path_publisher_->publish(path_);
}

void PlanningNode::finish(const Result& result) {
  if (!handle_) {  // from goal_pose: a person reads it here
    if (result.outcome != Outcome::Reached) RCLCPP_WARN(get_logger(), "goal_pose: %s", result.reason.c_str());
    return;
  }
  auto message = std::make_shared<Navigate::Result>();
  message->outcome = static_cast<std::uint8_t>(result.outcome);
  message->reason = result.reason;
  const auto handle = handle_;
  handle_.reset();
  if (handle->is_canceling()) {
    handle->canceled(message);
  } else if (result.outcome == Outcome::Reached) {
    handle->succeed(message);
  } else {
    handle->abort(message);
  }
}

void PlanningNode::diagnose() {
  const double now_s = now().seconds();
  const Planner::Outputs& outputs = planner_.last_outputs();
  const double age = now_s - inputs_.model.stamp;
  const bool old_model = age > parameters_.values().model_age;
  std::string message = "stands by";
  hl_node::Level level = hl_node::Level::Ok;
  if (outputs.active) message = outputs.feedback.blocked_by.empty() ? "walks" : "walks: " + outputs.feedback.blocked_by;
  if (old_model || !tf_fault_.empty()) {
    level = outputs.active ? hl_node::Level::Error : hl_node::Level::Warn;
    message = !tf_fault_.empty() ? "no pose: " + tf_fault_ : "no fresh personal_model or team_model";
  }
  diagnostics_.report(level, message,
                      {{"age of the model, s", std::to_string(age)},
                       {"distance left, m", std::to_string(outputs.feedback.distance)},
                       {"last result", last_result_}});
}

}  // namespace hl_path_planning

RCLCPP_COMPONENTS_REGISTER_NODE(hl_path_planning::PlanningNode)
