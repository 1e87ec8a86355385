// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
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
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "messages.hpp"
#include "parameters.hpp"

namespace hl_animation {
namespace {

using PlayAnimation = humanoid_league_msgs::action::PlayAnimation;
using GoalHandle = rclcpp_action::ServerGoalHandle<PlayAnimation>;
using AnimationMessage = humanoid_league_msgs::msg::Animation;
using humanoid_league_msgs::msg::RobotControlState;
using humanoid_league_msgs::srv::ListAnimations;
using humanoid_league_msgs::srv::ReloadAnimations;

std::string share(const std::string& package) {
  return ament_index_cpp::get_package_share_directory(package);
}

}  // namespace

/// Plays animations on request of the behaviour, a person or the HCM.
class AnimationNode : public rclcpp::Node {
 public:
  explicit AnimationNode(const rclcpp::NodeOptions& options)
      : Node("animation", options),
        parameters_(*this, animation_parameters()),
        folder_(parameters_.values().folder),
        model_(hl_description::RobotModel::from_file(share("hl_description") + "/urdf/" + parameters_.values().robot +
                                                     ".urdf")) {
    if (folder_.empty()) folder_ = share("hl_animation") + "/animations/" + parameters_.values().robot;
    load();
    publisher_ = hl_node::create_publisher<AnimationMessage>(*this, hl_node::topics::kAnimation);
    listen();
    serve();
    const auto every = [this](double rate, auto action) {
      return rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0 / rate), action);
    };
    timer_ = every(parameters_.values().rate, [this] { tick(); });
    feedback_timer_ = every(kFeedbackRate, [this] { publish_feedback(); });
  }

 private:
  static constexpr double kFeedbackRate = 20.0;  // Hz; feedback allocates, so it is not the tick's

  void listen() {
    using namespace hl_node;
    joint_subscription_ = hl_node::create_subscription<sensor_msgs::msg::JointState>(
        *this, topics::kJointStates, [this](const sensor_msgs::msg::JointState& joints) {
          const auto count = std::min(joints.name.size(), joints.position.size());
          for (std::size_t i = 0; i < count; ++i) present_[joints.name[i]] = joints.position[i];
        });
    imu_subscription_ = hl_node::create_subscription<sensor_msgs::msg::Imu>(
        *this, topics::kImuData, [this](const sensor_msgs::msg::Imu& imu) {
          const auto& q = imu.orientation;
          inputs_.tilt = hl_description::tilt_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z));
        });
    state_subscription_ = hl_node::create_subscription<RobotControlState>(
        *this, topics::kRobotState,
        [this](const RobotControlState& state) { inputs_.body = static_cast<hl_soccer::BodyState>(state.state); });
  }

  void serve() {
    using namespace hl_node;
    list_service_ = create_service<ListAnimations>(
        services::kListAnimations, [this](const std::shared_ptr<ListAnimations::Request>,
                                          std::shared_ptr<ListAnimations::Response> response) { list(*response); });
    reload_service_ = create_service<ReloadAnimations>(
        services::kReloadAnimations,
        [this](const std::shared_ptr<ReloadAnimations::Request>, std::shared_ptr<ReloadAnimations::Response> response) {
          load();
          response->success = library_.errors.empty();
          response->loaded = static_cast<std::uint32_t>(library_.animations.size());
          response->errors = library_.errors;
          response->message = std::to_string(library_.animations.size()) + " animations";
        });
    server_ = rclcpp_action::create_server<PlayAnimation>(
        this, actions::kPlayAnimation,
        [](const rclcpp_action::GoalUUID&, std::shared_ptr<const PlayAnimation::Goal>) {
          return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;  // what cannot be played ends with a reason
        },
        [](const std::shared_ptr<GoalHandle>) { return rclcpp_action::CancelResponse::ACCEPT; },
        [this](const std::shared_ptr<GoalHandle> goal) { accept(goal); });
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
      if (!performance_->yields_to(by_hcm)) {
        finish(goal, Performance::Result::Failed,
               "'" + performance_->animation().name + "' is playing and may not be interrupted");
        return;
      }
      finish(goal_, Performance::Result::Failed, "interrupted by '" + wanted + "'");
    }
    goal_ = goal;
    performance_ = std::make_unique<Performance>(found->second, by_hcm, parameters_.values().performance);
    messages_.begin(*performance_);
    percent_ = 0;
    RCLCPP_INFO(get_logger(), "playing '%s'%s", wanted.c_str(), by_hcm ? " for the HCM" : "");
    tick();
  }

  void tick() {
    if (!performance_) return;
    if (goal_->is_canceling()) performance_->cancel();
    const auto output = performance_->step(inputs_, now().seconds());
    if (output.ask || output.goals) {
      AnimationMessage& message = messages_.fill(*performance_, output, stall_torque_);
      message.header.stamp = message.position.header.stamp = now();
      publisher_->publish(message);
    }
    if (!output.ended) return;
    publish_feedback();
    const auto done = std::move(performance_);
    finish(goal_, done->result(), done->message());
  }

  double stall_torque(const std::string& joint) const {
    const auto index = model_.joint_index(joint);
    return index ? model_.limits(*index).effort : 0.0;  // 0: no limit
  }

  void publish_feedback() {
    if (!performance_ || performance_->player() == nullptr) return;
    const auto percent = static_cast<std::uint8_t>(performance_->player()->percent());
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

  hl_node::NodeParameters<AnimationParams> parameters_;
  std::string folder_;
  AnimationLibrary library_;
  hl_description::RobotModel model_;  // for its stall torques
  const PerformanceMessages::StallTorque stall_torque_ = [this](const std::string& joint) {
    return stall_torque(joint);
  };
  std::map<std::string, double> present_;  // rad, last known positions
  Performance::Inputs inputs_{std::nullopt, &present_, std::nullopt};
  std::shared_ptr<GoalHandle> goal_;
  std::unique_ptr<Performance> performance_;
  std::uint8_t percent_ = 0;
  PerformanceMessages messages_;
  rclcpp::Publisher<AnimationMessage>::SharedPtr publisher_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr joint_subscription_;
  rclcpp::Subscription<sensor_msgs::msg::Imu>::SharedPtr imu_subscription_;
  rclcpp::Subscription<RobotControlState>::SharedPtr state_subscription_;
  rclcpp::Service<ListAnimations>::SharedPtr list_service_;
  rclcpp::Service<ReloadAnimations>::SharedPtr reload_service_;
  rclcpp_action::Server<PlayAnimation>::SharedPtr server_;
  rclcpp::TimerBase::SharedPtr timer_, feedback_timer_;
};

}  // namespace hl_animation

RCLCPP_COMPONENTS_REGISTER_NODE(hl_animation::AnimationNode)
