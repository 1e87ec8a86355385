// SPDX-License-Identifier: Apache-2.0
#include "hl_remote/link_sender.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace hl_remote {
namespace {

constexpr double kUdpAndIp = 28.0;  // bytes of headers below each datagram
// The bucket holds a fifth of the budget and is filled with the other four fifths each second: together they never
// exceed it in any second.
constexpr double kBucket = 0.2;

}  // namespace

std::optional<std::string> LinkSender::Params::validate() const {
  if (!valid_robot_name(robot))
    return "robot = '" + robot + "' must be letters, digits and underscores, beginning with a letter";
  if (datagram < 200 || datagram > 65000) return "datagram = " + std::to_string(datagram) + " must lie in 200..65000 B";
  const double least = (datagram + kUdpAndIp) / kBucket;
  if (!(budget >= least) || budget > 1e9)
    return "budget = " + std::to_string(budget) + " must lie in " + std::to_string(least) +
           "..1e9 B/s; the least lets one datagram of " + std::to_string(datagram) + " B go at once";
  if (!(repeat_latched >= 0.1 && repeat_latched <= 60.0))
    return "repeat_latched = " + std::to_string(repeat_latched) + " must lie in 0.1..60 s";
  if (compression < 1 || compression > 19) return "compression = " + std::to_string(compression) + " must lie in 1..19";
  return std::nullopt;
}

LinkSender::LinkSender(const Params& params, const std::vector<Topic>& topics) : params_(params) {
  if (const auto error = params.validate()) throw std::invalid_argument(*error);
  for (const Topic& topic : topics) {
    if (!(topic.rate >= 0.0 && std::isfinite(topic.rate)))
      throw std::invalid_argument("rate of '" + topic.name + "' must be 0 (as it comes) or more Hz");
    lanes_.push_back({});
    lanes_.back().topic = topic;
  }
}

void LinkSender::offer(std::size_t index, const std::string& type, bool latched, hl_network::Bytes serialized,
                       std::int64_t stamp_ns) {
  Lane& lane = lanes_.at(index);
  if (serialized.size + 2 * kMaxName + 64 > kMaxMessage) {
    ++statistics_.too_large;
    return;
  }
  if (lane.waiting) ++statistics_.replaced;
  LinkMessage message;
  message.topic = lane.topic.name;
  message.type = type;
  message.latched = latched;
  message.number = ++lane.number;
  message.stamp_ns = stamp_ns;
  message.serialized.assign(serialized.data, serialized.data + serialized.size);
  lane.waiting = std::move(message);
}

void LinkSender::fill(double now) {
  const double bucket = kBucket * params_.budget;
  if (!last_poll_) tokens_ = bucket;
  const double elapsed = last_poll_ ? std::max(now - *last_poll_, 0.0) : 0.0;
  tokens_ = std::min(bucket, tokens_ + elapsed * (1.0 - kBucket) * params_.budget);
  last_poll_ = now;
}

/// Takes the next message of the lane, if one is due, and cuts it into datagrams.
void LinkSender::pack_next(Lane& lane, double now) {
  const LinkMessage* message = nullptr;
  if (lane.waiting && now >= lane.next_due) {
    lane.next_due = lane.topic.rate > 0.0 ? std::max(lane.next_due + 1.0 / lane.topic.rate, now) : now;
    if (lane.waiting->latched) lane.to_repeat = lane.waiting;
    message = &*lane.waiting;
  } else if (!lane.waiting && lane.to_repeat && now >= lane.next_repeat) {
    message = &*lane.to_repeat;
  }
  if (message == nullptr) return;
  lane.next_repeat = now + params_.repeat_latched;

  const Buffer frame = pack(*message, params_.compression);
  lane.waiting.reset();
  const std::size_t share = static_cast<std::size_t>(params_.datagram) - header_size(params_.robot);
  const std::size_t count = (frame.size() + share - 1) / share;
  if (count == 0 || count > std::numeric_limits<std::uint16_t>::max()) {
    ++statistics_.too_large;
    lane.to_repeat.reset();
    return;
  }
  LinkHeader header{kLinkVersion, params_.robot, params_.session, ++message_, 0, static_cast<std::uint16_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    header.fragment = static_cast<std::uint16_t>(i);
    lane.fragments.push_back(
        write_datagram(header, {frame.data() + i * share, std::min(share, frame.size() - i * share)}));
  }
}

void LinkSender::poll(double now, const std::function<void(hl_network::Bytes)>& send) {
  fill(now);
  std::size_t idle = 0;
  while (idle < lanes_.size()) {
    Lane& lane = lanes_[turn_];
    if (lane.fragments.empty()) pack_next(lane, now);
    if (lane.fragments.empty()) {
      ++idle;
    } else {
      const Buffer& datagram = lane.fragments[lane.next];
      const double cost = static_cast<double>(datagram.size()) + kUdpAndIp;
      if (cost > tokens_) return;  // the same lane goes on when there is budget again
      tokens_ -= cost;
      send({datagram.data(), datagram.size()});
      ++statistics_.datagrams;
      statistics_.bytes += static_cast<std::uint64_t>(cost);
      idle = 0;
      if (++lane.next == lane.fragments.size()) {
        lane.fragments.clear();
        lane.next = 0;
        ++statistics_.messages;
      }
    }
    turn_ = (turn_ + 1) % lanes_.size();
  }
}

}  // namespace hl_remote
