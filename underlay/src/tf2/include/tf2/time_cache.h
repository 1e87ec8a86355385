// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "tf2/exceptions.h"
#include "tf2/time.h"
#include "tf2/transform_storage.h"

namespace tf2 {

using P_TimeAndFrameID = std::pair<TimePoint, CompactFrameID>;

/// The history of one frame against its parent.
class TimeCacheInterface {
 public:
  virtual ~TimeCacheInterface() = default;

  /// False, with the reason, if nothing is known of `time` (zero: the newest is asked for).
  virtual bool getData(TimePoint time, TransformStorage& data_out, std::string* error_str = nullptr,
                       TF2Error* error_code = nullptr) = 0;
  /// False if it is older than what the cache keeps.
  virtual bool insertData(const TransformStorage& new_data) = 0;
  virtual void clearList() = 0;
  /// 0 if it is unknown.
  virtual CompactFrameID getParent(TimePoint time, std::string* error_str = nullptr,
                                   TF2Error* error_code = nullptr) = 0;
  /// Parent 0 if there is no data.
  virtual P_TimeAndFrameID getLatestTimeAndParent() = 0;
  virtual unsigned int getListLength() = 0;
  virtual TimePoint getLatestTimestamp() = 0;
  virtual TimePoint getOldestTimestamp() = 0;
};

using TimeCacheInterfacePtr = std::shared_ptr<TimeCacheInterface>;

constexpr Duration TIMECACHE_DEFAULT_MAX_STORAGE_TIME = std::chrono::seconds(10);

class FrameCache;

/// Of a frame that moves: what the last `max_storage_time` brought, interpolated in between.
class TimeCache : public TimeCacheInterface {
 public:
  explicit TimeCache(Duration max_storage_time = TIMECACHE_DEFAULT_MAX_STORAGE_TIME);
  ~TimeCache() override;

  bool getData(TimePoint time, TransformStorage& data_out, std::string* error_str = nullptr,
               TF2Error* error_code = nullptr) override;
  bool insertData(const TransformStorage& new_data) override;
  void clearList() override;
  CompactFrameID getParent(TimePoint time, std::string* error_str = nullptr, TF2Error* error_code = nullptr) override;
  P_TimeAndFrameID getLatestTimeAndParent() override;
  unsigned int getListLength() override;
  TimePoint getLatestTimestamp() override;
  TimePoint getOldestTimestamp() override;

 private:
  Duration max_storage_time_;
  std::unique_ptr<FrameCache> cache_;
};

/// Of a frame that does not: the same at all times.
class StaticCache : public TimeCacheInterface {
 public:
  bool getData(TimePoint time, TransformStorage& data_out, std::string* error_str = nullptr,
               TF2Error* error_code = nullptr) override;
  bool insertData(const TransformStorage& new_data) override;
  void clearList() override {}
  CompactFrameID getParent(TimePoint time, std::string* error_str = nullptr, TF2Error* error_code = nullptr) override;
  P_TimeAndFrameID getLatestTimeAndParent() override;
  unsigned int getListLength() override { return 1; }
  TimePoint getLatestTimestamp() override { return TimePoint(); }
  TimePoint getOldestTimestamp() override { return TimePoint(); }

 private:
  TransformStorage storage_;
};

}  // namespace tf2
