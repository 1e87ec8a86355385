// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <chrono>
#include <geometry_msgs/msg/point.hpp>
#include <geometry_msgs/msg/point_stamped.hpp>
#include <geometry_msgs/msg/pose.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/quaternion.hpp>
#include <geometry_msgs/msg/quaternion_stamped.hpp>
#include <geometry_msgs/msg/transform.hpp>
#include <geometry_msgs/msg/transform_stamped.hpp>
#include <geometry_msgs/msg/twist.hpp>
#include <geometry_msgs/msg/vector3.hpp>

#include "tf2/convert.h"

namespace tf2 {

// ---- transforms ---------------------------------------------------------------------------------------------------

inline Eigen::Isometry3d transformToEigen(const geometry_msgs::msg::Transform& t) {
  return Eigen::Isometry3d(Eigen::Translation3d(t.translation.x, t.translation.y, t.translation.z) *
                           Eigen::Quaterniond(t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z));
}
inline Eigen::Isometry3d transformToEigen(const geometry_msgs::msg::TransformStamped& t) {
  return transformToEigen(t.transform);
}

namespace eigen_impl {

template <int Mode>
geometry_msgs::msg::TransformStamped to_transform(const Eigen::Transform<double, 3, Mode>& t) {
  const Eigen::Quaterniond q(t.linear());
  geometry_msgs::msg::TransformStamped out;
  out.transform.translation.x = t.translation().x();
  out.transform.translation.y = t.translation().y();
  out.transform.translation.z = t.translation().z();
  out.transform.rotation.x = q.x();
  out.transform.rotation.y = q.y();
  out.transform.rotation.z = q.z();
  out.transform.rotation.w = q.w();
  return out;
}

template <int Mode>
geometry_msgs::msg::Pose to_pose(const Eigen::Transform<double, 3, Mode>& t) {
  const auto transform = to_transform(t).transform;
  geometry_msgs::msg::Pose out;
  out.position.x = transform.translation.x;
  out.position.y = transform.translation.y;
  out.position.z = transform.translation.z;
  out.orientation = transform.rotation;
  if (out.orientation.w < 0.0) {  // the same rotation, written the usual way
    out.orientation.x = -out.orientation.x;
    out.orientation.y = -out.orientation.y;
    out.orientation.z = -out.orientation.z;
    out.orientation.w = -out.orientation.w;
  }
  return out;
}

template <class Transform>
void from_pose(const geometry_msgs::msg::Pose& in, Transform& out) {
  out = Transform(Eigen::Translation3d(in.position.x, in.position.y, in.position.z) *
                  Eigen::Quaterniond(in.orientation.w, in.orientation.x, in.orientation.y, in.orientation.z));
}

}  // namespace eigen_impl

inline geometry_msgs::msg::TransformStamped eigenToTransform(const Eigen::Affine3d& t) {
  return eigen_impl::to_transform(t);
}
inline geometry_msgs::msg::TransformStamped eigenToTransform(const Eigen::Isometry3d& t) {
  return eigen_impl::to_transform(t);
}

// ---- conversions --------------------------------------------------------------------------------------------------

inline geometry_msgs::msg::Point toMsg(const Eigen::Vector3d& in) {
  geometry_msgs::msg::Point out;
  out.x = in.x();
  out.y = in.y();
  out.z = in.z();
  return out;
}
inline geometry_msgs::msg::Vector3& toMsg(const Eigen::Vector3d& in, geometry_msgs::msg::Vector3& out) {
  out.x = in.x();
  out.y = in.y();
  out.z = in.z();
  return out;
}
inline void fromMsg(const geometry_msgs::msg::Point& in, Eigen::Vector3d& out) {
  out = Eigen::Vector3d(in.x, in.y, in.z);
}
inline void fromMsg(const geometry_msgs::msg::Vector3& in, Eigen::Vector3d& out) {
  out = Eigen::Vector3d(in.x, in.y, in.z);
}

inline geometry_msgs::msg::Quaternion toMsg(const Eigen::Quaterniond& in) {
  geometry_msgs::msg::Quaternion out;
  out.x = in.x();
  out.y = in.y();
  out.z = in.z();
  out.w = in.w();
  return out;
}
inline geometry_msgs::msg::Quaternion& toMsg(const Eigen::Quaterniond& in, geometry_msgs::msg::Quaternion& out) {
  return out = toMsg(in);
}
inline void fromMsg(const geometry_msgs::msg::Quaternion& in, Eigen::Quaterniond& out) {
  out = Eigen::Quaterniond(in.w, in.x, in.y, in.z);
}

inline geometry_msgs::msg::Pose toMsg(const Eigen::Affine3d& in) {
  return eigen_impl::to_pose(in);
}
inline geometry_msgs::msg::Pose toMsg(const Eigen::Isometry3d& in) {
  return eigen_impl::to_pose(in);
}
inline void fromMsg(const geometry_msgs::msg::Pose& in, Eigen::Affine3d& out) {
  eigen_impl::from_pose(in, out);
}
inline void fromMsg(const geometry_msgs::msg::Pose& in, Eigen::Isometry3d& out) {
  eigen_impl::from_pose(in, out);
}

inline geometry_msgs::msg::Twist toMsg(const Eigen::Matrix<double, 6, 1>& in) {
  geometry_msgs::msg::Twist out;
  toMsg(Eigen::Vector3d(in.head<3>()), out.linear);
  toMsg(Eigen::Vector3d(in.tail<3>()), out.angular);
  return out;
}
inline void fromMsg(const geometry_msgs::msg::Twist& in, Eigen::Matrix<double, 6, 1>& out) {
  out << in.linear.x, in.linear.y, in.linear.z, in.angular.x, in.angular.y, in.angular.z;
}

// ---- with stamp and frame -----------------------------------------------------------------------------------------

namespace eigen_impl {

template <class Header, class T>
void set_header(const Stamped<T>& in, Header& header) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(in.stamp_.time_since_epoch());
  header.stamp.sec = static_cast<int32_t>(seconds.count());
  header.stamp.nanosec = static_cast<uint32_t>((in.stamp_.time_since_epoch() - seconds).count());
  header.frame_id = in.frame_id_;
}

template <class Header, class T>
void take_header(const Header& header, Stamped<T>& out) {
  out.stamp_ = TimePoint(std::chrono::seconds(header.stamp.sec) + std::chrono::nanoseconds(header.stamp.nanosec));
  out.frame_id_ = header.frame_id;
}

}  // namespace eigen_impl

inline geometry_msgs::msg::PointStamped toMsg(const Stamped<Eigen::Vector3d>& in) {
  geometry_msgs::msg::PointStamped out;
  eigen_impl::set_header(in, out.header);
  out.point = toMsg(static_cast<const Eigen::Vector3d&>(in));
  return out;
}
inline void fromMsg(const geometry_msgs::msg::PointStamped& in, Stamped<Eigen::Vector3d>& out) {
  eigen_impl::take_header(in.header, out);
  fromMsg(in.point, static_cast<Eigen::Vector3d&>(out));
}
inline geometry_msgs::msg::QuaternionStamped toMsg(const Stamped<Eigen::Quaterniond>& in) {
  geometry_msgs::msg::QuaternionStamped out;
  eigen_impl::set_header(in, out.header);
  out.quaternion = toMsg(static_cast<const Eigen::Quaterniond&>(in));
  return out;
}
inline void fromMsg(const geometry_msgs::msg::QuaternionStamped& in, Stamped<Eigen::Quaterniond>& out) {
  eigen_impl::take_header(in.header, out);
  fromMsg(in.quaternion, static_cast<Eigen::Quaterniond&>(out));
}
inline geometry_msgs::msg::PoseStamped toMsg(const Stamped<Eigen::Affine3d>& in) {
  geometry_msgs::msg::PoseStamped out;
  eigen_impl::set_header(in, out.header);
  out.pose = toMsg(static_cast<const Eigen::Affine3d&>(in));
  return out;
}
inline geometry_msgs::msg::PoseStamped toMsg(const Stamped<Eigen::Isometry3d>& in) {
  geometry_msgs::msg::PoseStamped out;
  eigen_impl::set_header(in, out.header);
  out.pose = toMsg(static_cast<const Eigen::Isometry3d&>(in));
  return out;
}
inline void fromMsg(const geometry_msgs::msg::PoseStamped& in, Stamped<Eigen::Affine3d>& out) {
  eigen_impl::take_header(in.header, out);
  fromMsg(in.pose, static_cast<Eigen::Affine3d&>(out));
}
inline void fromMsg(const geometry_msgs::msg::PoseStamped& in, Stamped<Eigen::Isometry3d>& out) {
  eigen_impl::take_header(in.header, out);
  fromMsg(in.pose, static_cast<Eigen::Isometry3d&>(out));
}

// ---- doTransform --------------------------------------------------------------------------------------------------

template <>
inline void doTransform(const Eigen::Vector3d& t_in, Eigen::Vector3d& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  t_out = transformToEigen(transform) * t_in;
}
template <>
inline void doTransform(const Eigen::Quaterniond& t_in, Eigen::Quaterniond& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  Eigen::Quaterniond rotation;
  fromMsg(transform.transform.rotation, rotation);
  t_out = rotation * t_in;
}
template <>
inline void doTransform(const Eigen::Affine3d& t_in, Eigen::Affine3d& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  t_out = Eigen::Affine3d(transformToEigen(transform) * t_in);
}
template <>
inline void doTransform(const Eigen::Isometry3d& t_in, Eigen::Isometry3d& t_out,
                        const geometry_msgs::msg::TransformStamped& transform) {
  t_out = transformToEigen(transform) * t_in;
}

#define TF2_EIGEN_STAMPED(Type)                                                        \
  template <>                                                                          \
  inline void doTransform(const Stamped<Type>& t_in, Stamped<Type>& t_out,             \
                          const geometry_msgs::msg::TransformStamped& transform) {     \
    doTransform(static_cast<const Type&>(t_in), static_cast<Type&>(t_out), transform); \
    eigen_impl::take_header(transform.header, t_out);                                  \
  }                                                                                    \
  static_assert(true, "")

TF2_EIGEN_STAMPED(Eigen::Vector3d);
TF2_EIGEN_STAMPED(Eigen::Quaterniond);
TF2_EIGEN_STAMPED(Eigen::Affine3d);
TF2_EIGEN_STAMPED(Eigen::Isometry3d);

#undef TF2_EIGEN_STAMPED

}  // namespace tf2

// tf2::convert finds the functions for Eigen's types in Eigen's namespace.
namespace Eigen {

using tf2::fromMsg;
using tf2::toMsg;

}  // namespace Eigen
