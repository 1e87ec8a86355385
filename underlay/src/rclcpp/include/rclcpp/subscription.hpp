// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rclcpp/detail/type_support.hpp"
#include "rclcpp/subscription_base.hpp"
#include "underlay_dds/memory.hpp"

namespace rclcpp {

/// Receives messages of a topic. The callback takes `const T&`, `std::shared_ptr<const T>`, `std::shared_ptr<T>` or
/// `std::unique_ptr<T>`, or the bytes as `std::shared_ptr<SerializedMessage>`, each with or without `const
/// MessageInfo&`.
template <typename MessageT, typename AllocatorT = std::allocator<void>>
class Subscription : public SubscriptionBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Subscription<MessageT, AllocatorT>)
  using ROSMessageType = MessageT;
  using SubscribedType = MessageT;

  template <typename CallbackT>
  Subscription(node_interfaces::NodeBaseInterface* node_base, const std::string& topic, const QoS& qos,
               CallbackT&& callback, const SubscriptionOptionsBase& options)
      : SubscriptionBase(node_base, topic, detail::ops_of<MessageT>(), qos, options),
        handler_(make_handler(std::forward<CallbackT>(callback))) {}

  /// The next message, without the callback. False if there is none.
  bool take(MessageT& message, MessageInfo& info) {
    underlay_dds::Sample sample;
    if (!take_sample(sample, info)) return false;
    if (const auto object = sample.message()) {
      message = *static_cast<const MessageT*>(object.get());
    } else {
      sample.decode(&message);
    }
    return true;
  }

 private:
  using Handler = std::function<void(Subscription&, underlay_dds::Sample&, const MessageInfo&)>;

  template <typename CallbackT>
  static Handler make_handler(CallbackT&& callback) {
    using Callback = std::decay_t<CallbackT>;
    using Const = std::shared_ptr<const MessageT>;
    using Shared = std::shared_ptr<MessageT>;
    using Unique = std::unique_ptr<MessageT>;
    // A shared pointer also fits where a pointer to const is asked for, and a unique one where a shared one is: the
    // order of these questions decides.
    if constexpr (std::is_invocable_v<Callback&, const MessageT&>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto& self, auto& sample, auto&) mutable {
        self.with_reference(sample, [&](const MessageT& message) { call(message); });
      };
    } else if constexpr (std::is_invocable_v<Callback&, const MessageT&, const MessageInfo&>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto& self, auto& sample, auto& info) mutable {
        self.with_reference(sample, [&](const MessageT& message) { call(message, info); });
      };
    } else if constexpr (std::is_invocable_v<Callback&, Const>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& sample, auto&) mutable {
        call(shared_const(sample));
      };
    } else if constexpr (std::is_invocable_v<Callback&, Const, const MessageInfo&>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& sample, auto& info) mutable {
        call(shared_const(sample), info);
      };
    } else if constexpr (std::is_invocable_v<Callback&, Shared>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& sample, auto&) mutable {
        call(shared(sample));
      };
    } else if constexpr (std::is_invocable_v<Callback&, Shared, const MessageInfo&>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& sample, auto& info) mutable {
        call(shared(sample), info);
      };
    } else if constexpr (std::is_invocable_v<Callback&, Unique>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& sample, auto&) mutable {
        call(unique(sample));
      };
    } else if constexpr (std::is_invocable_v<Callback&, std::shared_ptr<SerializedMessage>>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& sample, auto&) mutable {
        call(serialized(sample));
      };
    } else if constexpr (std::is_invocable_v<Callback&, std::shared_ptr<SerializedMessage>, const MessageInfo&>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& sample, auto& info) mutable {
        call(serialized(sample), info);
      };
    } else {
      static_assert(std::is_invocable_v<Callback&, Unique, const MessageInfo&>,
                    "a subscription callback takes const T&, std::shared_ptr<const T>, std::shared_ptr<T> or "
                    "std::unique_ptr<T>, or std::shared_ptr<rclcpp::SerializedMessage>, and optionally const "
                    "rclcpp::MessageInfo&");
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& sample, auto& info) mutable {
        call(unique(sample), info);
      };
    }
  }

  static std::shared_ptr<const MessageT> shared_const(underlay_dds::Sample& sample) {
    if (auto object = sample.message()) return std::static_pointer_cast<const MessageT>(std::move(object));
    auto message = underlay_dds::make_pooled<MessageT>();
    sample.decode(message.get());
    return message;
  }

  static std::shared_ptr<MessageT> shared(underlay_dds::Sample& sample) {
    if (auto* claimed = static_cast<MessageT*>(sample.claim())) return std::shared_ptr<MessageT>(claimed);
    if (const auto object = sample.message()) {
      return underlay_dds::make_pooled<MessageT>(*static_cast<const MessageT*>(object.get()));
    }
    auto message = underlay_dds::make_pooled<MessageT>();
    sample.decode(message.get());
    return message;
  }

  static std::unique_ptr<MessageT> unique(underlay_dds::Sample& sample) {
    if (auto* claimed = static_cast<MessageT*>(sample.claim())) return std::unique_ptr<MessageT>(claimed);
    if (const auto object = sample.message()) {
      return std::make_unique<MessageT>(*static_cast<const MessageT*>(object.get()));
    }
    auto message = std::make_unique<MessageT>();
    sample.decode(message.get());
    return message;
  }

  /// Nobody keeps the message, so its memory serves the next one too.
  template <typename Call>
  void with_reference(underlay_dds::Sample& sample, Call call) {
    if (const auto object = sample.message()) {
      call(*static_cast<const MessageT*>(object.get()));
      return;
    }
    std::unique_ptr<MessageT> message;
    {
      const std::lock_guard<std::mutex> lock(scratch_mutex_);
      if (!scratch_.empty()) {
        message = std::move(scratch_.back());
        scratch_.pop_back();
      }
    }
    if (!message) message = std::make_unique<MessageT>();
    sample.decode(message.get());
    call(static_cast<const MessageT&>(*message));
    const std::lock_guard<std::mutex> lock(scratch_mutex_);
    scratch_.push_back(std::move(message));
  }

  void deliver(underlay_dds::Sample& sample, const MessageInfo& info) override { handler_(*this, sample, info); }

  Handler handler_;
  std::mutex scratch_mutex_;
  std::vector<std::unique_ptr<MessageT>> scratch_;
};

}  // namespace rclcpp
