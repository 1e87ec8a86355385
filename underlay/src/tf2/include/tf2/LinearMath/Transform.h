// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tf2/LinearMath/Matrix3x3.h"

namespace tf2 {

/// Rotation, then translation: p -> basis * p + origin.
class Transform {
 public:
  Transform() = default;
  explicit Transform(const Quaternion& q, const Vector3& c = Vector3(0.0, 0.0, 0.0)) : basis_(q), origin_(c) {}
  explicit Transform(const Matrix3x3& b, const Vector3& c = Vector3(0.0, 0.0, 0.0)) : basis_(b), origin_(c) {}

  void mult(const Transform& t1, const Transform& t2) {
    const Vector3 origin = t1(t2.origin_);
    basis_ = t1.basis_ * t2.basis_;
    origin_ = origin;
  }
  Vector3 operator()(const Vector3& v) const { return basis_ * v + origin_; }
  Vector3 operator*(const Vector3& v) const { return (*this)(v); }
  Quaternion operator*(const Quaternion& q) const { return getRotation() * q; }
  Transform operator*(const Transform& t) const { return Transform(basis_ * t.basis_, (*this)(t.origin_)); }
  Transform& operator*=(const Transform& t) { return *this = *this * t; }

  Matrix3x3& getBasis() { return basis_; }
  const Matrix3x3& getBasis() const { return basis_; }
  Vector3& getOrigin() { return origin_; }
  const Vector3& getOrigin() const { return origin_; }
  Quaternion getRotation() const {
    Quaternion q;
    basis_.getRotation(q);
    return q;
  }
  void setOrigin(const Vector3& origin) { origin_ = origin; }
  void setBasis(const Matrix3x3& basis) { basis_ = basis; }
  void setRotation(const Quaternion& q) { basis_.setRotation(q); }
  void setIdentity() {
    basis_.setIdentity();
    origin_.setZero();
  }
  static const Transform& getIdentity() {
    static const Transform identity(Matrix3x3::getIdentity());
    return identity;
  }

  Vector3 invXform(const Vector3& v) const { return basis_.transpose() * (v - origin_); }
  Transform inverse() const {
    const Matrix3x3 inverted = basis_.transpose();
    return Transform(inverted, inverted * -origin_);
  }
  Transform inverseTimes(const Transform& t) const { return inverse() * t; }

 private:
  Matrix3x3 basis_;
  Vector3 origin_;
};

inline bool operator==(const Transform& a, const Transform& b) {
  return a.getBasis() == b.getBasis() && a.getOrigin() == b.getOrigin();
}

}  // namespace tf2
