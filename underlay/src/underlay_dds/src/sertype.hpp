// SPDX-License-Identifier: Apache-2.0
// The only door to Cyclone's internal headers: see serdata.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "underlay_dds/reader.hpp"
#include "underlay_dds/types.hpp"

namespace underlay_dds::detail {

struct Topic {
  std::int32_t handle = 0;
  const ddsi_sertype* type = nullptr;
};

/// Throws Error.
Topic create_topic(std::int32_t participant, const std::string& name, const Type& type);

enum class Ownership { Shared, SoleReaderMayOwn };

// Each writes one sample; they return Cyclone's code and throw Error if the message cannot be serialised.
int write_message(std::int32_t writer, const ddsi_sertype* type, std::shared_ptr<const void> message,
                  Ownership ownership);
int write_service_message(std::int32_t writer, const ddsi_sertype* type, const ServiceHeader& header,
                          std::shared_ptr<const void> message);
int write_serialised(std::int32_t writer, const ddsi_sertype* type, const void* message);
int write_bytes(std::int32_t writer, const ddsi_sertype* type, const ServiceHeader* header, const void* bytes,
                std::size_t size);

}  // namespace underlay_dds::detail
