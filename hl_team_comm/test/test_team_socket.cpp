// SPDX-License-Identifier: Apache-2.0
// Networks that come and go, in a network namespace of our own.
#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <rclcpp/rclcpp.hpp>

#include "../src/team_socket.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"

namespace {

bool own_network = false;  // nobody else's interfaces are touched

bool ip(const std::string& words) {
  return std::system(("ip " + words + " 2>/dev/null").c_str()) == 0;  // NOLINT(cert-env33-c): the words are ours
}

/// Broadcasts come back, so a socket that hears its own on this network hears others there, too.
bool plug_in(const std::string& name, const std::string& address) {
  return ip("link add " + name + " type veth peer name " + name + "p") && ip("link set " + name + "p up") &&
         ip("address add " + address + "/24 broadcast + dev " + name) && ip("link set " + name + " up");
}

}  // namespace

TEST(TeamSocket, HearsTheNamedNetworkOnlyAlsoWhenItIsPulledAndPluggedInAgain) {
  if (!own_network || !plug_in("other0", "10.77.1.1"))
    GTEST_SKIP() << "this machine gives us no network namespace with veth interfaces";
  const auto node = std::make_shared<rclcpp::Node>("test_team_socket");
  hl_team_comm::TeamSocket socket(*node, {12399, 12399, "wlan9"});
  std::atomic<int> own{0}, strange{0};
  socket.start([&](hl_network::Bytes bytes) { ++(bytes.size == 1 ? strange : own); });
  const hl_network::UdpSocket stranger("10.77.1.1", 0);  // on the network that was not named
  const auto disturb = [&] {
    const std::uint8_t byte = 7;
    EXPECT_TRUE(stranger.send({&byte, 1}, *hl_network::Endpoint::from("10.77.1.255", 12399)));
  };
  for (int times = 1; times <= 2; ++times) {
    socket.find_network();
    socket.send({1, 2, 3});  // to nobody, without harm
    disturb();
    ASSERT_TRUE(plug_in("wlan9", "10.77.2.1"));
    own = 0;
    EXPECT_TRUE(hl_testing::wait_until([&] {
      socket.find_network();
      socket.send({1, 2, 3});
      disturb();
      return own >= 20;
    })) << "plugged in for the "
        << times << ". time";
    EXPECT_EQ(strange, 0) << "on the network that was not named";
    ASSERT_TRUE(ip("link delete wlan9"));
  }
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  own_network = unshare(CLONE_NEWNET) == 0 && ip("link set lo up");
  hl_testing::isolate();
  rclcpp::init(argc, argv);
  const int result = RUN_ALL_TESTS();
  rclcpp::shutdown();
  return result;
}
