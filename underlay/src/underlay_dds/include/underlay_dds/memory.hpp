// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

namespace underlay_dds {

/// Memory that is kept for the next message when it is released, so that a steady stream does not reach the allocator.
void* allocate(std::size_t bytes);
void release(void* memory, std::size_t bytes);

template <class T>
struct PoolAllocator {
  using value_type = T;
  PoolAllocator() = default;
  template <class U>
  PoolAllocator(const PoolAllocator<U>&) {}  // NOLINT(google-explicit-constructor): as allocators are
  T* allocate(std::size_t count) { return static_cast<T*>(underlay_dds::allocate(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) { underlay_dds::release(memory, count * sizeof(T)); }
  template <class U>
  bool operator==(const PoolAllocator<U>&) const {
    return true;
  }
  template <class U>
  bool operator!=(const PoolAllocator<U>&) const {
    return false;
  }
};

template <class T, class... Arguments>
std::shared_ptr<T> make_pooled(Arguments&&... arguments) {
  return std::allocate_shared<T>(PoolAllocator<T>(), std::forward<Arguments>(arguments)...);
}

}  // namespace underlay_dds
