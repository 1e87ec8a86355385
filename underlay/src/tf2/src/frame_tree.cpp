// SPDX-License-Identifier: Apache-2.0
#include "frame_tree.hpp"

#include <optional>
#include <sstream>

namespace tf2 {
namespace {

/// Drops the part of both ways above their lowest common frame, which stays the last step of both.
void cut_common_end(FrameTree::Chain& a, FrameTree::Chain& b) {
  while (a.steps.size() > 1 && b.steps.size() > 1 &&
         a.steps[a.steps.size() - 2].frame == b.steps[b.steps.size() - 2].frame) {
    a.steps.pop_back();
    b.steps.pop_back();
  }
}

Pose to_last(const FrameTree::Chain& chain) {
  Pose pose;
  for (size_t i = 0; i + 1 < chain.steps.size(); ++i) pose = chain.steps[i].to_parent * pose;
  return pose;
}

bool blocked(const FrameTree::Chain& chain) {
  return chain.end == FrameCache::Lookup::Past || chain.end == FrameCache::Lookup::Future ||
         chain.end == FrameCache::Lookup::OnlyOne;
}

bool meet(FrameTree::Chain& a, FrameTree::Chain& b) {
  for (size_t i = 0; i < a.steps.size(); ++i) {
    for (size_t j = 0; j < b.steps.size(); ++j) {
      if (a.steps[i].frame != b.steps[j].frame) continue;
      a.steps.resize(i + 1);
      b.steps.resize(j + 1);
      return true;
    }
  }
  return false;
}

}  // namespace

void Failure::raise() const {
  switch (code) {
    case TF2Error::TF2_LOOKUP_ERROR:
      throw LookupException(text);
    case TF2Error::TF2_CONNECTIVITY_ERROR:
      throw ConnectivityException(text);
    case TF2Error::TF2_EXTRAPOLATION_ERROR:
      throw ExtrapolationException(text);
    case TF2Error::TF2_INVALID_ARGUMENT_ERROR:
      throw InvalidArgumentException(text);
    default:
      throw TransformException(text);
  }
}

FrameId FrameTree::find(const std::string& name) const {
  const auto entry = ids_.find(name);
  return entry == ids_.end() ? kNoFrame : entry->second;
}

FrameId FrameTree::find_or_add(const std::string& name) {
  const auto [entry, added] = ids_.emplace(name, static_cast<FrameId>(frames_.size()));
  if (added) frames_.push_back({name, {}});
  return entry->second;
}

Failure FrameTree::check(const std::string& name, const char* function, const char* argument, FrameId& id) const {
  const std::string where = std::string(" (argument ") + argument + " of " + function + ")";
  if (name.empty()) return {TF2Error::TF2_INVALID_ARGUMENT_ERROR, "A frame name is empty" + where};
  if (name[0] == '/') {
    return {TF2Error::TF2_INVALID_ARGUMENT_ERROR, "The frame name \"" + name +
                                                      "\" starts with '/', which tf2 does not allow; use \"" +
                                                      name.substr(1) + "\"" + where};
  }
  id = find(name);
  if (id == kNoFrame) {
    return {TF2Error::TF2_LOOKUP_ERROR, "The frame \"" + name + "\" does not exist" + where +
                                            ": no transform with that name has been received so far"};
  }
  return {};
}

FrameTree::Chain FrameTree::walk(FrameId frame, TimePoint time) const {
  Chain chain;
  chain.steps.reserve(16);
  for (;;) {
    Placement placement;
    chain.end = frames_[frame].cache.find(time, placement);
    if (chain.end != FrameCache::Lookup::Found) {
      chain.steps.push_back({frame, {}});
      return chain;
    }
    chain.steps.push_back({frame, {placement.rotation, placement.translation}});
    frame = placement.parent;
    if (chain.steps.size() > frames_.size()) {
      chain.loop = true;
      return chain;
    }
  }
}

std::string FrameTree::extrapolation_text(const Chain& chain, TimePoint time) const {
  const FrameId frame = chain.steps.back().frame;
  const FrameCache& cache = frames_[frame].cache;
  const std::string begin = "Lookup would require extrapolation ";
  const std::string parent = " (of \"" + name(frame) + "\" in \"" + name(cache.newest().parent) + "\")";
  switch (chain.end) {
    case FrameCache::Lookup::Past:
      return begin + "into the past. Requested time " + displayTimePoint(time) + " but the earliest data" + parent +
             " is at time " + displayTimePoint(cache.oldest());
    case FrameCache::Lookup::Future:
      return begin + "into the future. Requested time " + displayTimePoint(time) + " but the latest data" + parent +
             " is at time " + displayTimePoint(cache.latest());
    default:
      return begin + "at time " + displayTimePoint(time) + ", but only time " + displayTimePoint(cache.latest()) +
             parent + " is in the buffer";
  }
}

Failure FrameTree::connect(FrameId target, FrameId source, TimePoint time, Chain& from_target,
                           Chain& from_source) const {
  from_source = walk(source, time);
  from_target = walk(target, time);
  if (from_source.loop || from_target.loop) {
    return {TF2Error::TF2_CONNECTIVITY_ERROR,
            "The transform tree contains a loop above \"" + name(from_source.loop ? source : target) +
                "\": two publishers give the same frame different parents.\n" + as_string()};
  }
  if (from_source.steps.back().frame == from_target.steps.back().frame) {
    cut_common_end(from_source, from_target);
    return {};
  }
  // One frame may lie on the other's way up even though its own way up is blocked.
  if (meet(from_source, from_target)) return {};

  const std::string wanted =
      ", when looking up transform from frame [" + name(source) + "] to frame [" + name(target) + "]";
  for (const Chain* chain : {&from_target, &from_source}) {
    if (blocked(*chain)) return {TF2Error::TF2_EXTRAPOLATION_ERROR, extrapolation_text(*chain, time) + wanted};
  }
  return {TF2Error::TF2_CONNECTIVITY_ERROR, "Could not find a connection between '" + name(target) + "' and '" +
                                                name(source) + "' because they are not part of the same tree: '" +
                                                name(target) + "' hangs below '" +
                                                name(from_target.steps.back().frame) + "', '" + name(source) +
                                                "' below '" + name(from_source.steps.back().frame) + "'"};
}

Failure FrameTree::latest_common_time(FrameId target, FrameId source, TimePoint& time) const {
  Chain from_target, from_source;
  Failure failure = connect(target, source, TimePointZero, from_target, from_source);
  if (!failure.none()) return failure;
  std::optional<TimePoint> latest;
  for (const Chain* chain : {&from_target, &from_source}) {
    for (size_t i = 0; i + 1 < chain->steps.size(); ++i) {
      const FrameCache& cache = frames_[chain->steps[i].frame].cache;
      if (!cache.is_static() && (!latest || cache.latest() < *latest)) latest = cache.latest();
    }
  }
  time = latest.value_or(TimePointZero);
  return {};
}

Failure FrameTree::transform(FrameId target, FrameId source, TimePoint& time, Pose& result) const {
  if (target == source) {
    if (time == TimePointZero && !frames_[target].cache.empty() && !frames_[target].cache.is_static()) {
      time = frames_[target].cache.latest();
    }
    result = {};
    return {};
  }
  if (time == TimePointZero) {
    Failure failure = latest_common_time(target, source, time);
    if (!failure.none()) return failure;
  }
  Chain from_target, from_source;
  Failure failure = connect(target, source, time, from_target, from_source);
  if (failure.none()) result = to_last(from_target).inverse() * to_last(from_source);
  return failure;
}

Failure FrameTree::lookup(const char* function, const std::string& target, const std::string& source, TimePoint& time,
                          Pose& result) const {
  FrameId target_id = kNoFrame, source_id = kNoFrame;
  Failure failure = check(target, function, "target_frame", target_id);
  if (failure.none()) failure = check(source, function, "source_frame", source_id);
  return failure.none() ? transform(target_id, source_id, time, result) : failure;
}

Failure FrameTree::lookup(const char* function, const std::string& target, TimePoint& target_time,
                          const std::string& source, TimePoint source_time, const std::string& fixed,
                          Pose& result) const {
  FrameId target_id = kNoFrame, source_id = kNoFrame, fixed_id = kNoFrame;
  Failure failure = check(target, function, "target_frame", target_id);
  if (failure.none()) failure = check(source, function, "source_frame", source_id);
  if (failure.none()) failure = check(fixed, function, "fixed_frame", fixed_id);
  Pose fixed_from_source, target_from_fixed;
  if (failure.none()) failure = transform(fixed_id, source_id, source_time, fixed_from_source);
  if (failure.none()) failure = transform(target_id, fixed_id, target_time, target_from_fixed);
  if (failure.none()) result = target_from_fixed * fixed_from_source;
  return failure;
}

std::string FrameTree::as_string() const {
  std::string text;
  for (size_t i = 1; i < frames_.size(); ++i) {
    const FrameCache& cache = frames_[i].cache;
    const FrameId parent = cache.empty() ? kNoFrame : cache.newest().parent;
    text += "Frame " + frames_[i].name + " exists with parent " + (parent ? name(parent) : "NO_PARENT") + ".\n";
  }
  return text;
}

std::vector<FrameId> FrameTree::way(const char* function, const std::string& to, const std::string& from,
                                    TimePoint time) const {
  FrameId to_id = kNoFrame, from_id = kNoFrame;
  Failure failure = check(to, function, "target_frame", to_id);
  if (failure.none()) failure = check(from, function, "source_frame", from_id);
  Chain up, down;
  if (failure.none() && time == TimePointZero) failure = latest_common_time(to_id, from_id, time);
  if (failure.none()) failure = connect(to_id, from_id, time, down, up);
  if (!failure.none()) failure.raise();
  std::vector<FrameId> frames;
  for (const auto& step : up.steps) frames.push_back(step.frame);
  for (size_t i = down.steps.size() - 1; i-- > 0;) frames.push_back(down.steps[i].frame);
  return frames;
}

std::string FrameTree::as_yaml(TimePoint current_time) const {
  std::ostringstream yaml;
  yaml.setf(std::ios::fixed);
  yaml.precision(3);
  for (size_t i = 1; i < frames_.size(); ++i) {
    const auto& frame = frames_[i];
    if (frame.cache.empty()) continue;  // a root has no parent to tell about
    const double length = durationToSec(frame.cache.latest() - frame.cache.oldest());
    const double rate = length > 0.0 ? static_cast<double>(frame.cache.size() - 1) / length : 10000.0;
    yaml << frame.name << ":\n  parent: '" << name(frame.cache.newest().parent) << "'\n  broadcaster: '"
         << frame.cache.authority() << "'\n  rate: " << rate
         << "\n  most_recent_transform: " << timeToSec(frame.cache.latest())
         << "\n  oldest_transform: " << timeToSec(frame.cache.oldest()) << "\n";
    if (current_time != TimePointZero) {
      yaml << "  transform_delay: " << durationToSec(current_time - frame.cache.latest()) << "\n";
    }
    yaml << "  buffer_length: " << length << "\n";
  }
  const std::string text = yaml.str();
  return text.empty() ? "{}" : text;
}

std::string FrameTree::as_dot(TimePoint current_time) const {
  std::ostringstream dot;
  dot.setf(std::ios::fixed);
  dot.precision(3);
  dot << "digraph G {\n";
  for (size_t i = 1; i < frames_.size(); ++i) {
    const auto& frame = frames_[i];
    if (frame.cache.empty()) continue;
    dot << "\"" << name(frame.cache.newest().parent) << "\" -> \"" << frame.name << "\" [label=\""
        << (frame.cache.is_static() ? "static" : "at " + displayTimePoint(frame.cache.latest()));
    if (current_time != TimePointZero && !frame.cache.is_static()) {
      dot << "\\n" << durationToSec(current_time - frame.cache.latest()) << " s old";
    }
    dot << "\"];\n";
  }
  dot << "}";
  return dot.str();
}

}  // namespace tf2
