// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"

namespace rclcpp {

template <typename ServiceT>
typename Client<ServiceT>::SharedPtr create_client(
    std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
    std::shared_ptr<node_interfaces::NodeGraphInterface> /*node_graph*/,
    std::shared_ptr<node_interfaces::NodeServicesInterface> node_services, const std::string& service_name,
    const QoS& qos = ServicesQoS(), CallbackGroup::SharedPtr group = nullptr) {
  auto client = std::make_shared<Client<ServiceT>>(node_base.get(), service_name, qos);
  node_services->add_client(client, std::move(group));
  return client;
}

template <typename ServiceT>
typename Client<ServiceT>::SharedPtr create_client(
    std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
    std::shared_ptr<node_interfaces::NodeGraphInterface> node_graph,
    std::shared_ptr<node_interfaces::NodeServicesInterface> node_services, const std::string& service_name,
    const rmw_qos_profile_t& qos_profile, CallbackGroup::SharedPtr group = nullptr) {
  return create_client<ServiceT>(std::move(node_base), std::move(node_graph), std::move(node_services), service_name,
                                 QoS(QoSInitialization::from_rmw(qos_profile), qos_profile), std::move(group));
}

}  // namespace rclcpp
