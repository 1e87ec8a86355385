// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#define PLUGINLIB_EXPORT_CLASS(derived, base) \
  static_assert(std::is_base_of_v<base, derived> && std::is_default_constructible_v<derived>);
