// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_joints/joint_set.hpp>
#include <hl_joints/trajectory.hpp>
#include <string_view>

namespace hl_hcm {

using hl_joints::absent_joints;
using hl_joints::given;
using hl_joints::Goals;
using hl_joints::JointArray;
using hl_joints::JointSet;
using hl_joints::kAbsent;
using hl_joints::kMaxJoints;
using hl_joints::Limb;
using hl_joints::read_trajectory;
using hl_joints::Trajectory;

/// Who wants joints moved. The order is that of HcmDebug's OWNER constants.
enum class Source { None, Hcm, Walking, Animation, Kick, Head, Record };
constexpr std::size_t kSourceCount = 7;
const char* name_of(Source source);

/// The last reason given in a fixed buffer, so that refusing costs no allocation.
struct Verdict {
  bool granted = false;
  std::string_view reason;  // empty if granted; static text or text owned by the HCM, valid until its next call
};

}  // namespace hl_hcm
