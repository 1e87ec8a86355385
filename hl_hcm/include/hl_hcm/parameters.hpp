// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hl_hcm/hcm.hpp"

namespace hl_hcm {

/// One number of Hcm::Params with all that is to be said about it; node, README and validate() use the same table.
struct ParameterInfo {
  const char* name;
  const char* description;  // with its unit
  double low, high;
  double& (*value)(Hcm::Params&);
};

const std::vector<ParameterInfo>& parameters();

/// The table as rows of a Markdown table, with the defaults.
std::string parameter_table_markdown();

}  // namespace hl_hcm
