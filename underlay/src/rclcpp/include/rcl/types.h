/* SPDX-License-Identifier: Apache-2.0 */
/* A message as bytes, under the name that user code spells; there is no rcl below this client library. */
#pragma once

#include "rcutils/types/uint8_array.h"

typedef rcutils_uint8_array_t rcl_serialized_message_t;
