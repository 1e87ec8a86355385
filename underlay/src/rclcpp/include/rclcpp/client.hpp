// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rclcpp/detail/executable.hpp"
#include "rclcpp/detail/type_support.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/qos.hpp"
#include "rmw/types.h"

namespace rclcpp {

class CallbackGroup;
namespace node_interfaces {
class NodeBaseInterface;
}

namespace detail {

/// A future with the number of the request it belongs to.
template <typename FutureT>
struct FutureAndRequestId {
  FutureT future;
  int64_t request_id;

  FutureAndRequestId(FutureT impl, int64_t request_id) : future(std::move(impl)), request_id(request_id) {}
  operator FutureT&() { return this->future; }  // NOLINT(runtime/explicit)

  auto get() { return this->future.get(); }
  bool valid() const noexcept { return this->future.valid(); }
  void wait() const { this->future.wait(); }
  template <typename Rep, typename Period>
  std::future_status wait_for(const std::chrono::duration<Rep, Period>& timeout) const {
    return this->future.wait_for(timeout);
  }
  template <typename Clock, typename Duration>
  std::future_status wait_until(const std::chrono::time_point<Clock, Duration>& time) const {
    return this->future.wait_until(time);
  }
};

}  // namespace detail

class ClientBase : public detail::Executable {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(ClientBase)

  ClientBase(node_interfaces::NodeBaseInterface* node_base, const std::string& name,
             const underlay_cdr::MessageOps& request, const underlay_cdr::MessageOps& response, const QoS& qos);
  ~ClientBase() override;

  const char* get_service_name() const;
  bool service_is_ready() const;
  /// A negative timeout waits for ever; false after it, or if the context is shut down.
  template <typename RepT = int64_t, typename RatioT = std::milli>
  bool wait_for_service(std::chrono::duration<RepT, RatioT> timeout = std::chrono::duration<RepT, RatioT>(-1)) {
    return wait_for_service_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

  /// `callback` is called with how many responses have arrived, from a thread of the middleware, at each arrival. What
  /// arrived before is told at once.
  void set_on_new_response_callback(std::function<void(std::size_t)> callback);
  void clear_on_new_response_callback();

  // For who has an executor of his own, or a wait set.
  virtual std::shared_ptr<void> create_response() = 0;
  std::shared_ptr<rmw_request_id_t> create_request_header() { return std::make_shared<rmw_request_id_t>(); }
  /// The next response; false if there is none, or a malformed one.
  bool take_type_erased_response(void* response_out, rmw_request_id_t& request_header_out);
  /// Completes the request that the header names, with a response that was taken.
  void handle_response(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> response);

  bool execute() override;
  bool pending() override;
  /// Joins its callback group and starts to receive; called once, by who made the shared pointer.
  void start(const std::shared_ptr<CallbackGroup>& group);

 protected:
  using ResponseHandler = std::function<void(std::shared_ptr<void>)>;

  virtual void assign_response(void* target, const void* source) = 0;
  bool wait_for_service_nanoseconds(std::chrono::nanoseconds timeout);
  int64_t send(std::shared_ptr<const void> request, ResponseHandler handler);
  bool forget(int64_t request_id);
  std::size_t forget_all();
  std::size_t forget_older_than(std::chrono::time_point<std::chrono::system_clock> time, std::vector<int64_t>* pruned);

 private:
  enum class Take { Nothing, Malformed, Response };
  Take take(void* response, int64_t& sequence);
  void complete(int64_t sequence, std::shared_ptr<void> response);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Sends requests. Responses are received by the executor the node is in.
template <typename ServiceT>
class Client : public ClientBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Client<ServiceT>)
  using ServiceType = ServiceT;
  using Request = typename ServiceT::Request;
  using Response = typename ServiceT::Response;
  using SharedRequest = std::shared_ptr<Request>;
  using SharedResponse = std::shared_ptr<Response>;
  using Promise = std::promise<SharedResponse>;
  using PromiseWithRequest = std::promise<std::pair<SharedRequest, SharedResponse>>;
  using SharedPromise = std::shared_ptr<Promise>;
  using Future = std::future<SharedResponse>;
  using SharedFuture = std::shared_future<SharedResponse>;
  using SharedFutureWithRequest = std::shared_future<std::pair<SharedRequest, SharedResponse>>;
  using CallbackType = std::function<void(SharedFuture)>;
  using CallbackWithRequestType = std::function<void(SharedFutureWithRequest)>;

  struct FutureAndRequestId : detail::FutureAndRequestId<Future> {
    using detail::FutureAndRequestId<Future>::FutureAndRequestId;
    SharedFuture share() noexcept { return this->future.share(); }
  };
  struct SharedFutureAndRequestId : detail::FutureAndRequestId<SharedFuture> {
    using detail::FutureAndRequestId<SharedFuture>::FutureAndRequestId;
  };
  struct SharedFutureWithRequestAndRequestId : detail::FutureAndRequestId<SharedFutureWithRequest> {
    using detail::FutureAndRequestId<SharedFutureWithRequest>::FutureAndRequestId;
  };

  Client(node_interfaces::NodeBaseInterface* node_base, const std::string& name, const QoS& qos)
      : ClientBase(node_base, name, detail::ops_of<Request>(), detail::ops_of<Response>(), qos) {}

  bool take_response(Response& response_out, rmw_request_id_t& request_header_out) {
    return take_type_erased_response(&response_out, request_header_out);
  }
  std::shared_ptr<void> create_response() override { return std::make_shared<Response>(); }

  FutureAndRequestId async_send_request(SharedRequest request) {
    auto promise = std::make_shared<Promise>();
    auto future = promise->get_future();
    const int64_t id = send(copy(request), [promise](std::shared_ptr<void> response) {
      promise->set_value(std::static_pointer_cast<Response>(std::move(response)));
    });
    return FutureAndRequestId(std::move(future), id);
  }

  template <typename CallbackT,
            std::enable_if_t<std::is_invocable_v<std::decay_t<CallbackT>&, SharedFuture>>* = nullptr>
  SharedFutureAndRequestId async_send_request(SharedRequest request, CallbackT&& callback) {
    auto promise = std::make_shared<Promise>();
    SharedFuture future = promise->get_future().share();
    const int64_t id =
        send(copy(request),
             [promise, future, call = CallbackType(std::forward<CallbackT>(callback))](std::shared_ptr<void> response) {
               promise->set_value(std::static_pointer_cast<Response>(std::move(response)));
               call(future);
             });
    return SharedFutureAndRequestId(std::move(future), id);
  }

  template <typename CallbackT,
            std::enable_if_t<std::is_invocable_v<std::decay_t<CallbackT>&, SharedFutureWithRequest>>* = nullptr>
  SharedFutureWithRequestAndRequestId async_send_request(SharedRequest request, CallbackT&& callback) {
    auto promise = std::make_shared<PromiseWithRequest>();
    SharedFutureWithRequest future = promise->get_future().share();
    const int64_t id = send(
        copy(request), [promise, future, request, call = CallbackWithRequestType(std::forward<CallbackT>(callback))](
                           std::shared_ptr<void> response) {
          promise->set_value({request, std::static_pointer_cast<Response>(std::move(response))});
          call(future);
        });
    return SharedFutureWithRequestAndRequestId(std::move(future), id);
  }

  /// Gives up waiting for a response; false if there is no such request (any more).
  bool remove_pending_request(int64_t request_id) { return forget(request_id); }
  bool remove_pending_request(const FutureAndRequestId& future) { return forget(future.request_id); }
  bool remove_pending_request(const SharedFutureAndRequestId& future) { return forget(future.request_id); }
  bool remove_pending_request(const SharedFutureWithRequestAndRequestId& future) { return forget(future.request_id); }
  std::size_t prune_pending_requests() { return forget_all(); }
  template <typename AllocatorT = std::allocator<int64_t>>
  std::size_t prune_requests_older_than(std::chrono::time_point<std::chrono::system_clock> time_point,
                                        std::vector<int64_t, AllocatorT>* pruned_requests = nullptr) {
    return forget_older_than(time_point, pruned_requests);
  }

 private:
  static std::shared_ptr<const void> copy(const SharedRequest& request) { return std::make_shared<Request>(*request); }
  void assign_response(void* target, const void* source) override {
    *static_cast<Response*>(target) = *static_cast<const Response*>(source);
  }
};

}  // namespace rclcpp
