// SPDX-License-Identifier: Apache-2.0
#include <tf2_ros/buffer.h>
#include <tf2_ros/transform_listener.h>

#include <filesystem>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/visual_compass_rotation.hpp>
#include <humanoid_league_msgs/srv/record_compass.hpp>
#include <nav_msgs/msg/odometry.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_node/contract.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "image_message.hpp"
#include "known_pose.hpp"
#include "mounted_camera.hpp"
#include "parameters.hpp"

namespace hl_vision {

namespace msg = humanoid_league_msgs::msg;
using humanoid_league_msgs::srv::RecordCompass;

/// Heading and turn from what is to be seen beyond the field.
class VisualCompassNode : public rclcpp::Node {
 public:
  explicit VisualCompassNode(const rclcpp::NodeOptions& options)
      : Node("visual_compass", options),
        parameters_(*this, compass_parameters()),
        compass_(parameters_.values().core, field(parameters_.values())),
        rate_(parameters_.values().turn),
        recorder_(parameters_.values().recorder),
        camera_(parameters_.values().robot_config_file),
        buffer_(get_clock()),
        listener_(buffer_, this, false, tf2_ros::DynamicListenerQoS(), tf2_ros::StaticListenerQoS(),
                  between_processes(), between_processes()),
        diagnostics_(*this, "surroundings") {
    parameters_.on_change([this](const CompassNodeParams& params) {
      compass_.set_params(params.core);
      rate_.set_params(params.turn);
      recorder_.set_params(params.recorder);
    });
    const std::string& file = parameters_.values().file;
    if (!file.empty() && std::filesystem::exists(file)) attempt([&] { compass_.load(file); });
    using hl_node::create_publisher;
    using hl_node::create_subscription;
    namespace topics = hl_node::topics;
    heading_ = create_publisher<msg::VisualCompassRotation>(*this, topics::kVisualCompass);
    turn_ = create_publisher<nav_msgs::msg::Odometry>(*this, topics::kVisualOdometry);
    info_ = create_subscription<sensor_msgs::msg::CameraInfo>(
        *this, topics::kCameraCameraInfo, [this](const sensor_msgs::msg::CameraInfo::ConstSharedPtr& info) {
          Lens lens;
          if (auto error = to_lens(*info, lens)) {
            fault_ = std::move(*error);
          } else {
            lens_ = lens;
          }
        });
    image_ = create_subscription<sensor_msgs::msg::Image>(
        *this, topics::kCameraImageRaw,
        [this](const sensor_msgs::msg::Image::ConstSharedPtr& image) { on_image(*image); });
    pose_sub_ = create_subscription<geometry_msgs::msg::PoseWithCovarianceStamped>(
        *this, topics::kPose,
        [this](const geometry_msgs::msg::PoseWithCovarianceStamped::ConstSharedPtr& m) { believed_ = known_pose(*m); });
    game_sub_ = create_subscription<msg::GameState>(*this, topics::kGamestate,
                                                    [this](const msg::GameState::ConstSharedPtr& m) { on_game(*m); });
    service_ = create_service<RecordCompass>(
        hl_node::services::kRecordCompass,
        [this](const RecordCompass::Request::SharedPtr& request, const RecordCompass::Response::SharedPtr& response) {
          answer(*request, *response);
        });
    timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { report(); });
  }

 private:
  static hl_description::Field field(const CompassNodeParams& params) {
    if (params.field_file.empty()) return {};
    return hl_description::Field::from_file(params.field_file, params.field_preset);
  }

  void on_image(const sensor_msgs::msg::Image& image) {
    ++pictures_;
    const double stamp = rclcpp::Time(image.header.stamp).seconds();
    last_.reset();
    cv::Mat bgr;
    std::string reason;
    if (auto error = to_bgr(image, bgr)) {
      reason = std::move(*error);
    } else if (!lens_) {
      reason = "no camera_info yet";
    } else if (const auto pose = camera_.at(buffer_, image.header, parameters_.values().oldest_pose)) {
      last_.emplace(bgr.clone(), CameraView(*lens_, *pose), about(stamp), odometry_at(image.header));
      last_stamp_ = stamp;
    } else {
      reason = "no transform from " + image.header.frame_id + " to base_footprint at the time of the picture";
    }
    VisualCompass::Outputs heading;
    TurnRate::Outputs turn;
    if (last_) {
      turn = rate_.step({last_->bgr, last_->view, stamp}, stamp);
      record_by_itself(stamp);
      heading = compass_.step(*last_, stamp);
      reason = heading.reason;
    }
    reason_ = reason;
    answers_ += heading.confidence > 0.5;
    turns_ += turn.known;
    publish(image.header, heading);
    publish(image.header, turn, stamp);
  }

  /// How the robot counted its way; without it each picture is judged alone.
  std::optional<hl_description::Pose2> odometry_at(std_msgs::msg::Header header) const {
    header.frame_id = "base_footprint";
    const auto pose = pose_at(buffer_, "odom", header, parameters_.values().oldest_pose);
    if (!pose) return std::nullopt;
    return hl_description::on_ground(*pose);
  }

  /// Localisation's place; which half it is in is what the compass is asked.
  std::optional<VisualCompass::Place> about(double stamp) const {
    constexpr double kOldest = 0.5, kVaguest = 1.5;  // s, m
    if (!believed_ || std::abs(stamp - believed_->stamp) > kOldest || !(believed_->place_deviation < kVaguest))
      return std::nullopt;
    return VisualCompass::Place{believed_->pose.position(), believed_->place_deviation};
  }

  void on_game(const msg::GameState& game) {
    if (game.referee_connected && game_ && game_->referee_connected && game.own_side_left != game_->own_side_left)
      compass_.turn_around();
    if (game.penalized) compass_.forget_pictures();  // it is carried
    const bool before = recording_time();
    game_ = game;
    // The record of the kick-off is kept for the next start of this node.
    if (before && !recording_time() && recorder_.recorded() > 0 && !parameters_.values().file.empty())
      attempt([this] { compass_.save(parameters_.values().file); });
  }

  bool recording_time() const {
    return game_ && (game_->game_state == msg::GameState::GAMESTATE_INITIAL ||
                     game_->game_state == msg::GameState::GAMESTATE_READY);
  }

  void record_by_itself(double stamp) {
    if (!parameters_.values().record || !recording_time() || !believed_) return;
    if (!recorder_.wants(*believed_, last_->view, stamp)) return;
    if (auto error = compass_.record(*last_, believed_->pose)) {
      fault_ = "not recorded: " + *error;
    } else {
      recorder_.done(*believed_, last_->view);
    }
  }

  void publish(const std_msgs::msg::Header& header, const VisualCompass::Outputs& heading) {
    msg::VisualCompassRotation message;
    message.header.stamp = header.stamp;
    message.header.frame_id = "map";
    message.orientation = static_cast<float>(heading.heading);
    message.confidence = static_cast<float>(heading.confidence);
    heading_->publish(message);
  }

  void publish(const std_msgs::msg::Header& header, const TurnRate::Outputs& turn, double stamp) {
    constexpr double kUnknown = 1e6;  // variance
    nav_msgs::msg::Odometry message;
    message.header.stamp = header.stamp;
    message.header.frame_id = "odom";
    message.child_frame_id = "base_footprint";
    if (turn.known) heading_sum_ = turn.heading;
    message.pose.pose.orientation.z = std::sin(0.5 * heading_sum_);
    message.pose.pose.orientation.w = std::cos(0.5 * heading_sum_);
    if (turn.known && stamp > turn.since) message.twist.twist.angular.z = turn.turn / (stamp - turn.since);
    for (const std::size_t i : {0, 7, 14, 21, 28, 35})
      message.pose.covariance[i] = message.twist.covariance[i] = kUnknown;
    if (turn.known) {
      const double variance = turn.deviation * turn.deviation;
      message.pose.covariance[35] = variance;
      message.twist.covariance[35] = variance / std::max(1e-4, (stamp - turn.since) * (stamp - turn.since));
    }
    turn_->publish(message);
  }

  void answer(const RecordCompass::Request& request, RecordCompass::Response& response) {
    const std::string& file = request.file.empty() ? parameters_.values().file : request.file;
    std::optional<std::string> error;
    switch (request.command) {
      case RecordCompass::Request::ADD:
        error = add(request);
        break;
      case RecordCompass::Request::CLEAR:
        compass_.clear();
        recorder_.forget();
        break;
      case RecordCompass::Request::SAVE:
      case RecordCompass::Request::LOAD:
        if (file.empty()) {
          error = "no file: name one, or set the parameter 'file'";
        } else if (request.command == RecordCompass::Request::SAVE) {
          error = attempt([&] { compass_.save(file); });
        } else {
          error = attempt([&] { compass_.load(file); });
        }
        break;
      default:
        error = "command " + std::to_string(request.command) + " is not known";
    }
    response.success = !error;
    response.views = static_cast<std::uint16_t>(std::min(compass_.views(), 65535));
    response.message = error.value_or("");
  }

  std::optional<std::string> add(const RecordCompass::Request& request) {
    constexpr double kOldestPicture = 1.0;  // s
    if (!last_ || std::abs(now().seconds() - last_stamp_) > kOldestPicture)
      return "no picture with a known camera pose: " + (reason_.empty() ? "is the camera running?" : reason_);
    if (request.pose_known) return compass_.record(*last_, {request.pose.x, request.pose.y, request.pose.theta});
    if (!believed_) return "localization has not said a pose yet";
    return compass_.record(*last_, believed_->pose);
  }

  template <class Do>
  std::optional<std::string> attempt(Do action) {
    try {
      action();
      return std::nullopt;
    } catch (const std::exception& error) {
      fault_ = error.what();
      return error.what();
    }
  }

  void report() {
    const auto text = [](auto value) { return std::to_string(value); };
    const hl_node::Diagnostics::Values values = {
        {"pictures (Hz)", text(pictures_)},           {"sure headings (Hz)", text(answers_)},
        {"known turns (Hz)", text(turns_)},           {"recorded pictures", text(compass_.views())},
        {"recorded places", text(compass_.places())}, {"walls beyond the turf (m)", text(compass_.gap())}};
    std::string words = !fault_.empty() ? fault_ : reason_;
    if (pictures_ == 0 && fault_.empty()) words = "no pictures: is the camera running?";
    diagnostics_.report(words.empty() ? hl_node::Level::Ok : hl_node::Level::Warn,
                        words.empty() ? "sees the surroundings" : words, values);
    pictures_ = answers_ = turns_ = 0;
    fault_.clear();
  }

  hl_node::NodeParameters<CompassNodeParams> parameters_;
  VisualCompass compass_;
  TurnRate rate_;
  CompassRecorder recorder_;
  MountedCamera camera_;
  tf2_ros::Buffer buffer_;
  tf2_ros::TransformListener listener_;
  hl_node::Diagnostics diagnostics_;
  std::optional<Lens> lens_;
  std::optional<VisualCompass::Inputs> last_;
  double last_stamp_ = 0.0, heading_sum_ = 0.0;
  std::optional<KnownPose> believed_;
  std::optional<msg::GameState> game_;
  int pictures_ = 0, answers_ = 0, turns_ = 0;
  std::string fault_, reason_;
  rclcpp::Publisher<msg::VisualCompassRotation>::SharedPtr heading_;
  rclcpp::Publisher<nav_msgs::msg::Odometry>::SharedPtr turn_;
  rclcpp::Subscription<sensor_msgs::msg::CameraInfo>::SharedPtr info_;
  rclcpp::Subscription<sensor_msgs::msg::Image>::SharedPtr image_;
  rclcpp::Subscription<geometry_msgs::msg::PoseWithCovarianceStamped>::SharedPtr pose_sub_;
  rclcpp::Subscription<msg::GameState>::SharedPtr game_sub_;
  rclcpp::Service<RecordCompass>::SharedPtr service_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace hl_vision

RCLCPP_COMPONENTS_REGISTER_NODE(hl_vision::VisualCompassNode)
