// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <geometry_msgs/msg/transform_stamped.hpp>
#include <rosidl_runtime_cpp/traits.hpp>
#include <string>

#include "tf2/exceptions.h"
#include "tf2/impl/convert.h"
#include "tf2/time.h"
#include "tf2/transform_datatypes.h"

namespace tf2 {

/// Specialised per type by tf2_geometry_msgs, tf2_eigen and others: include the one for your type.
template <class T>
void doTransform(const T& data_in, T& data_out, const geometry_msgs::msg::TransformStamped& transform);

template <class T>
tf2::TimePoint getTimestamp(const T& t);

template <class T>
std::string getFrameId(const T& t);

template <class P>
tf2::TimePoint getTimestamp(const tf2::Stamped<P>& t) {
  return t.stamp_;
}

template <class P>
std::string getFrameId(const tf2::Stamped<P>& t) {
  return t.frame_id_;
}

/// Between any two types of which at least one is a message, or both have one message in common.
template <class A, class B>
void convert(const A& a, B& b) {
  impl::Converter<rosidl_generator_traits::is_message<A>::value,
                  rosidl_generator_traits::is_message<B>::value>::convert(a, b);
}

template <class A>
void convert(const A& a1, A& a2) {
  if (&a1 != &a2) a2 = a1;
}

}  // namespace tf2
