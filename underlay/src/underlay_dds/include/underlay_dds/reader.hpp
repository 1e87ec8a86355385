// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "underlay_dds/types.hpp"

struct ddsi_sertype;
struct ddsi_serdata;

namespace underlay_dds {

class Participant;

/// Called from a thread of the middleware: must not block, nor destroy the endpoint it belongs to.
struct ReaderEvents {
  using Callback = std::function<void(const EventStatus&)>;
  std::function<void()> data_available;
  Callback deadline_missed;
  Callback liveliness_changed;
  Callback incompatible_qos;
  Callback message_lost;
  Callback matched;
};

/// One received message: a reference to the middleware's buffer, and, if a writer of this process wrote it, to the
/// message itself.
class Sample {
 public:
  struct Bytes {
    const std::uint8_t* data = nullptr;
    std::size_t size = 0;
  };

  Sample() = default;
  ~Sample();
  Sample(Sample&& other) noexcept;
  Sample& operator=(Sample&& other) noexcept;

  /// The object itself, or null if it came as bytes.
  std::shared_ptr<const void> message() const;
  /// Ownership of the object, if this is its sole reader and the writer allowed it; else null, and `message` holds.
  void* claim();
  /// The payload as it is on the wire: encapsulation header, a service's header if there is one, body.
  Bytes cdr() const;
  /// The body alone, what `decode` reads.
  Bytes body() const;
  /// True if the body is in the byte order this machine does not have.
  bool foreign_byte_order() const;
  /// Decodes into a message of the reader's type; throws Error (with the reason) if the bytes are malformed.
  void decode(void* message) const;
  /// False if the payload is too short to have one.
  bool service_header(ServiceHeader& header) const;

  std::int64_t source_timestamp = 0;     // ns since 1970
  std::int64_t received_timestamp = 0;   // ns since 1970, when this process took it
  std::uint64_t publication_handle = 0;  // of the writer, local to this process
  bool from_this_process() const;

 private:
  friend class Reader;
  void reset();
  ddsi_serdata* data_ = nullptr;
};

/// One subscription. Tools that know only a type's name read raw bytes with `Sample::cdr` (see Writer).
class Reader {
 public:
  Reader(std::shared_ptr<Participant> participant, const std::string& dds_topic, const Type& type, const Qos& qos,
         ReaderEvents events = {}, const std::string& user_data = "");
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// Starts the events; what happened before is reported at once. Nothing is called before this.
  void start();
  /// Ends the events; none is running any more when this returns.
  void stop();

  /// The next message, if there is one.
  bool take(Sample& sample);
  /// Whether `take` has something to look at; it may turn out to be the end of a writer only.
  bool has_data();

  std::size_t matched() const;
  const Gid& gid() const { return gid_; }
  std::int32_t handle() const { return handle_; }
  Participant& participant() const { return *participant_; }

 private:
  std::shared_ptr<Participant> participant_;
  ReaderEvents events_;
  std::shared_ptr<std::atomic<int>> local_readers_;
  std::int32_t handle_ = 0;
  std::once_flag asked_;
  std::int32_t condition_ = 0;  // made by the first question
  Gid gid_{};
};

}  // namespace underlay_dds
