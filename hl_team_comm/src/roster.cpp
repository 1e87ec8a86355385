// SPDX-License-Identifier: Apache-2.0
#include "hl_team_comm/roster.hpp"

#include <algorithm>

namespace hl_team_comm {
namespace {

constexpr std::int32_t kMaxGap = 100;    // a larger jump of the sequence is a restart, not a loss
constexpr std::size_t kMaxEntries = 20;  // player numbers of one team; nobody fills our memory

}  // namespace

std::string_view name(Connection connection) {
  switch (connection) {
    case Connection::Online:
      return "ONLINE";
    case Connection::Unreachable:
      return "UNREACHABLE";
    case Connection::Offline:
      break;
  }
  return "OFFLINE";
}

std::optional<std::string> Roster::Params::validate() const {
  if (team < 1 || team > 65'535) return "team is " + std::to_string(team) + "; it must lie between 1 and 65535";
  if (player < 1 || player > static_cast<int>(kMaxEntries)) {
    return "player is " + std::to_string(player) + "; it must lie between 1 and " + std::to_string(kMaxEntries);
  }
  if (!(expiry > 0.0)) return "expiry must be positive, in seconds";
  if (!(offline_after >= expiry)) return "offline_after must not be smaller than expiry";
  return std::nullopt;
}

Roster::Verdict Roster::receive(hl_network::Bytes bytes, double now) {
  const auto message = mitecom::decode(bytes);
  if (!message || message->robot > kMaxEntries) return Verdict::Malformed;
  if (message->team != params_.team) return Verdict::OtherTeam;
  if (message->robot == params_.player) return Verdict::Ourselves;
  auto& entry = entries_[message->robot];
  entry.mate = read(*message);
  measure(*message, entry, now);
  return Verdict::Accepted;
}

void Roster::measure(const mitecom::Message& message, Entry& entry, double now) const {
  entry.link.heard_at = now;
  ++entry.link.received;
  const auto sequence = message.get(mitecom::Key::Sequence);
  if (sequence && entry.sequence) {
    const std::int64_t gap = static_cast<std::int64_t>(*sequence) - *entry.sequence;
    if (gap > 1 && gap <= kMaxGap) entry.link.lost += static_cast<std::uint64_t>(gap - 1);
  }
  entry.sequence = sequence;
  if (const auto sent = message.get(mitecom::Key::SendTime)) {
    const double difference = now - *sent / 1000.0;
    entry.fastest = std::min(entry.fastest.value_or(difference), difference);
    entry.link.delay = difference - *entry.fastest;
  }
}

Connection Roster::connection(const Entry& entry, double now) const {
  const double silence = now - entry.link.heard_at;
  if (silence <= params_.expiry) return Connection::Online;
  return silence <= params_.offline_after ? Connection::Unreachable : Connection::Offline;
}

}  // namespace hl_team_comm
