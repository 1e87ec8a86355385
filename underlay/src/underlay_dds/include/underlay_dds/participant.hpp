// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "underlay_dds/types.hpp"

namespace underlay_dds {

class Graph;
namespace detail {
class DiscoveryRelay;
}

/// ROS_DOMAIN_ID, or 0; throws if it is not a number from 0 to 232.
std::uint32_t domain_from_environment();

/// How processes of one machine find each other on loopback.
enum class LoopbackDiscovery {
  Multicast,  // any number of processes
  Ports,      // each takes one of 120 well-known ports and asks all others: works everywhere, costs more
};

/// Whether loopback delivers multicast; most kernels do, although the interface does not say so.
bool loopback_has_multicast();

/// The settings the participant starts from: loopback only if ROS_LOCALHOST_ONLY=1 or no network interface is up, else
/// multicast discovery on the network.
std::string default_configuration(std::uint32_t domain, LoopbackDiscovery loopback);

/// The default, then what CYCLONEDDS_URI says: each setting of the user wins, those not named keep their defaults.
std::string configuration(std::uint32_t domain, LoopbackDiscovery loopback);

/// Whether the default configuration stays on this machine.
bool stays_on_loopback();

/// The process's presence in one DDS domain, shared by all its nodes. It lives as long as somebody holds it.
class Participant : public std::enable_shared_from_this<Participant> {
 public:
  /// The one of this domain, made if needed. Throws Error with the remedy if the domain cannot be joined.
  static std::shared_ptr<Participant> get(std::uint32_t domain = domain_from_environment());
  ~Participant();
  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;

  std::uint32_t domain() const { return domain_; }
  const Gid& gid() const { return gid_; }
  Graph& graph() { return *graph_; }

  /// A 16-byte id that is unique in the domain, for a service or client (user data `serviceid=` / `clientid=`).
  Gid next_id();

  /// How many readers of this process are on a topic. The counter outlives every endpoint of the topic.
  std::shared_ptr<std::atomic<int>> local_readers(const std::string& dds_topic);

  // Entities of Cyclone DDS, for the endpoints.
  std::int32_t handle() const { return handle_; }
  std::int32_t publisher() const { return publisher_; }
  std::int32_t subscriber() const { return subscriber_; }

 private:
  explicit Participant(std::uint32_t domain);

  std::uint32_t domain_;
  std::int32_t domain_handle_ = 0;
  std::int32_t handle_ = 0;
  std::int32_t publisher_ = 0;
  std::int32_t subscriber_ = 0;
  Gid gid_{};
  std::atomic<std::uint32_t> last_id_{0};
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<std::atomic<int>>> local_readers_;
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<detail::DiscoveryRelay> relay_;  // on loopback with multicast
};

}  // namespace underlay_dds
