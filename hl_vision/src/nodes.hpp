// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <string>

#include "hl_vision/picture_source.hpp"

namespace hl_vision {

/// How a source of pictures is opened; throws std::runtime_error in words for whoever set it.
using OpenPictures =
    std::function<std::unique_ptr<PictureSource>(const std::string& source, const PictureSource::Settings& settings)>;

/// The components, for programs that compose them without a container.
std::shared_ptr<rclcpp::Node> make_camera_node(const rclcpp::NodeOptions& options,
                                               const OpenPictures& open = PictureSource::open);
std::shared_ptr<rclcpp::Node> make_detection_node(const rclcpp::NodeOptions& options);
std::shared_ptr<rclcpp::Node> make_transform_node(const rclcpp::NodeOptions& options);

}  // namespace hl_vision
