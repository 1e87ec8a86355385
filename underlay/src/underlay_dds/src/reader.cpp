// SPDX-License-Identifier: Apache-2.0
#include "underlay_dds/reader.hpp"

#include <dds/dds.h>

#include "qos.hpp"
#include "sertype.hpp"
#include "underlay_dds/participant.hpp"

namespace underlay_dds {
namespace {

const ReaderEvents& events_of(void* argument) {
  return *static_cast<const ReaderEvents*>(argument);
}

EventStatus status_of(const dds_requested_deadline_missed_status_t& s) {
  EventStatus status;
  status.total = static_cast<std::int32_t>(s.total_count);
  status.change = s.total_count_change;
  return status;
}

EventStatus status_of(const dds_liveliness_changed_status_t& s) {
  EventStatus status;
  status.alive = static_cast<std::int32_t>(s.alive_count);
  status.alive_change = s.alive_count_change;
  status.not_alive = static_cast<std::int32_t>(s.not_alive_count);
  status.not_alive_change = s.not_alive_count_change;
  return status;
}

EventStatus status_of(const dds_requested_incompatible_qos_status_t& s) {
  EventStatus status;
  status.total = static_cast<std::int32_t>(s.total_count);
  status.change = s.total_count_change;
  status.policy = s.last_policy_id;
  return status;
}

EventStatus status_of(const dds_sample_lost_status_t& s) {
  EventStatus status;
  status.total = static_cast<std::int32_t>(s.total_count);
  status.change = s.total_count_change;
  return status;
}

EventStatus status_of(const dds_subscription_matched_status_t& s) {
  EventStatus status;
  status.total = static_cast<std::int32_t>(s.total_count);
  status.change = s.total_count_change;
  status.alive = static_cast<std::int32_t>(s.current_count);
  status.alive_change = s.current_count_change;
  return status;
}

}  // namespace

Reader::Reader(std::shared_ptr<Participant> participant, const std::string& dds_topic, const Type& type, const Qos& qos,
               ReaderEvents events, const std::string& user_data)
    : participant_(std::move(participant)),
      events_(std::move(events)),
      local_readers_(participant_->local_readers(dds_topic)) {
  const detail::Topic topic = detail::create_topic(participant_->handle(), dds_topic, type);
  const auto dds_qos = detail::make_qos(qos, detail::endpoint_user_data(user_data, type));
  handle_ = dds_create_reader(participant_->subscriber(), topic.handle, dds_qos.get(), nullptr);
  dds_delete(topic.handle);
  if (handle_ < 0) throw Error("cannot subscribe to '" + dds_topic + "': " + dds_strretcode(-handle_));
  gid_ = detail::gid_of(handle_);
  local_readers_->fetch_add(1, std::memory_order_relaxed);
}

void Reader::start() {
  const detail::DdsListener listener(dds_create_listener(&events_), &dds_delete_listener);
  dds_listener_t* l = listener.get();
  if (events_.data_available) {
    dds_lset_data_available(l, [](dds_entity_t, void* argument) { events_of(argument).data_available(); });
  }
  if (events_.deadline_missed) {
    dds_lset_requested_deadline_missed(l, [](dds_entity_t, const dds_requested_deadline_missed_status_t s,
                                             void* argument) { events_of(argument).deadline_missed(status_of(s)); });
  }
  if (events_.liveliness_changed) {
    dds_lset_liveliness_changed(l, [](dds_entity_t, const dds_liveliness_changed_status_t s, void* argument) {
      events_of(argument).liveliness_changed(status_of(s));
    });
  }
  if (events_.incompatible_qos) {
    dds_lset_requested_incompatible_qos(l, [](dds_entity_t, const dds_requested_incompatible_qos_status_t s,
                                              void* argument) { events_of(argument).incompatible_qos(status_of(s)); });
  }
  if (events_.message_lost) {
    dds_lset_sample_lost(l, [](dds_entity_t, const dds_sample_lost_status_t s, void* argument) {
      events_of(argument).message_lost(status_of(s));
    });
  }
  if (events_.matched) {
    dds_lset_subscription_matched(l, [](dds_entity_t, const dds_subscription_matched_status_t s, void* argument) {
      events_of(argument).matched(status_of(s));
    });
  }
  dds_set_listener(handle_, l);

  if (events_.liveliness_changed) {
    dds_liveliness_changed_status_t s{};
    dds_get_liveliness_changed_status(handle_, &s);
    if (s.alive_count_change != 0 || s.not_alive_count_change != 0) events_.liveliness_changed(status_of(s));
  }
  if (events_.incompatible_qos) {
    dds_requested_incompatible_qos_status_t s{};
    dds_get_requested_incompatible_qos_status(handle_, &s);
    if (s.total_count_change != 0) events_.incompatible_qos(status_of(s));
  }
  if (events_.matched) {
    dds_subscription_matched_status_t s{};
    dds_get_subscription_matched_status(handle_, &s);
    if (s.total_count_change != 0) events_.matched(status_of(s));
  }
  if (events_.data_available) events_.data_available();
}

void Reader::stop() {
  dds_set_listener(handle_, nullptr);  // waits for a running listener
}

Reader::~Reader() {
  stop();
  dds_delete(handle_);
  local_readers_->fetch_sub(1, std::memory_order_relaxed);
}

bool Reader::has_data() {
  std::call_once(asked_, [this] { condition_ = dds_create_readcondition(handle_, DDS_ANY_STATE); });
  if (condition_ < 0) throw Error(std::string("cannot ask a reader for data: ") + dds_strretcode(-condition_));
  return dds_triggered(condition_) > 0;
}

std::size_t Reader::matched() const {
  dds_subscription_matched_status_t status{};
  dds_get_subscription_matched_status(handle_, &status);
  return status.current_count;
}

}  // namespace underlay_dds
