// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hl_match {

/// Some threads that do the same job for every index; who does which index
/// never depends on the time.
class TeamWork {
 public:
  explicit TeamWork(int threads);
  ~TeamWork();
  TeamWork(const TeamWork&) = delete;
  TeamWork& operator=(const TeamWork&) = delete;

  /// Calls `job(i)` for 0 <= i < count and returns when all are done; the first
  /// exception is thrown again.
  void run(std::size_t count, const std::function<void(std::size_t)>& job);

 private:
  void work(std::size_t worker);
  void share(std::size_t worker);

  std::mutex mutex_;
  std::condition_variable begin_, done_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::size_t count_ = 0, busy_ = 0;
  unsigned round_ = 0;
  bool stop_ = false;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

}  // namespace hl_match
