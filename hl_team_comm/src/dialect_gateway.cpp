// SPDX-License-Identifier: Apache-2.0
#include "hl_team_comm/dialect_gateway.hpp"

#include <algorithm>

namespace hl_team_comm {
namespace {

constexpr std::uint16_t kMaxPlayers = 20;
constexpr std::size_t kMaxSent = 64;  // own words that may still come back

Dialect other(Dialect dialect) {
  return dialect == Dialect::Mitecom ? Dialect::RobocupProtocol : Dialect::Mitecom;
}

}  // namespace

std::optional<std::string> DialectGateway::Params::validate() const {
  if (team < 1 || team > 65'535) return "team is " + std::to_string(team) + "; it must lie between 1 and 65535";
  if (!(expiry > 0.0)) return "expiry must be positive, in seconds";
  return budget.validate();
}

bool DialectGateway::receive(hl_network::Bytes datagram, double now) {
  const bool echo = std::any_of(sent_.begin(), sent_.end(), [&](const auto& own) {
    return own.size() == datagram.size && std::equal(own.begin(), own.end(), datagram.data);
  });
  if (echo) return false;
  auto statement = hear(datagram);
  if (!statement || statement->player < 1 || statement->player > kMaxPlayers) return false;
  if (statement->team.value_or(static_cast<std::uint16_t>(params_.team)) != params_.team) return false;
  statement->team = static_cast<std::uint16_t>(params_.team);
  auto& spoken = spoken_[statement->player];
  spoken[statement->dialect] = now;
  const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& waiting) {
    return waiting.statement.player == statement->player;
  });
  const auto in_other = spoken.find(other(statement->dialect));
  if (in_other != spoken.end() && now - in_other->second <= params_.expiry) {
    if (found != waiting_.end()) waiting_.erase(found);
    return true;  // it speaks both, or another gateway is at work
  }
  if (found != waiting_.end())
    *found = {std::move(*statement), now};
  else
    waiting_.push_back({std::move(*statement), now});
  return true;
}

std::vector<DialectGateway::Outgoing> DialectGateway::step(double now) {
  std::vector<Outgoing> result;
  while (!waiting_.empty()) {
    const Waiting& next = waiting_.front();
    if (now - next.last_message_time <= params_.expiry) {
      if (!budget_.request(Urgency::Event, now)) break;
      const Dialect dialect = other(next.statement.dialect);
      auto datagram = speak(next.statement, dialect);
      if (!datagram.empty()) {
        sent_.push_back(datagram);
        if (sent_.size() > kMaxSent) sent_.pop_front();
        result.push_back({dialect, std::move(datagram)});
        ++translated_;
      }
    }
    waiting_.pop_front();
  }
  return result;
}

}  // namespace hl_team_comm
