// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "rclcpp/detail/executable.hpp"
#include "rclcpp/detail/type_support.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/qos.hpp"
#include "rmw/types.h"

namespace underlay_dds {
class Sample;
}

namespace rclcpp {

class CallbackGroup;
namespace node_interfaces {
class NodeBaseInterface;
}

class ServiceBase : public detail::Executable {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(ServiceBase)

  ServiceBase(node_interfaces::NodeBaseInterface* node_base, const std::string& name,
              const underlay_cdr::MessageOps& request, const underlay_cdr::MessageOps& response, const QoS& qos);
  ~ServiceBase() override;

  const char* get_service_name() const;
  /// `callback` is called with how many requests have arrived, from a thread of the middleware, at each arrival. What
  /// arrived before is told at once.
  void set_on_new_request_callback(std::function<void(std::size_t)> callback);
  void clear_on_new_request_callback();

  // For who has an executor of his own, or a wait set.
  virtual std::shared_ptr<void> create_request() = 0;
  std::shared_ptr<rmw_request_id_t> create_request_header() { return std::make_shared<rmw_request_id_t>(); }
  /// The next request; false if there is none, or one that was refused.
  bool take_type_erased_request(void* request_out, rmw_request_id_t& request_id_out);
  /// Calls the callback with a request that was taken.
  virtual void handle_request(std::shared_ptr<rmw_request_id_t> header, std::shared_ptr<void> request) = 0;

  bool execute() override;
  bool pending() override;
  /// Joins its callback group and starts to receive; called once, by who made the shared pointer.
  void start(const std::shared_ptr<CallbackGroup>& group);

 protected:
  virtual void assign_request(void* target, const void* source) = 0;
  void send(const rmw_request_id_t& header, std::shared_ptr<const void> response);

 private:
  enum class Take { Nothing, Refused, Request };
  Take take(void* request, rmw_request_id_t& id);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Answers requests. The callback takes (request, response), (header, request, response), or, to answer later with
/// `send_response`, (header, request) or (service, header, request).
template <typename ServiceT>
class Service : public ServiceBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Service<ServiceT>)
  using Request = typename ServiceT::Request;
  using Response = typename ServiceT::Response;
  using Header = std::shared_ptr<rmw_request_id_t>;

  template <typename CallbackT>
  Service(node_interfaces::NodeBaseInterface* node_base, const std::string& name, CallbackT&& callback, const QoS& qos)
      : ServiceBase(node_base, name, detail::ops_of<Request>(), detail::ops_of<Response>(), qos),
        handler_(make_handler(std::forward<CallbackT>(callback))) {}

  void send_response(rmw_request_id_t& header, Response& response) {
    send(header, std::make_shared<Response>(response));
  }
  bool take_request(Request& request_out, rmw_request_id_t& request_id_out) {
    return take_type_erased_request(&request_out, request_id_out);
  }
  std::shared_ptr<void> create_request() override { return std::make_shared<Request>(); }
  void handle_request(std::shared_ptr<rmw_request_id_t> header, std::shared_ptr<void> request) override {
    handler_(*this, std::move(header), std::static_pointer_cast<Request>(std::move(request)));
  }

 private:
  using Handler = std::function<void(Service&, Header, std::shared_ptr<Request>)>;

  template <typename CallbackT>
  static Handler make_handler(CallbackT&& callback) {
    using Callback = std::decay_t<CallbackT>;
    using RequestPtr = std::shared_ptr<Request>;
    using ResponsePtr = std::shared_ptr<Response>;
    if constexpr (std::is_invocable_v<Callback&, RequestPtr, ResponsePtr>) {
      return [call = Callback(std::forward<CallbackT>(callback))](Service& self, Header header,
                                                                  RequestPtr request) mutable {
        auto response = std::make_shared<Response>();
        call(std::move(request), response);
        self.send(*header, std::move(response));
      };
    } else if constexpr (std::is_invocable_v<Callback&, Header, RequestPtr, ResponsePtr>) {
      return [call = Callback(std::forward<CallbackT>(callback))](Service& self, Header header,
                                                                  RequestPtr request) mutable {
        auto response = std::make_shared<Response>();
        call(header, std::move(request), response);
        self.send(*header, std::move(response));
      };
    } else if constexpr (std::is_invocable_v<Callback&, Header, RequestPtr>) {
      return [call = Callback(std::forward<CallbackT>(callback))](Service&, Header header, RequestPtr request) mutable {
        call(std::move(header), std::move(request));
      };
    } else {
      static_assert(std::is_invocable_v<Callback&, std::shared_ptr<Service<ServiceT>>, Header, RequestPtr>,
                    "a service callback takes (request, response), (header, request, response), (header, request) or "
                    "(service, header, request), all as shared pointers");
      return [call = Callback(std::forward<CallbackT>(callback))](Service& self, Header header,
                                                                  RequestPtr request) mutable {
        call(std::static_pointer_cast<Service<ServiceT>>(self.shared_from_this()), std::move(header),
             std::move(request));
      };
    }
  }

  void assign_request(void* target, const void* source) override {
    *static_cast<Request*>(target) = *static_cast<const Request*>(source);
  }

  Handler handler_;
};

}  // namespace rclcpp
