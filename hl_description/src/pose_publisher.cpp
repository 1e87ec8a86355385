// SPDX-License-Identifier: Apache-2.0
// Publishes one named pose of robot.yaml as joint states, to look at a model without a robot.
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>

#include "hl_description/robot_config.hpp"

namespace hl_description {

class PosePublisher : public rclcpp::Node {
 public:
  PosePublisher() : Node("pose_publisher") {
    const auto text = [this](const char* name, const char* otherwise, const char* description) {
      rcl_interfaces::msg::ParameterDescriptor descriptor;
      descriptor.description = description;
      return declare_parameter<std::string>(name, otherwise, descriptor);
    };
    const auto urdf_file = text("urdf_file", "", "URDF of the robot, expanded");
    const auto config_file = text("robot_config_file", "", "robot.yaml of the robot");
    model_ = RobotModel::from_file(urdf_file);
    config_ = RobotConfig::from_file(config_file);
    config_.check(model_);
    message_.name = model_.joint_names();
    set_pose(text("pose", "walkready", "name of a pose in robot.yaml"));

    callback_ = add_on_set_parameters_callback([this](const std::vector<rclcpp::Parameter>& parameters) {
      rcl_interfaces::msg::SetParametersResult result;
      result.successful = true;
      try {
        for (const auto& parameter : parameters)
          if (parameter.get_name() == "pose") set_pose(parameter.as_string());
      } catch (const ModelError& error) {
        result.successful = false;
        result.reason = error.what();
      }
      return result;
    });
    publisher_ = create_publisher<sensor_msgs::msg::JointState>("joint_states", rclcpp::QoS(5));
    timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(0.1), [this] {
      message_.header.stamp = now();
      publisher_->publish(message_);
    });
  }

 private:
  void set_pose(const std::string& name) {
    const Eigen::VectorXd positions = config_.pose(model_, name);
    message_.position.assign(positions.data(), positions.data() + positions.size());
  }

  RobotModel model_;
  RobotConfig config_;
  sensor_msgs::msg::JointState message_;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr callback_;
};

}  // namespace hl_description

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  try {
    rclcpp::spin(std::make_shared<hl_description::PosePublisher>());
  } catch (const hl_description::ModelError& error) {
    RCLCPP_FATAL(rclcpp::get_logger("pose_publisher"), "%s", error.what());
    rclcpp::shutdown();
    return 1;
  }
  rclcpp::shutdown();
  return 0;
}
