// SPDX-License-Identifier: Apache-2.0
#include "underlay_dds/writer.hpp"

#include <dds/dds.h>

#include "qos.hpp"
#include "sertype.hpp"
#include "underlay_dds/participant.hpp"

namespace underlay_dds {
namespace {

const WriterEvents& events_of(void* argument) {
  return *static_cast<const WriterEvents*>(argument);
}

EventStatus counted(std::uint32_t total, std::int32_t change) {
  EventStatus status;
  status.total = static_cast<std::int32_t>(total);
  status.change = change;
  return status;
}

detail::DdsListener make_listener(WriterEvents& events) {
  detail::DdsListener listener(dds_create_listener(&events), &dds_delete_listener);
  if (events.deadline_missed) {
    dds_lset_offered_deadline_missed(
        listener.get(), [](dds_entity_t, const dds_offered_deadline_missed_status_t s, void* argument) {
          events_of(argument).deadline_missed(counted(s.total_count, s.total_count_change));
        });
  }
  if (events.liveliness_lost) {
    dds_lset_liveliness_lost(listener.get(), [](dds_entity_t, const dds_liveliness_lost_status_t s, void* argument) {
      events_of(argument).liveliness_lost(counted(s.total_count, s.total_count_change));
    });
  }
  if (events.incompatible_qos) {
    dds_lset_offered_incompatible_qos(listener.get(),
                                      [](dds_entity_t, const dds_offered_incompatible_qos_status_t s, void* argument) {
                                        EventStatus status = counted(s.total_count, s.total_count_change);
                                        status.policy = s.last_policy_id;
                                        events_of(argument).incompatible_qos(status);
                                      });
  }
  if (events.matched) {
    dds_lset_publication_matched(listener.get(),
                                 [](dds_entity_t, const dds_publication_matched_status_t s, void* argument) {
                                   EventStatus status = counted(s.total_count, s.total_count_change);
                                   status.alive = static_cast<std::int32_t>(s.current_count);
                                   status.alive_change = s.current_count_change;
                                   events_of(argument).matched(status);
                                 });
  }
  return listener;
}

}  // namespace

Writer::Writer(std::shared_ptr<Participant> participant, const std::string& dds_topic, const Type& type, const Qos& qos,
               WriterEvents events, const std::string& user_data)
    : participant_(std::move(participant)),
      topic_(dds_topic),
      events_(std::move(events)),
      local_readers_(participant_->local_readers(dds_topic)) {
  const detail::Topic topic = detail::create_topic(participant_->handle(), dds_topic, type);
  type_ = topic.type;
  const auto dds_qos = detail::make_qos(qos, detail::endpoint_user_data(user_data, type));
  const auto listener = make_listener(events_);
  handle_ = dds_create_writer(participant_->publisher(), topic.handle, dds_qos.get(), listener.get());
  dds_delete(topic.handle);
  if (handle_ < 0) throw Error("cannot publish on '" + dds_topic + "': " + dds_strretcode(-handle_));
  gid_ = detail::gid_of(handle_);
}

Writer::~Writer() {
  dds_delete(handle_);
}

void Writer::check(int result) const {
  if (result < 0) throw Error("cannot write on '" + topic_ + "': " + dds_strretcode(-result));
}

void Writer::write(std::shared_ptr<const void> message, bool sole_reader_may_own) {
  const bool sole = sole_reader_may_own && matched() == 1;
  check(detail::write_message(handle_, type_, std::move(message),
                              sole ? detail::Ownership::SoleReaderMayOwn : detail::Ownership::Shared));
}

void Writer::write_copy(const void* message) {
  check(detail::write_serialised(handle_, type_, message));
}

void Writer::write_cdr(const void* bytes, std::size_t size) {
  if (size < 4) throw Error("a payload of " + std::to_string(size) + " bytes has no encapsulation header");
  check(detail::write_bytes(handle_, type_, nullptr, bytes, size));
}

void Writer::write(const ServiceHeader& header, std::shared_ptr<const void> message) {
  check(detail::write_service_message(handle_, type_, header, std::move(message)));
}

void Writer::write_cdr(const ServiceHeader& header, const void* bytes, std::size_t size) {
  if (size < 4) throw Error("a payload of " + std::to_string(size) + " bytes has no encapsulation header");
  check(detail::write_bytes(handle_, type_, &header, bytes, size));
}

std::size_t Writer::matched() const {
  dds_publication_matched_status_t status{};
  dds_get_publication_matched_status(handle_, &status);
  return status.current_count;
}

bool Writer::assert_liveliness() const {
  return dds_assert_liveliness(handle_) == DDS_RETCODE_OK;
}

bool Writer::wait_for_acknowledged(std::int64_t timeout_ns) const {
  return dds_wait_for_acks(handle_, timeout_ns < 0 ? DDS_INFINITY : timeout_ns) == DDS_RETCODE_OK;
}

std::uint64_t Writer::instance_handle() const {
  dds_instance_handle_t handle = 0;
  dds_get_instance_handle(handle_, &handle);
  return handle;
}

}  // namespace underlay_dds
