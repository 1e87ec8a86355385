// SPDX-License-Identifier: Apache-2.0
// How long a message waited for a processor: the threads on its way could have run, and others did.
#pragma once

#include <cstdint>
#include <vector>

namespace bench {

/// ns that the threads of this process could have run and did not. Those that start later are not seen.
class ThreadWaits {
 public:
  enum class Of { ThisThread, AllThreads };
  explicit ThreadWaits(Of which);
  ~ThreadWaits();
  ThreadWaits(const ThreadWaits&) = delete;
  ThreadWaits& operator=(const ThreadWaits&) = delete;
  std::int64_t since_last_call();

 private:
  std::vector<int> handles_;
  std::int64_t last_ = 0;
};

/// A file in memory that the sending process writes and its receivers read: what it waited while it sent.
class SenderWaits {
 public:
  struct Entry {
    std::int64_t sent = 0;    // ns, just before the message was made
    std::int64_t waited = 0;  // ns
  };

  SenderWaits();  // receivers that are started from now on find it
  ~SenderWaits();
  SenderWaits(const SenderWaits&) = delete;
  SenderWaits& operator=(const SenderWaits&) = delete;
  void add(const Entry& entry);

  static bool told();  // is this the receiver of one that measures?
  static std::vector<Entry> read();

 private:
  int handle_;
};

}  // namespace bench
