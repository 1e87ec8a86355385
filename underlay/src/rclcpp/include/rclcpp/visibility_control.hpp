// SPDX-License-Identifier: Apache-2.0
// Symbols are visible by default; the macros exist because code written for ROS 2 spells them.
#pragma once

#define RCLCPP_EXPORT
#define RCLCPP_IMPORT
#define RCLCPP_PUBLIC
#define RCLCPP_PUBLIC_TYPE
#define RCLCPP_LOCAL
