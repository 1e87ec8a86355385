// SPDX-License-Identifier: Apache-2.0
// Prints the tables of the README from what the code holds: `document rows | behavior | head`.
#include <cstdio>
#include <string>

#include "hl_behavior/rows.hpp"
#include "node_params.hpp"

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "rows";
  const hl_behavior::BehaviorNodeParams behavior;
  const hl_behavior::HeadNodeParams head;
  if (what == "rows") {
    std::fputs(hl_behavior::rows_markdown().c_str(), stdout);
  } else if (what == "behavior") {
    std::fputs(hl_behavior::behavior_parameters().markdown(behavior).c_str(), stdout);
  } else if (what == "head") {
    std::fputs(hl_behavior::head_parameters().markdown(head).c_str(), stdout);
  } else {
    std::fprintf(stderr, "'%s' is none of rows, behavior, head\n", what.c_str());
    return 2;
  }
  return 0;
}
