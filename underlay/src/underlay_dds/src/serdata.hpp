// SPDX-License-Identifier: Apache-2.0
// A sample type of Cyclone DDS 0.10 that carries ROS 2 CDR. A sample written in this process holds the message itself
// and is serialised when the network first asks for bytes; readers of the same process get the object.
// Only sertype.cpp, serdata.cpp and sample.cpp see this header and with it Cyclone's internal ones.
#pragma once

#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "buffer_pool.hpp"
#include "underlay_cdr/ops.hpp"
#include "underlay_dds/types.hpp"

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace underlay_dds::detail {

constexpr std::size_t encapsulation_size = 4;
constexpr std::size_t header_size = 16;

struct SerType : ddsi_sertype {
  const underlay_cdr::MessageOps* message_ops = nullptr;
  bool service_header = false;
};

enum class Claim : std::uint8_t { Forbidden, Allowed, Done };

/// `type` may be gone when a sample is freed, so nothing here looks at it then.
struct SerData : ddsi_serdata {
  mutable std::mutex mutex;  // serialising, claiming
  mutable std::atomic<bool> serialised{false};
  mutable BufferPool::Block block;
  mutable std::size_t size = 0;  // bytes used of the block, encapsulation included
  mutable bool failed = false;
  std::shared_ptr<const void> message;
  ServiceHeader header;
  Claim claim = Claim::Forbidden;

  const SerType& sertype() const { return *static_cast<const SerType*>(type); }
  std::size_t header_bytes() const { return sertype().service_header ? header_size : 0; }

  void reserve(std::size_t bytes) const {
    block = buffers().take(bytes);
    size = bytes;
  }

  /// Throws what the codec throws, e.g. for a string beyond its bound.
  void serialise_now(const void* source) const;
  /// For Cyclone, which cannot take an exception: a message that cannot be serialised becomes an empty payload and is
  /// reported by the writer.
  void serialise() const noexcept;
};

/// A fresh or recycled sample; freed when Cyclone's count of references is down.
SerData* make_sample(const ddsi_sertype* type, ddsi_serdata_kind kind);

inline SerData* of(ddsi_serdata* data) {
  return static_cast<SerData*>(data);
}
inline const SerData* of(const ddsi_serdata* data) {
  return static_cast<const SerData*>(data);
}

// Cyclone counts the references of a sample with an atomic that the thread sanitizer does not see. These tell it what
// the count guarantees: every use comes before the sample is recycled. In other builds they are nothing.
#ifdef __SANITIZE_THREAD__
inline void used(const ddsi_serdata* data) {
  __tsan_release(const_cast<ddsi_serdata*>(data));
}
inline void used_by_nobody(const ddsi_serdata* data) {
  __tsan_acquire(const_cast<ddsi_serdata*>(data));
}
#else
inline void used(const ddsi_serdata*) {}
inline void used_by_nobody(const ddsi_serdata*) {}
#endif

/// What Cyclone calls for samples of this kind.
const ddsi_serdata_ops& serdata_ops();

}  // namespace underlay_dds::detail
