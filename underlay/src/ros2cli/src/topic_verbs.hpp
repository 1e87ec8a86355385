// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verb.hpp"

namespace ros2cli {

Verb echo_verb();
Verb hz_verb();
Verb bw_verb();
Verb pub_verb();

}  // namespace ros2cli
