// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace rclcpp {
class Node;
}

namespace hl_visualization {

class BehaviorView;
class FieldView;
class HcmView;
class ImageView;
class RelativeView;
class TeamLinkView;
class WalkView;

/// Which robot a view shows, and which others are there. Names are namespaces without slashes; "" = none.
struct Target {
  std::string robot;
  std::vector<std::string> all;  // `robot` among them
};

/// Listens for one view. Messages arrive in the spin thread and only change a record of the newest data; the GUI thread
/// asks for it with `refresh`. Made and destroyed in the GUI thread.
class Adapter {
 public:
  virtual ~Adapter() = default;
  /// GUI thread, about 20 times a second: hands over to the view what is new. True if there was something.
  virtual bool refresh() = 0;
  /// GUI thread, about once a second: what is wrong with the data, in words.
  virtual std::vector<std::string> notices() = 0;
};

std::unique_ptr<Adapter> make_behavior_adapter(rclcpp::Node& node, const Target& target, BehaviorView& view);
std::unique_ptr<Adapter> make_field_adapter(rclcpp::Node& node, const Target& target, FieldView& view);
std::unique_ptr<Adapter> make_hcm_adapter(rclcpp::Node& node, const Target& target, HcmView& view);
std::unique_ptr<Adapter> make_image_adapter(rclcpp::Node& node, const Target& target, ImageView& view);
std::unique_ptr<Adapter> make_relative_adapter(rclcpp::Node& node, const Target& target, RelativeView& view);
std::unique_ptr<Adapter> make_team_link_adapter(rclcpp::Node& node, const Target& target, TeamLinkView& view);
std::unique_ptr<Adapter> make_walk_adapter(rclcpp::Node& node, const Target& target, WalkView& view);

}  // namespace hl_visualization
