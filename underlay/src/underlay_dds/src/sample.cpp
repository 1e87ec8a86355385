// SPDX-License-Identifier: Apache-2.0
// What a reader takes from Cyclone: a sample, its message or its bytes.
#include <dds/dds.h>

#include <cstring>
#include <string>
#include <utility>

#include "serdata.hpp"
#include "underlay_dds/reader.hpp"
#include "underlay_dds/writer.hpp"

namespace underlay_dds {

using detail::Claim;
using detail::encapsulation_size;
using detail::header_size;
using detail::of;
using detail::SerData;

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
  if (data_ == nullptr) return;
  detail::used(data_);
  ddsi_serdata_unref(data_);
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
