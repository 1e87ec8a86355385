// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cmath>
#include <hl_description/robot_model.hpp>
#include <humanoid_league_msgs/action/play_animation.hpp>
#include <humanoid_league_msgs/msg/animation.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/srv/list_animations.hpp>
#include <humanoid_league_msgs/srv/reload_animations.hpp>
#include <map>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>

#include "hl_animation/animation_file.hpp"
#include "hl_animation/performance.hpp"

namespace hl_animation {
namespace {

using PlayAnimation = humanoid_league_msgs::action::PlayAnimation;
using GoalHandle = rclcpp_action::ServerGoalHandle<PlayAnimation>;
using AnimationMessage = humanoid_league_msgs::msg::Animation;
using humanoid_league_msgs::msg::RobotControlState;
using humanoid_league_msgs::srv::ListAnimations;
using humanoid_league_msgs::srv::ReloadAnimations;

rcl_interfaces::msg::ParameterDescriptor described(const std::string& text, bool read_only = false) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  descriptor.read_only = read_only;
  return descriptor;
}

Player::Tilt tilt_from(const geometry_msgs::msg::Quaternion& q) {
  const double up_x = 2.0 * (q.x * q.z - q.w * q.y);
  const double up_y = 2.0 * (q.y * q.z + q.w * q.x);
  const double up_z = 1.0 - 2.0 * (q.x * q.x + q.y * q.y);
  return {std::atan2(up_y, up_z), std::atan2(-up_x, std::hypot(up_y, up_z))};
}

}  // namespace

/// Plays animations on request of the behaviour, a person or the HCM.
class AnimationNode : public rclcpp::Node {
 public:
  explicit AnimationNode(const rclcpp::NodeOptions& options) : Node("animation", options) {
    declare();
    load();
    publisher_ = create_publisher<AnimationMessage>("animation", 10);
    joint_subscription_ = create_subscription<sensor_msgs::msg::JointState>(
        "joint_states", rclcpp::SensorDataQoS(), [this](const sensor_msgs::msg::JointState& joints) {
          const auto count = std::min(joints.name.size(), joints.position.size());
          for (std::size_t i = 0; i < count; ++i) present_[joints.name[i]] = joints.position[i];
        });
    imu_subscription_ = create_subscription<sensor_msgs::msg::Imu>(
        "imu/data", rclcpp::SensorDataQoS(),
        [this](const sensor_msgs::msg::Imu& imu) { tilt_ = tilt_from(imu.orientation); });
    rclcpp::SubscriptionOptions latched;
    latched.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    state_subscription_ = create_subscription<RobotControlState>(
        "robot_state", rclcpp::QoS(1).transient_local(),
        [this](const RobotControlState& state) {
          readiness_ = readiness_from(static_cast<hl_soccer::BodyState>(state.state));
        },
        latched);
    list_service_ = create_service<ListAnimations>(
        "list_animations", [this](const std::shared_ptr<ListAnimations::Request>,
                                  std::shared_ptr<ListAnimations::Response> response) { list(*response); });
    reload_service_ = create_service<ReloadAnimations>(
        "reload_animations",
        [this](const std::shared_ptr<ReloadAnimations::Request>, std::shared_ptr<ReloadAnimations::Response> response) {
          load();
          response->success = library_.errors.empty();
          response->loaded = static_cast<std::uint32_t>(library_.animations.size());
          response->errors = library_.errors;
          response->message = std::to_string(library_.animations.size()) + " animations";
        });
    server_ = rclcpp_action::create_server<PlayAnimation>(
        this, "play_animation",
        [](const rclcpp_action::GoalUUID&, std::shared_ptr<const PlayAnimation::Goal>) {
          return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;  // what cannot be played ends with a reason
        },
        [](const std::shared_ptr<GoalHandle>) { return rclcpp_action::CancelResponse::ACCEPT; },
        [this](const std::shared_ptr<GoalHandle> goal) { accept(goal); });
    timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0 / rate_), [this] { tick(); });
  }

 private:
  void declare() {
    const auto robot = declare_parameter("robot", "minibot", described("folder of the shipped library to use", true));
    folder_ = declare_parameter("folder", "", described("folder with animation files; empty: the shipped ones", true));
    model_ = hl_description::RobotModel::from_file(ament_index_cpp::get_package_share_directory("hl_description") +
                                                   "/urdf/" + robot + ".urdf");
    if (folder_.empty())
      folder_ = ament_index_cpp::get_package_share_directory("hl_animation") + "/animations/" + robot;
    rate_ = declare_parameter("rate", 100.0, described("Hz, goals per second while playing; 10..1000", true));
    if (!(rate_ >= 10.0 && rate_ <= 1000.0)) throw std::invalid_argument("rate must lie between 10 and 1000 Hz");
    params_.player.speed = declare_parameter("speed", 1.0, described("1 = as written; 0.1..5"));
    params_.player.stop_time = declare_parameter("stop_time", params_.player.stop_time, described("s to come to rest"));
    params_.ask_timeout = declare_parameter("ask_timeout", params_.ask_timeout, described("s to wait for the body"));
    if (const auto error = params_.validate()) throw std::invalid_argument(*error);
    parameter_callback_ = add_on_set_parameters_callback([this](const std::vector<rclcpp::Parameter>& changed) {
      auto params = params_;
      for (const auto& parameter : changed) {
        if (parameter.get_name() == "speed") params.player.speed = parameter.as_double();
        if (parameter.get_name() == "stop_time") params.player.stop_time = parameter.as_double();
        if (parameter.get_name() == "ask_timeout") params.ask_timeout = parameter.as_double();
      }
      const auto error = params.validate();
      if (!error) params_ = params;
      rcl_interfaces::msg::SetParametersResult result;
      result.successful = !error;
      result.reason = error.value_or("");
      return result;
    });
  }

  /// Files that became unreadable keep their last good version.
  void load() {
    auto fresh = AnimationLibrary::from_folder(folder_);
    for (const auto& error : fresh.errors) RCLCPP_ERROR(get_logger(), "%s", error.c_str());
    for (const auto& [name, animation] : library_.animations) {
      const auto& file = library_.files.at(name);
      const bool broken = std::any_of(fresh.errors.begin(), fresh.errors.end(),
                                      [&](const std::string& error) { return error.rfind(file, 0) == 0; });
      if (broken && fresh.animations.count(name) == 0) {
        fresh.animations[name] = animation;
        fresh.files[name] = file;
      }
    }
    library_ = std::move(fresh);
    for (const auto& [name, animation] : library_.animations) {
      const bool gains = std::any_of(animation.keyframes.begin(), animation.keyframes.end(),
                                     [](const Keyframe& keyframe) { return keyframe.p_gain.has_value(); });
      if (gains)
        RCLCPP_WARN(get_logger(), "'%s': motor goals carry no p_gain, it is left out; use torque", name.c_str());
    }
    RCLCPP_INFO(get_logger(), "%zu animations from %s", library_.animations.size(), folder_.c_str());
  }

  void list(ListAnimations::Response& response) const {
    for (const auto& [name, animation] : library_.animations) {
      response.names.push_back(name);
      response.descriptions.push_back(animation.description);
      response.start_conditions.push_back(animation.start == Posture::Any ? "" : hl_animation::name(animation.start));
      response.durations.push_back(animation.duration());
    }
    response.errors = library_.errors;
  }

  void accept(const std::shared_ptr<GoalHandle>& goal) {
    const auto& wanted = goal->get_goal()->animation;
    const bool by_hcm = goal->get_goal()->hcm;
    const auto found = library_.animations.find(wanted);
    if (found == library_.animations.end()) {
      finish(goal, Performance::Result::Failed, "there is no animation '" + wanted + "'; list_animations names them");
      return;
    }
    if (performance_) {
      const bool yields = by_hcm || (performance_->animation().interruptible && !performance_->by_hcm());
      if (!yields) {
        finish(goal, Performance::Result::Failed,
               "'" + performance_->animation().name + "' is playing and may not be interrupted");
        return;
      }
      finish(goal_, Performance::Result::Failed, "interrupted by '" + wanted + "'");
    }
    goal_ = goal;
    performance_ = std::make_unique<Performance>(found->second, by_hcm, params_);
    percent_ = 0;
    RCLCPP_INFO(get_logger(), "playing '%s'%s", wanted.c_str(), by_hcm ? " for the HCM" : "");
    tick();
  }

  void tick() {
    if (!performance_) return;
    if (goal_->is_canceling()) performance_->cancel();
    const auto output = performance_->update(now().seconds(), readiness_, present_, tilt_);
    if (output.ask || output.goals) publish(output);
    if (const auto* player = performance_->player()) publish_feedback(static_cast<std::uint8_t>(player->percent()));
    if (!output.ended) return;
    const auto done = std::move(performance_);
    finish(goal_, done->result(), done->message());
  }

  void publish(const Performance::Output& output) {
    message_.header.stamp = now();
    message_.request = output.ask;
    message_.first = output.first;
    message_.last = output.last;
    message_.hcm = performance_->by_hcm();
    message_.fall_check_off = !performance_->animation().fall_check;
    message_.name = performance_->animation().name;
    message_.position.joint_names.clear();
    message_.position.points.clear();
    if (output.goals) {
      const auto& player = *performance_->player();
      message_.position.header.stamp = message_.header.stamp;
      message_.position.joint_names = player.joints();
      auto& point = message_.position.points.emplace_back();
      point.positions = player.positions();
      if (player.torque()) {
        for (const auto& joint : player.joints()) point.effort.push_back(player.effort(stall_torque(joint)));
      }
    }
    publisher_->publish(message_);
  }

  double stall_torque(const std::string& joint) const {
    const auto index = model_.joint_index(joint);
    return index ? model_.limits(*index).effort : 0.0;  // 0: no limit
  }

  void publish_feedback(std::uint8_t percent) {
    if (percent == percent_) return;
    percent_ = percent;
    auto feedback = std::make_shared<PlayAnimation::Feedback>();
    feedback->percent_done = percent;
    goal_->publish_feedback(feedback);
  }

  void finish(const std::shared_ptr<GoalHandle>& goal, Performance::Result outcome, const std::string& message) {
    auto result = std::make_shared<PlayAnimation::Result>();
    result->successful = outcome == Performance::Result::Finished;
    result->message = message;
    if (!message.empty()) {
      RCLCPP_WARN(get_logger(), "'%s': %s", goal->get_goal()->animation.c_str(), message.c_str());
    }
    if (outcome == Performance::Result::Finished) {
      goal->succeed(result);
    } else if (goal->is_canceling()) {
      goal->canceled(result);
    } else {
      goal->abort(result);
    }
  }

  std::string folder_;
  double rate_ = 100.0;  // Hz
  Performance::Params params_;
  AnimationLibrary library_;
  hl_description::RobotModel model_;       // for its stall torques
  std::map<std::string, double> present_;  // rad, last known positions
  std::optional<Player::Tilt> tilt_;
  Readiness readiness_ = Readiness::Unknown;
  std::shared_ptr<GoalHandle> goal_;
  std::unique_ptr<Performance> performance_;
  std::uint8_t percent_ = 0;
  AnimationMessage message_;
  rclcpp::Publisher<AnimationMessage>::SharedPtr publisher_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr joint_subscription_;
  rclcpp::Subscription<sensor_msgs::msg::Imu>::SharedPtr imu_subscription_;
  rclcpp::Subscription<RobotControlState>::SharedPtr state_subscription_;
  rclcpp::Service<ListAnimations>::SharedPtr list_service_;
  rclcpp::Service<ReloadAnimations>::SharedPtr reload_service_;
  rclcpp_action::Server<PlayAnimation>::SharedPtr server_;
  rclcpp::TimerBase::SharedPtr timer_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr parameter_callback_;
};

}  // namespace hl_animation

RCLCPP_COMPONENTS_REGISTER_NODE(hl_animation::AnimationNode)
