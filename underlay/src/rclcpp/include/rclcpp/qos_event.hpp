// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "rmw/types.h"

namespace rclcpp {

using QOSDeadlineRequestedInfo = rmw_requested_deadline_missed_status_t;
using QOSDeadlineOfferedInfo = rmw_offered_deadline_missed_status_t;
using QOSLivelinessChangedInfo = rmw_liveliness_changed_status_t;
using QOSLivelinessLostInfo = rmw_liveliness_lost_status_t;
using QOSMessageLostInfo = rmw_message_lost_status_t;
using QOSOfferedIncompatibleQoSInfo = rmw_offered_qos_incompatible_event_status_t;
using QOSRequestedIncompatibleQoSInfo = rmw_requested_qos_incompatible_event_status_t;

using QOSDeadlineRequestedCallbackType = std::function<void(QOSDeadlineRequestedInfo&)>;
using QOSDeadlineOfferedCallbackType = std::function<void(QOSDeadlineOfferedInfo&)>;
using QOSLivelinessChangedCallbackType = std::function<void(QOSLivelinessChangedInfo&)>;
using QOSLivelinessLostCallbackType = std::function<void(QOSLivelinessLostInfo&)>;
using QOSMessageLostCallbackType = std::function<void(QOSMessageLostInfo&)>;
using QOSOfferedIncompatibleQoSCallbackType = std::function<void(QOSOfferedIncompatibleQoSInfo&)>;
using QOSRequestedIncompatibleQoSCallbackType = std::function<void(QOSRequestedIncompatibleQoSInfo&)>;

/// Called by the executor, in the endpoint's callback group.
struct PublisherEventCallbacks {
  QOSDeadlineOfferedCallbackType deadline_callback;
  QOSLivelinessLostCallbackType liveliness_callback;
  QOSOfferedIncompatibleQoSCallbackType incompatible_qos_callback;
};

struct SubscriptionEventCallbacks {
  QOSDeadlineRequestedCallbackType deadline_callback;
  QOSLivelinessChangedCallbackType liveliness_callback;
  QOSRequestedIncompatibleQoSCallbackType incompatible_qos_callback;
  QOSMessageLostCallbackType message_lost_callback;
};

}  // namespace rclcpp
