// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <geometry_msgs/msg/point.hpp>
#include <geometry_msgs/msg/point32.hpp>
#include <geometry_msgs/msg/point_stamped.hpp>
#include <geometry_msgs/msg/polygon_stamped.hpp>
#include <geometry_msgs/msg/pose.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/pose_with_covariance.hpp>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <geometry_msgs/msg/quaternion.hpp>
#include <geometry_msgs/msg/quaternion_stamped.hpp>
#include <geometry_msgs/msg/transform.hpp>
#include <geometry_msgs/msg/transform_stamped.hpp>
#include <geometry_msgs/msg/vector3.hpp>
#include <geometry_msgs/msg/vector3_stamped.hpp>
#include <geometry_msgs/msg/wrench.hpp>
#include <geometry_msgs/msg/wrench_stamped.hpp>
#include <string>

#include "tf2/LinearMath/Quaternion.h"
#include "tf2/LinearMath/Transform.h"
#include "tf2/LinearMath/Vector3.h"
#include "tf2/convert.h"

namespace tf2 {
namespace geometry_impl {

inline TimePoint time(const builtin_interfaces::msg::Time& stamp) {
  return TimePoint(std::chrono::seconds(stamp.sec) + std::chrono::nanoseconds(stamp.nanosec));
}

inline builtin_interfaces::msg::Time stamp(const TimePoint& time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch());
  builtin_interfaces::msg::Time result;
  result.sec = static_cast<int32_t>(seconds.count());
  result.nanosec = static_cast<uint32_t>((time.time_since_epoch() - seconds).count());
  return result;
}

template <class Header>
void set_header(Header& header, const TimePoint& time, const std::string& frame) {
  header.stamp = stamp(time);
  header.frame_id = frame;
}

}  // namespace geometry_impl

// ---- vectors and points -------------------------------------------------------------------------------------------

inline geometry_msgs::msg::Vector3 toMsg(const tf2::Vector3& in) {
  geometry_msgs::msg::Vector3 out;
  out.x = in.x();
  out.y = in.y();
  out.z = in.z();
  return out;
}
inline void fromMsg(const geometry_msgs::msg::Vector3& in, tf2::Vector3& out) {
  out = tf2::Vector3(in.x, in.y, in.z);
}
inline geometry_msgs::msg::Vector3 toMsg(const geometry_msgs::msg::Vector3& in) {
  return in;
}
inline void fromMsg(const geometry_msgs::msg::Vector3& in, geometry_msgs::msg::Vector3& out) {
  out = in;
}

inline geometry_msgs::msg::Point& toMsg(const tf2::Vector3& in, geometry_msgs::msg::Point& out) {
  out.x = in.x();
  out.y = in.y();
  out.z = in.z();
  return out;
}
inline void fromMsg(const geometry_msgs::msg::Point& in, tf2::Vector3& out) {
  out = tf2::Vector3(in.x, in.y, in.z);
}
inline geometry_msgs::msg::Point toMsg(const geometry_msgs::msg::Point& in) {
  return in;
}
inline void fromMsg(const geometry_msgs::msg::Point& in, geometry_msgs::msg::Point& out) {
  out = in;
}

inline geometry_msgs::msg::Vector3Stamped toMsg(const tf2::Stamped<tf2::Vector3>& in) {
  geometry_msgs::msg::Vector3Stamped out;
  geometry_impl::set_header(out.header, in.stamp_, in.frame_id_);
  out.vector = toMsg(static_cast<const tf2::Vector3&>(in));
  return out;
}
inline void fromMsg(const geometry_msgs::msg::Vector3Stamped& in, tf2::Stamped<tf2::Vector3>& out) {
  out.stamp_ = geometry_impl::time(in.header.stamp);
  out.frame_id_ = in.header.frame_id;
  fromMsg(in.vector, static_cast<tf2::Vector3&>(out));
}
inline geometry_msgs::msg::PointStamped& toMsg(const tf2::Stamped<tf2::Vector3>& in,
                                               geometry_msgs::msg::PointStamped& out) {
  geometry_impl::set_header(out.header, in.stamp_, in.frame_id_);
  toMsg(static_cast<const tf2::Vector3&>(in), out.point);
  return out;
}
inline void fromMsg(const geometry_msgs::msg::PointStamped& in, tf2::Stamped<tf2::Vector3>& out) {
  out.stamp_ = geometry_impl::time(in.header.stamp);
  out.frame_id_ = in.header.frame_id;
  fromMsg(in.point, static_cast<tf2::Vector3&>(out));
}

// ---- rotations ----------------------------------------------------------------------------------------------------

inline geometry_msgs::msg::Quaternion toMsg(const tf2::Quaternion& in) {
  geometry_msgs::msg::Quaternion out;
  out.x = in.x();
  out.y = in.y();
  out.z = in.z();
  out.w = in.w();
  return out;
}
inline void fromMsg(const geometry_msgs::msg::Quaternion& in, tf2::Quaternion& out) {
  out = tf2::Quaternion(in.x, in.y, in.z, in.w);
}
inline geometry_msgs::msg::Quaternion toMsg(const geometry_msgs::msg::Quaternion& in) {
  return in;
}
inline void fromMsg(const geometry_msgs::msg::Quaternion& in, geometry_msgs::msg::Quaternion& out) {
  out = in;
}

inline geometry_msgs::msg::QuaternionStamped toMsg(const tf2::Stamped<tf2::Quaternion>& in) {
  geometry_msgs::msg::QuaternionStamped out;
  geometry_impl::set_header(out.header, in.stamp_, in.frame_id_);
  out.quaternion = toMsg(static_cast<const tf2::Quaternion&>(in));
  return out;
}
inline void fromMsg(const geometry_msgs::msg::QuaternionStamped& in, tf2::Stamped<tf2::Quaternion>& out) {
  out.stamp_ = geometry_impl::time(in.header.stamp);
  out.frame_id_ = in.header.frame_id;
  fromMsg(in.quaternion, static_cast<tf2::Quaternion&>(out));
}

// ---- transforms and poses -----------------------------------------------------------------------------------------

inline geometry_msgs::msg::Transform toMsg(const tf2::Transform& in) {
  geometry_msgs::msg::Transform out;
  out.translation = toMsg(in.getOrigin());
  out.rotation = toMsg(in.getRotation());
  return out;
}
inline void fromMsg(const geometry_msgs::msg::Transform& in, tf2::Transform& out) {
  tf2::Vector3 origin;
  tf2::Quaternion rotation;
  fromMsg(in.translation, origin);
  fromMsg(in.rotation, rotation);
  out = tf2::Transform(rotation, origin);
}
inline geometry_msgs::msg::Transform toMsg(const geometry_msgs::msg::Transform& in) {
  return in;
}
inline void fromMsg(const geometry_msgs::msg::Transform& in, geometry_msgs::msg::Transform& out) {
  out = in;
}

inline geometry_msgs::msg::TransformStamped toMsg(const tf2::Stamped<tf2::Transform>& in) {
  geometry_msgs::msg::TransformStamped out;
  geometry_impl::set_header(out.header, in.stamp_, in.frame_id_);
  out.transform = toMsg(static_cast<const tf2::Transform&>(in));
  return out;
}
inline void fromMsg(const geometry_msgs::msg::TransformStamped& in, tf2::Stamped<tf2::Transform>& out) {
  out.stamp_ = geometry_impl::time(in.header.stamp);
  out.frame_id_ = in.header.frame_id;
  fromMsg(in.transform, static_cast<tf2::Transform&>(out));
}
inline geometry_msgs::msg::TransformStamped toMsg(const geometry_msgs::msg::TransformStamped& in) {
  return in;
}
inline void fromMsg(const geometry_msgs::msg::TransformStamped& in, geometry_msgs::msg::TransformStamped& out) {
  out = in;
}

inline geometry_msgs::msg::Pose& toMsg(const tf2::Transform& in, geometry_msgs::msg::Pose& out) {
  toMsg(in.getOrigin(), out.position);
  out.orientation = toMsg(in.getRotation());
  return out;
}
inline void fromMsg(const geometry_msgs::msg::Pose& in, tf2::Transform& out) {
  out.setOrigin(tf2::Vector3(in.position.x, in.position.y, in.position.z));
  out.setRotation(tf2::Quaternion(in.orientation.x, in.orientation.y, in.orientation.z, in.orientation.w));
}
inline geometry_msgs::msg::Pose toMsg(const geometry_msgs::msg::Pose& in) {
  return in;
}
inline void fromMsg(const geometry_msgs::msg::Pose& in, geometry_msgs::msg::Pose& out) {
  out = in;
}

inline geometry_msgs::msg::PoseStamped& toMsg(const tf2::Stamped<tf2::Transform>& in,
                                              geometry_msgs::msg::PoseStamped& out) {
  geometry_impl::set_header(out.header, in.stamp_, in.frame_id_);
  toMsg(static_cast<const tf2::Transform&>(in), out.pose);
  return out;
}
inline void fromMsg(const geometry_msgs::msg::PoseStamped& in, tf2::Stamped<tf2::Transform>& out) {
  out.stamp_ = geometry_impl::time(in.header.stamp);
  out.frame_id_ = in.header.frame_id;
  fromMsg(in.pose, static_cast<tf2::Transform&>(out));
}
inline geometry_msgs::msg::PoseStamped toMsg(const geometry_msgs::msg::PoseStamped& in) {
  return in;
}
inline void fromMsg(const geometry_msgs::msg::PoseStamped& in, geometry_msgs::msg::PoseStamped& out) {
  out = in;
}

// ---- time and frame of the stamped messages -----------------------------------------------------------------------

#define TF2_GEOMETRY_MSGS_STAMPED(Message)                                   \
  template <>                                                                \
  inline tf2::TimePoint getTimestamp(const geometry_msgs::msg::Message& t) { \
    return geometry_impl::time(t.header.stamp);                              \
  }                                                                          \
  template <>                                                                \
  inline std::string getFrameId(const geometry_msgs::msg::Message& t) {      \
    return t.header.frame_id;                                                \
  }                                                                          \
  static_assert(true, "")

TF2_GEOMETRY_MSGS_STAMPED(Vector3Stamped);
TF2_GEOMETRY_MSGS_STAMPED(PointStamped);
TF2_GEOMETRY_MSGS_STAMPED(QuaternionStamped);
TF2_GEOMETRY_MSGS_STAMPED(PoseStamped);
TF2_GEOMETRY_MSGS_STAMPED(PoseWithCovarianceStamped);
TF2_GEOMETRY_MSGS_STAMPED(TransformStamped);
TF2_GEOMETRY_MSGS_STAMPED(PolygonStamped);
TF2_GEOMETRY_MSGS_STAMPED(WrenchStamped);

#undef TF2_GEOMETRY_MSGS_STAMPED

// ---- doTransform: from the transform's child frame to its header frame ---------------------------------------------

namespace geometry_impl {

inline tf2::Transform transform_of(const geometry_msgs::msg::TransformStamped& message) {
  tf2::Transform transform;
  fromMsg(message.transform, transform);
  return transform;
}

/// Rotates both halves of a pose covariance (x, y, z, roll, pitch, yaw; row by row).
inline std::array<double, 36> rotate_covariance(const std::array<double, 36>& in, const tf2::Matrix3x3& r) {
  std::array<double, 36> out{};
  for (size_t row = 0; row < 6; row += 3) {
    for (size_t column = 0; column < 6; column += 3) {
      tf2::Matrix3x3 block;
      for (size_t i = 0; i < 3; ++i) {
        for (size_t j = 0; j < 3; ++j) block[static_cast<int>(i)][static_cast<int>(j)] = in[(row + i) * 6 + column + j];
      }
      block = r * block * r.transpose();
      for (size_t i = 0; i < 3; ++i) {
        for (size_t j = 0; j < 3; ++j)
          out[(row + i) * 6 + column + j] = block[static_cast<int>(i)][static_cast<int>(j)];
      }
    }
  }
  return out;
}

}  // namespace geometry_impl

template <>
inline void doTransform(const geometry_msgs::msg::Vector3& t_in, geometry_msgs::msg::Vector3& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  t_out = toMsg(geometry_impl::transform_of(transform).getBasis() * tf2::Vector3(t_in.x, t_in.y, t_in.z));
}

template <>
inline void doTransform(const geometry_msgs::msg::Point& t_in, geometry_msgs::msg::Point& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  toMsg(geometry_impl::transform_of(transform) * tf2::Vector3(t_in.x, t_in.y, t_in.z), t_out);
}

template <>
inline void doTransform(const geometry_msgs::msg::Point32& t_in, geometry_msgs::msg::Point32& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  const tf2::Vector3 v = geometry_impl::transform_of(transform) * tf2::Vector3(t_in.x, t_in.y, t_in.z);
  t_out.x = static_cast<float>(v.x());
  t_out.y = static_cast<float>(v.y());
  t_out.z = static_cast<float>(v.z());
}

template <>
inline void doTransform(const geometry_msgs::msg::Quaternion& t_in, geometry_msgs::msg::Quaternion& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  tf2::Quaternion rotation;
  fromMsg(transform.transform.rotation, rotation);
  t_out = toMsg(rotation * tf2::Quaternion(t_in.x, t_in.y, t_in.z, t_in.w));
}

template <>
inline void doTransform(const geometry_msgs::msg::Pose& t_in, geometry_msgs::msg::Pose& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  tf2::Transform pose;
  fromMsg(t_in, pose);
  toMsg(geometry_impl::transform_of(transform) * pose, t_out);
}

template <>
inline void doTransform(const geometry_msgs::msg::Transform& t_in, geometry_msgs::msg::Transform& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  tf2::Transform inner;
  fromMsg(t_in, inner);
  t_out = toMsg(geometry_impl::transform_of(transform) * inner);
}

template <>
inline void doTransform(const geometry_msgs::msg::Wrench& t_in, geometry_msgs::msg::Wrench& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  const tf2::Transform t = geometry_impl::transform_of(transform);
  tf2::Vector3 force, torque;
  fromMsg(t_in.force, force);
  fromMsg(t_in.torque, torque);
  force = t.getBasis() * force;
  // The force now acts at a distance from the new origin.
  t_out.torque = toMsg(t.getBasis() * torque + t.getOrigin().cross(force));
  t_out.force = toMsg(force);
}

template <>
inline void doTransform(const geometry_msgs::msg::PoseWithCovariance& t_in,
                        geometry_msgs::msg::PoseWithCovariance& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  doTransform(t_in.pose, t_out.pose, transform);
  t_out.covariance =
      geometry_impl::rotate_covariance(t_in.covariance, geometry_impl::transform_of(transform).getBasis());
}

template <>
inline void doTransform(const geometry_msgs::msg::Polygon& t_in, geometry_msgs::msg::Polygon& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  t_out.points.resize(t_in.points.size());
  for (size_t i = 0; i < t_in.points.size(); ++i) doTransform(t_in.points[i], t_out.points[i], transform);
}

#define TF2_GEOMETRY_MSGS_TRANSFORM_MEMBER(Message, member)                                            \
  template <>                                                                                          \
  inline void doTransform(const geometry_msgs::msg::Message& t_in, geometry_msgs::msg::Message& t_out, \
                          const geometry_msgs::msg::TransformStamped& transform) {                     \
    doTransform(t_in.member, t_out.member, transform);                                                 \
    t_out.header = transform.header;                                                                   \
  }                                                                                                    \
  static_assert(true, "")

TF2_GEOMETRY_MSGS_TRANSFORM_MEMBER(Vector3Stamped, vector);
TF2_GEOMETRY_MSGS_TRANSFORM_MEMBER(PointStamped, point);
TF2_GEOMETRY_MSGS_TRANSFORM_MEMBER(QuaternionStamped, quaternion);
TF2_GEOMETRY_MSGS_TRANSFORM_MEMBER(PoseStamped, pose);
TF2_GEOMETRY_MSGS_TRANSFORM_MEMBER(WrenchStamped, wrench);

#undef TF2_GEOMETRY_MSGS_TRANSFORM_MEMBER

template <>
inline void doTransform(const geometry_msgs::msg::TransformStamped& t_in, geometry_msgs::msg::TransformStamped& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  doTransform(t_in.transform, t_out.transform, transform);
  t_out.child_frame_id = t_in.child_frame_id;
  t_out.header = transform.header;
}

template <>
inline void doTransform(const geometry_msgs::msg::PoseWithCovarianceStamped& t_in,
                        geometry_msgs::msg::PoseWithCovarianceStamped& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  doTransform(t_in.pose, t_out.pose, transform);
  t_out.header = transform.header;
}

template <>
inline void doTransform(const geometry_msgs::msg::PolygonStamped& t_in, geometry_msgs::msg::PolygonStamped& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  doTransform(t_in.polygon, t_out.polygon, transform);
  t_out.header = transform.header;
}

}  // namespace tf2
