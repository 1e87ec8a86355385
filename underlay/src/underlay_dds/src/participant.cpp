// SPDX-License-Identifier: Apache-2.0
#include "underlay_dds/participant.hpp"

#include <dds/dds.h>
#include <dds/ddsrt/log.h>

#include <cctype>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "discovery_relay.hpp"
#include "qos.hpp"
#include "underlay_dds/graph.hpp"

namespace underlay_dds {
namespace {

/// The participants of this process. Never destroyed, as nodes in static storage may outlive anything.
struct Registry {
  std::mutex mutex;
  std::condition_variable gone;
  std::map<std::uint32_t, std::weak_ptr<Participant>> participants;
  std::set<std::uint32_t> existing;  // until the destructor is through
};

Registry& registry() {
  static auto& made = *new Registry;
  return made;
}

/// Listens to Cyclone's log while it lives: its error codes do not say why, its log does.
class Reasons {
 public:
  Reasons() { dds_set_log_sink(&note, this); }
  ~Reasons() { dds_set_log_sink(nullptr, nullptr); }
  Reasons(const Reasons&) = delete;
  Reasons& operator=(const Reasons&) = delete;
  const std::string& text() const { return text_; }

 private:
  static void note(void* self, const dds_log_data_t* line) {
    std::string words(line->message, line->size);
    while (!words.empty() && std::isspace(static_cast<unsigned char>(words.back())) != 0) words.pop_back();
    std::fprintf(stderr, "%s\n", words.c_str());
    auto& text = static_cast<Reasons*>(self)->text_;
    const bool grave = (line->priority & (DDS_LC_FATAL | DDS_LC_ERROR)) != 0;
    if (grave && text.find(words) == std::string::npos) text += (text.empty() ? "" : "; ") + words;
  }

  std::string text_;
};

[[noreturn]] void give_up(std::uint32_t domain, const char* code, const std::string& reason) {
  const bool full = reason.find("participant index") != std::string::npos;
  throw Error("cannot join DDS domain " + std::to_string(domain) + ": " + (reason.empty() ? code : reason) +
              (full ? "; there are more processes than the configuration allows: raise MaxAutoParticipantIndex in "
                      "CYCLONEDDS_URI, or compose nodes"
                    : "; check ROS_DOMAIN_ID, the network interfaces (ROS_LOCALHOST_ONLY=1 uses loopback only) and "
                      "CYCLONEDDS_URI"));
}

}  // namespace

std::shared_ptr<Participant> Participant::get(std::uint32_t domain) {
  auto& r = registry();
  std::unique_lock lock(r.mutex);
  auto& slot = r.participants[domain];
  for (;;) {
    if (auto participant = slot.lock()) return participant;
    if (r.existing.count(domain) == 0) break;
    r.gone.wait(lock);  // its destructor is running
  }
  std::shared_ptr<Participant> participant(new Participant(domain));
  slot = participant;
  r.existing.insert(domain);
  return participant;
}

Participant::Participant(std::uint32_t domain) : domain_(domain) {
  const std::string enclave = "enclave=/;";
  const detail::DdsQos qos(dds_create_qos(), &dds_delete_qos);
  dds_qset_userdata(qos.get(), enclave.data(), enclave.size());

  const auto loopback = loopback_has_multicast() ? LoopbackDiscovery::Multicast : LoopbackDiscovery::Ports;
  {
    const Reasons reasons;
    // Fails if other code of this process made the domain: then that configuration counts.
    domain_handle_ = dds_create_domain(domain, configuration(domain, loopback).c_str());
    handle_ = dds_create_participant(domain, qos.get(), nullptr);
    if (handle_ < 0 && domain_handle_ > 0) dds_delete(domain_handle_);
    if (handle_ < 0) give_up(domain, dds_strretcode(-handle_), reasons.text());
  }
  publisher_ = dds_create_publisher(handle_, nullptr, nullptr);
  subscriber_ = dds_create_subscriber(handle_, nullptr, nullptr);
  gid_ = detail::gid_of(handle_);
  graph_ = std::make_unique<Graph>(*this);
  if (loopback == LoopbackDiscovery::Multicast && stays_on_loopback()) {
    relay_ = std::make_unique<detail::DiscoveryRelay>(domain);
  }
}

Participant::~Participant() {
  relay_.reset();
  graph_.reset();
  dds_delete(handle_);
  if (domain_handle_ > 0) dds_delete(domain_handle_);
  auto& r = registry();
  {
    const std::lock_guard lock(r.mutex);
    r.existing.erase(domain_);
  }
  r.gone.notify_all();
}

Gid Participant::next_id() {
  Gid id = gid_;
  const std::uint32_t number = ++last_id_;
  for (int i = 0; i < 4; ++i) id[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
  return id;
}

std::shared_ptr<std::atomic<int>> Participant::local_readers(const std::string& dds_topic) {
  const std::lock_guard lock(mutex_);
  auto& slot = local_readers_[dds_topic];
  auto counter = slot.lock();
  if (!counter) slot = counter = std::make_shared<std::atomic<int>>(0);
  return counter;
}

}  // namespace underlay_dds
