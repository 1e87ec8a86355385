// SPDX-License-Identifier: Apache-2.0
#include <tf2/LinearMath/Quaternion.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <string>

#include "tf2_ros/static_transform_broadcaster.h"

namespace {

constexpr char kUsage[] =
    "usage: static_transform_publisher [--x X] [--y Y] [--z Z] [--roll R --pitch P --yaw Y | --qx X --qy Y --qz Z --qw "
    "W]\n                                  --frame-id PARENT --child-frame-id CHILD\n"
    "   or: static_transform_publisher x y z yaw pitch roll parent child\n"
    "   or: static_transform_publisher x y z qx qy qz qw parent child\n"
    "lengths in m, angles in rad\n";

struct Arguments {
  std::map<std::string, double> numbers;
  std::string parent, child;
};

double number(const std::string& text, const std::string& name) {
  size_t used = 0;
  double value = 0.0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size()) throw std::invalid_argument(name + " '" + text + "' is not a number");
  return value;
}

Arguments parse(const std::vector<std::string>& words) {
  Arguments result;
  const auto positional = [&](std::initializer_list<const char*> names) {
    size_t i = 0;
    for (const char* name : names) {
      result.numbers[name] = number(words[i], name);
      ++i;
    }
    result.parent = words[i];
    result.child = words[i + 1];
  };
  if (words.empty() || words[0].rfind("--", 0) != 0) {
    if (words.size() == 8) {
      positional({"x", "y", "z", "yaw", "pitch", "roll"});
    } else if (words.size() == 9) {
      positional({"x", "y", "z", "qx", "qy", "qz", "qw"});
    } else {
      throw std::invalid_argument("wrong number of arguments");
    }
    return result;
  }
  for (size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 >= words.size()) throw std::invalid_argument("'" + words[i] + "' needs a value");
    const std::string& value = words[i + 1];
    if (words[i] == "--frame-id") {
      result.parent = value;
    } else if (words[i] == "--child-frame-id") {
      result.child = value;
    } else {
      const std::string name = words[i].substr(std::min<size_t>(2, words[i].size()));
      static const char* const known[] = {"x", "y", "z", "roll", "pitch", "yaw", "qx", "qy", "qz", "qw"};
      if (std::none_of(std::begin(known), std::end(known), [&](const char* k) { return name == k; })) {
        throw std::invalid_argument("unknown argument '" + words[i] + "'");
      }
      result.numbers[name] = number(value, name);
    }
  }
  return result;
}

geometry_msgs::msg::TransformStamped transform(Arguments& arguments) {
  if (arguments.parent.empty()) throw std::invalid_argument("--frame-id is missing");
  if (arguments.child.empty()) throw std::invalid_argument("--child-frame-id is missing");
  if (arguments.parent == arguments.child) throw std::invalid_argument("parent and child are the same frame");
  auto& n = arguments.numbers;
  tf2::Quaternion q;
  const bool as_quaternion = n.count("qx") || n.count("qy") || n.count("qz") || n.count("qw");
  if (as_quaternion) {
    if (n.count("roll") || n.count("pitch") || n.count("yaw")) {
      throw std::invalid_argument("give either roll, pitch, yaw or a quaternion");
    }
    q = tf2::Quaternion(n["qx"], n["qy"], n["qz"], n["qw"]);
    if (q.length2() < 1e-6) throw std::invalid_argument("the quaternion is zero");
    q.normalize();
  } else {
    q.setRPY(n["roll"], n["pitch"], n["yaw"]);
  }
  geometry_msgs::msg::TransformStamped t;
  t.header.frame_id = arguments.parent;
  t.child_frame_id = arguments.child;
  t.transform.translation.x = n["x"];
  t.transform.translation.y = n["y"];
  t.transform.translation.z = n["z"];
  t.transform.rotation.x = q.x();
  t.transform.rotation.y = q.y();
  t.transform.rotation.z = q.z();
  t.transform.rotation.w = q.w();
  return t;
}

}  // namespace

int main(int argc, char** argv) {
  auto words = rclcpp::init_and_remove_ros_arguments(argc, argv);
  words.erase(words.begin());
  geometry_msgs::msg::TransformStamped message;
  try {
    auto arguments = parse(words);
    message = transform(arguments);
  } catch (const std::invalid_argument& e) {
    std::fprintf(stderr, "static_transform_publisher: %s\n%s", e.what(), kUsage);
    return 1;
  }
  auto node = rclcpp::Node::make_shared("static_transform_publisher");
  tf2_ros::StaticTransformBroadcaster broadcaster(node);
  message.header.stamp = node->now();
  broadcaster.sendTransform(message);
  RCLCPP_INFO(node->get_logger(), "Publishing %s -> %s", message.header.frame_id.c_str(),
              message.child_frame_id.c_str());
  rclcpp::spin(node);
  rclcpp::shutdown();
  return 0;
}
