// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/context.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/detail/arguments.hpp"
#include "rclcpp/exceptions.hpp"
#include "signals.hpp"
#include "underlay_dds/graph.hpp"
#include "underlay_dds/participant.hpp"

namespace rclcpp {

std::size_t InitOptions::get_domain_id() const {
  return domain_id_ ? *domain_id_ : underlay_dds::domain_from_environment();
}

using Callbacks = std::vector<std::shared_ptr<std::function<void()>>>;

struct Context::Impl {
  mutable std::mutex mutex;
  std::condition_variable ended;
  std::atomic<bool> valid{false};  // changed with the mutex held
  InitOptions options;
  std::string reason;
  std::shared_ptr<const detail::Arguments> arguments;
  std::shared_ptr<underlay_dds::Participant> participant;
  Callbacks on_shutdown;
  Callbacks pre_shutdown;

  std::weak_ptr<std::function<void()>> add(Callbacks& callbacks, std::function<void()> callback) {
    const std::lock_guard<std::mutex> lock(mutex);
    callbacks.push_back(std::make_shared<std::function<void()>>(std::move(callback)));
    return callbacks.back();
  }
  bool remove(Callbacks& callbacks, const std::weak_ptr<std::function<void()>>& slot) {
    std::shared_ptr<std::function<void()>> removed;  // destroyed after the lock
    const auto target = slot.lock();
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = std::find(callbacks.begin(), callbacks.end(), target);
    if (!target || found == callbacks.end()) return false;
    removed = std::move(*found);
    callbacks.erase(found);
    return true;
  }
};

Context::Context() : impl_(std::make_unique<Impl>()) {}

Context::~Context() {
  if (is_valid()) Context::shutdown("context is destructed");
}

void Context::init(int argc, char const* const* argv, const InitOptions& init_options) {
  std::vector<std::string> arguments(argv, argv + argc);
  auto parsed = std::make_shared<detail::Arguments>(detail::parse_arguments(arguments));
  if (impl_->valid) throw ContextAlreadyInitialized();
  auto participant = underlay_dds::Participant::get(static_cast<std::uint32_t>(init_options.get_domain_id()));
  {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    if (impl_->valid) throw ContextAlreadyInitialized();
    impl_->participant = std::move(participant);
    impl_->options = init_options;
    impl_->arguments = parsed;
    impl_->reason.clear();
    impl_->valid = true;
  }
  if (init_options.auto_initialize_logging()) detail::apply_log_arguments(*parsed);
  if (init_options.shutdown_on_signal) detail::shut_down_on_signal(weak_from_this());
}

bool Context::is_valid() const {
  return impl_->valid;
}

const InitOptions& Context::get_init_options() const {
  return impl_->options;
}
InitOptions Context::get_init_options() {
  return impl_->options;
}

std::size_t Context::get_domain_id() const {
  return impl_->options.get_domain_id();
}

bool Context::shutdown(const std::string& reason) {
  std::shared_ptr<underlay_dds::Participant> participant;  // nodes may still hold it
  Callbacks callbacks;
  {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    if (!impl_->valid) return false;
    callbacks = impl_->pre_shutdown;
  }
  for (const auto& callback : callbacks) (*callback)();
  {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    if (!impl_->valid) return false;
    impl_->valid = false;
    impl_->reason = reason;
    participant = std::move(impl_->participant);
    callbacks = impl_->on_shutdown;
  }
  impl_->ended.notify_all();
  participant->graph().interrupt();
  for (const auto& callback : callbacks) (*callback)();
  return true;
}

std::string Context::shutdown_reason() const {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  return impl_->reason;
}

Context::OnShutdownCallback Context::on_shutdown(OnShutdownCallback callback) {
  add_on_shutdown_callback(callback);
  return callback;
}

OnShutdownCallbackHandle Context::add_on_shutdown_callback(OnShutdownCallback callback) {
  OnShutdownCallbackHandle handle;
  handle.callback = impl_->add(impl_->on_shutdown, std::move(callback));
  return handle;
}

bool Context::remove_on_shutdown_callback(const OnShutdownCallbackHandle& handle) {
  return impl_->remove(impl_->on_shutdown, handle.callback);
}

PreShutdownCallbackHandle Context::add_pre_shutdown_callback(PreShutdownCallback callback) {
  PreShutdownCallbackHandle handle;
  handle.callback = impl_->add(impl_->pre_shutdown, std::move(callback));
  return handle;
}

bool Context::remove_pre_shutdown_callback(const PreShutdownCallbackHandle& handle) {
  return impl_->remove(impl_->pre_shutdown, handle.callback);
}

bool Context::sleep_for(const std::chrono::nanoseconds& nanoseconds) {
  std::unique_lock<std::mutex> lock(impl_->mutex);
  const auto end = std::chrono::steady_clock::now() + nanoseconds;
  impl_->ended.wait_until(lock, end, [&] { return !impl_->valid.load(); });
  return impl_->valid;
}

std::shared_ptr<underlay_dds::Participant> Context::participant() const {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  if (!impl_->valid) {
    throw exceptions::RCLError("the context is not valid: call rclcpp::init() before a node is made");
  }
  return impl_->participant;
}

std::shared_ptr<const detail::Arguments> Context::arguments() const {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  return impl_->arguments;
}

namespace contexts {

DefaultContext::SharedPtr get_global_default_context() {
  // Never destroyed: nodes in static storage may outlive it otherwise.
  static auto& context = *new DefaultContext::SharedPtr(std::make_shared<DefaultContext>());
  return context;
}

}  // namespace contexts
}  // namespace rclcpp
