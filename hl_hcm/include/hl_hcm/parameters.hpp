// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_node/parameter_table.hpp>

#include "hl_hcm/hcm.hpp"

namespace hl_hcm {

/// Name, range and meaning of each number of Hcm::Params; node, README and validate() use the same table.
const hl_node::ParameterTable<Hcm::Params>& parameters();

}  // namespace hl_hcm
