// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
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
        serialized_(takes_bytes<CallbackT>()),
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

  std::shared_ptr<void> create_message() override { return std::make_shared<MessageT>(); }
  bool is_serialized() const override { return serialized_; }
  bool take_type_erased(void* message_out, MessageInfo& message_info_out) override {
    return take(*static_cast<MessageT*>(message_out), message_info_out);
  }
  void handle_message(std::shared_ptr<void>& message, const MessageInfo& message_info) override {
    if (serialized_) throw std::runtime_error("a subscription to bytes cannot handle a message");
    Delivery delivery{nullptr, std::static_pointer_cast<MessageT>(message), nullptr};
    handler_(*this, delivery, message_info);
  }
  void handle_serialized_message(const std::shared_ptr<SerializedMessage>& serialized_message,
                                 const MessageInfo& message_info) override {
    if (!serialized_) throw std::runtime_error("a subscription to messages cannot handle bytes");
    Delivery delivery{nullptr, nullptr, serialized_message};
    handler_(*this, delivery, message_info);
  }

 private:
  /// A message on its way to the callback: as it came from the middleware, or as the user took it.
  struct Delivery {
    underlay_dds::Sample* sample;
    std::shared_ptr<MessageT> taken;
    std::shared_ptr<SerializedMessage> bytes;
  };
  using Handler = std::function<void(Subscription&, Delivery&, const MessageInfo&)>;

  template <typename CallbackT>
  static constexpr bool takes_bytes() {
    using Callback = std::decay_t<CallbackT>;
    using Bytes = std::shared_ptr<SerializedMessage>;
    return std::is_invocable_v<Callback&, Bytes> || std::is_invocable_v<Callback&, Bytes, const MessageInfo&>;
  }

  template <typename CallbackT>
  static Handler make_handler(CallbackT&& callback) {
    using Callback = std::decay_t<CallbackT>;
    using Const = std::shared_ptr<const MessageT>;
    using Shared = std::shared_ptr<MessageT>;
    using Unique = std::unique_ptr<MessageT>;
    // A shared pointer also fits where a pointer to const is asked for, and a unique one where a shared one is: the
    // order of these questions decides.
    if constexpr (std::is_invocable_v<Callback&, const MessageT&>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto& self, auto& delivery, auto&) mutable {
        self.with_reference(delivery, [&](const MessageT& message) { call(message); });
      };
    } else if constexpr (std::is_invocable_v<Callback&, const MessageT&, const MessageInfo&>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto& self, auto& delivery, auto& info) mutable {
        self.with_reference(delivery, [&](const MessageT& message) { call(message, info); });
      };
    } else if constexpr (std::is_invocable_v<Callback&, Const>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& delivery, auto&) mutable {
        call(shared_const(delivery));
      };
    } else if constexpr (std::is_invocable_v<Callback&, Const, const MessageInfo&>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& delivery, auto& info) mutable {
        call(shared_const(delivery), info);
      };
    } else if constexpr (std::is_invocable_v<Callback&, Shared>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& delivery, auto&) mutable {
        call(shared(delivery));
      };
    } else if constexpr (std::is_invocable_v<Callback&, Shared, const MessageInfo&>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& delivery, auto& info) mutable {
        call(shared(delivery), info);
      };
    } else if constexpr (std::is_invocable_v<Callback&, Unique>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& delivery, auto&) mutable {
        call(unique(delivery));
      };
    } else if constexpr (std::is_invocable_v<Callback&, std::shared_ptr<SerializedMessage>>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& delivery, auto&) mutable {
        call(serialized(delivery));
      };
    } else if constexpr (std::is_invocable_v<Callback&, std::shared_ptr<SerializedMessage>, const MessageInfo&>) {
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& delivery, auto& info) mutable {
        call(serialized(delivery), info);
      };
    } else {
      static_assert(std::is_invocable_v<Callback&, Unique, const MessageInfo&>,
                    "a subscription callback takes const T&, std::shared_ptr<const T>, std::shared_ptr<T> or "
                    "std::unique_ptr<T>, or std::shared_ptr<rclcpp::SerializedMessage>, and optionally const "
                    "rclcpp::MessageInfo&");
      return [call = Callback(std::forward<CallbackT>(callback))](auto&, auto& delivery, auto& info) mutable {
        call(unique(delivery), info);
      };
    }
  }

  static std::shared_ptr<const MessageT> shared_const(Delivery& delivery) {
    if (delivery.taken) return delivery.taken;
    auto& sample = *delivery.sample;
    if (auto object = sample.message()) return std::static_pointer_cast<const MessageT>(std::move(object));
    auto message = underlay_dds::make_pooled<MessageT>();
    sample.decode(message.get());
    return message;
  }

  static std::shared_ptr<MessageT> shared(Delivery& delivery) {
    if (delivery.taken) return delivery.taken;
    auto& sample = *delivery.sample;
    if (auto* claimed = static_cast<MessageT*>(sample.claim())) return std::shared_ptr<MessageT>(claimed);
    if (const auto object = sample.message()) {
      return underlay_dds::make_pooled<MessageT>(*static_cast<const MessageT*>(object.get()));
    }
    auto message = underlay_dds::make_pooled<MessageT>();
    sample.decode(message.get());
    return message;
  }

  static std::unique_ptr<MessageT> unique(Delivery& delivery) {
    if (delivery.taken) return std::make_unique<MessageT>(*delivery.taken);
    auto& sample = *delivery.sample;
    if (auto* claimed = static_cast<MessageT*>(sample.claim())) return std::unique_ptr<MessageT>(claimed);
    if (const auto object = sample.message()) {
      return std::make_unique<MessageT>(*static_cast<const MessageT*>(object.get()));
    }
    auto message = std::make_unique<MessageT>();
    sample.decode(message.get());
    return message;
  }

  static std::shared_ptr<SerializedMessage> serialized(Delivery& delivery) {
    return delivery.bytes ? delivery.bytes : SubscriptionBase::serialized(*delivery.sample);
  }

  /// Nobody keeps the message, so its memory serves the next one too.
  template <typename Call>
  void with_reference(Delivery& delivery, Call call) {
    if (delivery.taken) {
      call(static_cast<const MessageT&>(*delivery.taken));
      return;
    }
    auto& sample = *delivery.sample;
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

  void deliver(underlay_dds::Sample& sample, const MessageInfo& info) override {
    Delivery delivery{&sample, nullptr, nullptr};
    handler_(*this, delivery, info);
  }

  const bool serialized_;
  Handler handler_;
  std::mutex scratch_mutex_;
  std::vector<std::unique_ptr<MessageT>> scratch_;
};

}  // namespace rclcpp
