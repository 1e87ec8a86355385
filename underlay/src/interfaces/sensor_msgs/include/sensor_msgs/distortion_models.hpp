// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Values of `CameraInfo::distortion_model`; the number of parameters in `d` is given behind each.
namespace sensor_msgs::distortion_models {

const char PLUMB_BOB[] = "plumb_bob";                      // 5: k1, k2, t1, t2, k3
const char RATIONAL_POLYNOMIAL[] = "rational_polynomial";  // 8
const char EQUIDISTANT[] = "equidistant";                  // 4, fish-eye

}  // namespace sensor_msgs::distortion_models
