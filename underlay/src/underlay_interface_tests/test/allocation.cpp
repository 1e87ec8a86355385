// SPDX-License-Identifier: Apache-2.0
#include "allocation.hpp"

#include <cstdlib>
#include <new>

std::size_t allocation::count = 0;
std::size_t allocation::bytes = 0;

void* operator new(std::size_t size) {
  ++allocation::count;
  allocation::bytes += size;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
