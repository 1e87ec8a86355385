// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tf2_ros/static_transform_broadcaster.h"
#include "tf2_ros/transform_broadcaster.h"

namespace tf2_ros {

void TransformBroadcaster::sendTransform(const geometry_msgs::msg::TransformStamped& transform) {
  sendTransform(std::vector<geometry_msgs::msg::TransformStamped>{transform});
}

void TransformBroadcaster::sendTransform(const std::vector<geometry_msgs::msg::TransformStamped>& transforms) {
  auto message = std::make_unique<tf2_msgs::msg::TFMessage>();
  message->transforms = transforms;
  publisher_->publish(std::move(message));
}

void StaticTransformBroadcaster::sendTransform(const geometry_msgs::msg::TransformStamped& transform) {
  sendTransform(std::vector<geometry_msgs::msg::TransformStamped>{transform});
}

void StaticTransformBroadcaster::sendTransform(const std::vector<geometry_msgs::msg::TransformStamped>& transforms) {
  for (const auto& transform : transforms) {
    const auto same = std::find_if(all_.transforms.begin(), all_.transforms.end(),
                                   [&](const auto& known) { return known.child_frame_id == transform.child_frame_id; });
    if (same == all_.transforms.end()) {
      all_.transforms.push_back(transform);
    } else {
      *same = transform;
    }
  }
  publisher_->publish(all_);
}

}  // namespace tf2_ros
