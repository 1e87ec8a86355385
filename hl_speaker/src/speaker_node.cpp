// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <humanoid_league_msgs/msg/speak.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "parameters.hpp"

namespace hl_speaker {
namespace {

using humanoid_league_msgs::msg::Speak;

}  // namespace

/// Says what arrives on `speak`.
class SpeakerNode : public rclcpp::Node {
 public:
  explicit SpeakerNode(const rclcpp::NodeOptions& options)
      : Node("speaker", options),
        parameters_(*this, parameters()),
        queue_(parameters_.values().queue),
        voice_(parameters_.values().voice) {
    parameters_.on_change([this](const NodeParams& params) {
      queue_.set_params(params.queue);
      voice_.set_params(params.voice);
    });
    subscription_ = hl_node::create_subscription<Speak>(*this, hl_node::topics::kSpeak,
                                                        [this](const Speak& speak) { on_speak(speak); });
    // Sentences take real time, also when the simulation runs faster.
    timer_ = create_wall_timer(std::chrono::milliseconds(50), [this] { speak_next(); });
  }

 private:
  void on_speak(const Speak& speak) {
    const auto priority = static_cast<Priority>(std::min(speak.priority, Speak::HIGH_PRIORITY));
    queue_.push({speak.text, speak.filename, priority}, real_seconds());
  }

  void speak_next() {
    const bool was_speaking = speaking_;
    speaking_ = voice_.speaking();
    if (was_speaking && !speaking_ && voice_.failure()) warn(*voice_.failure());
    if (speaking_) return;
    const auto utterance = queue_.pop(real_seconds());
    if (!utterance) return;
    RCLCPP_INFO(get_logger(), "%s", (utterance->filename.empty() ? utterance->text : utterance->filename).c_str());
    if (parameters_.values().mute) return;
    if (const auto error = voice_.start(*utterance)) {
      warn(*error);
    } else {
      speaking_ = true;
    }
  }

  void warn(const std::string& text) { RCLCPP_WARN_THROTTLE(get_logger(), steady_clock_, 30'000, "%s", text.c_str()); }

  double real_seconds() { return steady_clock_.now().seconds(); }

  rclcpp::Clock steady_clock_{RCL_STEADY_TIME};
  hl_node::NodeParameters<NodeParams> parameters_;
  SpeechQueue queue_;
  Voice voice_;
  bool speaking_ = false;
  rclcpp::Subscription<Speak>::SharedPtr subscription_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace hl_speaker

RCLCPP_COMPONENTS_REGISTER_NODE(hl_speaker::SpeakerNode)
