// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "underlay_dds/types.hpp"

struct ddsi_sertype;

namespace underlay_dds {

class Participant;

/// Called from a thread of the middleware: must not block, nor destroy the endpoint it belongs to.
struct WriterEvents {
  using Callback = std::function<void(const EventStatus&)>;
  Callback deadline_missed;
  Callback liveliness_lost;
  Callback incompatible_qos;
  Callback matched;
};

/// One publication.
///
/// Tools that know only a type's name publish raw bytes:
///
///     auto participant = underlay_dds::Participant::get();
///     underlay_dds::Writer writer(participant, "rt/chatter", underlay_dds::Type::raw("std_msgs/msg/String"), {});
///     writer.write_cdr(bytes.data(), bytes.size());  // 4 bytes encapsulation 00 01 00 00, then the CDR body
class Writer {
 public:
  Writer(std::shared_ptr<Participant> participant, const std::string& dds_topic, const Type& type, const Qos& qos,
         WriterEvents events = {}, const std::string& user_data = "");
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Readers of this process get this very object; it is serialised only if a reader elsewhere needs it. With
  /// `sole_reader_may_own` a single reader may take the object itself (`Sample::claim`); the deleter must then be a
  /// `Releasable` made by `releasable`.
  void write(std::shared_ptr<const void> message, bool sole_reader_may_own = false);
  /// Serialised before this returns; the caller keeps the message.
  void write_copy(const void* message);
  /// Bytes with their 4-byte encapsulation header. Throws Error if there are fewer than 4.
  void write_cdr(const void* bytes, std::size_t size);
  /// A request or reply.
  void write(const ServiceHeader& header, std::shared_ptr<const void> message);
  /// A request or reply whose body (with encapsulation header) is already serialised.
  void write_cdr(const ServiceHeader& header, const void* bytes, std::size_t size);

  std::size_t matched() const;
  /// Readers of this process on the topic, whether their QoS match or not.
  int local_readers() const { return local_readers_->load(std::memory_order_relaxed); }
  bool assert_liveliness() const;
  bool wait_for_acknowledged(std::int64_t timeout_ns) const;
  const Gid& gid() const { return gid_; }
  std::uint64_t instance_handle() const;
  std::int32_t handle() const { return handle_; }
  Participant& participant() const { return *participant_; }

 private:
  void check(int result) const;

  std::shared_ptr<Participant> participant_;
  std::string topic_;
  WriterEvents events_;
  std::shared_ptr<std::atomic<int>> local_readers_;
  std::int32_t handle_ = 0;
  const ddsi_sertype* type_ = nullptr;
  Gid gid_{};
};

/// Deleter of a message whose ownership a sole reader may claim.
struct Releasable {
  void (*destroy)(void*) = nullptr;
  bool released = false;
  void operator()(const void* message) const {
    if (!released) destroy(const_cast<void*>(message));
  }
};

template <class T>
std::shared_ptr<const void> releasable(std::unique_ptr<T> message) {
  return std::shared_ptr<const void>(message.release(), Releasable{[](void* m) { delete static_cast<T*>(m); }, false});
}

}  // namespace underlay_dds
