// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "match_view.hpp"

namespace hl_bringup {

/// Numbers of a series, for a median and a high percentile.
class Series {
 public:
  void add(double value) { values_.push_back(value); }
  std::size_t size() const { return values_.size(); }
  /// The value below which this share (0..1) lies; 0 if there is none.
  double percentile(double share) const;

 private:
  std::vector<double> values_;
};

/// Counts of a grid over the field with a margin; columns along x.
struct HeatMap {
  static constexpr int kColumns = 44, kRows = 32;
  static constexpr double kCell = 0.25;  // m
  std::array<int, kColumns * kRows> counts{};
  void add(double x, double y);
  int at(int column, int row) const { return counts[static_cast<std::size_t>(row * kColumns + column)]; }
  int most() const;
};

/// What a game adds up to.
class MatchStatistics {
 public:
  struct Robot {
    int team = 0;
    double way = 0.0;      // m over the ground
    double upright = 0.0;  // s
    double seen = 0.0;     // s it was watched
    int falls = 0, dives = 0, recoveries = 0, shots = 0, penalties = 0;
    HeatMap heat;
    Series position_error;  // m, of the pose it believes in
    Series data_age;        // s, of what its decisions rest on
    std::size_t pose_unknown = 0, pose_samples = 0;
  };

  void look(const MatchView& view, int owner_team, bool playing);
  void count(const MatchEvent& event);
  void pose(const std::string& robot, bool known, double error);
  void decision(const std::string& robot, double age) { robots_[robot].data_age.add(age); }

  const std::map<std::string, Robot>& robots() const { return robots_; }
  double possession(int team) const;  // share 0..1 of the time somebody had the ball
  double played() const { return played_; }
  const HeatMap& ball() const { return ball_; }
  double ball_way() const { return ball_way_; }

 private:
  std::map<std::string, Robot> robots_;
  std::map<std::string, std::pair<double, double>> last_;  // m, where a robot was
  std::map<int, double> owned_;                            // s by team
  double played_ = 0.0, last_time_ = -1.0, next_heat_ = 0.0;
  double last_ball_x_ = 0.0, last_ball_y_ = 0.0, ball_way_ = 0.0;
  HeatMap ball_;
};

}  // namespace hl_bringup
