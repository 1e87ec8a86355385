// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/clock.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rclcpp/context.hpp"
#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/exceptions.hpp"

namespace rclcpp {

struct Clock::Impl {
  /// While one exists handlers keep their places; at the end of the outermost the removed ones go.
  struct Jumping {
    explicit Jumping(Impl& clock) : impl(clock) { ++impl.jumping; }
    ~Jumping() {
      if (--impl.jumping == 0 && !impl.removed.empty()) {
        impl.handlers.erase(std::remove(impl.handlers.begin(), impl.handlers.end(), nullptr), impl.handlers.end());
        impl.removed.clear();
      }
    }
    Impl& impl;
  };

  explicit Impl(rcl_clock_type_t clock_type) : type(clock_type) {}

  void require_ros_time(const char* what) const {
    if (type != RCL_ROS_TIME) {
      throw std::runtime_error(std::string(what) + ": only clocks of type RCL_ROS_TIME can show simulated time");
    }
  }

  /// Moves the clock by `change` and tells those who asked for jumps of this size. `mutex` is held throughout, so that
  /// a handler that has been removed is not running any more; it is recursive because handlers may add and remove.
  template <class Change>
  void jump(const rcl_time_jump_t& jump, Change change) {
    const size_t count = handlers.size();  // those added meanwhile have to wait for the next jump
    const Jumping scope(*this);
    for (size_t i = 0; i < count; ++i) {
      if (handlers[i] && wants(*handlers[i], jump) && handlers[i]->pre_callback) {
        handlers[i]->pre_callback();
      }
    }
    change();
    for (size_t i = 0; i < count; ++i) {
      if (handlers[i] && wants(*handlers[i], jump) && handlers[i]->post_callback) {
        handlers[i]->post_callback(jump);
      }
    }
  }

  static bool wants(const JumpHandler& handler, const rcl_time_jump_t& jump) {
    const auto& threshold = handler.notice_threshold;
    const bool switched = jump.clock_change == RCL_ROS_TIME_ACTIVATED || jump.clock_change == RCL_ROS_TIME_DEACTIVATED;
    const int64_t delta = jump.delta.nanoseconds;
    return (switched && threshold.on_clock_change) ||
           (threshold.min_forward.nanoseconds > 0 && delta >= threshold.min_forward.nanoseconds) ||
           (threshold.min_backward.nanoseconds < 0 && delta <= threshold.min_backward.nanoseconds);
  }

  /// A handler that is removed in a jump, perhaps by itself, lives until the jump is over.
  void remove(std::unique_ptr<JumpHandler> handler) {
    std::lock_guard<std::recursive_mutex> lock(mutex);
    const auto place = std::find(handlers.begin(), handlers.end(), handler.get());
    if (jumping > 0) {
      *place = nullptr;
      removed.push_back(std::move(handler));
    } else {
      handlers.erase(place);
    }
  }

  const rcl_clock_type_t type;
  std::atomic<bool> simulated{false};
  std::atomic<int64_t> simulated_now{0};  // ns
  std::recursive_mutex mutex;             // guards what follows and every change of the simulated time
  int jumping = 0;                        // calls of jump() that are running
  std::vector<JumpHandler*> handlers;     // null where one was removed in a jump
  std::vector<std::unique_ptr<JumpHandler>> removed;
};

JumpHandler::JumpHandler(pre_callback_t pre, post_callback_t post, const rcl_jump_threshold_t& threshold)
    : pre_callback(std::move(pre)), post_callback(std::move(post)), notice_threshold(threshold) {}

Clock::Clock(rcl_clock_type_t clock_type) : impl_(std::make_shared<Impl>(clock_type)) {
  if (clock_type != RCL_ROS_TIME && clock_type != RCL_SYSTEM_TIME && clock_type != RCL_STEADY_TIME) {
    throw exceptions::RCLError("clock type " + std::to_string(clock_type) +
                               " does not exist; use RCL_ROS_TIME, RCL_SYSTEM_TIME or RCL_STEADY_TIME");
  }
}

Clock::~Clock() = default;

Time Clock::now() const {
  using std::chrono::nanoseconds;
  if (impl_->type == RCL_STEADY_TIME) {
    return Time(nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(), impl_->type);
  }
  if (impl_->simulated) {
    return Time(impl_->simulated_now, impl_->type);
  }
  return Time(nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count(), impl_->type);
}

rcl_clock_type_t Clock::get_clock_type() const noexcept {
  return impl_->type;
}

bool Clock::ros_time_is_active() {
  impl_->require_ros_time("ros_time_is_active");
  return impl_->simulated;
}

bool Clock::started() {
  return !impl_->simulated || impl_->simulated_now > 0;
}

bool Clock::wait_until_started(std::shared_ptr<Context> context) {
  return wait_until_started(Duration::max(), std::move(context));
}

bool Clock::wait_until_started(const Duration& timeout, std::shared_ptr<Context> context,
                               const Duration& wait_tick_ns) {
  Clock steady(RCL_STEADY_TIME);
  const Time begin = steady.now();
  while (!started()) {
    if (steady.now() - begin >= timeout || !steady.sleep_for(wait_tick_ns, context)) {
      return false;
    }
  }
  return true;
}

bool Clock::sleep_until(Time until, std::shared_ptr<Context> context) {
  if (until.get_clock_type() != impl_->type) {
    throw std::runtime_error("sleep_until: the time is not of this clock's type");
  }
  if (!context) {
    context = contexts::get_global_default_context();
  }

  struct Sleeper {
    std::mutex mutex;
    std::condition_variable woken;
    bool switched = false;  // between real and simulated time
    void wake(bool by_switch) {
      {
        std::lock_guard<std::mutex> lock(mutex);
        switched |= by_switch;
      }
      woken.notify_all();
    }
  };
  auto sleeper = std::make_shared<Sleeper>();
  JumpHandler::SharedPtr handler;
  if (impl_->type == RCL_ROS_TIME) {
    const auto wake = [sleeper](const rcl_time_jump_t& jump) {
      sleeper->wake(jump.clock_change != RCL_ROS_TIME_NO_CHANGE);
    };
    handler = create_jump_callback(nullptr, wake, {true, {1}, {-1}});
  }
  const auto on_shutdown = context->add_on_shutdown_callback([sleeper] { sleeper->wake(false); });

  bool reached = false;
  {
    std::unique_lock<std::mutex> lock(sleeper->mutex);
    while (!(reached = now() >= until) && context->is_valid() && !sleeper->switched) {
      const std::chrono::nanoseconds end(until.nanoseconds());
      if (impl_->simulated) {
        sleeper->woken.wait(lock);
      } else if (impl_->type == RCL_STEADY_TIME) {
        sleeper->woken.wait_until(lock, std::chrono::steady_clock::time_point(end));
      } else {
        sleeper->woken.wait_until(lock, std::chrono::system_clock::time_point(end));
      }
    }
    reached &= !sleeper->switched;
  }
  context->remove_on_shutdown_callback(on_shutdown);
  return reached && context->is_valid();
}

bool Clock::sleep_for(Duration rel_time, std::shared_ptr<Context> context) {
  return sleep_until(now() + rel_time, std::move(context));
}

JumpHandler::SharedPtr Clock::create_jump_callback(JumpHandler::pre_callback_t pre_callback,
                                                   JumpHandler::post_callback_t post_callback,
                                                   const rcl_jump_threshold_t& threshold) {
  const auto unregister = [weak = std::weak_ptr<Impl>(impl_)](JumpHandler* handler) {
    std::unique_ptr<JumpHandler> owned(handler);
    if (const auto impl = weak.lock()) {
      impl->remove(std::move(owned));
    }
  };
  JumpHandler::SharedPtr handler(new JumpHandler(std::move(pre_callback), std::move(post_callback), threshold),
                                 unregister);
  std::lock_guard<std::recursive_mutex> lock(impl_->mutex);
  impl_->handlers.push_back(handler.get());
  return handler;
}

namespace detail {

void ClockOverride::enable(Clock& clock) {
  auto& impl = *clock.impl_;
  impl.require_ros_time("enabling simulated time");
  std::lock_guard<std::recursive_mutex> lock(impl.mutex);
  if (!impl.simulated) {
    impl.jump({RCL_ROS_TIME_ACTIVATED, {0}}, [&] { impl.simulated = true; });
  }
}

void ClockOverride::set(Clock& clock, rcl_time_point_value_t nanoseconds) {
  auto& impl = *clock.impl_;
  impl.require_ros_time("setting simulated time");
  std::lock_guard<std::recursive_mutex> lock(impl.mutex);
  const auto change = [&] { impl.simulated_now = nanoseconds; };
  if (impl.simulated) {
    impl.jump({RCL_ROS_TIME_NO_CHANGE, {nanoseconds - impl.simulated_now}}, change);
  } else {
    change();
  }
}

void ClockOverride::disable(Clock& clock) {
  auto& impl = *clock.impl_;
  impl.require_ros_time("disabling simulated time");
  std::lock_guard<std::recursive_mutex> lock(impl.mutex);
  if (impl.simulated) {
    impl.jump({RCL_ROS_TIME_DEACTIVATED, {0}}, [&] { impl.simulated = false; });
  }
}

}  // namespace detail
}  // namespace rclcpp
