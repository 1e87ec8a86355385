// SPDX-License-Identifier: Apache-2.0
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/socket.h>

#include <cstdlib>
#include <cstring>

#include "underlay_dds/participant.hpp"

namespace underlay_dds {
namespace {

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

std::string default_configuration(bool with_index) {
  const Interfaces found = localhost_only() ? Interfaces{} : interfaces();
  const bool loopback = !found.network;
  std::string xml = "<CycloneDDS><Domain><General>";
  if (loopback) {
    // Linux delivers multicast on lo although the interface does not say so.
    xml += with_index ? R"(<Interfaces><NetworkInterface name="lo"/></Interfaces>)"
                      : R"(<Interfaces><NetworkInterface name="lo" multicast="true"/></Interfaces>)";
  }
  // Multicast only to find each other: over Wi-Fi, multicast data is slow and lossy. Fragments as large as a UDP
  // datagram allows: a camera image then is 15 packets, not 690.
  xml += loopback && with_index ? "<AllowMulticast>false</AllowMulticast>" : "<AllowMulticast>spdp</AllowMulticast>";
  xml += "<MaxMessageSize>65500B</MaxMessageSize><FragmentSize>65000B</FragmentSize></General>";
  if (!found.multicast) {
    // 119 is the last index whose ports do not reach into the next domain's.
    xml += with_index ? "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
                      : "<Discovery><ParticipantIndex>none</ParticipantIndex>";
    xml += "<MaxAutoParticipantIndex>119</MaxAutoParticipantIndex>";
    xml += R"(<Peers><Peer address="127.0.0.1"/></Peers></Discovery>)";
  }
  return xml + "</Domain></CycloneDDS>";
}

}  // namespace underlay_dds
