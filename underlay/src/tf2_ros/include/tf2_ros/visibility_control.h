// SPDX-License-Identifier: Apache-2.0
#pragma once

#define TF2_ROS_PUBLIC
