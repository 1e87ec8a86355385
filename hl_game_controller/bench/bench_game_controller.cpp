// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>

#include "hl_game_controller/client.hpp"
#include "hl_game_controller/control_packet.hpp"
#include "hl_testing/allocations.hpp"
#include "hl_testing/bench_report.hpp"

int main(int argc, char** argv) {
  using namespace hl_game_controller;  // NOLINT(google-build-using-namespace): the whole file is about it
  using Clock = std::chrono::steady_clock;
  const int rounds = hl_testing::quick(argc, argv) ? 100'000 : 2'000'000;
  ControlPacket packet;
  packet.teams[0].number = 6;
  packet.teams[1].number = 11;
  std::array<std::uint8_t, kMaxControlPacketSize> bytes{};
  const auto size = encode(packet, bytes.data(), bytes.size());

  const auto before = hl_testing::allocations::count;
  auto start = Clock::now();
  ControlPacket received;
  for (int i = 0; i < rounds; ++i) {
    bytes[6] = static_cast<std::uint8_t>(i);
    decode({bytes.data(), size}, received);
  }
  const auto allocated = hl_testing::allocations::count - before;
  const double decode_time = std::chrono::duration<double>(Clock::now() - start).count() / rounds;
  hl_testing::report(
      {"hl_game_controller", "decode of a v12 packet", 1e9 * decode_time, "ns", {}, hl_testing::Better::Lower});
  hl_testing::report({"hl_game_controller", "allocations per decoded packet", static_cast<double>(allocated) / rounds,
                      "", 0.0, hl_testing::Better::Lower});

  Client::Params params;
  params.team = 6;
  Client client(params);
  client.receive({bytes.data(), size}, {0x7F000001, 1}, 0.0);
  bytes[0] = 'X';
  start = Clock::now();
  for (int i = 0; i < rounds; ++i) {
    bytes[i % size] ^= 0x55U;
    bytes[0] = 'X';
    client.receive({bytes.data(), size}, {0x7F000001, 1}, 1e-3 * i);
  }
  const double garbage_time = std::chrono::duration<double>(Clock::now() - start).count() / rounds;
  hl_testing::report({"hl_game_controller",
                      "CPU for 1000 packets/s of garbage",
                      100.0 * 1000.0 * garbage_time,
                      "% of a core",
                      {},
                      hl_testing::Better::Lower});
}
