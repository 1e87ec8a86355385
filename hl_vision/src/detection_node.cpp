// SPDX-License-Identifier: Apache-2.0
#include <tf2_ros/buffer.h>
#include <tf2_ros/transform_listener.h>

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <filesystem>
#include <humanoid_league_msgs/msg/balls_in_image.hpp>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgcodecs.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <sensor_msgs/msg/compressed_image.hpp>

#include "hl_description/robot_config.hpp"
#include "hl_node/contract.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "hl_vision/class_picture.hpp"
#include "image_message.hpp"
#include "messages.hpp"
#include "mounted_camera.hpp"
#include "nodes.hpp"
#include "parameters.hpp"
#include "tf_view.hpp"

namespace hl_vision {

/// Pictures in, everything recognised in them out.
class DetectionNode : public rclcpp::Node {
 public:
  explicit DetectionNode(const rclcpp::NodeOptions& options)
      : Node("detection", options),
        parameters_(*this, detection_parameters()),
        detection_(parameters_.values().core, field(parameters_.values()), network(parameters_.values())),
        camera_(parameters_.values().robot_config_file),
        buffer_(get_clock()),
        listener_(buffer_, this, false, tf2_ros::DynamicListenerQoS(), tf2_ros::StaticListenerQoS(),
                  between_processes(), between_processes()),
        diagnostics_(*this, "pictures") {
    if (const std::string& file = parameters_.values().robot_config_file; !file.empty())
      capsules_ = hl_description::RobotConfig::from_file(file).capsules;
    parameters_.on_change([this](const DetectionNodeParams& params) { on_parameters(params); });
    const std::string& colours = parameters_.values().colour_file;
    if (!colours.empty() && std::filesystem::exists(colours)) detection_.load_colour(colours);
    using hl_node::create_publisher;
    using hl_node::create_subscription;
    namespace topics = hl_node::topics;
    ball_ = create_publisher<msg::BallInImage>(*this, topics::kBallInImage);
    balls_ = create_publisher<msg::BallsInImage>(*this, topics::kBallsInImage);
    goal_parts_ = create_publisher<msg::GoalPartsInImage>(*this, topics::kGoalPartsInImage);
    goal_ = create_publisher<msg::GoalInImage>(*this, topics::kGoalInImage);
    obstacles_ = create_publisher<msg::ObstaclesInImage>(*this, topics::kObstaclesInImage);
    lines_ = create_publisher<msg::LineInformationInImage>(*this, topics::kLinesInImage);
    classes_ = create_publisher<sensor_msgs::msg::CompressedImage>(*this, topics::kCameraImageClassesCompressed);
    info_ = create_subscription<sensor_msgs::msg::CameraInfo>(
        *this, topics::kCameraCameraInfo,
        [this](const sensor_msgs::msg::CameraInfo::ConstSharedPtr& info) { on_info(*info); });
    image_ = create_subscription<sensor_msgs::msg::Image>(
        *this, topics::kCameraImageRaw,
        [this](const sensor_msgs::msg::Image::ConstSharedPtr& image) { on_image(*image); });
    timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { report(); });
  }

 private:
  static hl_description::Field field(const DetectionNodeParams& params) {
    if (params.field_file.empty()) return {};
    return hl_description::Field::from_file(params.field_file, params.field_preset);
  }
  static BallNetwork network(const DetectionNodeParams& params) {
    const std::string file = params.ball_weights.empty()
                                 ? ament_index_cpp::get_package_share_directory("hl_vision") + "/config/ball.weights"
                                 : params.ball_weights;
    return BallNetwork::from_file(file);
  }

  void on_parameters(const DetectionNodeParams& params) {
    const bool freezes = params.core.colour.frozen && !detection_.params().colour.frozen;
    detection_.set_params(params.core);
    if (!freezes || params.colour_file.empty() || !detection_.field_colour().known()) return;
    try {
      detection_.field_colour().save(params.colour_file);
    } catch (const std::exception& error) {
      fault_ = error.what();
    }
  }

  void on_info(const sensor_msgs::msg::CameraInfo& info) {
    Lens lens;
    if (auto error = to_lens(info, lens)) {
      fault_ = std::move(*error);
    } else {
      lens_ = lens;
    }
  }

  void on_image(const sensor_msgs::msg::Image& image) {
    const double stamp = rclcpp::Time(image.header.stamp).seconds();
    if (stamp <= last_stamp_ && last_stamp_ - stamp < 1.0) {
      refuse(image.header, "pictures whose stamps go back are dropped");
      return;
    }
    last_stamp_ = stamp;
    Detection::Inputs inputs;
    if (auto error = to_bgr(image, inputs.bgr)) {
      refuse(image.header, std::move(*error));
      return;
    }
    if (lens_) {
      if (const auto pose = camera_.at(buffer_, image.header, parameters_.values().oldest_pose)) {
        inputs.view = CameraView(*lens_, *pose);
        inputs.body = limbs(image.header);
      }
    }
    const Detection::Outputs found = detection_.step(inputs, stamp);
    reason_ = found.reason;
    publish(image.header, found);
    if (classes_->get_subscription_count() > 0) publish_classes(image.header, found);
    ++pictures_;
    delay_ = now().seconds() - stamp;
  }

  /// Every picture is answered, so that whoever waits for the answer (a simulator in lock-step) never waits in vain.
  void refuse(const std_msgs::msg::Header& header, std::string reason) {
    ++dropped_;
    fault_ = std::move(reason);
    publish(header, {});
  }

  std::vector<Limb> limbs(const std_msgs::msg::Header& header) {
    std::vector<Limb> result;
    for (const auto& capsule : capsules_) {
      std_msgs::msg::Header at;
      at.stamp = header.stamp;
      at.frame_id = capsule.link;
      if (const auto pose = pose_at(buffer_, header.frame_id, at, parameters_.values().oldest_pose))
        result.push_back({*pose * capsule.from, *pose * capsule.to, capsule.radius});
    }
    return result;
  }

  void publish(const std_msgs::msg::Header& header, const Detection::Outputs& found) {
    msg::BallInImage nothing;
    nothing.header = header;
    ball_->publish(found.ball ? to_message(header, *found.ball) : nothing);
    msg::BallsInImage candidates;
    candidates.header = header;
    for (const auto& c : found.candidates) candidates.candidates.push_back(to_message(header, c));
    balls_->publish(candidates);
    goal_parts_->publish(goal_parts_message(header, found));
    goal_->publish(to_message(header, found.goal));
    obstacles_->publish(obstacles_message(header, found));
    lines_->publish(lines_message(header, found));
  }

  void publish_classes(const std_msgs::msg::Header& header, const Detection::Outputs& found) {
    const cv::Mat picture = class_picture(found);
    if (picture.empty()) return;
    sensor_msgs::msg::CompressedImage message;
    message.header = header;
    message.format = "bgr8; png compressed bgr8";
    cv::imencode(".png", picture, message.data, {cv::IMWRITE_PNG_COMPRESSION, 1});
    classes_->publish(message);
  }

  void report() {
    const auto number = [](double value) {
      char text[32];
      std::snprintf(text, sizeof text, "%.3f", value);
      return std::string(text);
    };
    const auto colour = detection_.field_colour().chromaticity();
    const hl_node::Diagnostics::Values values = {
        {"rate (Hz)", std::to_string(pictures_)},
        {"dropped", std::to_string(dropped_)},
        {"delay (s)", number(delay_)},
        {"field colour frozen", detection_.params().colour.frozen ? "yes" : "no"},
        {"white from", number(detection_.params().colour.white_factor * detection_.field_colour().brightness())},
        {"field known", detection_.field_colour().known() ? "yes" : "no"},
        {"field colour (r g b)", number(colour[0]) + " " + number(colour[1]) + " " + number(colour[2])},
        {"field brightness", number(detection_.field_colour().brightness())}};
    std::string text = !fault_.empty() ? fault_ : reason_;
    if (pictures_ == 0 && fault_.empty()) text = "no pictures: is the camera running?";
    const bool fine = text.empty();
    diagnostics_.report(fine ? hl_node::Level::Ok : hl_node::Level::Warn, fine ? "sees" : text, values);
    pictures_ = dropped_ = 0;
    fault_.clear();
  }

  hl_node::NodeParameters<DetectionNodeParams> parameters_;
  Detection detection_;
  MountedCamera camera_;
  tf2_ros::Buffer buffer_;
  tf2_ros::TransformListener listener_;
  hl_node::Diagnostics diagnostics_;
  std::vector<hl_description::CapsuleConfig> capsules_;
  std::optional<Lens> lens_;
  double last_stamp_ = -1e9, delay_ = 0.0;
  int pictures_ = 0, dropped_ = 0;
  std::string fault_, reason_;
  rclcpp::Publisher<msg::BallInImage>::SharedPtr ball_;
  rclcpp::Publisher<msg::BallsInImage>::SharedPtr balls_;
  rclcpp::Publisher<msg::GoalPartsInImage>::SharedPtr goal_parts_;
  rclcpp::Publisher<msg::GoalInImage>::SharedPtr goal_;
  rclcpp::Publisher<msg::ObstaclesInImage>::SharedPtr obstacles_;
  rclcpp::Publisher<msg::LineInformationInImage>::SharedPtr lines_;
  rclcpp::Publisher<sensor_msgs::msg::CompressedImage>::SharedPtr classes_;
  rclcpp::Subscription<sensor_msgs::msg::CameraInfo>::SharedPtr info_;
  rclcpp::Subscription<sensor_msgs::msg::Image>::SharedPtr image_;
  rclcpp::TimerBase::SharedPtr timer_;
};

std::shared_ptr<rclcpp::Node> make_detection_node(const rclcpp::NodeOptions& options) {
  return std::make_shared<DetectionNode>(options);
}

}  // namespace hl_vision

RCLCPP_COMPONENTS_REGISTER_NODE(hl_vision::DetectionNode)
