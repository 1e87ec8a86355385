// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "underlay_dds/types.hpp"

namespace ros2bag {

/// YAML list of profiles with the numbers of rmw's enumerations, as a bag keeps them per topic.
std::string to_yaml(const std::vector<underlay_dds::Qos>& offered);

/// Accepts numbers (Humble) and words (later distributions). An unreadable text gives no profiles: the default QoS is
/// then better than no replay.
std::vector<underlay_dds::Qos> qos_from_yaml(const std::string& text);

/// What a recorder asks for, to match all publishers.
underlay_dds::Qos request_for(const std::vector<underlay_dds::Qos>& offered);

/// What a player offers, to match all subscribers that the recorded publishers matched.
underlay_dds::Qos offer_for(const std::vector<underlay_dds::Qos>& recorded);

}  // namespace ros2bag
