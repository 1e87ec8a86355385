// SPDX-License-Identifier: Apache-2.0
// Bytes that ROS 2 Humble itself wrote, and type hashes of Jazzy.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <numeric>
#include <set>

#include "action_msgs/msg/goal_status_array.hpp"
#include "diagnostic_msgs/msg/diagnostic_array.hpp"
#include "geometry_msgs/msg/twist.hpp"
#include "nav_msgs/msg/odometry.hpp"
#include "rcl_interfaces/msg/log.hpp"
#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rcl_interfaces/msg/parameter_type.hpp"
#include "rcl_interfaces/srv/get_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters.hpp"
#include "rosidl_typesupport_cpp/service_type_support.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/imu.hpp"
#include "sensor_msgs/msg/joint_state.hpp"
#include "std_msgs/msg/bool.hpp"
#include "std_msgs/msg/empty.hpp"
#include "std_msgs/msg/float32_multi_array.hpp"
#include "std_msgs/msg/string.hpp"
#include "tf2_msgs/msg/tf_message.hpp"
#include "trajectory_msgs/msg/joint_trajectory.hpp"
#include "visualization_msgs/msg/marker.hpp"
#include "visualization_msgs/srv/get_interactive_markers.hpp"
#include "wire.hpp"

namespace {

/// The samples are told apart by their type and the description of their content.
std::string golden_hex(const std::string& type, const std::string& content_starts_with) {
  static const YAML::Node file = YAML::LoadFile(TEST_DATA "/humble_cdr_golden.json");
  for (const auto& sample : file["samples"]) {
    if (sample["type"].as<std::string>() == type &&
        sample["content"].as<std::string>().rfind(content_starts_with, 0) == 0) {
      return sample["cdr_hex"].as<std::string>();
    }
  }
  throw std::out_of_range("no golden sample " + type + " " + content_starts_with);
}

std::set<std::string>& checked() {
  static std::set<std::string> samples;
  return samples;
}

template <class T>
void expect_golden(const T& msg, const std::string& content_starts_with = "") {
  const std::string golden = golden_hex(wire::ops<T>().ros_name, content_starts_with);
  EXPECT_EQ(wire::hex(wire::serialize(msg)), golden) << wire::ops<T>().ros_name;
  EXPECT_EQ(wire::deserialized<T>(wire::from_hex(golden)), msg) << wire::ops<T>().ros_name;
  checked().insert(golden);
}

std_msgs::msg::Header header(const std::string& frame = "imu_frame") {
  std_msgs::msg::Header value;
  value.stamp.sec = 1;
  value.stamp.nanosec = 2;
  value.frame_id = frame;
  return value;
}

rcl_interfaces::msg::Parameter half() {
  rcl_interfaces::msg::Parameter parameter;
  parameter.name = "k";
  parameter.value.type = rcl_interfaces::msg::ParameterType::PARAMETER_DOUBLE;
  parameter.value.double_value = 0.5;
  return parameter;
}

}  // namespace

TEST(Golden, StringBoolEmpty) {
  std_msgs::msg::String text;
  expect_golden(text, "data=''");
  text.data = "hello";
  expect_golden(text, "data='hello'");
  std_msgs::msg::Bool flag;
  flag.data = true;
  expect_golden(flag);
  expect_golden(std_msgs::msg::Empty());
}

TEST(Golden, Sensors) {
  sensor_msgs::msg::Imu imu;
  imu.header = header();
  imu.orientation_covariance[0] = -1.0;
  imu.angular_velocity.x = 0.5;
  imu.linear_acceleration.z = 9.81;
  expect_golden(imu);

  sensor_msgs::msg::JointState joints;
  joints.header = header();
  joints.name = {"HeadPan", "LKnee"};
  joints.position = {0.1, -0.2};
  joints.velocity = {1.0, 2.0};
  expect_golden(joints);

  sensor_msgs::msg::Image image;
  image.header = header();
  image.height = image.width = 2;
  image.encoding = "bgr8";
  image.step = 6;
  image.data.resize(12);
  std::iota(image.data.begin(), image.data.end(), std::uint8_t{0});
  expect_golden(image);
}

TEST(Golden, Motion) {
  trajectory_msgs::msg::JointTrajectory trajectory;
  trajectory.header = header();
  expect_golden(trajectory, "same header, no joints");
  trajectory.joint_names = {"a", "bcd"};
  trajectory.points.resize(1);
  trajectory.points[0].positions = {1.0, 2.0};
  trajectory.points[0].effort = {0.5, 0.25};
  trajectory.points[0].time_from_start.nanosec = 8'000'000;
  expect_golden(trajectory, "same header, joint_names");

  geometry_msgs::msg::Twist twist;
  twist.linear.x = 0.3;
  twist.angular.z = -0.5;
  expect_golden(twist);

  nav_msgs::msg::Odometry odometry;
  odometry.header = header("odom");
  odometry.child_frame_id = "base_footprint";
  odometry.pose.pose.position.x = 1.0;
  odometry.twist.twist.linear.x = 0.25;
  expect_golden(odometry);

  tf2_msgs::msg::TFMessage transforms;
  transforms.transforms.resize(1);
  transforms.transforms[0].header = header("odom");
  transforms.transforms[0].child_frame_id = "base_link";
  transforms.transforms[0].transform.translation.z = 0.4;
  expect_golden(transforms);
}

TEST(Golden, Parameters) {
  rcl_interfaces::msg::ParameterEvent event;
  event.stamp = header().stamp;
  event.node = "/x";
  event.new_parameters = {half()};
  expect_golden(event);

  rcl_interfaces::srv::SetParameters::Request set;
  set.parameters = {half()};
  expect_golden(set);

  rcl_interfaces::srv::GetParameters::Request get;
  get.names = {"a", "bb"};
  expect_golden(get);
}

TEST(Golden, Monitoring) {
  rcl_interfaces::msg::Log log;
  log.stamp = header().stamp;
  log.level = 20;
  log.name = "n";
  log.msg = "m";
  log.file = "f";
  log.function = "g";
  log.line = 7;
  expect_golden(log);

  diagnostic_msgs::msg::DiagnosticArray diagnostics;
  diagnostics.header = header();
  diagnostics.status.resize(1);
  auto& status = diagnostics.status[0];
  status.level = diagnostic_msgs::msg::DiagnosticStatus::WARN;
  status.name = "servo";
  status.message = "hot";
  status.hardware_id = "13";
  status.values.resize(1);
  status.values[0].key = "t";
  status.values[0].value = "71";
  expect_golden(diagnostics);

  action_msgs::msg::GoalStatusArray goals;
  goals.status_list.resize(1);
  auto& goal = goals.status_list[0];
  goal.status = action_msgs::msg::GoalStatus::STATUS_EXECUTING;
  std::iota(goal.goal_info.goal_id.uuid.begin(), goal.goal_info.goal_id.uuid.end(), std::uint8_t{0});
  goal.goal_info.stamp = header().stamp;
  expect_golden(goals);
}

TEST(Golden, ArraysAndMarkers) {
  std_msgs::msg::Float32MultiArray array;
  array.layout.dim.resize(1);
  array.layout.dim[0].label = "x";
  array.layout.dim[0].size = array.layout.dim[0].stride = 2;
  array.data = {1.0F, 2.0F};
  expect_golden(array);

  visualization_msgs::msg::Marker marker;
  marker.header = header();
  marker.ns = "ball";
  marker.id = 1;
  marker.type = visualization_msgs::msg::Marker::SPHERE;
  marker.scale.x = marker.scale.y = marker.scale.z = 0.14;
  marker.color.r = marker.color.a = 1.0F;
  expect_golden(marker);
}

// As rviz2 asks an interactive marker server: with nothing but the byte that stands for an empty structure.
TEST(Golden, InteractiveMarkersAreAskedForWithoutAField) {
  using visualization_msgs::srv::GetInteractiveMarkers;
  EXPECT_EQ(wire::hex(wire::serialize(GetInteractiveMarkers::Request())), "0001000000");
  GetInteractiveMarkers::Response response;
  response.sequence_number = 7;
  EXPECT_EQ(wire::hex(wire::serialize(response)),
            "00010000"
            "0700000000000000"
            "00000000");
}

TEST(Golden, EverySampleWasChecked) {
  const YAML::Node file = YAML::LoadFile(TEST_DATA "/humble_cdr_golden.json");
  if (checked().empty()) GTEST_SKIP() << "needs the other tests of this program";
  for (const auto& sample : file["samples"]) {
    EXPECT_EQ(checked().count(sample["cdr_hex"].as<std::string>()), 1U) << sample["type"] << sample["content"];
  }
}

/// Types of Jazzy that Humble does not have, or has in another form.
bool newer_than_humble(const std::string& type) {
  static const std::set<std::string> newer{"geometry_msgs/msg/PolygonInstance",
                                           "geometry_msgs/msg/PolygonInstanceStamped", "sensor_msgs/msg/Range"};
  return newer.count(type) == 1 || type.find("Logger") != std::string::npos;
}

TEST(TypeHash, HandlesCarryTheHashesOfJazzy) {
  const YAML::Node hashes = YAML::LoadFile(TEST_DATA "/jazzy_type_hashes.json");
  std::size_t messages = 0;
  std::size_t services = 0;
  for (const auto& entry : hashes) {
    const auto type = entry.first.as<std::string>();
    if (newer_than_humble(type) || type.find("_Event") != std::string::npos) continue;
    const std::string package = type.substr(0, type.find('/'));
    const std::string folder = type.substr(package.size() + 1, type.rfind('/') - package.size() - 1);
    const std::string name = type.substr(type.rfind('/') + 1);
    void* library = dlopen(("lib" + package + "__rosidl_typesupport_cpp.so").c_str(), RTLD_LAZY);
    ASSERT_NE(library, nullptr) << dlerror();
    const bool service = folder == "srv" && name.find('_') == std::string::npos;
    const std::string symbol = std::string("rosidl_typesupport_cpp__get_") + (service ? "service" : "message") +
                               "_type_support_handle__" + package + "__" + folder + "__" + name;
    void* function = dlsym(library, symbol.c_str());
    ASSERT_NE(function, nullptr) << symbol;
    const auto expected = entry.second.as<std::string>();
    if (service) {
      const auto* handle = reinterpret_cast<const rosidl_service_type_support_t* (*)()>(function)();
      const auto& ops = *static_cast<const underlay_cdr::ServiceOps*>(handle->data);
      EXPECT_EQ(ops.type_hash, expected) << type;
      EXPECT_EQ(ops.ros_name, type);
      EXPECT_EQ(ops.request->ros_name, type + "_Request");
      EXPECT_EQ(std::string(ops.dds_prefix) + "Response_", ops.response->dds_name);
      ++services;
    } else {
      const auto* handle = reinterpret_cast<const rosidl_message_type_support_t* (*)()>(function)();
      const auto& ops = *static_cast<const underlay_cdr::MessageOps*>(handle->data);
      EXPECT_EQ(ops.type_hash, expected) << type;
      EXPECT_EQ(ops.ros_name, type);
      EXPECT_EQ(std::string(ops.dds_name), package + "::" + folder + "::dds_::" + name + "_");
      ++messages;
    }
    dlclose(library);
  }
  EXPECT_GT(messages, 100U);
  EXPECT_EQ(services, 11U);
}
