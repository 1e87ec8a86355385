// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

using tf2Scalar = double;

#define TF2SIMD_FORCE_INLINE inline
#define TF2SIMD_PI tf2Scalar(3.1415926535897932384626433832795029)
#define TF2SIMD_2_PI (tf2Scalar(2.0) * TF2SIMD_PI)
#define TF2SIMD_HALF_PI (TF2SIMD_PI * tf2Scalar(0.5))
#define TF2SIMD_RADS_PER_DEG (TF2SIMD_2_PI / tf2Scalar(360.0))
#define TF2SIMD_DEGS_PER_RAD (tf2Scalar(360.0) / TF2SIMD_2_PI)
#define TF2SIMD_EPSILON std::numeric_limits<tf2Scalar>::epsilon()
#define TF2SIMD_INFINITY std::numeric_limits<tf2Scalar>::max()

inline tf2Scalar tf2Sqrt(tf2Scalar x) {
  return std::sqrt(x);
}
inline tf2Scalar tf2Fabs(tf2Scalar x) {
  return std::fabs(x);
}
inline tf2Scalar tf2Cos(tf2Scalar x) {
  return std::cos(x);
}
inline tf2Scalar tf2Sin(tf2Scalar x) {
  return std::sin(x);
}
inline tf2Scalar tf2Tan(tf2Scalar x) {
  return std::tan(x);
}
inline tf2Scalar tf2Acos(tf2Scalar x) {
  return std::acos(x < -1.0 ? -1.0 : x > 1.0 ? 1.0 : x);
}
inline tf2Scalar tf2Asin(tf2Scalar x) {
  return std::asin(x < -1.0 ? -1.0 : x > 1.0 ? 1.0 : x);
}
inline tf2Scalar tf2Atan(tf2Scalar x) {
  return std::atan(x);
}
inline tf2Scalar tf2Atan2(tf2Scalar y, tf2Scalar x) {
  return std::atan2(y, x);
}
inline tf2Scalar tf2Exp(tf2Scalar x) {
  return std::exp(x);
}
inline tf2Scalar tf2Log(tf2Scalar x) {
  return std::log(x);
}
inline tf2Scalar tf2Pow(tf2Scalar x, tf2Scalar y) {
  return std::pow(x, y);
}
inline tf2Scalar tf2Fmod(tf2Scalar x, tf2Scalar y) {
  return std::fmod(x, y);
}
inline bool tf2FuzzyZero(tf2Scalar x) {
  return tf2Fabs(x) < TF2SIMD_EPSILON;
}
inline tf2Scalar tf2Radians(tf2Scalar degrees) {
  return degrees * TF2SIMD_RADS_PER_DEG;
}
inline tf2Scalar tf2Degrees(tf2Scalar radians) {
  return radians * TF2SIMD_DEGS_PER_RAD;
}
inline tf2Scalar tf2NormalizeAngle(tf2Scalar radians) {
  return std::remainder(radians, TF2SIMD_2_PI);
}
