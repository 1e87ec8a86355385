// SPDX-License-Identifier: Apache-2.0
#include "tf2/time_cache.h"

#include "frame_cache.hpp"

namespace tf2 {
namespace {

/// Why there is nothing at `time`, in words.
std::string reason(FrameCache::Lookup lookup, TimePoint time, const FrameCache& cache) {
  const std::string requested = "Requested time " + displayTimePoint(time);
  switch (lookup) {
    case FrameCache::Lookup::Found:
      break;
    case FrameCache::Lookup::Empty:
      return "Unable to lookup transform, cache is empty";
    case FrameCache::Lookup::OnlyOne:
      return "Lookup would require extrapolation at time " + displayTimePoint(time) + ", but only time " +
             displayTimePoint(cache.latest()) + " is in the buffer";
    case FrameCache::Lookup::Past:
      return "Lookup would require extrapolation into the past.  " + requested + " but the earliest data is at time " +
             displayTimePoint(cache.oldest());
    case FrameCache::Lookup::Future:
      return "Lookup would require extrapolation into the future.  " + requested + " but the latest data is at time " +
             displayTimePoint(cache.latest());
  }
  return "";
}

bool find(const FrameCache& cache, TimePoint time, Placement& placement, std::string* error_str, TF2Error* error_code) {
  const auto lookup = cache.find(time, placement);
  if (lookup == FrameCache::Lookup::Found) return true;
  if (error_str != nullptr) *error_str = reason(lookup, time, cache);
  if (error_code != nullptr) {
    *error_code = lookup == FrameCache::Lookup::Empty ? TF2Error::TF2_LOOKUP_ERROR : TF2Error::TF2_EXTRAPOLATION_ERROR;
  }
  return false;
}

}  // namespace

TimeCache::TimeCache(Duration max_storage_time)
    : max_storage_time_(max_storage_time), cache_(std::make_unique<FrameCache>()) {}

TimeCache::~TimeCache() = default;

bool TimeCache::getData(TimePoint time, TransformStorage& data_out, std::string* error_str, TF2Error* error_code) {
  Placement placement;
  if (!find(*cache_, time, placement, error_str, error_code)) return false;
  data_out =
      TransformStorage(placement.stamp, placement.rotation, placement.translation, placement.parent, placement.child);
  return true;
}

bool TimeCache::insertData(const TransformStorage& new_data) {
  const Placement placement{new_data.rotation_, new_data.translation_, new_data.frame_id_, new_data.child_frame_id_,
                            new_data.stamp_};
  return cache_->insert(placement, "", false, max_storage_time_) == FrameCache::Insertion::Done;
}

void TimeCache::clearList() {
  cache_->clear();
}

CompactFrameID TimeCache::getParent(TimePoint time, std::string* error_str, TF2Error* error_code) {
  Placement placement;
  return find(*cache_, time, placement, error_str, error_code) ? placement.parent : kNoFrame;
}

P_TimeAndFrameID TimeCache::getLatestTimeAndParent() {
  if (cache_->empty()) return {TimePoint(), kNoFrame};
  return {cache_->latest(), cache_->newest().parent};
}

unsigned int TimeCache::getListLength() {
  return static_cast<unsigned int>(cache_->size());
}

TimePoint TimeCache::getLatestTimestamp() {
  return cache_->empty() ? TimePoint() : cache_->latest();
}

TimePoint TimeCache::getOldestTimestamp() {
  return cache_->empty() ? TimePoint() : cache_->oldest();
}

bool StaticCache::getData(TimePoint time, TransformStorage& data_out, std::string* /*error_str*/,
                          TF2Error* /*error_code*/) {
  data_out = storage_;
  data_out.stamp_ = time;
  return true;
}

bool StaticCache::insertData(const TransformStorage& new_data) {
  storage_ = new_data;
  return true;
}

CompactFrameID StaticCache::getParent(TimePoint /*time*/, std::string* /*error_str*/, TF2Error* /*error_code*/) {
  return storage_.frame_id_;
}

P_TimeAndFrameID StaticCache::getLatestTimeAndParent() {
  return {TimePoint(), storage_.frame_id_};
}

}  // namespace tf2
