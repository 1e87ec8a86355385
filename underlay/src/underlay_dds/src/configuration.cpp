// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "underlay_dds/participant.hpp"

namespace underlay_dds {
namespace {

constexpr const char* discovery_group = "239.255.0.1";  // of the DDS standard

bool localhost_only() {
  const char* value = std::getenv("ROS_LOCALHOST_ONLY");
  return value != nullptr && std::strcmp(value, "1") == 0;
}

struct Interfaces {
  bool network = false;    // one that is not loopback is up and has an IPv4 address
  bool multicast = false;  // and one of these can multicast
};

Interfaces interfaces() {
  Interfaces found;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return found;
  for (const ifaddrs* i = list; i != nullptr; i = i->ifa_next) {
    const unsigned wanted = IFF_UP | IFF_RUNNING;
    if (i->ifa_addr == nullptr || i->ifa_addr->sa_family != AF_INET) continue;
    if ((i->ifa_flags & wanted) != wanted || (i->ifa_flags & IFF_LOOPBACK) != 0) continue;
    found.network = true;
    found.multicast = found.multicast || (i->ifa_flags & IFF_MULTICAST) != 0;
  }
  freeifaddrs(list);
  return found;
}

}  // namespace

std::uint32_t domain_from_environment() {
  const char* text = std::getenv("ROS_DOMAIN_ID");
  if (text == nullptr || *text == '\0') return 0;
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (*end != '\0' || value < 0 || value > 232) {
    throw Error(std::string("ROS_DOMAIN_ID is '") + text + "'; it must be a number from 0 to 232");
  }
  return static_cast<std::uint32_t>(value);
}

bool stays_on_loopback() {
  return localhost_only() || !interfaces().network;
}

bool loopback_has_multicast() {
  const int handle = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (handle < 0) return false;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t length = sizeof(address);
  ip_mreqn group{};
  group.imr_multiaddr.s_addr = inet_addr(discovery_group);
  group.imr_address.s_addr = htonl(INADDR_LOOPBACK);
  group.imr_ifindex = static_cast<int>(if_nametoindex("lo"));
  bool works = bind(handle, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
               getsockname(handle, reinterpret_cast<sockaddr*>(&address), &length) == 0 &&
               setsockopt(handle, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof(group)) == 0 &&
               setsockopt(handle, IPPROTO_IP, IP_MULTICAST_IF, &group, sizeof(group)) == 0;
  if (works) {
    constexpr char text[] = "ping";
    constexpr int patience = 200;  // ms; loopback delivers at once
    char received[sizeof(text)] = {};
    pollfd readable{handle, POLLIN, 0};
    address.sin_addr = group.imr_multiaddr;
    works = sendto(handle, text, sizeof(text), 0, reinterpret_cast<sockaddr*>(&address), sizeof(address)) > 0 &&
            poll(&readable, 1, patience) == 1 && recv(handle, received, sizeof(received), 0) == sizeof(text) &&
            std::memcmp(text, received, sizeof(text)) == 0;
  }
  close(handle);
  return works;
}

std::string default_configuration(std::uint32_t domain, LoopbackDiscovery loopback) {
  const Interfaces found = localhost_only() ? Interfaces{} : interfaces();
  const bool on_loopback = !found.network;
  const bool by_ports = on_loopback ? loopback == LoopbackDiscovery::Ports : !found.multicast;
  std::string xml = "<CycloneDDS><Domain><General>";
  if (on_loopback) {
    xml += by_ports ? R"(<Interfaces><NetworkInterface name="lo"/></Interfaces>)"
                    : R"(<Interfaces><NetworkInterface name="lo" multicast="true"/></Interfaces>)";
  }
  // Multicast only to find each other: over Wi-Fi, multicast data is slow and lossy. Fragments as large as a UDP
  // datagram allows: a camera image then is 15 packets, not 690.
  xml += by_ports ? "<AllowMulticast>false</AllowMulticast>" : "<AllowMulticast>spdp</AllowMulticast>";
  xml += "<MaxMessageSize>65500B</MaxMessageSize><FragmentSize>65000B</FragmentSize></General>";
  if (by_ports) {
    // 119 is the last index whose ports do not reach into the next domain's.
    xml +=
        "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
        "<MaxAutoParticipantIndex>119</MaxAutoParticipantIndex>"
        R"(<Peers><Peer address="127.0.0.1"/></Peers></Discovery>)";
  } else if (on_loopback) {
    // Programs of ROS 2 itself do not multicast on loopback but sit on the first ports: knock there.
    constexpr unsigned last_index = 32;
    xml += "<Discovery><ParticipantIndex>none</ParticipantIndex><Peers>";
    for (unsigned index = 0; index <= last_index; ++index) {
      const unsigned port = 7400 + 250 * domain + 10 + 2 * index;
      if (port <= 65535) xml += R"(<Peer address="127.0.0.1:)" + std::to_string(port) + R"("/>)";
    }
    xml += "</Peers></Discovery>";
  }
  return xml + "</Domain></CycloneDDS>";
}

std::string configuration(std::uint32_t domain, LoopbackDiscovery loopback) {
  const char* own = std::getenv("CYCLONEDDS_URI");
  return default_configuration(domain, loopback) + (own != nullptr && *own != '\0' ? std::string(",") + own : "");
}

}  // namespace underlay_dds
