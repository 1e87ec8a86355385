// SPDX-License-Identifier: Apache-2.0
#include "ros2bag/recorder.hpp"

#include <chrono>
#include <cstring>

#include "ros2bag/qos_profiles.hpp"
#include "ros2bag/time.hpp"

namespace ros2bag {
namespace {

using underlay_dds::Durability;
using underlay_dds::Qos;
using underlay_dds::Reliability;

constexpr const char* topic_prefix = "rt/";
constexpr auto commit_interval = std::chrono::milliseconds(500);
constexpr auto longest_wait = std::chrono::milliseconds(100);  // until a stop is noticed

bool is_hidden(const std::string& topic) {
  return topic.find("/_") != std::string::npos;
}

/// A reader that asks for more than a publisher offers does not hear it.
bool asks_more(const Qos& asked, const Qos& wanted) {
  return (asked.reliability == Reliability::Reliable && wanted.reliability == Reliability::BestEffort) ||
         (asked.durability == Durability::TransientLocal && wanted.durability == Durability::Volatile);
}

}  // namespace

bool TopicFilter::wants(const std::string& topic) const {
  if (!hidden && is_hidden(topic)) return false;
  if (excluded && std::regex_search(topic, *excluded)) return false;
  if (all || (matching && std::regex_search(topic, *matching))) return true;
  for (const auto& name : names) {
    if (topic == name) return true;
  }
  return false;
}

Recorder::Recorder(std::shared_ptr<underlay_dds::Participant> participant, const RecordOptions& options, Log log)
    : participant_(std::move(participant)),
      options_(options),
      log_(std::move(log)),
      bag_(options_.output, options_.limits),
      node_(participant_->graph().add_node("/", "rosbag2_recorder")) {
  graph_callback_ = participant_->graph().on_change([signal = signal_] { signal->raise(true); });
  if (options_.use_sim_time) {
    underlay_dds::ReaderEvents events;
    events.data_available = [signal = signal_] { signal->raise(false); };
    Qos qos;
    qos.depth = 1;
    qos.reliability = Reliability::BestEffort;
    clock_ = std::make_unique<underlay_dds::Reader>(participant_, "rt/clock",
                                                    underlay_dds::Type::raw("rosgraph_msgs/msg/Clock"), qos, events);
    announce(*clock_);
    clock_->start();
  }
}

Recorder::~Recorder() {
  graph_callback_.reset();
  clock_.reset();
  subscriptions_.clear();
  participant_->graph().remove_node(node_);
}

void Recorder::Signal::raise(bool graph_has_changed) {
  const std::lock_guard lock(mutex);
  woken = true;
  graph_changed = graph_changed || graph_has_changed;
  condition.notify_one();
}

void Recorder::run(const std::atomic<bool>& stop) {
  auto next_commit = std::chrono::steady_clock::now() + commit_interval;
  bool discovered = false;
  while (!stop) {
    bool look = false;
    {
      std::unique_lock lock(signal_->mutex);
      signal_->condition.wait_for(lock, longest_wait, [this] { return signal_->woken; });
      signal_->woken = false;
      look = signal_->graph_changed && (options_.discover_later || !discovered);
      signal_->graph_changed = false;
    }
    if (look) {
      discover();
      discovered = !subscriptions_.empty();
    }
    drain();
    if (const auto now = std::chrono::steady_clock::now(); now >= next_commit) {
      bag_.commit();
      next_commit = now + commit_interval;
    }
  }
  drain();
  bag_.close();
}

void Recorder::discover() {
  struct Found {
    std::string type;
    std::vector<Qos> offered;
  };
  std::map<std::string, Found> found;
  for (const auto& endpoint : participant_->graph().publications()) {
    if (endpoint.dds_topic.rfind(topic_prefix, 0) != 0) continue;
    const std::string topic = endpoint.dds_topic.substr(std::strlen(topic_prefix) - 1);
    if (!options_.filter.wants(topic)) continue;
    auto& entry = found[topic];
    const std::string type = underlay_dds::ros_type_name(endpoint.dds_type);
    if (entry.type.empty()) entry.type = type;
    if (entry.type == type) {
      entry.offered.push_back(endpoint.qos);
    } else {
      warn_of_types(topic, entry.type, type);
    }
  }
  for (const auto& [topic, entry] : found) subscribe(topic, entry.type, entry.offered);
}

void Recorder::warn_of_types(const std::string& topic, const std::string& recorded, const std::string& other) {
  if (!warned_.insert(topic).second) return;
  log_("WARN",
       "Topic '" + topic + "' is published as " + recorded + " and as " + other + "; only the first is recorded");
}

void Recorder::subscribe(const std::string& topic, const std::string& type, const std::vector<Qos>& offered) {
  const Qos wanted = request_for(offered);
  auto& subscription = subscriptions_[topic];
  if (subscription == nullptr) {
    subscription = std::make_unique<Subscription>();
    subscription->type = type;
    subscription->topic = bag_.add_topic(topic, type, to_yaml(offered));
    log_("INFO", "Subscribed to topic '" + topic + "'");
  } else if (asks_more(subscription->qos, wanted)) {  // a less generous publisher has come
    drain(*subscription);
    participant_->graph().remove_endpoint(node_, true, subscription->reader->gid());
    subscription->reader.reset();
  } else {
    return;
  }
  subscription->qos = wanted;
  subscription->reader = make_reader(topic, *subscription);
}

std::unique_ptr<underlay_dds::Reader> Recorder::make_reader(const std::string& topic, Subscription& subscription) {
  underlay_dds::ReaderEvents events;
  events.data_available = [signal = signal_, &subscription] {
    subscription.pending = true;
    signal->raise(false);
  };
  auto reader = std::make_unique<underlay_dds::Reader>(
      participant_, "rt" + topic, underlay_dds::Type::raw(subscription.type), subscription.qos, events);
  announce(*reader);
  reader->start();
  return reader;
}

void Recorder::announce(const underlay_dds::Reader& reader) {
  participant_->graph().add_endpoint(node_, true, reader.gid());
}

void Recorder::drain() {
  if (clock_) read_clock();
  for (const auto& [topic, subscription] : subscriptions_) drain(*subscription);
}

void Recorder::drain(Subscription& subscription) {
  if (!subscription.pending.exchange(false)) return;
  underlay_dds::Sample sample;
  while (subscription.reader->take(sample)) {
    if (options_.use_sim_time && sim_time_ < 0) continue;
    const auto cdr = sample.cdr();
    bag_.write(subscription.topic, options_.use_sim_time ? sim_time_ : sample.received_timestamp, cdr.data, cdr.size);
  }
}

void Recorder::read_clock() {
  underlay_dds::Sample sample;
  while (clock_->take(sample)) {
    const auto body = sample.body();
    std::int32_t seconds = 0;
    std::uint32_t nanoseconds = 0;
    if (body.size < sizeof(seconds) + sizeof(nanoseconds) || sample.foreign_byte_order()) continue;
    std::memcpy(&seconds, body.data, sizeof(seconds));
    std::memcpy(&nanoseconds, body.data + sizeof(seconds), sizeof(nanoseconds));
    sim_time_ = std::int64_t{seconds} * ns_per_second + nanoseconds;
  }
}

}  // namespace ros2bag
