// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dds/dds.h>

#include <memory>
#include <string>

#include "underlay_dds/types.hpp"

namespace underlay_dds::detail {

using DdsQos = std::unique_ptr<dds_qos_t, decltype(&dds_delete_qos)>;
using DdsListener = std::unique_ptr<dds_listener_t, decltype(&dds_delete_listener)>;

DdsQos make_qos(const Qos& qos, const std::string& user_data);
Qos qos_from(const dds_qos_t* qos);
std::string user_data_of(const dds_qos_t* qos);
/// Value of `key` in text of the form "key=value;key=value;"; empty if it is not there.
std::string user_data_value(const std::string& user_data, const std::string& key);
std::string endpoint_user_data(const std::string& user_data, const Type& type);
Gid gid_of(dds_entity_t entity);
Gid gid_from(const dds_guid_t& guid);

}  // namespace underlay_dds::detail
