// SPDX-License-Identifier: Apache-2.0
#include "ros2bag/player.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

#include "ros2bag/qos_profiles.hpp"
#include "ros2bag/time.hpp"

namespace ros2bag {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr auto longest_sleep = milliseconds(50);     // until a stop is noticed
constexpr auto discovery_quiet = milliseconds(200);  // without changes of the graph: everybody has been found
constexpr auto discovery_limit = milliseconds(1000);
constexpr std::int64_t acknowledge_limit_ns = 1'000'000'000;

bool wanted(const std::vector<std::string>& topics, const std::string& name) {
  return topics.empty() || std::find(topics.begin(), topics.end(), name) != topics.end();
}

}  // namespace

Player::Player(std::shared_ptr<underlay_dds::Participant> participant, const PlayOptions& options)
    : participant_(std::move(participant)),
      options_(options),
      bag_(options_.bag),
      node_(participant_->graph().add_node("/", "rosbag2_player")) {
  for (const auto& name : options_.topics) {
    const auto& topics = bag_.metadata().topics;
    const bool known = std::any_of(topics.begin(), topics.end(), [&name](const Topic& t) { return t.name == name; });
    if (!known) throw BagError("the bag has no topic '" + name + "'; `ros2 bag info` lists its topics");
  }
  const underlay_dds::Graph::Batch together(participant_->graph());
  for (const auto& topic : bag_.metadata().topics) advertise(topic);
  if (options_.clock_rate > 0.0) {
    clock_ = std::make_unique<underlay_dds::Writer>(
        participant_, "rt/clock", underlay_dds::Type::raw("rosgraph_msgs/msg/Clock"), underlay_dds::Qos());
    participant_->graph().add_endpoint(node_, false, clock_->gid());
  }
}

Player::~Player() {
  clock_.reset();
  writers_.clear();
  participant_->graph().remove_node(node_);
}

void Player::advertise(const Topic& topic) {
  writers_.emplace_back();
  const bool clock_of_our_own = options_.clock_rate > 0.0 && topic.name == "/clock";
  if (!wanted(options_.topics, topic.name) || clock_of_our_own) return;
  const auto remap = options_.remaps.find(topic.name);
  const std::string& name = remap == options_.remaps.end() ? topic.name : remap->second;
  writers_.back() = std::make_unique<underlay_dds::Writer>(
      participant_, "rt" + name, underlay_dds::Type::raw(topic.type), offer_for(qos_from_yaml(topic.offered_qos)));
  participant_->graph().add_endpoint(node_, false, writers_.back()->gid());
}

std::uint64_t Player::run(const std::atomic<bool>& stop) {
  // What is published before the subscribers are found would be lost on them.
  const auto limit = Clock::now() + discovery_limit;
  auto& graph = participant_->graph();
  while (!stop && Clock::now() < limit &&
         graph.wait_for_change(graph.version(), nanoseconds(discovery_quiet).count())) {
  }
  const auto begin = Clock::now() + nanoseconds(ns_from_seconds(options_.delay));
  started_ = next_clock_ = begin;
  first_ = bag_.metadata().start() + ns_from_seconds(options_.start_offset);
  if (!wait_until(begin, stop)) return 0;

  std::uint64_t published = 0;
  do {
    published += play_once(stop);
  } while (options_.loop && !stop && published > 0);
  for (const auto& writer : writers_) {
    if (writer && !stop) writer->wait_for_acknowledged(acknowledge_limit_ns);
  }
  return published;
}

std::uint64_t Player::play_once(const std::atomic<bool>& stop) {
  std::uint64_t published = 0;
  started_ = next_clock_ = Clock::now();
  bag_.seek(first_);
  Message message;
  while (bag_.next(message)) {
    const auto after_start = static_cast<double>(message.time - first_) / options_.rate;
    if (!wait_until(started_ + nanoseconds(limited_ns(after_start)), stop)) break;
    while (writers_.size() < bag_.metadata().topics.size()) advertise(bag_.metadata().topics[writers_.size()]);
    if (const auto& writer = writers_[message.topic]; writer && message.cdr.size() >= 4) {
      writer->write_cdr(message.cdr.data(), message.cdr.size());
      ++published;
    }
  }
  return published;
}

bool Player::wait_until(Clock::time_point due, const std::atomic<bool>& stop) {
  while (!stop) {
    const auto now = Clock::now();
    if (clock_ && now >= next_clock_ && now >= started_) publish_clock(now);
    if (now >= due) return true;
    auto wake = std::min(due, now + longest_sleep);
    if (clock_ && now >= started_) wake = std::min(wake, next_clock_);
    std::this_thread::sleep_until(wake);
  }
  return false;
}

void Player::publish_clock(Clock::time_point now) {
  const auto period = nanoseconds(ns_from_seconds(1.0 / options_.clock_rate));
  next_clock_ = std::max(next_clock_ + period, now);
  const auto since = static_cast<double>(nanoseconds(now - started_).count()) * options_.rate;
  const std::int64_t bag_time = first_ + limited_ns(since);
  const auto seconds = static_cast<std::int32_t>(bag_time / ns_per_second);
  const auto nanosec = static_cast<std::uint32_t>(bag_time % ns_per_second);
  std::array<std::uint8_t, 12> cdr{0, 1, 0, 0};
  std::memcpy(cdr.data() + 4, &seconds, sizeof(seconds));
  std::memcpy(cdr.data() + 8, &nanosec, sizeof(nanosec));
  clock_->write_cdr(cdr.data(), cdr.size());
}

}  // namespace ros2bag
