// SPDX-License-Identifier: Apache-2.0
#include "sertype.hpp"

#include <dds/dds.h>

#include <cstring>
#include <functional>
#include <utility>

#include "serdata.hpp"

namespace underlay_dds::detail {
namespace {

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
  used(sample);
  ddsi_serdata_unref(sample);
  if (failed) throw Error("the message could not be serialised: a string or sequence exceeds its bound");
  return result;
}

}  // namespace

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
  used(sample);
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
  used(sample);
  return dds_writecdr(writer, sample);
}

}  // namespace underlay_dds::detail
