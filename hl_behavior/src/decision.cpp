// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/decision.hpp"

#include <cstdio>
#include <cstring>

namespace hl_behavior {

std::string Reason::text() const {
  if (word != nullptr) return word;
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, "%.3g %s", value, unit);
  return buffer;
}

const Reason* Reasons::find(const char* name) const {
  for (const Reason& reason : *this)
    if (std::strcmp(reason.name, name) == 0) return &reason;
  return nullptr;
}

const char* name_of(Role role) {
  static constexpr const char* kNames[] = {"idling", "other", "striker", "supporter", "defender", "goalie"};
  return kNames[static_cast<int>(role)];
}

const char* name_of(Action action) {
  static constexpr const char* kNames[] = {"undefined", "positioning", "going to ball", "trying to score", "waiting"};
  return kNames[static_cast<int>(action)];
}

}  // namespace hl_behavior
