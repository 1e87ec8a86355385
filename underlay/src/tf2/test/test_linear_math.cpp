// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "tf2/LinearMath/Transform.h"
#include "tf2/time.h"
#include "tf2/utils.h"

namespace {

using tf2::Matrix3x3;
using tf2::Quaternion;
using tf2::Transform;
using tf2::Vector3;

constexpr double kTolerance = 1e-9;

class Random {
 public:
  double number(double range) { return std::uniform_real_distribution<double>(-range, range)(engine_); }
  Vector3 vector() { return Vector3(number(3.0), number(3.0), number(3.0)); }
  Quaternion rotation() { return Quaternion(number(1.0), number(1.0), number(1.0), number(1.0)).normalized(); }

 private:
  std::mt19937 engine_{42};
};

void expect_near(const Vector3& a, const Vector3& b) {
  EXPECT_LT(a.distance(b), kTolerance);
}
void expect_same_rotation(const Quaternion& a, const Quaternion& b) {
  EXPECT_LT(a.angleShortestPath(b), 1e-7);
}

TEST(Vector3, HasTheUsualProducts) {
  const Vector3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  expect_near(x.cross(y), z);
  EXPECT_DOUBLE_EQ(Vector3(1, 2, 3).dot(Vector3(4, -5, 6)), 12.0);
  EXPECT_DOUBLE_EQ(x.triple(y, z), 1.0);
  EXPECT_NEAR(x.angle(y), TF2SIMD_HALF_PI, kTolerance);
  expect_near(x.rotate(z, TF2SIMD_HALF_PI), y);
  expect_near(lerp(x, y, 0.25), Vector3(0.75, 0.25, 0));
  expect_near(2.0 * Vector3(1, 2, 3) / 4.0 - x, Vector3(-0.5, 1.0, 1.5));
  EXPECT_DOUBLE_EQ(Vector3(3, 4, 0).length(), 5.0);
  EXPECT_EQ(Vector3(3, -4, 0).closestAxis(), 1);
  Vector3 v(1, 2, 3);
  v[1] = 7.0;
  EXPECT_DOUBLE_EQ(v.y(), 7.0);
}

TEST(Quaternion, RotatesAsItsMatrixDoes) {
  Random random;
  for (int i = 0; i < 1000; ++i) {
    const Quaternion q = random.rotation(), p = random.rotation();
    const Vector3 v = random.vector();
    expect_near(tf2::quatRotate(q, v), Matrix3x3(q) * v);
    expect_near(Matrix3x3(q * p) * v, Matrix3x3(q) * (Matrix3x3(p) * v));
    Quaternion back;
    Matrix3x3(q).getRotation(back);
    expect_same_rotation(q, back);
    expect_same_rotation(q * q.inverse(), Quaternion::getIdentity());
    expect_same_rotation(Quaternion(q.getAxis(), q.getAngle()), q);
  }
}

TEST(Quaternion, RollPitchYawRoundTripInBothSolutions) {
  Random random;
  for (int i = 0; i < 1000; ++i) {
    const double roll = random.number(3.1), pitch = random.number(1.5), yaw = random.number(3.1);
    Quaternion q;
    q.setRPY(roll, pitch, yaw);
    double r = 0, p = 0, y = 0;
    Matrix3x3(q).getRPY(r, p, y);
    EXPECT_NEAR(r, roll, 1e-7);
    EXPECT_NEAR(p, pitch, 1e-7);
    EXPECT_NEAR(y, yaw, 1e-7);
    EXPECT_NEAR(tf2::getYaw(q), yaw, 1e-7);
    Matrix3x3(q).getRPY(r, p, y, 2);
    Quaternion other;
    other.setRPY(r, p, y);
    expect_same_rotation(q, other);
  }
}

TEST(Quaternion, RollPitchYawOrderIsFixedAxes) {
  Quaternion q;
  q.setRPY(TF2SIMD_HALF_PI, 0.0, TF2SIMD_HALF_PI);
  expect_near(tf2::quatRotate(q, Vector3(0, 1, 0)), Vector3(0, 0, 1));  // roll first, then yaw leaves z alone
  double yaw = 9, pitch = 9, roll = 9;
  q.setRPY(0.3, TF2SIMD_HALF_PI, 0.0);
  tf2::getEulerYPR(q, yaw, pitch, roll);
  Quaternion again;
  again.setRPY(roll, pitch, yaw);
  expect_same_rotation(q, again);
}

TEST(Quaternion, SlerpTakesTheShortWay) {
  const Vector3 z(0, 0, 1);
  const Quaternion a(z, 0.2), b(z, 1.0);
  for (const Quaternion& to : {b, -b}) {
    EXPECT_NEAR(tf2::getYaw(a.slerp(to, 0.25)), 0.4, kTolerance);
  }
  EXPECT_NEAR(tf2::getYaw(a.slerp(a, 0.5)), 0.2, kTolerance);
  EXPECT_NEAR(a.angleShortestPath(b), 0.8, kTolerance);
}

TEST(Quaternion, ShortestArcTurnsOneVectorIntoTheOther) {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const Vector3 a = random.vector().normalized(), b = i % 10 ? random.vector().normalized() : -a;
    EXPECT_LT(tf2::quatRotate(tf2::shortestArcQuat(a, b), a).distance(b), 1e-5);
  }
}

TEST(Matrix3x3, InverseTransposeAndDeterminant) {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const Matrix3x3 m(random.number(2), random.number(2), random.number(2), random.number(2), random.number(2),
                      random.number(2), random.number(2), random.number(2), random.number(2));
    if (std::abs(m.determinant()) < 1e-2) continue;
    const Matrix3x3 identity = m * m.inverse();
    const Vector3 v = random.vector();
    EXPECT_LT((identity * v).distance(v), 1e-6);
    expect_near(m.transpose() * v, v * m);
    expect_near(m.timesTranspose(m) * v, m * (m.transpose() * v));
  }
}

TEST(Transform, ComposesAndInverts) {
  Random random;
  for (int i = 0; i < 500; ++i) {
    const Transform a(random.rotation(), random.vector()), b(random.rotation(), random.vector());
    const Vector3 v = random.vector();
    expect_near((a * b) * v, a * (b * v));
    expect_near(a.inverse() * (a * v), v);
    expect_near(a.invXform(v), a.inverse() * v);
    expect_near(a.inverseTimes(b) * v, a.inverse() * (b * v));
    Transform c;
    c.mult(a, b);
    expect_near(c * v, a * (b * v));
  }
  EXPECT_TRUE(Transform::getIdentity() * Transform::getIdentity() == Transform::getIdentity());
}

TEST(Time, ConvertsSeconds) {
  EXPECT_EQ(tf2::durationFromSec(1.5), std::chrono::milliseconds(1500));
  EXPECT_DOUBLE_EQ(tf2::timeToSec(tf2::timeFromSec(12.25)), 12.25);
  EXPECT_EQ(tf2::displayTimePoint(tf2::timeFromSec(12.25)), "12.250000");
  EXPECT_EQ(tf2::timeFromSec(0.0), tf2::TimePointZero);
}

}  // namespace
