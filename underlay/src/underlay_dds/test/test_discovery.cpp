// SPDX-License-Identifier: Apache-2.0
// Programs of ROS 2 itself beside ours on loopback. They announce themselves every 8 s: who waits for the next
// announcement needs seconds, who answers the first one a fraction.
#include <dds/dds.h>
#include <gtest/gtest.h>

#include <thread>

#include "discovery_relay.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "underlay_dds/participant.hpp"

using hl_testing::Process;
using hl_testing::wait_until;
using underlay_dds::Participant;
using underlay_dds::detail::DiscoveryRelay;
using namespace std::chrono_literals;

namespace {

constexpr auto soon = 4s;  // half of the time between two announcements

/// Participants of the domain that this one knows, itself included.
int known_to(Participant& participant) {
  const dds_entity_t reader =
      dds_create_reader(participant.handle(), DDS_BUILTIN_TOPIC_DCPSPARTICIPANT, nullptr, nullptr);
  constexpr int most = 64;
  void* samples[most] = {};
  dds_sample_info_t infos[most];
  const int known = dds_read(reader, samples, infos, most, most);
  if (known > 0) dds_return_loan(reader, samples, known);
  dds_delete(reader);
  return known;
}

std::vector<std::string> peer(const Participant& participant) {
  return {CYCLONE_PEER, std::to_string(participant.domain()), "1"};
}

class Loopback : public testing::Test {
 protected:
  void SetUp() override {
    if (!underlay_dds::loopback_has_multicast()) GTEST_SKIP() << "loopback of this machine does not multicast";
  }
};

}  // namespace

TEST_F(Loopback, AProgramOfRos2ThatStartsLaterIsFoundAtOnce) {
  auto participant = Participant::get();
  std::this_thread::sleep_for(1s);  // until our own announcements of the start are through: none is due in `soon`
  Process other(peer(*participant));
  ASSERT_TRUE(other.wait_for_output("up\n", 30s)) << other.output();
  EXPECT_TRUE(other.wait_for_output("found 1", soon)) << other.output();
  EXPECT_TRUE(wait_until([&] { return known_to(*participant) == 2; }, soon));
}

TEST_F(Loopback, AProgramOfRos2ThatStartedEarlierIsFoundAtOnce) {
  const auto domain = underlay_dds::domain_from_environment();
  Process other({CYCLONE_PEER, std::to_string(domain), "1"});
  ASSERT_TRUE(other.wait_for_output("up\n", 30s)) << other.output();
  auto participant = Participant::get();
  EXPECT_TRUE(other.wait_for_output("found 1", soon)) << other.output();
  EXPECT_TRUE(wait_until([&] { return known_to(*participant) == 2; }, soon));
}

TEST_F(Loopback, OneProcessRelaysAndAnotherTakesOver) {
  const auto domain = underlay_dds::domain_from_environment();
  auto first = std::make_unique<DiscoveryRelay>(domain);
  ASSERT_TRUE(wait_until([&] { return first->active(); }));
  const DiscoveryRelay second(domain);
  EXPECT_FALSE(second.active());
  first.reset();
  EXPECT_TRUE(wait_until([&] { return second.active(); }));
}

TEST(Configuration, SettingsOfTheUserComeAfterTheDefaults) {
  using underlay_dds::LoopbackDiscovery;
  const auto defaults = underlay_dds::default_configuration(1, LoopbackDiscovery::Multicast);
  EXPECT_EQ(underlay_dds::configuration(1, LoopbackDiscovery::Multicast), defaults);
  setenv("CYCLONEDDS_URI", "file:///robot.xml", 1);
  EXPECT_EQ(underlay_dds::configuration(1, LoopbackDiscovery::Multicast), defaults + ",file:///robot.xml");
  unsetenv("CYCLONEDDS_URI");
}

// What a launch log ends with must tell a newcomer why.
TEST(Configuration, AProcessTooManySaysWhyItCannotJoin) {
  const auto domain = underlay_dds::domain_from_environment();
  setenv("CYCLONEDDS_URI",
         "<General><AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
         "<MaxAutoParticipantIndex>0</MaxAutoParticipantIndex></Discovery>",
         1);
  Process other({CYCLONE_PEER, std::to_string(domain), "1"});  // takes the only place
  EXPECT_TRUE(other.wait_for_output("up\n", 30s)) << other.output();
  try {
    Participant::get();
    ADD_FAILURE() << "there was a place for it";
  } catch (const underlay_dds::Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("participant index"), std::string::npos) << text;
    EXPECT_NE(text.find("MaxAutoParticipantIndex"), std::string::npos) << text;
  }
  unsetenv("CYCLONEDDS_URI");
}

int main(int argc, char** argv) {
  unsetenv("CYCLONEDDS_URI");
  hl_testing::isolate();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
