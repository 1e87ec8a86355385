// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "rclcpp/wait_set_template.hpp"

namespace rclcpp {

/// Entities may be added and removed, but not while another thread waits.
using WaitSet = WaitSetTemplate<wait_set_policies::DynamicStorage, wait_set_policies::SequentialSynchronization>;

/// The constructor gets everything.
template <std::size_t NumberOfSubscriptions, std::size_t NumberOfGuardCondtions, std::size_t NumberOfTimers,
          std::size_t NumberOfClients, std::size_t NumberOfServices, std::size_t NumberOfWaitables>
using StaticWaitSet =
    WaitSetTemplate<wait_set_policies::StaticStorage<NumberOfSubscriptions, NumberOfGuardCondtions, NumberOfTimers,
                                                     NumberOfClients, NumberOfServices, NumberOfWaitables>,
                    wait_set_policies::SequentialSynchronization>;

/// Entities may be added and removed at any time.
using ThreadSafeWaitSet =
    WaitSetTemplate<wait_set_policies::DynamicStorage, wait_set_policies::ThreadSafeSynchronization>;

}  // namespace rclcpp
