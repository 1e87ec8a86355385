// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <humanoid_league_msgs/msg/speak.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_speaker/speech_queue.hpp"
#include "hl_speaker/voice.hpp"

namespace hl_speaker {
namespace {

using humanoid_league_msgs::msg::Speak;

rcl_interfaces::msg::ParameterDescriptor described(const std::string& text) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  return descriptor;
}

struct Settings {
  bool mute = false;
  SpeechQueue::Params queue;
  Voice::Params voice;
};

/// Takes a parameter over; a value that does not fit is told by `validate` afterwards.
void set(Settings& settings, const rclcpp::Parameter& parameter) {
  const auto& name = parameter.get_name();
  if (name == "mute") settings.mute = parameter.as_bool();
  if (name == "language") settings.voice.language = parameter.as_string();
  if (name == "speed") settings.voice.speed = static_cast<int>(parameter.as_int());
  if (name == "pitch") settings.voice.pitch = static_cast<int>(parameter.as_int());
  if (name == "volume") settings.voice.volume = static_cast<int>(parameter.as_int());
  if (name == "speech_program") settings.voice.speech_program = parameter.as_string();
  if (name == "sound_program") settings.voice.sound_program = parameter.as_string();
  if (name == "repeat_after") settings.queue.repeat_after = parameter.as_double();
  if (name == "low_interval") settings.queue.low_interval = parameter.as_double();
  if (name == "max_length")
    settings.queue.max_length = static_cast<std::size_t>(std::max<std::int64_t>(parameter.as_int(), 0));
}

std::optional<std::string> validate(const Settings& settings) {
  if (const auto error = settings.queue.validate()) return error;
  return settings.voice.validate();
}

}  // namespace

/// Says what arrives on `speak`.
class SpeakerNode : public rclcpp::Node {
 public:
  explicit SpeakerNode(const rclcpp::NodeOptions& options)
      : Node("speaker", options), settings_(declared()), queue_(settings_.queue), voice_(settings_.voice) {
    parameter_callback_ = add_on_set_parameters_callback([this](const std::vector<rclcpp::Parameter>& changed) {
      auto settings = settings_;
      for (const auto& parameter : changed) set(settings, parameter);
      const auto error = validate(settings);
      rcl_interfaces::msg::SetParametersResult result;
      result.successful = !error;
      result.reason = error.value_or("");
      if (!error) {
        settings_ = settings;
        queue_.set_params(settings.queue);
        voice_.set_params(settings.voice);
      }
      return result;
    });
    subscription_ = create_subscription<Speak>("speak", 10, [this](const Speak& speak) { on_speak(speak); });
    // Sentences take real time, also when the simulation runs faster.
    timer_ = create_wall_timer(std::chrono::milliseconds(50), [this] { speak_next(); });
  }

 private:
  Settings declared() {
    Settings settings;
    const auto& queue = settings.queue;
    const auto& voice = settings.voice;
    declare_parameter("mute", settings.mute, described("say nothing, only log"));
    declare_parameter("language", voice.language, described("voice of espeak-ng, for example en or de"));
    declare_parameter("speed", voice.speed, described("words per minute, 80..450"));
    declare_parameter("pitch", voice.pitch, described("0..99"));
    declare_parameter("volume", voice.volume, described("0..200"));
    declare_parameter("speech_program", voice.speech_program, described("program that speaks, called like espeak-ng"));
    declare_parameter("sound_program", voice.sound_program, described("program that plays files, called like aplay"));
    declare_parameter("repeat_after", queue.repeat_after, described("s before the same words are said again"));
    declare_parameter("low_interval", queue.low_interval, described("s between two utterances of low priority"));
    declare_parameter("max_length", static_cast<int>(queue.max_length), described("characters"));
    for (const auto& name : list_parameters({}, 1).names) set(settings, get_parameter(name));
    if (const auto error = validate(settings)) throw std::invalid_argument(*error);
    return settings;
  }

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
    if (settings_.mute) return;
    if (const auto error = voice_.start(*utterance)) {
      warn(*error);
    } else {
      speaking_ = true;
    }
  }

  void warn(const std::string& text) { RCLCPP_WARN_THROTTLE(get_logger(), steady_clock_, 30'000, "%s", text.c_str()); }

  double real_seconds() { return steady_clock_.now().seconds(); }

  rclcpp::Clock steady_clock_{RCL_STEADY_TIME};
  Settings settings_;
  SpeechQueue queue_;
  Voice voice_;
  bool speaking_ = false;
  rclcpp::Subscription<Speak>::SharedPtr subscription_;
  rclcpp::TimerBase::SharedPtr timer_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr parameter_callback_;
};

}  // namespace hl_speaker

RCLCPP_COMPONENTS_REGISTER_NODE(hl_speaker::SpeakerNode)
