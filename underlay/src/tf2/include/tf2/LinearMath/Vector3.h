// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tf2/LinearMath/MinMax.h"
#include "tf2/LinearMath/Scalar.h"

namespace tf2 {

class Vector3 {
 public:
  tf2Scalar m_floats[4] = {0.0, 0.0, 0.0, 0.0};

  Vector3() = default;
  Vector3(const tf2Scalar& x, const tf2Scalar& y, const tf2Scalar& z) : m_floats{x, y, z, 0.0} {}

  const tf2Scalar& getX() const { return m_floats[0]; }
  const tf2Scalar& getY() const { return m_floats[1]; }
  const tf2Scalar& getZ() const { return m_floats[2]; }
  void setX(tf2Scalar x) { m_floats[0] = x; }
  void setY(tf2Scalar y) { m_floats[1] = y; }
  void setZ(tf2Scalar z) { m_floats[2] = z; }
  void setW(tf2Scalar w) { m_floats[3] = w; }
  const tf2Scalar& x() const { return m_floats[0]; }
  const tf2Scalar& y() const { return m_floats[1]; }
  const tf2Scalar& z() const { return m_floats[2]; }
  const tf2Scalar& w() const { return m_floats[3]; }
  void setValue(const tf2Scalar& x, const tf2Scalar& y, const tf2Scalar& z) {
    m_floats[0] = x;
    m_floats[1] = y;
    m_floats[2] = z;
    m_floats[3] = 0.0;
  }
  void setZero() { setValue(0.0, 0.0, 0.0); }

  operator tf2Scalar*() { return m_floats; }
  operator const tf2Scalar*() const { return m_floats; }

  bool operator==(const Vector3& other) const { return x() == other.x() && y() == other.y() && z() == other.z(); }
  bool operator!=(const Vector3& other) const { return !(*this == other); }

  Vector3& operator+=(const Vector3& v) {
    m_floats[0] += v.x();
    m_floats[1] += v.y();
    m_floats[2] += v.z();
    return *this;
  }
  Vector3& operator-=(const Vector3& v) {
    m_floats[0] -= v.x();
    m_floats[1] -= v.y();
    m_floats[2] -= v.z();
    return *this;
  }
  Vector3& operator*=(const tf2Scalar& s) {
    m_floats[0] *= s;
    m_floats[1] *= s;
    m_floats[2] *= s;
    return *this;
  }
  Vector3& operator*=(const Vector3& v) {  // element by element
    m_floats[0] *= v.x();
    m_floats[1] *= v.y();
    m_floats[2] *= v.z();
    return *this;
  }
  Vector3& operator/=(const tf2Scalar& s) { return *this *= tf2Scalar(1.0) / s; }

  tf2Scalar dot(const Vector3& v) const { return x() * v.x() + y() * v.y() + z() * v.z(); }
  tf2Scalar length2() const { return dot(*this); }
  tf2Scalar length() const { return tf2Sqrt(length2()); }
  inline tf2Scalar distance2(const Vector3& v) const;
  inline tf2Scalar distance(const Vector3& v) const;
  Vector3& normalize() { return *this /= length(); }
  inline Vector3 normalized() const;
  inline Vector3 rotate(const Vector3& wAxis, tf2Scalar angle) const;  // wAxis is a unit vector
  tf2Scalar angle(const Vector3& v) const { return tf2Acos(dot(v) / tf2Sqrt(length2() * v.length2())); }
  Vector3 absolute() const { return Vector3(tf2Fabs(x()), tf2Fabs(y()), tf2Fabs(z())); }
  Vector3 cross(const Vector3& v) const {
    return Vector3(y() * v.z() - z() * v.y(), z() * v.x() - x() * v.z(), x() * v.y() - y() * v.x());
  }
  tf2Scalar triple(const Vector3& v1, const Vector3& v2) const { return dot(v1.cross(v2)); }
  int minAxis() const { return x() < y() ? (x() < z() ? 0 : 2) : (y() < z() ? 1 : 2); }
  int maxAxis() const { return x() < y() ? (y() < z() ? 2 : 1) : (x() < z() ? 2 : 0); }
  int furthestAxis() const { return absolute().minAxis(); }
  int closestAxis() const { return absolute().maxAxis(); }
  void setInterpolate3(const Vector3& v0, const Vector3& v1, tf2Scalar rt) {
    const tf2Scalar s = tf2Scalar(1.0) - rt;
    m_floats[0] = s * v0.x() + rt * v1.x();
    m_floats[1] = s * v0.y() + rt * v1.y();
    m_floats[2] = s * v0.z() + rt * v1.z();
  }
  Vector3 lerp(const Vector3& v, const tf2Scalar& t) const {
    Vector3 result;
    result.setInterpolate3(*this, v, t);
    return result;
  }
  void setMax(const Vector3& v) { setValue(tf2Max(x(), v.x()), tf2Max(y(), v.y()), tf2Max(z(), v.z())); }
  void setMin(const Vector3& v) { setValue(tf2Min(x(), v.x()), tf2Min(y(), v.y()), tf2Min(z(), v.z())); }
  bool isZero() const { return x() == 0.0 && y() == 0.0 && z() == 0.0; }
  bool fuzzyZero() const { return length2() < TF2SIMD_EPSILON; }
};

inline Vector3 operator+(const Vector3& a, const Vector3& b) {
  return Vector3(a.x() + b.x(), a.y() + b.y(), a.z() + b.z());
}
inline Vector3 operator-(const Vector3& a, const Vector3& b) {
  return Vector3(a.x() - b.x(), a.y() - b.y(), a.z() - b.z());
}
inline Vector3 operator-(const Vector3& v) {
  return Vector3(-v.x(), -v.y(), -v.z());
}
inline Vector3 operator*(const Vector3& a, const Vector3& b) {  // element by element
  return Vector3(a.x() * b.x(), a.y() * b.y(), a.z() * b.z());
}
inline Vector3 operator*(const Vector3& v, const tf2Scalar& s) {
  return Vector3(v.x() * s, v.y() * s, v.z() * s);
}
inline Vector3 operator*(const tf2Scalar& s, const Vector3& v) {
  return v * s;
}
inline Vector3 operator/(const Vector3& v, const tf2Scalar& s) {
  return v * (tf2Scalar(1.0) / s);
}
inline Vector3 operator/(const Vector3& a, const Vector3& b) {  // element by element
  return Vector3(a.x() / b.x(), a.y() / b.y(), a.z() / b.z());
}

inline tf2Scalar tf2Dot(const Vector3& a, const Vector3& b) {
  return a.dot(b);
}
inline tf2Scalar tf2Distance2(const Vector3& a, const Vector3& b) {
  return a.distance2(b);
}
inline tf2Scalar tf2Distance(const Vector3& a, const Vector3& b) {
  return a.distance(b);
}
inline tf2Scalar tf2Angle(const Vector3& a, const Vector3& b) {
  return a.angle(b);
}
inline Vector3 tf2Cross(const Vector3& a, const Vector3& b) {
  return a.cross(b);
}
inline tf2Scalar tf2Triple(const Vector3& a, const Vector3& b, const Vector3& c) {
  return a.triple(b, c);
}
inline Vector3 lerp(const Vector3& a, const Vector3& b, const tf2Scalar& t) {
  return a.lerp(b, t);
}

inline tf2Scalar Vector3::distance2(const Vector3& v) const {
  return (v - *this).length2();
}
inline tf2Scalar Vector3::distance(const Vector3& v) const {
  return (v - *this).length();
}
inline Vector3 Vector3::normalized() const {
  return *this / length();
}
inline Vector3 Vector3::rotate(const Vector3& wAxis, tf2Scalar angle) const {
  const Vector3 along = wAxis * wAxis.dot(*this);
  return along + (*this - along) * tf2Cos(angle) + wAxis.cross(*this) * tf2Sin(angle);
}

}  // namespace tf2
