// SPDX-License-Identifier: Apache-2.0
#include "hl_match/team_work.hpp"

#include <utility>

namespace hl_match {

TeamWork::TeamWork(int threads) {
  for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i] { work(static_cast<std::size_t>(i)); });
}

TeamWork::~TeamWork() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  begin_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void TeamWork::share(std::size_t worker) {
  try {
    for (std::size_t i = worker; i < count_; i += threads_.size() + 1) (*job_)(i);
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void TeamWork::work(std::size_t worker) {
  unsigned seen = 0;
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      begin_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
    }
    share(worker);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void TeamWork::run(std::size_t count, const std::function<void(std::size_t)>& job) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    job_ = &job;
    count_ = count;
    busy_ = threads_.size();
    ++round_;
  }
  begin_.notify_all();
  share(0);
  std::unique_lock<std::mutex> lock(mutex_);
  done_.wait(lock, [&] { return busy_ == 0; });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace hl_match
