// SPDX-License-Identifier: Apache-2.0
#include "waits.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace bench {
namespace {

constexpr char variable[] = "HL_BENCH_SENDER_WAITS";

std::int64_t waited(int handle) {
  char text[96] = {};
  std::int64_t ran = 0, waited = 0;
  if (pread(handle, text, sizeof(text) - 1, 0) > 0) std::sscanf(text, "%" SCNd64 " %" SCNd64, &ran, &waited);
  return waited;
}

}  // namespace

ThreadWaits::ThreadWaits(Of which) {
  const auto open_one = [this](const std::string& folder) {
    const int handle = open((folder + "/schedstat").c_str(), O_RDONLY | O_CLOEXEC);
    if (handle >= 0) handles_.push_back(handle);
  };
  if (which == Of::ThisThread) {
    open_one("/proc/thread-self");
  } else {
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) open_one(thread.path().string());
  }
  since_last_call();
}

ThreadWaits::~ThreadWaits() {
  for (const int handle : handles_) close(handle);
}

std::int64_t ThreadWaits::since_last_call() {
  std::int64_t sum = 0;
  for (const int handle : handles_) sum += waited(handle);
  const std::int64_t since = sum - last_;
  last_ = sum;
  return since;
}

SenderWaits::SenderWaits() : handle_(memfd_create("sender_waits", MFD_CLOEXEC)) {
  if (handle_ < 0) throw std::runtime_error("memfd_create failed");
  const std::string place = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(handle_);
  setenv(variable, place.c_str(), 1);
}

SenderWaits::~SenderWaits() {
  unsetenv(variable);
  close(handle_);
}

void SenderWaits::add(const Entry& entry) {
  if (write(handle_, &entry, sizeof(entry)) != sizeof(entry)) throw std::runtime_error("write failed");
}

bool SenderWaits::told() {
  return std::getenv(variable) != nullptr;
}

std::vector<SenderWaits::Entry> SenderWaits::read() {
  std::vector<Entry> entries;
  const char* place = std::getenv(variable);
  const int handle = place == nullptr ? -1 : open(place, O_RDONLY | O_CLOEXEC);
  if (handle < 0) return entries;
  for (Entry entry; ::read(handle, &entry, sizeof(entry)) == sizeof(entry);) entries.push_back(entry);
  close(handle);
  return entries;
}

}  // namespace bench
