// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_behavior/rtdl/catalogue.hpp"
#include "hl_behavior/rtdl/diagnostic.hpp"
#include "hl_behavior/rtdl/library.hpp"
#include "hl_behavior/rtdl/tree.hpp"

namespace hl_behavior::rtdl {

/// Reports everything that is wrong with a task for this robot, beyond its syntax. Tasks it calls are looked up in the
/// library and not themselves validated.
void validate(const Document& document, const Catalogue& catalogue, const Library& library, Report& report);

}  // namespace hl_behavior::rtdl
