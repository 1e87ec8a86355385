// SPDX-License-Identifier: Apache-2.0
#include "hl_testing/allocations.hpp"

#include <cstdlib>
#include <new>

std::size_t hl_testing::allocations::count = 0;
std::size_t hl_testing::allocations::bytes = 0;

void* operator new(std::size_t size) {
  ++hl_testing::allocations::count;
  hl_testing::allocations::bytes += size;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
