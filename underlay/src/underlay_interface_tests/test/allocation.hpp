// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// What `operator new` was asked for since the program started; for single-threaded tests.
namespace allocation {

extern std::size_t count;
extern std::size_t bytes;

}  // namespace allocation
