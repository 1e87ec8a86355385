// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hl_hcm/hcm.hpp"

namespace hl_hcm {

/// Joints and limits from the URDF, poses from robot.yaml (walkready, and if given penalty and fall_front, fall_back,
/// fall_left, fall_right). Throws hl_description::ModelError.
HcmBody body_from_files(const std::string& urdf_file, const std::string& robot_config_file);

}  // namespace hl_hcm
