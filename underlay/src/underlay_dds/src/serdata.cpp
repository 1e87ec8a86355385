// SPDX-License-Identifier: Apache-2.0
#include "serdata.hpp"

#include <dds/ddsi/q_radmin.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

namespace underlay_dds::detail {
namespace {

/// Freed sample objects, kept for the next one.
class SamplePool {
 public:
  SerData* take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        SerData* sample = free_.back();
        free_.pop_back();
        return sample;
      }
    }
    return new SerData;
  }

  /// When the last reference is gone.
  void recycle(SerData* sample) {
    used_by_nobody(sample);
    sample->message.reset();
    buffers().give(sample->block);
    sample->block = {};
    sample->size = 0;
    sample->failed = false;
    sample->header = {};
    sample->claim = Claim::Forbidden;
    sample->serialised.store(false, std::memory_order_relaxed);
    {
      const std::lock_guard lock(mutex_);
      if (free_.capacity() == 0) free_.reserve(room);
      if (free_.size() < room) {
        free_.push_back(sample);
        return;
      }
    }
    delete sample;
  }

 private:
  static constexpr std::size_t room = 256;
  std::mutex mutex_;
  std::vector<SerData*> free_;
};

SamplePool& samples() {
  static auto& pool = *new SamplePool;
  return pool;
}

ddsi_serdata* sample_from_fragments(const ddsi_sertype* type, ddsi_serdata_kind kind, const nn_rdata* fragment,
                                    size_t size) {
  SerData* sample = make_sample(type, kind);
  sample->reserve(std::max(size, encapsulation_size));
  sample->size = size;
  std::uint32_t offset = 0;
  for (; fragment != nullptr; fragment = fragment->nextfrag) {
    if (fragment->maxp1 <= offset) continue;  // fragments may overlap
    const std::uint8_t* payload = NN_RMSG_PAYLOADOFF(fragment->rmsg, NN_RDATA_PAYLOAD_OFF(fragment));
    std::memcpy(sample->block.data + offset, payload + (offset - fragment->min), fragment->maxp1 - offset);
    offset = fragment->maxp1;
  }
  sample->serialised.store(true, std::memory_order_release);
  return sample;
}

ddsi_serdata* sample_from_iovec(const ddsi_sertype* type, ddsi_serdata_kind kind, ddsrt_msg_iovlen_t count,
                                const ddsrt_iovec_t* parts, size_t size) {
  SerData* sample = make_sample(type, kind);
  sample->reserve(std::max(size, encapsulation_size));
  sample->size = size;
  std::size_t offset = 0;
  for (ddsrt_msg_iovlen_t i = 0; i < count && offset < size; ++i) {
    const std::size_t bytes = std::min<std::size_t>(size - offset, parts[i].iov_len);
    std::memcpy(sample->block.data + offset, parts[i].iov_base, bytes);
    offset += bytes;
  }
  sample->serialised.store(true, std::memory_order_release);
  return sample;
}

}  // namespace

void SerData::serialise_now(const void* source) const {
  const auto& ops = *sertype().message_ops;
  const std::size_t prefix = encapsulation_size + header_bytes();
  const std::size_t body = ops.size(source);
  const std::size_t padding = (4 - (prefix + body) % 4) % 4;
  reserve(prefix + body + padding);
  const std::uint8_t encapsulation[encapsulation_size] = {0, 1, 0, static_cast<std::uint8_t>(padding)};
  std::memcpy(block.data, encapsulation, encapsulation_size);
  if (header_bytes() != 0) std::memcpy(block.data + encapsulation_size, &header, header_size);
  ops.serialize(source, block.data + prefix);
  std::memset(block.data + prefix + body, 0, padding);
  serialised.store(true, std::memory_order_release);
}

void SerData::serialise() const noexcept {
  if (serialised.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(mutex);
  if (serialised.load(std::memory_order_relaxed)) return;
  try {
    if (message) {
      serialise_now(message.get());
      return;
    }
  } catch (const std::exception&) {
    buffers().give(block);
  }
  failed = true;
  reserve(encapsulation_size);
  const std::uint8_t empty[encapsulation_size] = {0, 1, 0, 0};
  std::memcpy(block.data, empty, encapsulation_size);
  serialised.store(true, std::memory_order_release);
}

SerData* make_sample(const ddsi_sertype* type, ddsi_serdata_kind kind) {
  SerData* sample = samples().take();
  ddsi_serdata_init(sample, type, kind);
  sample->hash = type->serdata_basehash;
  return sample;
}

const ddsi_serdata_ops& serdata_ops() {
  static const ddsi_serdata_ops table = [] {
    ddsi_serdata_ops ops{};
    ops.eqkey = [](const ddsi_serdata*, const ddsi_serdata*) { return true; };  // ROS 2 topics have no key
    ops.get_size = [](const ddsi_serdata* data) {
      of(data)->serialise();
      const auto size = static_cast<std::uint32_t>(of(data)->size);
      used(data);
      return size;
    };
    ops.from_ser = sample_from_fragments;
    ops.from_ser_iov = sample_from_iovec;
    ops.from_keyhash = [](const ddsi_sertype* type, const ddsi_keyhash*) -> ddsi_serdata* {
      return make_sample(type, SDK_KEY);
    };
    ops.from_sample = [](const ddsi_sertype* type, ddsi_serdata_kind kind, const void*) -> ddsi_serdata* {
      return kind == SDK_DATA ? nullptr : make_sample(type, kind);  // messages come through write_* only
    };
    ops.to_ser = [](const ddsi_serdata* data, size_t offset, size_t size, void* target) {
      of(data)->serialise();
      std::memcpy(target, of(data)->block.data + offset, size);
      used(data);
    };
    ops.to_ser_ref = [](const ddsi_serdata* data, size_t offset, size_t size, ddsrt_iovec_t* part) {
      of(data)->serialise();
      part->iov_base = of(data)->block.data + offset;
      part->iov_len = size;
      used(data);
      return ddsi_serdata_ref(data);
    };
    ops.to_ser_unref = [](ddsi_serdata* data, const ddsrt_iovec_t*) { ddsi_serdata_unref(data); };
    ops.to_sample = [](const ddsi_serdata*, void*, void**, void*) { return false; };  // Reader::take reads bytes
    ops.to_untyped = [](const ddsi_serdata* data) -> ddsi_serdata* {
      SerData* key = make_sample(data->type, SDK_KEY);
      key->type = nullptr;
      return key;
    };
    ops.untyped_to_sample = [](const ddsi_sertype*, const ddsi_serdata*, void*, void**, void*) { return true; };
    ops.free = [](ddsi_serdata* data) { samples().recycle(of(data)); };
    ops.print = [](const ddsi_sertype*, const ddsi_serdata*, char* text, size_t size) {
      return static_cast<size_t>(std::snprintf(text, size, "(cdr)"));
    };
    ops.get_keyhash = [](const ddsi_serdata*, ddsi_keyhash* hash, bool) { std::memset(hash, 0, sizeof(*hash)); };
#ifdef DDS_HAS_SHM
    ops.get_sample_size = ops.get_size;
#endif
    return ops;
  }();
  return table;
}

}  // namespace underlay_dds::detail
