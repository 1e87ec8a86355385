// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tf2/LinearMath/Quaternion.h"
#include "tf2/LinearMath/Transform.h"
#include "tf2/impl/utils.h"

namespace tf2 {

template <class A>
void getEulerYPR(const A& a, double& yaw, double& pitch, double& roll) {
  impl::getEulerYPR(impl::toQuaternion(a), yaw, pitch, roll);
}

template <class A>
double getYaw(const A& a) {
  return impl::getYaw(impl::toQuaternion(a));
}

/// The identity as any type that a transform message converts to.
template <class A>
A getTransformIdentity() {
  tf2::Transform identity;
  identity.setIdentity();
  A result;
  convert(identity, result);
  return result;
}

}  // namespace tf2
