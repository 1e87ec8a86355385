// SPDX-License-Identifier: Apache-2.0
// A sample type of Cyclone DDS 0.10 that carries ROS 2 CDR. A sample written in this process holds the message itself
// and is serialised when the network first asks for bytes; readers of the same process get the object.
#include "sertype.hpp"

#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>
#include <dds/ddsi/q_radmin.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "underlay_cdr/ops.hpp"
#include "underlay_dds/memory.hpp"
#include "underlay_dds/writer.hpp"

namespace underlay_dds {
namespace {

constexpr std::size_t encapsulation_size = 4;
constexpr std::size_t header_size = 16;

/// Keeps freed blocks for the next message, by powers of two, so that a steady stream does not reach the allocator.
class BufferPool {
 public:
  struct Block {
    std::uint8_t* data = nullptr;
    std::size_t capacity = 0;
  };

  /// What `take(size)` gave, given its address.
  static Block block(void* data, std::size_t size) {
    std::size_t power = smallest;
    while (power <= largest && (std::size_t{1} << power) < size) ++power;
    return {static_cast<std::uint8_t*>(data), power <= largest ? std::size_t{1} << power : size};
  }

  Block take(std::size_t size) {
    Block block = BufferPool::block(nullptr, size);
    if (Shelf* shelf = shelf_of(block)) {
      const std::lock_guard lock(shelf->mutex);
      if (!shelf->blocks.empty()) {
        block.data = shelf->blocks.back();
        shelf->blocks.pop_back();
        return block;
      }
    }
    block.data = static_cast<std::uint8_t*>(std::malloc(block.capacity));
    if (block.data == nullptr) throw std::bad_alloc();
    return block;
  }

  void give(const Block& block) {
    if (block.data == nullptr) return;
    if (Shelf* shelf = shelf_of(block)) {
      const std::size_t room = std::clamp<std::size_t>((std::size_t{1} << 22) / block.capacity, 4, 256);
      const std::lock_guard lock(shelf->mutex);
      if (shelf->blocks.capacity() == 0) shelf->blocks.reserve(room);
      if (shelf->blocks.size() < room) {
        shelf->blocks.push_back(block.data);
        return;
      }
    }
    std::free(block.data);
  }

 private:
  static constexpr std::size_t smallest = 8;  // 256 B
  static constexpr std::size_t largest = 23;  // 8 MiB
  struct Shelf {
    std::mutex mutex;
    std::vector<std::uint8_t*> blocks;
  };
  Shelf* shelf_of(const Block& block) {
    for (std::size_t power = smallest; power <= largest; ++power) {
      if (block.capacity == std::size_t{1} << power) return &shelves_[power - smallest];
    }
    return nullptr;  // too large to keep
  }
  Shelf shelves_[largest - smallest + 1];
};

// Never destroyed: threads of the middleware may free samples until the process ends.
BufferPool& buffers() {
  static auto& pool = *new BufferPool;
  return pool;
}

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
  void serialise_now(const void* source) const {
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

  /// For Cyclone, which cannot take an exception: a message that cannot be serialised becomes an empty payload and is
  /// reported by the writer.
  void serialise() const noexcept {
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
};

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

  /// When the last reference is gone. Cyclone counts the references, so this is after all uses of the sample, also in
  /// other threads, although the thread sanitizer cannot see it (scripts/tsan.supp).
  void recycle_sample(SerData* sample) {
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

SerData* make_sample(const ddsi_sertype* type, ddsi_serdata_kind kind) {
  SerData* sample = samples().take();
  ddsi_serdata_init(sample, type, kind);
  sample->hash = type->serdata_basehash;
  return sample;
}

SerData* of(ddsi_serdata* data) {
  return static_cast<SerData*>(data);
}
const SerData* of(const ddsi_serdata* data) {
  return static_cast<const SerData*>(data);
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

const ddsi_serdata_ops& serdata_ops() {
  static const ddsi_serdata_ops table = [] {
    ddsi_serdata_ops ops{};
    ops.eqkey = [](const ddsi_serdata*, const ddsi_serdata*) { return true; };  // ROS 2 topics have no key
    ops.get_size = [](const ddsi_serdata* data) {
      of(data)->serialise();
      return static_cast<std::uint32_t>(of(data)->size);
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
    };
    ops.to_ser_ref = [](const ddsi_serdata* data, size_t offset, size_t size, ddsrt_iovec_t* part) {
      of(data)->serialise();
      part->iov_base = of(data)->block.data + offset;
      part->iov_len = size;
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
    ops.free = [](ddsi_serdata* data) { samples().recycle_sample(of(data)); };
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

const ddsi_sertype_ops& sertype_ops() {
  static const ddsi_sertype_ops table = [] {
    ddsi_sertype_ops ops{};
    ops.version = ddsi_sertype_v0;
    ops.free = [](ddsi_sertype* type) {
      ddsi_sertype_fini(type);
      delete static_cast<SerType*>(type);
    };
    ops.zero_samples = [](const ddsi_sertype*, void*, size_t) {};
    ops.realloc_samples = [](void** pointers, const ddsi_sertype*, void*, size_t, size_t count) {
      for (size_t i = 0; i < count; ++i) pointers[i] = nullptr;
    };
    ops.free_samples = [](const ddsi_sertype*, void**, size_t, dds_free_op_t) {};
    ops.equal = [](const ddsi_sertype* a, const ddsi_sertype* b) {
      const auto& left = *static_cast<const SerType*>(a);
      const auto& right = *static_cast<const SerType*>(b);
      return left.message_ops == right.message_ops && left.service_header == right.service_header;
    };
    ops.hash = [](const ddsi_sertype* type) {
      return static_cast<std::uint32_t>(std::hash<const void*>{}(static_cast<const SerType*>(type)->message_ops));
    };
    return ops;
  }();
  return table;
}

/// Hands the sample to Cyclone, which takes over one reference; tells if it could not be serialised on the way.
int write(std::int32_t writer, SerData* sample) {
  ddsi_serdata_ref(sample);
  const int result = dds_writecdr(writer, sample);
  const bool failed = sample->serialised.load(std::memory_order_acquire) && sample->failed;
  ddsi_serdata_unref(sample);
  if (failed) throw Error("the message could not be serialised: a string or sequence exceeds its bound");
  return result;
}

}  // namespace

void* allocate(std::size_t bytes) {
  return buffers().take(bytes).data;
}
void release(void* memory, std::size_t bytes) {
  buffers().give(buffers().block(memory, bytes));
}

namespace detail {

Topic create_topic(std::int32_t participant, const std::string& name, const Type& type) {
  auto* made = new SerType;
  ddsi_sertype_init_flags(made, type.dds_name.c_str(), &sertype_ops(), &serdata_ops(),
                          DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY);
  made->allowed_data_representation = DDS_DATA_REPRESENTATION_FLAG_XCDR1;
  made->message_ops = type.ops;
  made->service_header = type.service_header;
  ddsi_sertype* registered = made;
  const dds_entity_t handle =
      dds_create_topic_sertype(participant, name.c_str(), &registered, nullptr, nullptr, nullptr);
  if (handle < 0) {
    ddsi_sertype_unref(made);
    throw Error("cannot create topic '" + name + "' of type " + type.dds_name + ": " + dds_strretcode(-handle));
  }
  return {handle, registered};
}

int write_message(std::int32_t writer, const ddsi_sertype* type, std::shared_ptr<const void> message,
                  Ownership ownership) {
  SerData* sample = make_sample(type, SDK_DATA);
  sample->message = std::move(message);
  sample->claim = ownership == Ownership::SoleReaderMayOwn ? Claim::Allowed : Claim::Forbidden;
  return write(writer, sample);
}

int write_service_message(std::int32_t writer, const ddsi_sertype* type, const ServiceHeader& header,
                          std::shared_ptr<const void> message) {
  SerData* sample = make_sample(type, SDK_DATA);
  sample->message = std::move(message);
  sample->header = header;
  return write(writer, sample);
}

int write_serialised(std::int32_t writer, const ddsi_sertype* type, const void* message) {
  SerData* sample = make_sample(type, SDK_DATA);
  try {
    sample->serialise_now(message);
  } catch (...) {
    ddsi_serdata_unref(sample);
    throw;
  }
  return dds_writecdr(writer, sample);
}

int write_bytes(std::int32_t writer, const ddsi_sertype* type, const ServiceHeader* header, const void* bytes,
                std::size_t size) {
  const auto* source = static_cast<const std::uint8_t*>(bytes);
  const std::size_t extra = header != nullptr ? header_size : 0;
  SerData* sample = make_sample(type, SDK_DATA);
  const std::size_t padding = (4 - size % 4) % 4;
  sample->reserve(size + extra + padding);
  std::memcpy(sample->block.data, source, encapsulation_size);
  if (header != nullptr) std::memcpy(sample->block.data + encapsulation_size, header, header_size);
  std::memcpy(sample->block.data + encapsulation_size + extra, source + encapsulation_size, size - encapsulation_size);
  std::memset(sample->block.data + size + extra, 0, padding);
  sample->serialised.store(true, std::memory_order_release);
  return dds_writecdr(writer, sample);
}

}  // namespace detail

Sample::~Sample() {
  reset();
}

Sample::Sample(Sample&& other) noexcept
    : source_timestamp(other.source_timestamp),
      received_timestamp(other.received_timestamp),
      publication_handle(other.publication_handle),
      data_(std::exchange(other.data_, nullptr)) {}

Sample& Sample::operator=(Sample&& other) noexcept {
  if (this != &other) {
    reset();
    source_timestamp = other.source_timestamp;
    received_timestamp = other.received_timestamp;
    publication_handle = other.publication_handle;
    data_ = std::exchange(other.data_, nullptr);
  }
  return *this;
}

void Sample::reset() {
  if (data_ != nullptr) ddsi_serdata_unref(data_);
  data_ = nullptr;
}

bool Sample::from_this_process() const {
  return data_ != nullptr && of(data_)->claim != Claim::Done && message();
}

std::shared_ptr<const void> Sample::message() const {
  const SerData* sample = of(data_);
  if (sample->claim == Claim::Forbidden) return sample->message;  // nobody ever takes it away
  const std::lock_guard lock(sample->mutex);
  return sample->message;
}

void* Sample::claim() {
  SerData* sample = of(data_);
  if (sample->claim == Claim::Forbidden) return nullptr;
  const std::lock_guard lock(sample->mutex);
  if (!sample->message || sample->message.use_count() != 1) return nullptr;
  // The count is read without ordering; a round trip through it orders this thread after all earlier owners.
  std::shared_ptr<const void> owner = sample->message;
  owner.reset();
  auto* deleter = std::get_deleter<Releasable>(sample->message);
  if (deleter == nullptr) return nullptr;
  deleter->released = true;
  void* object = const_cast<void*>(sample->message.get());
  sample->message.reset();
  sample->claim = Claim::Done;
  return object;
}

Sample::Bytes Sample::cdr() const {
  of(data_)->serialise();
  return {of(data_)->block.data, of(data_)->size};
}

Sample::Bytes Sample::body() const {
  const Bytes all = cdr();
  const std::size_t prefix = encapsulation_size + of(data_)->header_bytes();
  if (all.size < prefix) return {all.data, 0};
  return {all.data + prefix, all.size - prefix};
}

bool Sample::foreign_byte_order() const {
  return cdr().data[1] == 0;
}

void Sample::decode(void* message) const {
  const Bytes all = cdr();
  const std::size_t prefix = encapsulation_size + of(data_)->header_bytes();
  if (all.size < prefix) throw Error("payload of " + std::to_string(all.size) + " bytes is too short");
  if (all.data[0] != 0 || all.data[1] > 1) {
    throw Error("unknown encapsulation " + std::to_string(all.data[0]) + "." + std::to_string(all.data[1]) +
                ", expected plain CDR");
  }
  try {
    of(data_)->sertype().message_ops->deserialize(message, all.data + prefix, all.size - prefix, all.data[1] == 0);
  } catch (const std::exception& error) {
    throw Error(error.what());
  }
}

bool Sample::service_header(ServiceHeader& header) const {
  const SerData* sample = of(data_);
  if (sample->message) {
    header = sample->header;
    return true;
  }
  const Bytes all = cdr();
  if (all.size < encapsulation_size + header_size) return false;
  std::memcpy(&header, all.data + encapsulation_size, header_size);
  if (all.data[1] == 0) {  // big endian
    header.client = __builtin_bswap64(header.client);
    header.sequence = static_cast<std::int64_t>(__builtin_bswap64(static_cast<std::uint64_t>(header.sequence)));
  }
  return true;
}

bool Reader::take(Sample& sample) {
  for (;;) {
    sample.reset();
    ddsi_serdata* data = nullptr;
    dds_sample_info_t info;
    if (dds_takecdr(handle_, &data, 1, &info, DDS_ANY_STATE) != 1) return false;
    sample.data_ = data;
    if (!info.valid_data) continue;  // the end of a writer, not a message
    sample.source_timestamp = info.source_timestamp;
    sample.received_timestamp = dds_time();
    sample.publication_handle = info.publication_handle;
    if (of(data)->claim == Claim::Forbidden) return true;
    const std::lock_guard lock(of(data)->mutex);
    if (of(data)->message || of(data)->serialised.load(std::memory_order_relaxed)) return true;
    // Claimed by the reader that was the only one when it was written: this reader came later.
  }
}

}  // namespace underlay_dds
