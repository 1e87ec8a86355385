// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace underlay_dds::detail {

/// Keeps freed blocks for the next message, by powers of two, so that a steady stream does not reach the allocator.
class BufferPool {
 public:
  struct Block {
    std::uint8_t* data = nullptr;
    std::size_t capacity = 0;
  };

  /// What `take(size)` gave, given its address.
  static Block block(void* data, std::size_t size);
  Block take(std::size_t size);
  void give(const Block& block);

 private:
  static constexpr std::size_t smallest = 8;  // 256 B
  static constexpr std::size_t largest = 23;  // 8 MiB
  struct Shelf {
    std::mutex mutex;
    std::vector<std::uint8_t*> blocks;
  };
  Shelf* shelf_of(const Block& block);
  Shelf shelves_[largest - smallest + 1];
};

/// The one of this process.
BufferPool& buffers();

}  // namespace underlay_dds::detail
