// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tf2 {

template <typename A, typename B>
B toMsg(const A& a);
template <typename A, typename B>
void fromMsg(const A& a, B& b);

namespace impl {

template <bool A_IS_MESSAGE, bool B_IS_MESSAGE>
struct Converter;

template <>
struct Converter<true, false> {
  template <typename A, typename B>
  static void convert(const A& a, B& b) {
    fromMsg(a, b);
  }
};

template <>
struct Converter<false, true> {
  template <typename A, typename B>
  static void convert(const A& a, B& b) {
    b = toMsg(a);
  }
};

template <>
struct Converter<false, false> {
  template <typename A, typename B>
  static void convert(const A& a, B& b) {
    fromMsg(toMsg(a), b);
  }
};

}  // namespace impl
}  // namespace tf2
