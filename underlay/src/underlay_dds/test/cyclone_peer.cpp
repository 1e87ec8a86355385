// SPDX-License-Identifier: Apache-2.0
// cyclone_peer DOMAIN COUNT: joins a domain on loopback with the settings of rmw_cyclonedds_cpp and
// ROS_LOCALHOST_ONLY=1, and says when it knows COUNT other participants, and when these know it.
#include <dds/dds.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto domain = static_cast<dds_domainid_t>(std::atoi(argv[1]));
  const int wanted = std::atoi(argv[2]) + 1;  // itself, too
  const char* configuration = R"(<CycloneDDS><Domain><General><Interfaces><NetworkInterface address="127.0.0.1"/>)"
                              "</Interfaces></General></Domain></CycloneDDS>,";
  const dds_time_t start = dds_time();
  dds_create_domain(domain, configuration);
  const dds_entity_t participant = dds_create_participant(domain, nullptr, nullptr);
  if (participant < 0) {
    std::printf("no participant: %s\n", dds_strretcode(-participant));
    return 1;
  }
  std::printf("up\n");
  std::fflush(stdout);
  const dds_entity_t reader = dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPARTICIPANT, nullptr, nullptr);
  constexpr int most = 64;
  for (int known = 0; known < wanted; usleep(2000)) {
    void* samples[most] = {};
    dds_sample_info_t infos[most];
    known = dds_read(reader, samples, infos, most, most);
    if (known > 0) dds_return_loan(reader, samples, known);
  }
  std::printf("found %d in %.0f ms\n", wanted - 1, static_cast<double>(dds_time() - start) / 1e6);
  std::fflush(stdout);
  pause();
}
