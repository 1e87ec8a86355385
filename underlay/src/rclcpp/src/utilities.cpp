// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/utilities.hpp"

#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/detail/arguments.hpp"
#include "rclcpp/logging.hpp"
#include "signals.hpp"

namespace rclcpp {
namespace {

/// The handler only posts a semaphore; a thread does the rest, as little is allowed in a handler.
class SignalWatch {
 public:
  static SignalWatch& instance() {
    static auto& watch = *new SignalWatch;  // never destroyed: a signal may come at any time
    return watch;
  }

  bool install(SignalHandlerOptions options) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (installed_ || options == SignalHandlerOptions::None) return false;
    stop_ = false;
    if (options != SignalHandlerOptions::SigTerm) set(SIGINT, old_interrupt_);
    if (options != SignalHandlerOptions::SigInt) set(SIGTERM, old_terminate_);
    options_ = options;
    thread_ = std::thread([this] { run(); });
    installed_ = true;
    return true;
  }

  bool uninstall() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!installed_) return false;
    if (options_ != SignalHandlerOptions::SigTerm) sigaction(SIGINT, &old_interrupt_, nullptr);
    if (options_ != SignalHandlerOptions::SigInt) sigaction(SIGTERM, &old_terminate_, nullptr);
    stop_ = true;
    sem_post(&posted_);
    if (thread_.get_id() == std::this_thread::get_id()) {
      thread_.detach();  // called from an on_shutdown callback
    } else {
      thread_.join();
    }
    installed_ = false;
    options_ = SignalHandlerOptions::None;
    return true;
  }

  bool installed() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return installed_;
  }

  SignalHandlerOptions options() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return options_;
  }

  void add(const std::weak_ptr<Context>& context) {
    const std::lock_guard<std::mutex> lock(contexts_mutex_);
    contexts_.erase(std::remove_if(contexts_.begin(), contexts_.end(), [](const auto& weak) { return weak.expired(); }),
                    contexts_.end());
    contexts_.push_back(context);
  }

 private:
  SignalWatch() { sem_init(&posted_, 0, 0); }

  static void on_signal(int number) {
    const int saved = errno;
    instance().signal_ = number;
    sem_post(&instance().posted_);
    errno = saved;
  }

  static void set(int number, struct sigaction& old) {
    struct sigaction action {};
    action.sa_handler = &SignalWatch::on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, &old);
  }

  void run() {
    for (;;) {
      while (sem_wait(&posted_) != 0) {
      }
      if (stop_) return;
      const int number = signal_.exchange(0);
      if (number == 0) continue;
      RCLCPP_INFO(get_logger("rclcpp"), "signal_handler(signum=%d)", number);
      std::vector<std::shared_ptr<Context>> contexts;
      {
        const std::lock_guard<std::mutex> lock(contexts_mutex_);
        for (const auto& weak : contexts_) {
          if (auto context = weak.lock()) contexts.push_back(std::move(context));
        }
      }
      for (const auto& context : contexts) context->shutdown("signal handler");
    }
  }

  std::mutex mutex_;
  bool installed_ = false;
  SignalHandlerOptions options_ = SignalHandlerOptions::None;
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
  sem_t posted_;
  std::atomic<int> signal_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
  std::mutex contexts_mutex_;
  std::vector<std::weak_ptr<Context>> contexts_;
};

Context::SharedPtr or_default(Context::SharedPtr context) {
  return context ? std::move(context) : contexts::get_global_default_context();
}

}  // namespace

namespace detail {

void shut_down_on_signal(const std::weak_ptr<Context>& context) {
  SignalWatch::instance().add(context);
}

}  // namespace detail

void init(int argc, char const* const* argv, const InitOptions& init_options,
          SignalHandlerOptions signal_handler_options) {
  contexts::get_global_default_context()->init(argc, argv, init_options);
  install_signal_handlers(signal_handler_options);
}

std::vector<std::string> init_and_remove_ros_arguments(int argc, char const* const* argv,
                                                       const InitOptions& init_options) {
  init(argc, argv, init_options);
  return remove_ros_arguments(argc, argv);
}

std::vector<std::string> remove_ros_arguments(int argc, char const* const* argv) {
  return detail::without_ros_arguments(std::vector<std::string>(argv, argv + argc));
}

bool install_signal_handlers(SignalHandlerOptions signal_handler_options) {
  return SignalWatch::instance().install(signal_handler_options);
}

bool signal_handlers_installed() {
  return SignalWatch::instance().installed();
}

SignalHandlerOptions get_current_signal_handler_options() {
  return SignalWatch::instance().options();
}

bool uninstall_signal_handlers() {
  return SignalWatch::instance().uninstall();
}

bool ok(Context::SharedPtr context) {
  return or_default(std::move(context))->is_valid();
}

bool shutdown(Context::SharedPtr context, const std::string& reason) {
  const bool of_default = !context || context == contexts::get_global_default_context();
  const bool done = or_default(std::move(context))->shutdown(reason);
  if (of_default) uninstall_signal_handlers();
  return done;
}

void on_shutdown(std::function<void()> callback, Context::SharedPtr context) {
  or_default(std::move(context))->on_shutdown(std::move(callback));
}

bool sleep_for(const std::chrono::nanoseconds& nanoseconds, Context::SharedPtr context) {
  return or_default(std::move(context))->sleep_for(nanoseconds);
}

}  // namespace rclcpp
