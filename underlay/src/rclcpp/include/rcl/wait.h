/* SPDX-License-Identifier: Apache-2.0 */
/* What a wait set found, as user code reads it: an entry is null if that entity is not ready. */
#pragma once

#include <stddef.h>

typedef struct rcl_subscription_s rcl_subscription_t;
typedef struct rcl_guard_condition_s rcl_guard_condition_t;
typedef struct rcl_timer_s rcl_timer_t;
typedef struct rcl_client_s rcl_client_t;
typedef struct rcl_service_s rcl_service_t;
typedef struct rcl_event_s rcl_event_t;

typedef struct rcl_wait_set_s {
  const rcl_subscription_t** subscriptions;
  size_t size_of_subscriptions;
  const rcl_guard_condition_t** guard_conditions;
  size_t size_of_guard_conditions;
  const rcl_timer_t** timers;
  size_t size_of_timers;
  const rcl_client_t** clients;
  size_t size_of_clients;
  const rcl_service_t** services;
  size_t size_of_services;
  const rcl_event_t** events;
  size_t size_of_events;
} rcl_wait_set_t;
