// SPDX-License-Identifier: Apache-2.0
#include "hl_team_comm/statement.hpp"

#include <cmath>

#include "robocup_protocol.hpp"

namespace hl_team_comm {
namespace {

constexpr double kMillisecond = 1e-3;  // s
constexpr double kWrap = 2'000'000.0;  // s; milliseconds must fit 31 bits

/// Keys that `write` and `read` of a team mate know, and ours.
bool known(std::uint32_t key) {
  using mitecom::Key;
  const auto in = [key](Key first, Key last) {
    return key >= static_cast<std::uint32_t>(first) && key <= static_cast<std::uint32_t>(last);
  };
  return in(Key::Role, Key::State) || in(Key::PositionX, Key::LastCognition) ||
         in(Key::WalkingSpeed, Key::KickingDistance) || in(Key::OffensiveSide, Key::OffensiveSide) ||
         in(Key::Sequence, Key::SendTime);
}

std::optional<Statement> hear_mitecom(hl_network::Bytes datagram) {
  const auto message = mitecom::decode(datagram);
  if (!message) return std::nullopt;
  Statement statement;
  statement.team = message->team;
  statement.player = message->robot;
  statement.mate = read(*message);
  statement.sequence = message->get(mitecom::Key::Sequence);
  if (const auto sent = message->get(mitecom::Key::SendTime)) statement.sent_at = *sent * kMillisecond;
  for (std::size_t i = 0; i < message->count; ++i)
    if (!known(message->values[i].key)) statement.other_values.push_back(message->values[i]);
  return statement;
}

std::vector<std::uint8_t> speak_mitecom(const Statement& statement) {
  mitecom::Message message;
  message.team = statement.team.value_or(0);
  message.robot = statement.player;
  write(statement.mate, message);
  if (statement.sequence) message.add(mitecom::Key::Sequence, *statement.sequence);
  if (statement.sent_at) {
    const double wrapped = std::fmod(*statement.sent_at, kWrap);
    message.add(mitecom::Key::SendTime, static_cast<std::int32_t>(wrapped / kMillisecond));
  }
  for (const mitecom::Value& value : statement.other_values) message.add(value.key, value.value);
  std::vector<std::uint8_t> bytes(mitecom::kMaxMessageSize);
  bytes.resize(mitecom::encode(message, bytes.data(), bytes.size()));
  return bytes;
}

}  // namespace

std::string_view name(Dialect dialect) {
  return dialect == Dialect::Mitecom ? "mitecom" : "robocup_protocol";
}

std::optional<Dialect> dialect_from(std::string_view text) {
  for (const Dialect dialect : {Dialect::Mitecom, Dialect::RobocupProtocol})
    if (text == name(dialect)) return dialect;
  return std::nullopt;
}

std::optional<Statement> hear(hl_network::Bytes datagram) {
  // Mitecom's first byte would begin a group, which the other dialect does not have.
  if (auto statement = hear_mitecom(datagram)) return statement;
  return robocup_protocol::decode(datagram);
}

std::vector<std::uint8_t> speak(const Statement& statement, Dialect dialect) {
  return dialect == Dialect::Mitecom ? speak_mitecom(statement) : robocup_protocol::encode(statement);
}

}  // namespace hl_team_comm
