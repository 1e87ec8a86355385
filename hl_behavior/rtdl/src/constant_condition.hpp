// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "hl_behavior/rtdl/tree.hpp"

namespace hl_behavior::rtdl {

bool compare(double left, Comparison comparison, double right);

/// What a condition is whatever the world is like: made of always, never and comparisons of two numbers.
std::optional<bool> constant_value(const Condition& condition);

}  // namespace hl_behavior::rtdl
