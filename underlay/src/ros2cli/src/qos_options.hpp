// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "underlay_dds/graph.hpp"
#include "verb.hpp"

namespace ros2cli {

/// --qos-profile, --qos-depth, --qos-history, --qos-reliability, --qos-durability
std::vector<Option> qos_options();
/// `base`, changed by what the user gave.
underlay_dds::Qos qos_from(const Arguments& arguments, underlay_dds::Qos base);
/// What matches all of the given publishers.
underlay_dds::Qos matching(const std::vector<underlay_dds::Endpoint>& publishers);

/// The lines below "QoS profile:" in `ros2 topic info -v`.
std::string describe(const underlay_dds::Qos& qos);

std::vector<Option> operator+(std::vector<Option> left, const std::vector<Option>& right);

}  // namespace ros2cli
