// SPDX-License-Identifier: Apache-2.0
#include "hl_match/radio.hpp"

#include <algorithm>

namespace hl_match {
namespace {

constexpr std::uint32_t kRefereeAddress = 0x0A000001;  // 10.0.0.1
constexpr std::uint32_t kRobotAddress = 0x0A000100;    // 10.0.1.0 and on

/// 0..1; std::uniform_real_distribution may differ between standard libraries.
double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11U) * 0x1p-53;
}

}  // namespace

std::optional<std::string> Radio::Params::validate() const {
  if (!(loss >= 0.0 && loss <= 1.0)) return "radio loss is " + std::to_string(loss) + ", must be in 0..1";
  if (!(delay >= 0.0 && delay <= 10.0)) return "radio delay is " + std::to_string(delay) + " s, must be in 0..10";
  if (!(jitter >= 0.0 && jitter <= 10.0)) return "radio jitter is " + std::to_string(jitter) + " s, must be in 0..10";
  if (budget && *budget < 0) return "radio budget is " + std::to_string(*budget) + ", must not be negative";
  return std::nullopt;
}

Radio::Radio(const Params& params, std::vector<int> teams, std::uint64_t seed)
    : params_(params),
      teams_(std::move(teams)),
      random_(seed ^ 0x4ad10ULL),
      under_way_(teams_.size()),
      answers_(teams_.size(), 0) {}

void Radio::carry(std::size_t receiver, const hl_player::Packet& packet, double now) {
  const bool lost = uniform(random_) < params_.loss;
  const double arrives = now + params_.delay + params_.jitter * uniform(random_);
  if (!lost) under_way_[receiver].push_back({arrives, order_++, packet});
}

void Radio::referee(const std::vector<std::uint8_t>& bytes, double now) {
  const hl_player::Packet packet{hl_player::Packet::Channel::Referee, bytes, kRefereeAddress};
  for (std::size_t i = 0; i < teams_.size(); ++i) carry(i, packet, now);
}

void Radio::send(std::size_t sender, const hl_player::Packet& packet, double now) {
  if (packet.channel == hl_player::Packet::Channel::Referee) {
    ++answers_[sender];
    return;
  }
  ++sent_[static_cast<std::size_t>(teams_[sender])];
  hl_player::Packet told = packet;
  told.sender = kRobotAddress + static_cast<std::uint32_t>(sender);
  for (std::size_t i = 0; i < teams_.size(); ++i)
    if (i != sender) carry(i, told, now);
}

std::vector<hl_player::Packet> Radio::receive(std::size_t receiver, double now) {
  auto& queue = under_way_[receiver];
  const auto waits =
      std::stable_partition(queue.begin(), queue.end(), [&](const UnderWay& packet) { return packet.arrives <= now; });
  std::sort(queue.begin(), waits, [](const UnderWay& a, const UnderWay& b) {
    return a.arrives != b.arrives ? a.arrives < b.arrives : a.order < b.order;
  });
  std::vector<hl_player::Packet> heard;
  for (auto it = queue.begin(); it != waits; ++it) heard.push_back(std::move(it->packet));
  queue.erase(queue.begin(), waits);
  return heard;
}

std::optional<int> Radio::left(int team) const {
  if (!params_.budget) return std::nullopt;
  return *params_.budget - sent(team);
}

}  // namespace hl_match
