// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hl_behavior/rtdl/catalogue.hpp"

namespace hl_behavior::rtdl {

/// In the order in which `SoccerWorld` answers them.
std::vector<Predicate> soccer_predicates();

}  // namespace hl_behavior::rtdl
