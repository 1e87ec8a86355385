// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tf2/LinearMath/Quaternion.h"
#include "tf2/LinearMath/Vector3.h"

namespace tf2 {

class Matrix3x3 {
 public:
  Matrix3x3() = default;  // zero
  explicit Matrix3x3(const Quaternion& q) { setRotation(q); }
  Matrix3x3(const tf2Scalar& xx, const tf2Scalar& xy, const tf2Scalar& xz, const tf2Scalar& yx, const tf2Scalar& yy,
            const tf2Scalar& yz, const tf2Scalar& zx, const tf2Scalar& zy, const tf2Scalar& zz) {
    setValue(xx, xy, xz, yx, yy, yz, zx, zy, zz);
  }

  Vector3 getColumn(int i) const { return Vector3(rows_[0][i], rows_[1][i], rows_[2][i]); }
  const Vector3& getRow(int i) const { return rows_[i]; }
  Vector3& operator[](int i) { return rows_[i]; }
  const Vector3& operator[](int i) const { return rows_[i]; }

  void setValue(const tf2Scalar& xx, const tf2Scalar& xy, const tf2Scalar& xz, const tf2Scalar& yx, const tf2Scalar& yy,
                const tf2Scalar& yz, const tf2Scalar& zx, const tf2Scalar& zy, const tf2Scalar& zz) {
    rows_[0].setValue(xx, xy, xz);
    rows_[1].setValue(yx, yy, yz);
    rows_[2].setValue(zx, zy, zz);
  }
  void setIdentity() { setValue(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0); }
  static const Matrix3x3& getIdentity() {
    static const Matrix3x3 identity(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    return identity;
  }

  /// Any length but zero: the quaternion is normalised.
  void setRotation(const Quaternion& q) {
    const tf2Scalar s = 2.0 / q.length2();
    const tf2Scalar xs = q.x() * s, ys = q.y() * s, zs = q.z() * s;
    const tf2Scalar wx = q.w() * xs, wy = q.w() * ys, wz = q.w() * zs;
    const tf2Scalar xx = q.x() * xs, xy = q.x() * ys, xz = q.x() * zs;
    const tf2Scalar yy = q.y() * ys, yz = q.y() * zs, zz = q.z() * zs;
    setValue(1.0 - (yy + zz), xy - wz, xz + wy, xy + wz, 1.0 - (xx + zz), yz - wx, xz - wy, yz + wx, 1.0 - (xx + yy));
  }

  /// Rz(yaw) Ry(pitch) Rx(roll).
  void setEulerYPR(tf2Scalar yaw, tf2Scalar pitch, tf2Scalar roll) {
    Quaternion q;
    q.setRPY(roll, pitch, yaw);
    setRotation(q);
  }
  void setRPY(tf2Scalar roll, tf2Scalar pitch, tf2Scalar yaw) { setEulerYPR(yaw, pitch, roll); }

  void getRotation(Quaternion& q) const {
    const tf2Scalar trace = rows_[0].x() + rows_[1].y() + rows_[2].z();
    tf2Scalar value[4];
    if (trace > 0.0) {
      tf2Scalar s = tf2Sqrt(trace + 1.0);
      value[3] = s * 0.5;
      s = 0.5 / s;
      value[0] = (rows_[2].y() - rows_[1].z()) * s;
      value[1] = (rows_[0].z() - rows_[2].x()) * s;
      value[2] = (rows_[1].x() - rows_[0].y()) * s;
    } else {  // start from the largest diagonal element, so that nothing is divided by almost zero
      const int i = Vector3(rows_[0].x(), rows_[1].y(), rows_[2].z()).maxAxis();
      const int j = (i + 1) % 3;
      const int k = (i + 2) % 3;
      tf2Scalar s = tf2Sqrt(rows_[i][i] - rows_[j][j] - rows_[k][k] + 1.0);
      value[i] = s * 0.5;
      s = 0.5 / s;
      value[3] = (rows_[k][j] - rows_[j][k]) * s;
      value[j] = (rows_[j][i] + rows_[i][j]) * s;
      value[k] = (rows_[k][i] + rows_[i][k]) * s;
    }
    q.setValue(value[0], value[1], value[2], value[3]);
  }

  /// Two sets of angles describe every rotation; solution 1 has its pitch within a quarter turn.
  void getEulerYPR(tf2Scalar& yaw, tf2Scalar& pitch, tf2Scalar& roll, unsigned int solution_number = 1) const {
    const tf2Scalar sin_pitch = -rows_[2].x();
    if (tf2Fabs(sin_pitch) >= 1.0) {  // yaw and roll turn about the same axis: all of it is roll
      yaw = 0.0;
      const bool down = sin_pitch > 0.0;
      pitch = down ? TF2SIMD_HALF_PI : -TF2SIMD_HALF_PI;
      roll = down ? tf2Atan2(rows_[0].y(), rows_[0].z()) : tf2Atan2(-rows_[0].y(), -rows_[0].z());
      return;
    }
    pitch = tf2Asin(sin_pitch);
    tf2Scalar sign = 1.0;
    if (solution_number != 1) {
      pitch = TF2SIMD_PI - pitch;
      sign = -1.0;
    }
    roll = tf2Atan2(rows_[2].y() * sign, rows_[2].z() * sign);
    yaw = tf2Atan2(rows_[1].x() * sign, rows_[0].x() * sign);
  }
  void getRPY(tf2Scalar& roll, tf2Scalar& pitch, tf2Scalar& yaw, unsigned int solution_number = 1) const {
    getEulerYPR(yaw, pitch, roll, solution_number);
  }

  Matrix3x3& operator*=(const Matrix3x3& m) {
    const Matrix3x3 a = *this;
    for (int i = 0; i < 3; ++i) rows_[i].setValue(m.tdotx(a[i]), m.tdoty(a[i]), m.tdotz(a[i]));
    return *this;
  }
  Matrix3x3& operator+=(const Matrix3x3& m) {
    for (int i = 0; i < 3; ++i) rows_[i] += m[i];
    return *this;
  }
  Matrix3x3& operator-=(const Matrix3x3& m) {
    for (int i = 0; i < 3; ++i) rows_[i] -= m[i];
    return *this;
  }
  bool operator==(const Matrix3x3& m) const { return rows_[0] == m[0] && rows_[1] == m[1] && rows_[2] == m[2]; }

  Matrix3x3 scaled(const Vector3& s) const {  // columns times s
    Matrix3x3 result = *this;
    for (int i = 0; i < 3; ++i) result[i] *= s;
    return result;
  }
  tf2Scalar determinant() const { return rows_[0].triple(rows_[1], rows_[2]); }
  tf2Scalar cofac(int r1, int c1, int r2, int c2) const {
    return rows_[r1][c1] * rows_[r2][c2] - rows_[r1][c2] * rows_[r2][c1];
  }
  Matrix3x3 adjoint() const {
    return Matrix3x3(cofac(1, 1, 2, 2), cofac(0, 2, 2, 1), cofac(0, 1, 1, 2), cofac(1, 2, 2, 0), cofac(0, 0, 2, 2),
                     cofac(0, 2, 1, 0), cofac(1, 0, 2, 1), cofac(0, 1, 2, 0), cofac(0, 0, 1, 1));
  }
  Matrix3x3 absolute() const {
    Matrix3x3 result;
    for (int i = 0; i < 3; ++i) result[i] = rows_[i].absolute();
    return result;
  }
  Matrix3x3 transpose() const {
    return Matrix3x3(rows_[0].x(), rows_[1].x(), rows_[2].x(), rows_[0].y(), rows_[1].y(), rows_[2].y(), rows_[0].z(),
                     rows_[1].z(), rows_[2].z());
  }
  Matrix3x3 inverse() const {
    Matrix3x3 result = adjoint();
    const tf2Scalar s = 1.0 / determinant();
    for (int i = 0; i < 3; ++i) result[i] *= s;
    return result;
  }
  Matrix3x3 transposeTimes(const Matrix3x3& m) const { return transpose() *= m; }
  Matrix3x3 timesTranspose(const Matrix3x3& m) const { return Matrix3x3(*this) *= m.transpose(); }

  tf2Scalar tdotx(const Vector3& v) const { return rows_[0].x() * v.x() + rows_[1].x() * v.y() + rows_[2].x() * v.z(); }
  tf2Scalar tdoty(const Vector3& v) const { return rows_[0].y() * v.x() + rows_[1].y() * v.y() + rows_[2].y() * v.z(); }
  tf2Scalar tdotz(const Vector3& v) const { return rows_[0].z() * v.x() + rows_[1].z() * v.y() + rows_[2].z() * v.z(); }

 private:
  Vector3 rows_[3];
};

inline Vector3 operator*(const Matrix3x3& m, const Vector3& v) {
  return Vector3(m[0].dot(v), m[1].dot(v), m[2].dot(v));
}
inline Vector3 operator*(const Vector3& v, const Matrix3x3& m) {
  return Vector3(m.tdotx(v), m.tdoty(v), m.tdotz(v));
}
inline Matrix3x3 operator*(const Matrix3x3& a, const Matrix3x3& b) {
  return Matrix3x3(a) *= b;
}

}  // namespace tf2
