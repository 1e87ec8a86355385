// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// Calls of operator new in this program so far.
std::size_t allocation_count();
