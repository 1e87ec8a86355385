// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tf2/LinearMath/Vector3.h"

namespace tf2 {

/// A rotation as x, y, z, w. A default-constructed one is all zero, which is no rotation: set it first.
class Quaternion {
 public:
  Quaternion() = default;
  Quaternion(const tf2Scalar& x, const tf2Scalar& y, const tf2Scalar& z, const tf2Scalar& w) : v_{x, y, z, w} {}
  Quaternion(const Vector3& axis, const tf2Scalar& angle) { setRotation(axis, angle); }

  const tf2Scalar& getX() const { return v_[0]; }
  const tf2Scalar& getY() const { return v_[1]; }
  const tf2Scalar& getZ() const { return v_[2]; }
  const tf2Scalar& getW() const { return v_[3]; }
  const tf2Scalar& x() const { return v_[0]; }
  const tf2Scalar& y() const { return v_[1]; }
  const tf2Scalar& z() const { return v_[2]; }
  const tf2Scalar& w() const { return v_[3]; }
  void setX(tf2Scalar x) { v_[0] = x; }
  void setY(tf2Scalar y) { v_[1] = y; }
  void setZ(tf2Scalar z) { v_[2] = z; }
  void setW(tf2Scalar w) { v_[3] = w; }
  void setValue(const tf2Scalar& x, const tf2Scalar& y, const tf2Scalar& z, const tf2Scalar& w) {
    *this = Quaternion(x, y, z, w);
  }
  operator tf2Scalar*() { return v_; }
  operator const tf2Scalar*() const { return v_; }
  bool operator==(const Quaternion& q) const { return x() == q.x() && y() == q.y() && z() == q.z() && w() == q.w(); }
  bool operator!=(const Quaternion& q) const { return !(*this == q); }

  void setRotation(const Vector3& axis, const tf2Scalar& angle) {
    const tf2Scalar s = tf2Sin(angle * 0.5) / axis.length();
    setValue(axis.x() * s, axis.y() * s, axis.z() * s, tf2Cos(angle * 0.5));
  }

  /// Fixed axes: first about x, then y, then z.
  void setRPY(const tf2Scalar& roll, const tf2Scalar& pitch, const tf2Scalar& yaw) {
    const tf2Scalar cr = tf2Cos(roll * 0.5), sr = tf2Sin(roll * 0.5);
    const tf2Scalar cp = tf2Cos(pitch * 0.5), sp = tf2Sin(pitch * 0.5);
    const tf2Scalar cy = tf2Cos(yaw * 0.5), sy = tf2Sin(yaw * 0.5);
    setValue(sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy,
             cr * cp * cy + sr * sp * sy);
  }

  /// Bullet's convention, kept for old code: yaw about y, pitch about x, roll about z. Use setRPY.
  void setEuler(const tf2Scalar& yaw, const tf2Scalar& pitch, const tf2Scalar& roll) {
    const tf2Scalar cy = tf2Cos(yaw * 0.5), sy = tf2Sin(yaw * 0.5);
    const tf2Scalar cp = tf2Cos(pitch * 0.5), sp = tf2Sin(pitch * 0.5);
    const tf2Scalar cr = tf2Cos(roll * 0.5), sr = tf2Sin(roll * 0.5);
    setValue(cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy, sr * cp * cy - cr * sp * sy,
             cr * cp * cy + sr * sp * sy);
  }

  Quaternion& operator+=(const Quaternion& q) {
    return *this = Quaternion(x() + q.x(), y() + q.y(), z() + q.z(), w() + q.w());
  }
  Quaternion& operator-=(const Quaternion& q) {
    return *this = Quaternion(x() - q.x(), y() - q.y(), z() - q.z(), w() - q.w());
  }
  Quaternion& operator*=(const tf2Scalar& s) { return *this = Quaternion(x() * s, y() * s, z() * s, w() * s); }
  Quaternion& operator/=(const tf2Scalar& s) { return *this *= tf2Scalar(1.0) / s; }
  inline Quaternion& operator*=(const Quaternion& q);

  Quaternion operator+(const Quaternion& q) const { return Quaternion(*this) += q; }
  Quaternion operator-(const Quaternion& q) const { return Quaternion(*this) -= q; }
  Quaternion operator-() const { return Quaternion(-x(), -y(), -z(), -w()); }
  Quaternion operator*(const tf2Scalar& s) const { return Quaternion(*this) *= s; }
  Quaternion operator/(const tf2Scalar& s) const { return Quaternion(*this) /= s; }

  tf2Scalar dot(const Quaternion& q) const { return x() * q.x() + y() * q.y() + z() * q.z() + w() * q.w(); }
  tf2Scalar length2() const { return dot(*this); }
  tf2Scalar length() const { return tf2Sqrt(length2()); }
  Quaternion& normalize() { return *this /= length(); }
  Quaternion normalized() const { return *this / length(); }
  Quaternion inverse() const { return Quaternion(-x(), -y(), -z(), w()); }

  /// Half the angle between two rotations as quaternions lie in 4D, as in Bullet; angleShortestPath is the real one.
  tf2Scalar angle(const Quaternion& q) const { return tf2Acos(dot(q) / tf2Sqrt(length2() * q.length2())); }
  tf2Scalar angleShortestPath(const Quaternion& q) const {
    return tf2Acos(tf2Fabs(dot(q)) / tf2Sqrt(length2() * q.length2())) * 2.0;
  }
  tf2Scalar getAngle() const { return 2.0 * tf2Acos(w()); }
  tf2Scalar getAngleShortestPath() const { return 2.0 * tf2Acos(tf2Fabs(w())); }
  Vector3 getAxis() const {
    const tf2Scalar s2 = 1.0 - w() * w();
    if (s2 < 10.0 * TF2SIMD_EPSILON) return Vector3(1.0, 0.0, 0.0);  // any axis serves a zero angle
    return Vector3(x(), y(), z()) / tf2Sqrt(s2);
  }
  Quaternion farthest(const Quaternion& q) const { return dot(q) > 0.0 ? -q : q; }
  Quaternion nearest(const Quaternion& q) const { return dot(q) < 0.0 ? -q : q; }

  /// From this (t = 0) to q (t = 1) along the shorter way.
  Quaternion slerp(const Quaternion& q, const tf2Scalar& t) const {
    const Quaternion to = nearest(q);
    const tf2Scalar theta = tf2Acos(dot(to) / tf2Sqrt(length2() * to.length2()));
    if (theta < 1e-6) return (*this * (1.0 - t) + to * t).normalized();
    return (*this * tf2Sin((1.0 - t) * theta) + to * tf2Sin(t * theta)) / tf2Sin(theta);
  }

  static const Quaternion& getIdentity() {
    static const Quaternion identity(0.0, 0.0, 0.0, 1.0);
    return identity;
  }

 private:
  tf2Scalar v_[4] = {0.0, 0.0, 0.0, 0.0};
};

inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return Quaternion(a.w() * b.x() + a.x() * b.w() + a.y() * b.z() - a.z() * b.y(),
                    a.w() * b.y() + a.y() * b.w() + a.z() * b.x() - a.x() * b.z(),
                    a.w() * b.z() + a.z() * b.w() + a.x() * b.y() - a.y() * b.x(),
                    a.w() * b.w() - a.x() * b.x() - a.y() * b.y() - a.z() * b.z());
}
inline Quaternion operator*(const Quaternion& q, const Vector3& v) {
  return q * Quaternion(v.x(), v.y(), v.z(), 0.0);
}
inline Quaternion operator*(const Vector3& v, const Quaternion& q) {
  return Quaternion(v.x(), v.y(), v.z(), 0.0) * q;
}
inline Quaternion& Quaternion::operator*=(const Quaternion& q) {
  return *this = *this * q;
}

inline tf2Scalar dot(const Quaternion& a, const Quaternion& b) {
  return a.dot(b);
}
inline tf2Scalar length(const Quaternion& q) {
  return q.length();
}
inline tf2Scalar angle(const Quaternion& a, const Quaternion& b) {
  return a.angle(b);
}
inline tf2Scalar angleShortestPath(const Quaternion& a, const Quaternion& b) {
  return a.angleShortestPath(b);
}
inline Quaternion inverse(const Quaternion& q) {
  return q.inverse();
}
inline Quaternion slerp(const Quaternion& a, const Quaternion& b, const tf2Scalar& t) {
  return a.slerp(b, t);
}

inline Vector3 quatRotate(const Quaternion& rotation, const Vector3& v) {
  const Quaternion q = rotation * v * rotation.inverse();
  return Vector3(q.x(), q.y(), q.z());
}

/// The smallest rotation that turns unit vector v0 into unit vector v1.
inline Quaternion shortestArcQuat(const Vector3& v0, const Vector3& v1) {
  const Vector3 c = v0.cross(v1);
  const tf2Scalar d = v0.dot(v1);
  if (d < -1.0 + 1e-12) {  // opposite: half a turn about any perpendicular axis
    const Vector3 other = v0.furthestAxis() == 0 ? Vector3(1.0, 0.0, 0.0) : Vector3(0.0, 1.0, 0.0);
    const Vector3 axis = v0.cross(other).normalized();
    return Quaternion(axis.x(), axis.y(), axis.z(), 0.0);
  }
  const tf2Scalar s = tf2Sqrt((1.0 + d) * 2.0);
  return Quaternion(c.x() / s, c.y() / s, c.z() / s, s * 0.5);
}
inline Quaternion shortestArcQuatNormalize2(Vector3& v0, Vector3& v1) {
  return shortestArcQuat(v0.normalize(), v1.normalize());
}

}  // namespace tf2
