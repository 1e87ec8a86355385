/* SPDX-License-Identifier: Apache-2.0 */
/* Names of an endpoint's events, as user code spells them; there is no rcl below this client library. */
#pragma once

typedef enum rcl_publisher_event_type_e {
  RCL_PUBLISHER_OFFERED_DEADLINE_MISSED,
  RCL_PUBLISHER_LIVELINESS_LOST,
  RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS
} rcl_publisher_event_type_t;

typedef enum rcl_subscription_event_type_e {
  RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED,
  RCL_SUBSCRIPTION_LIVELINESS_CHANGED,
  RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS,
  RCL_SUBSCRIPTION_MESSAGE_LOST
} rcl_subscription_event_type_t;
