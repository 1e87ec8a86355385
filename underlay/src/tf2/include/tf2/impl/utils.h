// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <geometry_msgs/msg/quaternion.hpp>
#include <geometry_msgs/msg/quaternion_stamped.hpp>

#include "tf2/LinearMath/Matrix3x3.h"
#include "tf2/LinearMath/Quaternion.h"
#include "tf2/convert.h"

namespace tf2::impl {

inline tf2::Quaternion toQuaternion(const geometry_msgs::msg::Quaternion& q) {
  return {q.x, q.y, q.z, q.w};
}
inline tf2::Quaternion toQuaternion(const geometry_msgs::msg::QuaternionStamped& q) {
  return toQuaternion(q.quaternion);
}
inline tf2::Quaternion toQuaternion(const tf2::Quaternion& q) {
  return q;
}

/// Anything else that can be turned into a quaternion message.
template <typename T>
tf2::Quaternion toQuaternion(const T& t) {
  geometry_msgs::msg::Quaternion message = toMsg(t);
  return toQuaternion(message);
}

inline void getEulerYPR(const tf2::Quaternion& q, double& yaw, double& pitch, double& roll) {
  tf2::Matrix3x3(q).getEulerYPR(yaw, pitch, roll);
}

inline double getYaw(const tf2::Quaternion& q) {
  double yaw = 0.0, pitch = 0.0, roll = 0.0;
  getEulerYPR(q, yaw, pitch, roll);
  return yaw;
}

}  // namespace tf2::impl
