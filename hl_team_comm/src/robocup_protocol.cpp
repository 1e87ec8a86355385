// SPDX-License-Identifier: Apache-2.0
#include "robocup_protocol.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>

#include "hl_team_comm/protobuf_wire.hpp"

namespace hl_team_comm::robocup_protocol {
namespace {

using hl_description::Pose2;
using protobuf::Field;
using protobuf::FieldReader;
using protobuf::FieldWriter;
using protobuf::Wire;

constexpr std::size_t kMaxSize = 1400;  // bytes; more does not pass a network in one piece
constexpr std::size_t kMaxOthers = 40;
constexpr double kMaxLength = 1000.0;    // m
constexpr double kNanosecond = 1e-9;     // s
constexpr float kUnstatedBelief = 0.5F;  // neither confidence nor covariance was told

enum Number : std::uint32_t {
  kTimestamp = 1,
  kState = 2,
  kCurrentPose = 3,
  kBall = 7,
  kOthers = 8,
  kWalkingSpeed = 101,
  kPositionConfidence = 102,
  kBallConfidence = 103,
  kTimeToBall = 104,
  kRole = 105,
  kAction = 106,
  kOffensiveSide = 107,
  kObstacleConfidence = 108,
  kSequence = 1001,
  kInactive = 1002,
  kKickingDistance = 1003,
};

struct Vector {
  double x = 0.0, y = 0.0, z = 0.0;
  bool fits() const {
    const auto fine = [](double value) { return std::isfinite(value) && std::abs(value) <= kMaxLength; };
    return fine(x) && fine(y) && fine(z);
  }
};

struct Robot {
  std::uint32_t player = 0;
  std::optional<Vector> position;
  std::optional<double> variance;  // m^2, the larger of x and y
  Colour colour = Colour::Unknown;
};

struct Seconds {
  std::int64_t whole = 0;
  std::int32_t nano = 0;
};

/// Calls `take` for each field; false if the bytes are no message.
template <class Take>
bool each_field(hl_network::Bytes bytes, Take take) {
  FieldReader reader(bytes);
  while (const auto field = reader.next()) take(*field);
  return reader.ok();
}

bool read_vector(hl_network::Bytes bytes, Vector& vector) {
  const bool ok = each_field(bytes, [&](const Field& field) {
    if (field.number == 1) vector.x = static_cast<double>(field.f32());
    if (field.number == 2) vector.y = static_cast<double>(field.f32());
    if (field.number == 3) vector.z = static_cast<double>(field.f32());
  });
  return ok && vector.fits();
}

/// The larger variance of x and y of a matrix of column vectors; nothing where it is not told or makes no sense.
std::optional<double> read_variance(hl_network::Bytes bytes) {
  Vector columns[2];
  bool ok = true;
  ok = each_field(bytes,
                  [&](const Field& field) {
                    if (field.number >= 1 && field.number <= 2)
                      ok = ok && read_vector(field.content, columns[field.number - 1]);
                  }) &&
       ok;
  const double variance = std::max(columns[0].x, columns[1].y);
  return ok && variance > 0.0 ? std::optional(variance) : std::nullopt;
}

bool read_robot(hl_network::Bytes bytes, Robot& robot) {
  bool ok = true;
  const bool formed = each_field(bytes, [&](const Field& field) {
    if (field.number == 1) robot.player = static_cast<std::uint32_t>(field.value);
    if (field.number == 2) ok = read_vector(field.content, robot.position.emplace()) && ok;
    if (field.number == 3) robot.variance = read_variance(field.content);
    if (field.number == 4 && field.value <= 2) robot.colour = static_cast<Colour>(field.value);
  });
  return formed && ok;
}

float belief(std::optional<float> told, std::optional<double> variance) {
  if (told && std::isfinite(*told)) return std::clamp(*told, 0.0F, 1.0F);
  return variance ? static_cast<float>(1.0 / (1.0 + *variance)) : kUnstatedBelief;
}

std::optional<double> positive(const Field& field) {
  const auto value = static_cast<double>(field.f32());
  return std::isfinite(value) && value >= 0.0 ? std::optional(value) : std::nullopt;
}

/// Everything a message may say, before beliefs and frames are sorted out.
struct Raw {
  Statement statement;
  Robot self;
  std::optional<Robot> ball;  // position and variance
  std::vector<Robot> others;
  std::vector<float> obstacle_confidence;
  std::optional<float> position_confidence, ball_confidence;
  std::uint64_t state = 0;
  bool inactive = false;
  bool ok = true;
};

template <class Enum>
Enum code(std::uint64_t value, Enum last) {
  return value <= static_cast<std::uint64_t>(last) ? static_cast<Enum>(value) : Enum{};
}

void take_time(const Field& field, Raw& raw) {
  Seconds time;
  raw.ok = each_field(field.content,
                      [&](const Field& part) {
                        if (part.number == 1) time.whole = static_cast<std::int64_t>(part.value);
                        if (part.number == 2) time.nano = static_cast<std::int32_t>(part.value);
                      }) &&
           raw.ok;
  raw.statement.sent_at = static_cast<double>(time.whole) + time.nano * kNanosecond;
}

void take_ball(const Field& field, Raw& raw) {
  Robot ball;
  raw.ok = each_field(field.content,
                      [&](const Field& part) {
                        if (part.number == 1) raw.ok = read_vector(part.content, ball.position.emplace()) && raw.ok;
                        if (part.number == 3) ball.variance = read_variance(part.content);
                      }) &&
           raw.ok;
  if (ball.position) raw.ball = ball;
}

void take_other(const Field& field, Raw& raw) {
  Robot robot;
  raw.ok = read_robot(field.content, robot) && raw.ok;
  if (raw.others.size() < kMaxOthers) raw.others.push_back(robot);
}

void take(const Field& field, Raw& raw) {
  TeamMate& mate = raw.statement.mate;
  switch (field.number) {
    case kTimestamp:
      return take_time(field, raw);
    case kState:
      raw.state = field.value;
      return;
    case kCurrentPose:
      raw.ok = read_robot(field.content, raw.self) && raw.ok;
      return;
    case kBall:
      return take_ball(field, raw);
    case kOthers:
      return take_other(field, raw);
    case kWalkingSpeed:
      mate.walking_speed = positive(field);
      return;
    case kPositionConfidence:
      raw.position_confidence = field.f32();
      return;
    case kBallConfidence:
      raw.ball_confidence = field.f32();
      return;
    case kTimeToBall:
      mate.time_to_ball = positive(field);
      return;
    case kRole:
      mate.role = field.value == 0 ? Role::Idling : code(field.value - 1, Role::Goalie);
      return;
    case kAction:
      mate.action = code(field.value, Action::Waiting);
      return;
    case kOffensiveSide:
      mate.offensive_side = code(field.value, OffensiveSide::Right);
      return;
    case kObstacleConfidence:
      append_floats(field, raw.obstacle_confidence);
      return;
    case kSequence:
      raw.statement.sequence = static_cast<std::int32_t>(field.value);
      return;
    case kInactive:
      raw.inactive = field.value != 0;
      return;
    case kKickingDistance:
      mate.kicking_distance = positive(field);
      return;
    default:
      raw.statement.other_fields.insert(raw.statement.other_fields.end(), field.complete.data,
                                        field.complete.data + field.complete.size);
  }
}

/// Robots seen: of the speaker's colour they are team mates; unknown ones count as opponents, as in our own reports.
void sort_others(const Raw& raw, TeamMate& mate) {
  std::size_t opponents = 0, mates = 0;
  for (std::size_t i = 0; i < raw.others.size(); ++i) {
    const Robot& robot = raw.others[i];
    if (!robot.position) continue;
    const bool stated = i < raw.obstacle_confidence.size();
    const BelievedPoint point{
        robot.position->x, robot.position->y,
        belief(stated ? std::optional(raw.obstacle_confidence[i]) : std::nullopt, robot.variance)};
    const bool own = robot.colour != Colour::Unknown && robot.colour == raw.self.colour;
    if (own && mates < mate.team_mates.size()) mate.team_mates[mates++] = point;
    if (!own && opponents < mate.opponents.size()) mate.opponents[opponents++] = point;
  }
}

FieldWriter vector_field(double x, double y, double z) {
  FieldWriter vector;
  vector.f32(1, static_cast<float>(x));
  vector.f32(2, static_cast<float>(y));
  vector.f32(3, static_cast<float>(z));
  return vector;
}

bool fits(const std::optional<BelievedPoint>& point) {
  return point && Vector{point->x, point->y, 0.0}.fits();
}

void write_time(double sent_at, FieldWriter& message) {
  FieldWriter time;
  const double whole = std::floor(sent_at);
  time.varint(1, static_cast<std::uint64_t>(static_cast<std::int64_t>(whole)));
  time.varint(2, static_cast<std::uint64_t>(std::min(std::round((sent_at - whole) / kNanosecond), 999'999'999.0)));
  message.message(kTimestamp, time);
}

void write_self(const Statement& statement, bool placed, FieldWriter& message) {
  FieldWriter self;
  self.varint(1, statement.player);
  const TeamMate& mate = statement.mate;
  if (placed) self.message(2, vector_field(mate.position->x, mate.position->y, mate.orientation));
  self.varint(4, static_cast<std::uint64_t>(statement.colour));
  message.message(kCurrentPose, self);
}

void write_others(const Statement& statement, FieldWriter& message, std::vector<float>& confidence) {
  const auto write_robot = [&](const std::optional<BelievedPoint>& point, Colour colour) {
    if (!fits(point)) return;
    FieldWriter robot;
    robot.message(2, vector_field(point->x, point->y, 0.0));
    robot.varint(4, static_cast<std::uint64_t>(colour));
    message.message(kOthers, robot);
    confidence.push_back(point->belief);
  };
  const Colour own = statement.colour;
  const Colour rival = own == Colour::Blue ? Colour::Red : own == Colour::Red ? Colour::Blue : Colour::Unknown;
  for (const auto& point : statement.mate.opponents) write_robot(point, rival);
  if (own == Colour::Unknown) return;  // nobody could tell them from opponents
  for (const auto& point : statement.mate.team_mates) write_robot(point, own);
}

}  // namespace

std::optional<Statement> decode(hl_network::Bytes datagram) {
  if (datagram.size == 0 || datagram.size > kMaxSize) return std::nullopt;
  Raw raw;
  raw.statement.dialect = Dialect::RobocupProtocol;
  const bool formed = each_field(datagram, [&](const Field& field) { take(field, raw); });
  if (!formed || !raw.ok || raw.self.player < 1 || raw.self.player > 0xFFFF) return std::nullopt;
  Statement& statement = raw.statement;
  statement.player = static_cast<std::uint16_t>(raw.self.player);
  statement.colour = raw.self.colour;
  TeamMate& mate = statement.mate;
  // Who speaks without telling its state is taken to be active.
  mate.activity = raw.state == 2 ? Activity::Penalized : raw.inactive ? Activity::Inactive : Activity::Active;
  if (const auto& place = raw.self.position) {
    mate.position = BelievedPoint{place->x, place->y, belief(raw.position_confidence, raw.self.variance)};
    mate.orientation = hl_description::wrap_angle(place->z);
    if (raw.ball) {
      const Pose2 pose{place->x, place->y, place->z};
      const Eigen::Vector2d ball = pose.inverse() * Eigen::Vector2d(raw.ball->position->x, raw.ball->position->y);
      mate.ball = BelievedPoint{ball.x(), ball.y(), belief(raw.ball_confidence, raw.ball->variance)};
    }
  }
  sort_others(raw, mate);
  return statement;
}

std::vector<std::uint8_t> encode(const Statement& statement) {
  const TeamMate& mate = statement.mate;
  const bool placed = fits(mate.position) && std::isfinite(mate.orientation);
  FieldWriter message;
  if (statement.sent_at) write_time(*statement.sent_at, message);
  message.varint(kState, mate.activity == Activity::Penalized ? 2 : 1);
  write_self(statement, placed, message);
  if (placed && fits(mate.ball)) {
    const Eigen::Vector2d ball =
        Pose2{mate.position->x, mate.position->y, mate.orientation} * Eigen::Vector2d(mate.ball->x, mate.ball->y);
    FieldWriter field;
    field.message(1, vector_field(ball.x(), ball.y(), 0.0));
    message.message(kBall, field);
  }
  std::vector<float> confidence;
  write_others(statement, message, confidence);
  const auto write_number = [&](Number number, const std::optional<double>& value) {
    if (value && std::isfinite(*value)) message.f32(number, static_cast<float>(*value));
  };
  write_number(kWalkingSpeed, mate.walking_speed);
  if (placed) message.f32(kPositionConfidence, mate.position->belief);
  if (placed && mate.ball) message.f32(kBallConfidence, mate.ball->belief);
  write_number(kTimeToBall, mate.time_to_ball);
  message.varint(kRole, static_cast<std::uint64_t>(mate.role) + 1);
  message.varint(kAction, static_cast<std::uint64_t>(mate.action));
  message.varint(kOffensiveSide, static_cast<std::uint64_t>(mate.offensive_side));
  message.packed(kObstacleConfidence, confidence);
  if (statement.sequence) message.varint(kSequence, static_cast<std::uint32_t>(*statement.sequence));
  message.varint(kInactive, mate.activity == Activity::Inactive ? 1 : 0);
  write_number(kKickingDistance, mate.kicking_distance);
  message.raw({statement.other_fields.data(), statement.other_fields.size()});
  return message.bytes().size() <= kMaxSize ? message.bytes() : std::vector<std::uint8_t>{};
}

}  // namespace hl_team_comm::robocup_protocol
