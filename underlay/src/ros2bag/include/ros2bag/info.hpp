// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ros2bag/metadata.hpp"

namespace ros2bag {

/// What `ros2 bag info` prints.
std::string describe(const Metadata& metadata, std::uint64_t bytes);

}  // namespace ros2bag
