// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <fstream>
#include <hl_description/formatted.hpp>
#include <hl_description/robot_config.hpp>
#include <hl_description/robot_model.hpp>
#include <humanoid_league_msgs/srv/edit_animation.hpp>
#include <humanoid_league_msgs/srv/record_keyframe.hpp>
#include <humanoid_league_msgs/srv/recorder_command.hpp>
#include <humanoid_league_msgs/srv/set_record_mode.hpp>
#include <humanoid_league_msgs/srv/set_torque.hpp>
#include <map>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "hl_animation/animation_file.hpp"
#include "hl_animation/player.hpp"
#include "hl_animation/recording.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "messages.hpp"
#include "parameters.hpp"
#include "recorder_editor.hpp"

namespace hl_animation {
namespace {

using humanoid_league_msgs::srv::EditAnimation;
using humanoid_league_msgs::srv::RecorderCommand;
using humanoid_league_msgs::srv::RecordKeyframe;
using humanoid_league_msgs::srv::SetRecordMode;
using humanoid_league_msgs::srv::SetTorque;
using trajectory_msgs::msg::JointTrajectory;

}  // namespace

/// Makes animations from poses that a person gives the robot by hand.
class RecorderNode : public rclcpp::Node {
 public:
  explicit RecorderNode(const rclcpp::NodeOptions& options)
      : Node("recorder", options),
        parameters_(*this, recorder_parameters()),
        config_(hl_description::RobotConfig::from_file(ament_index_cpp::get_package_share_directory("hl_description") +
                                                       "/config/" + parameters_.values().robot + "/robot.yaml")),
        model_(hl_description::RobotModel::from_file(ament_index_cpp::get_package_share_directory("hl_description") +
                                                     "/urdf/" + parameters_.values().robot + ".urdf")) {
    using namespace hl_node;
    goals_publisher_ = hl_node::create_publisher<JointTrajectory>(*this, topics::kRecordMotorGoals);
    joint_subscription_ = hl_node::create_subscription<sensor_msgs::msg::JointState>(
        *this, topics::kJointStates, [this](const sensor_msgs::msg::JointState& joints) {
          const auto count = std::min(joints.name.size(), joints.position.size());
          for (std::size_t i = 0; i < count; ++i) present_[joints.name[i]] = joints.position[i];
        });
    record_mode_ = create_client<SetRecordMode>(services::kRecordMode);
    torque_ = create_client<SetTorque>(services::kSetTorque);
    edit_service_ = create_service<EditAnimation>(
        services::kEditAnimation,
        [this](const std::shared_ptr<EditAnimation::Request> request,
               std::shared_ptr<EditAnimation::Response> response) { edit(*request, *response); });
    keyframe_service_ = create_service<RecordKeyframe>(
        services::kRecordKeyframe,
        [this](const std::shared_ptr<RecordKeyframe::Request> request,
               std::shared_ptr<RecordKeyframe::Response> response) { record(*request, *response); });
    command_service_ = create_service<RecorderCommand>(
        services::kRecorderCommand,
        [this](const std::shared_ptr<RecorderCommand::Request> request,
               std::shared_ptr<RecorderCommand::Response> response) { command(*request, *response); });
    constexpr double kRate = 100.0;  // Hz
    timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0 / kRate), [this] { tick(); });
  }

 private:
  void record(const RecordKeyframe::Request& request, RecordKeyframe::Response& response) {
    if (!recording_) {
      response.message = kNothing;
      return;
    }
    Keyframe keyframe;
    keyframe.duration = request.duration > 0.0 ? request.duration : parameters_.values().default_duration;
    keyframe.pause = request.pause;
    auto wanted = request.joints.empty() ? std::vector<std::string>{"all"} : request.joints;
    for (const auto& word : wanted) {
      const auto joints = config_.group(word);
      if (joints.empty()) {
        response.message = "'" + word + "' is neither a joint nor a limb of this robot";
        return;
      }
      for (const auto& joint : joints) {
        const auto position = present_.find(joint);
        if (position != present_.end()) keyframe.goals[joint] = position->second;
      }
    }
    const auto error = recording_->insert(keyframe, request.index);
    response.success = !error;
    const std::string note =
        hl_description::formatted("%zu joints, reached in %.2f s", keyframe.goals.size(), keyframe.duration);
    response.message = error.value_or(note);
    response.keyframes = static_cast<std::uint32_t>(recording_->animation().keyframes.size());
    response.index = request.index < 0 ? response.keyframes - 1 : static_cast<std::uint32_t>(request.index);
  }

  void edit(const EditAnimation::Request& request, EditAnimation::Response& response) {
    const auto error = edited(request.text);
    response.success = !error;
    response.message = error.value_or("");
    tell_joints(config_, model_, response);
    response.animations = animations_in(parameters_.values().folder);
    if (!recording_) return;
    response.text = to_json(recording_->animation());
    response.unsaved = recording_->unsaved();
    if (request.verify && !error && !recording_->animation().keyframes.empty())
      response.findings = findings_of(recording_->animation(), config_, model_);
  }

  std::optional<std::string> edited(const std::string& text) {
    if (text.empty()) return std::nullopt;
    if (!recording_) return kNothing;
    try {
      auto animation = parse_draft(text, "the edited animation");
      if (!is_plain(animation.name)) return "'" + animation.name + "' is not a usable name";
      for (const auto& joint : animation.joints())
        if (!model_.joint_index(joint)) return "this robot has no joint '" + joint + "'";
      if (to_json(animation) != to_json(recording_->animation())) recording_->replace(std::move(animation));
    } catch (const AnimationError& error) {
      return error.what();
    }
    return std::nullopt;
  }

  void command(const RecorderCommand::Request& request, RecorderCommand::Response& response) {
    note_.clear();
    const auto error = obey(request);
    response.success = !error;
    response.message = error.value_or(note_);
    if (!recording_) return;
    response.name = recording_->animation().name;
    response.keyframes = static_cast<std::uint32_t>(recording_->animation().keyframes.size());
    response.unsaved = recording_->unsaved();
  }

  std::optional<std::string> obey(const RecorderCommand::Request& request) {
    using Request = RecorderCommand::Request;
    if (request.verb == Request::START || request.verb == Request::LOAD) return begin(request);
    if (request.verb == Request::STATUS) {
      if (recording_) note_ = table(recording_->animation());
      return std::nullopt;
    }
    if (!recording_) return kNothing;
    switch (request.verb) {
      case Request::PLAY:
        return play(recording_->until(request.index));
      case Request::PLAY_FROM:
        return play(recording_->from(request.index, going(request)));
      case Request::GO_TO:
        return go_to(request);
      case Request::HALT:
        if (player_) player_->stop();
        return std::nullopt;
      case Request::LIMP:
        return set_torque(request.joints, false);
      case Request::STIFF:
        return set_torque(request.joints, true);
      case Request::UNDO:
        return recording_->undo();
      case Request::REDO:
        return recording_->redo();
      case Request::REMOVE:
        return recording_->remove(request.index);
      case Request::MIRROR:
        return recording_->mirror(request.index);
      case Request::SET_TIMING:
        return recording_->set_timing(request.index, request.duration, request.pause);
      case Request::SAVE:
        return save(request);
      case Request::STOP:
        recording_.reset();
        player_.reset();
        set_record_mode(false);
        return std::nullopt;
      default:
        return "unknown verb " + std::to_string(request.verb);
    }
  }

  std::optional<std::string> begin(const RecorderCommand::Request& request) {
    if (recording_ && recording_->unsaved() && !recording_->animation().keyframes.empty()) {
      return "'" + recording_->animation().name + "' is not saved; save it first, or drop it";
    }
    if (!is_plain(request.name)) return "'" + request.name + "' is not a usable name; use letters, digits, _ and -";
    Animation animation;
    animation.name = request.name;
    if (request.verb == RecorderCommand::Request::LOAD) {
      try {
        animation = load_animations(path_of(request.name)).front();
      } catch (const AnimationError& error) {
        return error.what();
      }
    }
    recording_ = std::make_unique<Recording>(animation);
    recording_->describe("", request.author, request.description);
    if (request.verb == RecorderCommand::Request::LOAD) recording_->mark_saved();
    set_record_mode(true);
    return std::nullopt;
  }

  double going(const RecorderCommand::Request& request) const {
    return request.duration > 0.0 ? request.duration : parameters_.values().default_duration;
  }

  std::optional<std::string> go_to(const RecorderCommand::Request& request) {
    auto part = recording_->from(request.index, going(request));
    if (part) part->keyframes.resize(1);
    return play(part);
  }

  /// Limp joints can be moved by hand; stiff again, they hold the pose they were given.
  std::optional<std::string> set_torque(const std::vector<std::string>& words, bool on) {
    auto request = std::make_shared<SetTorque::Request>();
    request->on = on;
    for (const auto& word : words) {
      const auto joints = config_.group(word);
      if (joints.empty()) return "'" + word + "' is neither a joint nor a limb of this robot";
      request->groups.insert(request->groups.end(), joints.begin(), joints.end());
    }
    if (request->groups.empty()) return "name the joints or limbs";
    if (!torque_->service_is_ready()) return "nobody switches torque: is the robot or the simulator running?";
    if (on) hold(request->groups);
    torque_->async_send_request(request, [this](rclcpp::Client<SetTorque>::SharedFuture future) {
      if (!future.get()->success) RCLCPP_ERROR(get_logger(), "torque: %s", future.get()->message.c_str());
    });
    note_ = std::to_string(request->groups.size()) + (on ? " joints stiff" : " joints limp");
    return std::nullopt;
  }

  /// Their present positions become their goals, so that torque does not pull them back to old ones.
  void hold(const std::vector<std::string>& joints) {
    JointTrajectory goals;
    goals.header.stamp = now();
    goals.points.resize(1);
    for (const auto& joint : joints) {
      const auto position = present_.find(joint);
      if (position == present_.end()) continue;
      goals.joint_names.push_back(joint);
      goals.points[0].positions.push_back(position->second);
    }
    if (!goals.joint_names.empty()) goals_publisher_->publish(goals);
  }

  std::optional<std::string> play(const std::optional<Animation>& part) {
    if (!part) return recording_->no_such_keyframe();
    try {
      player_ = std::make_unique<Player>(*part, present_, Player::Params{});
    } catch (const AnimationError& error) {
      return error.what();
    }
    prepare(*player_, goals_);
    played_at_ = now();
    note_ = hl_description::formatted("plays for %.1f s", part->duration());
    return std::nullopt;
  }

  std::optional<std::string> save(const RecorderCommand::Request& request) {
    if (!request.name.empty() && !is_plain(request.name)) return "'" + request.name + "' is not a usable name";
    if (recording_->animation().keyframes.empty()) return "there are no keyframes to save";
    recording_->describe(request.name, request.author, request.description);
    const auto path = path_of(recording_->animation().name);
    std::ofstream file(path);
    file << to_yaml(recording_->animation());
    if (!file.flush()) return path + " cannot be written: does the folder exist?";
    recording_->mark_saved();
    note_ = "written: " + path;
    return std::nullopt;
  }

  std::string path_of(const std::string& name) const { return parameters_.values().folder + "/" + name + ".yaml"; }

  void set_record_mode(bool on) {
    if (!record_mode_->service_is_ready()) {
      RCLCPP_WARN(get_logger(), "the HCM is not there: the robot is not reserved for recording");
      return;
    }
    auto request = std::make_shared<SetRecordMode::Request>();
    request->on = on;
    record_mode_->async_send_request(request, [this](rclcpp::Client<SetRecordMode>::SharedFuture future) {
      if (!future.get()->success) RCLCPP_ERROR(get_logger(), "record mode: %s", future.get()->message.c_str());
    });
  }

  void tick() {
    if (!player_) return;
    const auto time = now();
    const auto status = player_->update((time - played_at_).seconds());
    played_at_ = time;
    goals_.header.stamp = time;
    fill(*player_, goals_);
    goals_publisher_->publish(goals_);
    if (status != Player::Status::Playing) player_.reset();
  }

  /// The keyframes, one per line, numbered as people do.
  static std::string table(const Animation& animation) {
    std::string text;
    for (std::size_t k = 0; k < animation.keyframes.size(); ++k) {
      const auto& keyframe = animation.keyframes[k];
      text += hl_description::formatted("%s%3zu  reached in %.2f s, pause %.2f s, %zu joints", k == 0 ? "" : "\n",
                                        k + 1, keyframe.duration, keyframe.pause, keyframe.goals.size());
    }
    return text;
  }

  static constexpr const char* kNothing = "no animation is being recorded; start or load one first";

  hl_node::NodeParameters<RecorderParams> parameters_;
  std::string note_;  // what was done, for the answer
  hl_description::RobotConfig config_;
  hl_description::RobotModel model_;
  std::map<std::string, double> present_;  // rad
  std::unique_ptr<Recording> recording_;
  std::unique_ptr<Player> player_;
  JointTrajectory goals_;
  rclcpp::Time played_at_;
  rclcpp::Publisher<JointTrajectory>::SharedPtr goals_publisher_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr joint_subscription_;
  rclcpp::Client<SetRecordMode>::SharedPtr record_mode_;
  rclcpp::Client<SetTorque>::SharedPtr torque_;
  rclcpp::Service<EditAnimation>::SharedPtr edit_service_;
  rclcpp::Service<RecordKeyframe>::SharedPtr keyframe_service_;
  rclcpp::Service<RecorderCommand>::SharedPtr command_service_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace hl_animation

RCLCPP_COMPONENTS_REGISTER_NODE(hl_animation::RecorderNode)
