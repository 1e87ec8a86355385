// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rclcpp/detail/executable.hpp"
#include "rclcpp/macros.hpp"

namespace rclcpp {

/// Base for libraries that bring their own kind of entity: `notify()` from any thread, then `execute()` is called by
/// the executor of the callback group given to NodeWaitablesInterface::add_waitable. It says whether it did anything.
/// For a wait set `pending()` has to say whether there is something to do.
class Waitable : public detail::Executable {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(Waitable)
};

}  // namespace rclcpp
