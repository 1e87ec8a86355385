// SPDX-License-Identifier: Apache-2.0
#include "hl_team_comm/roster.hpp"

#include <algorithm>
#include <utility>

namespace hl_team_comm {
namespace {

constexpr std::int32_t kMaxGap = 100;    // a larger jump of the sequence is a restart, not a loss
constexpr std::size_t kMaxEntries = 20;  // player numbers of one team; nobody fills our memory

}  // namespace

std::string_view name(Connection connection) {
  switch (connection) {
    case Connection::Connected:
      return "CONNECTED";
    case Connection::Connecting:
      return "CONNECTING";
    case Connection::Disconnected:
      break;
  }
  return "DISCONNECTED";
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
  const auto statement = hear(bytes);
  if (!statement || statement->player > kMaxEntries) return Verdict::Malformed;
  if (statement->team.value_or(static_cast<std::uint16_t>(params_.team)) != params_.team) return Verdict::OtherTeam;
  if (statement->player == params_.player) {
    if (is_echo(*statement, bytes)) return Verdict::Ourselves;
    ++doubles_;
    return Verdict::OurNumber;
  }
  const auto& counted = limited_to_;
  if (!counted.empty() && std::find(counted.begin(), counted.end(), statement->player) == counted.end())
    return Verdict::NotCounted;
  auto& entry = entries_[statement->player];
  entry.mate = statement->mate;
  entry.dialect = statement->dialect;
  measure(*statement, entry, now);
  greet_ |= entry.state.heard(now, link_params());
  return Verdict::Accepted;
}

void Roster::note_sent(const Statement& statement, const std::vector<std::uint8_t>& datagram) {
  sent_[next_sent_] = {datagram, statement.sequence, statement.dialect};
  next_sent_ = (next_sent_ + 1) % sent_.size();
}

bool Roster::is_echo(const Statement& statement, hl_network::Bytes bytes) const {
  return std::any_of(sent_.begin(), sent_.end(), [&](const Sent& own) {
    const bool translated = own.sequence && statement.dialect != own.dialect && statement.sequence == own.sequence;
    return translated ||
           (own.datagram.size() == bytes.size && std::equal(own.datagram.begin(), own.datagram.end(), bytes.data));
  });
}

bool Roster::update(double now) {
  for (auto& [player, entry] : entries_) greet_ |= entry.state.check(now, link_params());
  return std::exchange(greet_, false);
}

bool Roster::fresh(const Entry& entry, double now) const {
  return now - entry.link.last_message_time <= entry.state.patience(link_params());
}

void Roster::measure(const Statement& statement, Entry& entry, double now) const {
  entry.link.last_message_time = now;
  ++entry.link.received;
  if (statement.sequence && entry.sequence) {
    const std::int64_t gap = static_cast<std::int64_t>(*statement.sequence) - *entry.sequence;
    if (gap > 1 && gap <= kMaxGap) entry.link.lost += static_cast<std::uint64_t>(gap - 1);
  }
  entry.sequence = statement.sequence;
  if (statement.sent_at) {
    const double difference = now - *statement.sent_at;
    entry.fastest = std::min(entry.fastest.value_or(difference), difference);
    entry.link.delay = difference - *entry.fastest;
  }
}

}  // namespace hl_team_comm
