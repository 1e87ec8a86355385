// SPDX-License-Identifier: Apache-2.0
#include "buffer_pool.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "underlay_dds/memory.hpp"

namespace underlay_dds {
namespace detail {

BufferPool::Block BufferPool::block(void* data, std::size_t size) {
  std::size_t power = smallest;
  while (power <= largest && (std::size_t{1} << power) < size) ++power;
  return {static_cast<std::uint8_t*>(data), power <= largest ? std::size_t{1} << power : size};
}

BufferPool::Block BufferPool::take(std::size_t size) {
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

void BufferPool::give(const Block& block) {
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

BufferPool::Shelf* BufferPool::shelf_of(const Block& block) {
  for (std::size_t power = smallest; power <= largest; ++power) {
    if (block.capacity == std::size_t{1} << power) return &shelves_[power - smallest];
  }
  return nullptr;  // too large to keep
}

// Never destroyed: threads of the middleware may free samples until the process ends.
BufferPool& buffers() {
  static auto& pool = *new BufferPool;
  return pool;
}

}  // namespace detail

void* allocate(std::size_t bytes) {
  return detail::buffers().take(bytes).data;
}
void release(void* memory, std::size_t bytes) {
  detail::buffers().give(detail::BufferPool::block(memory, bytes));
}

}  // namespace underlay_dds
