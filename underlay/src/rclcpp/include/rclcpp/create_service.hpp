// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/node_interfaces/node_services_interface.hpp"

namespace rclcpp {

template <typename ServiceT, typename CallbackT>
typename Service<ServiceT>::SharedPtr create_service(
    std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
    std::shared_ptr<node_interfaces::NodeServicesInterface> node_services, const std::string& service_name,
    CallbackT&& callback, const QoS& qos, CallbackGroup::SharedPtr group) {
  auto service =
      std::make_shared<Service<ServiceT>>(node_base.get(), service_name, std::forward<CallbackT>(callback), qos);
  node_services->add_service(service, std::move(group));
  return service;
}

template <typename ServiceT, typename CallbackT>
typename Service<ServiceT>::SharedPtr create_service(
    std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
    std::shared_ptr<node_interfaces::NodeServicesInterface> node_services, const std::string& service_name,
    CallbackT&& callback, const rmw_qos_profile_t& qos_profile, CallbackGroup::SharedPtr group) {
  return create_service<ServiceT>(std::move(node_base), std::move(node_services), service_name,
                                  std::forward<CallbackT>(callback),
                                  QoS(QoSInitialization::from_rmw(qos_profile), qos_profile), std::move(group));
}

}  // namespace rclcpp
