// SPDX-License-Identifier: Apache-2.0
#pragma once

template <class T>
const T& tf2Min(const T& a, const T& b) {
  return a < b ? a : b;
}

template <class T>
const T& tf2Max(const T& a, const T& b) {
  return a > b ? a : b;
}

template <class T>
const T& GEN_clamped(const T& a, const T& lower, const T& upper) {
  return a < lower ? lower : (upper < a ? upper : a);
}
