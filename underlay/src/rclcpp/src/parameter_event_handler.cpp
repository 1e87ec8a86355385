// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/parameter_event_handler.hpp"

#include <stdexcept>

namespace rclcpp {
namespace {

template <class T>
std::vector<std::shared_ptr<T>> living(std::list<std::weak_ptr<T>>& list) {
  std::vector<std::shared_ptr<T>> found;
  for (auto it = list.begin(); it != list.end();) {
    if (auto entry = it->lock()) {
      found.push_back(std::move(entry));
      ++it;
    } else {
      it = list.erase(it);
    }
  }
  return found;
}

template <class T>
void remove(std::list<std::weak_ptr<T>>& list, const std::shared_ptr<T>& handle) {
  for (auto it = list.begin(); it != list.end(); ++it) {
    if (it->lock() == handle) {
      list.erase(it);
      return;
    }
  }
  throw std::runtime_error("Callback doesn't exist");
}

}  // namespace

void ParameterEventHandler::Callbacks::call(const Event& event) {
  std::vector<ParameterCallbackHandle::SharedPtr> parameter_callbacks;
  std::vector<ParameterEventCallbackHandle::SharedPtr> event_callbacks;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    parameter_callbacks = living(of_parameters);
    event_callbacks = living(of_events);
  }
  for (const auto& handle : parameter_callbacks) {
    Parameter parameter;
    if (get_parameter_from_event(event, parameter, handle->parameter_name, handle->node_name)) {
      handle->callback(parameter);
    }
  }
  for (const auto& handle : event_callbacks) handle->callback(event);
}

ParameterEventCallbackHandle::SharedPtr ParameterEventHandler::add_parameter_event_callback(
    ParameterEventCallbackHandle::ParameterEventCallbackType callback) {
  auto handle = std::make_shared<ParameterEventCallbackHandle>();
  handle->callback = std::move(callback);
  const std::lock_guard<std::mutex> lock(callbacks_->mutex);
  callbacks_->of_events.push_front(handle);
  return handle;
}

void ParameterEventHandler::remove_parameter_event_callback(ParameterEventCallbackHandle::SharedPtr handle) {
  const std::lock_guard<std::mutex> lock(callbacks_->mutex);
  remove(callbacks_->of_events, handle);
}

ParameterCallbackHandle::SharedPtr ParameterEventHandler::add_parameter_callback(
    const std::string& parameter_name, ParameterCallbackHandle::ParameterCallbackType callback,
    const std::string& node_name) {
  auto handle = std::make_shared<ParameterCallbackHandle>();
  handle->parameter_name = parameter_name;
  handle->callback = std::move(callback);
  const std::string namespace_ = node_base_->get_namespace();
  if (node_name.empty()) {
    handle->node_name = node_base_->get_fully_qualified_name();
  } else if (node_name.front() == '/') {
    handle->node_name = node_name;
  } else {
    handle->node_name = (namespace_ == "/" ? "/" : namespace_ + "/") + node_name;
  }
  const std::lock_guard<std::mutex> lock(callbacks_->mutex);
  callbacks_->of_parameters.push_front(handle);
  return handle;
}

void ParameterEventHandler::remove_parameter_callback(ParameterCallbackHandle::SharedPtr handle) {
  const std::lock_guard<std::mutex> lock(callbacks_->mutex);
  remove(callbacks_->of_parameters, handle);
}

bool ParameterEventHandler::get_parameter_from_event(const Event& event, Parameter& parameter,
                                                     const std::string& parameter_name, const std::string& node_name) {
  if (event.node != node_name) return false;
  for (const auto* changes : {&event.new_parameters, &event.changed_parameters}) {
    for (const auto& message : *changes) {
      if (message.name != parameter_name) continue;
      parameter = Parameter::from_parameter_msg(message);
      return true;
    }
  }
  return false;
}

Parameter ParameterEventHandler::get_parameter_from_event(const Event& event, const std::string& parameter_name,
                                                          const std::string& node_name) {
  Parameter parameter;
  if (!get_parameter_from_event(event, parameter, parameter_name, node_name)) {
    throw std::runtime_error("Parameter '" + parameter_name + "' of node '" + node_name +
                             "' is not part of the parameter event");
  }
  return parameter;
}

std::vector<Parameter> ParameterEventHandler::get_parameters_from_event(const Event& event) {
  std::vector<Parameter> parameters;
  for (const auto* changes : {&event.new_parameters, &event.changed_parameters}) {
    for (const auto& message : *changes) parameters.push_back(Parameter::from_parameter_msg(message));
  }
  return parameters;
}

}  // namespace rclcpp
