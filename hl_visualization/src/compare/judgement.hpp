// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bag_reader.hpp"
#include "hl_description/geometry.hpp"

namespace hl_visualization {

/// One thing an output message claims: a place, in the map or relative to the robot.
struct Claim {
  std::int64_t stamp = 0;  // ns, what the claim is about
  bool found = false;      // false: the message says that it knows nothing
  hl_description::Pose2 place;
};

/// What `topic`'s messages can be judged by.
enum class Subject { None, OwnPose, Ball };
Subject subject_of(const std::string& type);
/// Reads a claim; nothing for bytes that are no such message.
std::optional<Claim> claim_from(const std::string& type, const std::vector<std::uint8_t>& bytes);

/// True places from `ground_truth` of the bag.
class TruthTrack {
 public:
  /// `robot`: its name in the message; empty = the first.
  TruthTrack(const Bag& bag, const std::string& topic, const std::string& robot);
  bool empty() const { return moments_.empty(); }
  /// The true value of a claim's subject at its stamp; nothing where the bag says nothing.
  std::optional<hl_description::Pose2> at(Subject subject, std::int64_t stamp) const;

 private:
  struct Moment {
    hl_description::Pose2 robot, ball;
  };
  std::map<std::int64_t, Moment> moments_;
};

struct Spread {
  std::size_t count = 0;
  double median = 0.0, p95 = 0.0;
};
Spread spread_of(std::vector<double> values);

constexpr double kWrong = 0.5;  // m: something else was taken for it

/// How far claims are from the truth (m), and how many of them found anything.
struct Score {
  Spread error;
  Spread turn;          // rad, of own poses
  double recall = 0.0;  // share of the messages that found it
  double wrong = 0.0;   // share of what was found, where the truth is known, that is off by more than kWrong
};
Score score_of(const std::vector<Claim>& claims, Subject subject, const TruthTrack& truth);
/// Distance of claims about the same moment (at most 20 ms apart), m.
Spread difference_of(const std::vector<Claim>& a, const std::vector<Claim>& b);

}  // namespace hl_visualization
