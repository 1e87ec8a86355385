// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rcl/time.h"

typedef struct rcl_action_server_options_s {
  rcl_duration_t result_timeout;  // how long results are kept after the end of their goal; negative = for ever
} rcl_action_server_options_t;

#ifdef __cplusplus
/// Ten seconds.
inline rcl_action_server_options_t rcl_action_server_get_default_options() {
  return {{RCL_S_TO_NS(10)}};
}
#endif
