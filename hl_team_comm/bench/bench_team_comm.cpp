// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>

#include "hl_team_comm/team_mate.hpp"
#include "hl_testing/bench_report.hpp"

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  const int rounds = hl_testing::quick(argc, argv) ? 100'000 : 2'000'000;
  hl_team_comm::TeamMate mate;
  mate.position = hl_team_comm::BelievedPoint{1.0, 2.0, 0.5F};
  mate.ball = hl_team_comm::BelievedPoint{0.5, 0.1, 0.9F};
  for (auto& opponent : mate.opponents) opponent = hl_team_comm::BelievedPoint{2.0, 1.0, 0.3F};
  hl_team_comm::mitecom::Message message;
  message.team = 6;
  message.robot = 2;
  hl_team_comm::write(mate, message);
  std::array<std::uint8_t, hl_team_comm::mitecom::kMaxMessageSize> bytes{};
  const auto size = hl_team_comm::mitecom::encode(message, bytes.data(), bytes.size());
  const auto start = Clock::now();
  double sum = 0.0;
  for (int i = 0; i < rounds; ++i) {
    bytes[20] = static_cast<std::uint8_t>(i & 3);
    const auto received = hl_team_comm::mitecom::decode({bytes.data(), size});
    sum += hl_team_comm::read(*received).ball->x;
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  hl_testing::report({"hl_team_comm",
                      "decode of a mitecom message",
                      1e9 * seconds / rounds + 0.0 * sum,
                      "ns",
                      {},
                      hl_testing::Better::Lower});
}
