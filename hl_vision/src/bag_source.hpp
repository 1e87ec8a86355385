// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "hl_vision/picture_source.hpp"

namespace hl_vision {

/// Whether a path is a bag of ROS 2: a .db3 file or a folder that holds one.
bool is_bag(const std::string& path);

/// The pictures of a bag, those of the topic whose name ends with "image_raw" if there is one. Throws
/// std::runtime_error.
std::unique_ptr<PictureSource> open_bag(const std::string& path, const PictureSource::Settings& settings);

}  // namespace hl_vision
