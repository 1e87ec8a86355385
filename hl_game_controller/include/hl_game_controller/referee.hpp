// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hl_game_controller/control_packet.hpp"
#include "hl_game_controller/field_view.hpp"
#include "hl_game_controller/rules.hpp"

namespace hl_game_controller {

/// Something worth a line in the game log.
struct GameEvent {
  double time = 0.0;        // s, clock of the referee
  std::string kind;         // "state", "goal", "set_play", "penalty", "release", "half", "foul", "result", "command"
  std::uint8_t team = 0;    // team number, 0 if it concerns none
  std::uint8_t player = 0;  // 0 if it concerns none
  std::string text;         // for people
};

/// What the referee's helpers do on the field; in simulation the node asks the simulator for it.
struct FieldAction {
  enum class Kind : std::uint8_t { PlaceBall, PlaceRobot } kind = Kind::PlaceBall;
  std::uint8_t team = 0;
  std::uint8_t player = 0;
  Point position;
  double yaw = 0.0;  // rad
};

/// An automatic referee: runs a whole game from what it sees, by the clock it is given, and obeys words from a person.
/// Two referees with the same parameters, views and times decide the same.
class Referee {
 public:
  struct Inputs {
    const FieldView* view = nullptr;  // what is seen now; nothing: only the clocks go on
  };
  /// What has come of it, and of the words since the last step.
  struct Outputs {
    std::vector<GameEvent> events;
    std::vector<FieldAction> actions;
  };

  struct Team {
    std::uint8_t number = 1;
    std::uint8_t colour = 0;
    std::string name;
  };
  struct Params {
    Rules rules;
    std::array<Team, 2> teams{Team{1, 1, "left"}, Team{2, 0, "right"}};  // [0] starts on the left and kicks off
    Dialect dialect = Dialect::V12;
    std::uint16_t message_budget = 1200;  // per team, soccer league dialects only
    std::uint64_t seed = 1;               // decides only what nobody saw, for example who touched the ball last
    std::optional<std::string> validate() const;
  };

  explicit Referee(const Params& params);

  /// Advances the clocks to `now` (s) and judges what is seen. Call it some ten times per second.
  Outputs step(const Inputs& inputs, double now);

  /// A word from a person ("start", "penalise 3", "goal left", "help"); the answer, and whether it was obeyed.
  struct Answer {
    bool obeyed = false;
    std::string text;
  };
  Answer command(const std::string& line);

  /// What goes out to the robots now.
  ControlPacket packet() const;

  State state() const { return state_; }
  int score(std::size_t team) const { return score_[team]; }
  bool over() const { return over_; }
  const Params& params() const { return params_; }

 private:
  enum class Half : std::uint8_t { First, Second, ExtraFirst, ExtraSecond, ShootOut };

  // Course of the game (referee.cpp).
  void advance_clocks(double dt);
  void timer_expired();
  void enter(State state);
  void start_ready(std::optional<std::size_t> kick_off_team);
  void prepare_half(Half half);
  void start_half(Half half);
  void end_half();
  void finish_game();
  void count_goal(std::size_t team);
  void call_set_play(SetPlay kind, std::size_t team, const Point& spot);
  void end_set_play();
  void start_trial();
  void end_trial(bool scored);
  bool shoot_out_decided() const;
  void penalise(std::size_t team, std::uint8_t player, Penalty reason);
  void release(std::size_t team, std::uint8_t player);
  void place_ball(const Point& spot);
  void note(const std::string& kind, const std::string& text, std::optional<std::size_t> team = {},
            std::uint8_t player = 0);
  Side side_of(std::size_t team) const;
  std::size_t team_on(Side side) const;
  std::optional<std::size_t> team_index(std::uint8_t number) const;
  const std::string& team_name(std::size_t team) const { return params_.teams[team].name; }

  // Judging what is seen (referee_judgement.cpp).
  void judge(const FieldView& view);
  void watch_ball_in_play(const FieldView& view);
  void watch_lines(const FieldView& view);
  void watch_robots(const FieldView& view);
  void watch_pushing(const FieldView& view);
  void watch_stuck_ball(const FieldView& view);
  void watch_set_play(const FieldView& view);
  void judge_foul(std::size_t guilty_team, const SeenRobot& guilty, const FieldView& view);
  std::size_t team_that_touched_last(const FieldView& view);

  // Words (referee_commands.cpp).
  Answer penalty_command(const std::vector<std::string>& words, bool penalised);
  Answer set_play_command(SetPlay kind, const std::vector<std::string>& words);
  Answer goal_command(const std::vector<std::string>& words);
  std::optional<std::size_t> team_named(const std::string& word) const;
  std::string status() const;

  Params params_;
  std::mt19937_64 random_;
  std::optional<double> now_;

  State state_ = State::Initial;
  Half half_ = Half::First;
  bool over_ = false;
  bool half_started_ = false;  // the half's clock runs only after its first kick-off
  bool timeout_ = false;
  double half_left_ = 0.0;                   // s
  std::optional<double> timer_left_;         // s, the secondary clock
  std::optional<std::size_t> kick_off_ = 0;  // team; none = dropped ball
  std::size_t left_team_ = 0;
  std::array<int, 2> score_{};
  std::array<std::array<PlayerInfo, kMaxPlayers>, 2> players_{};
  std::map<std::pair<std::size_t, std::uint8_t>, double> removal_left_;  // s per removed robot

  SetPlay set_play_ = SetPlay::None;
  std::size_t set_play_team_ = 0;
  SetPlayPhase set_play_phase_ = SetPlayPhase::Called;

  bool ball_in_play_ = false;
  bool direct_from_kick_off_ = false;
  std::optional<std::size_t> kick_off_kicker_;  // index in the view of who touched the ball first
  Point ball_reference_;                        // where the ball lay when it was placed or last counted as moved
  Point ball_;                                  // last seen
  Stopwatch stuck_;

  struct Trial {
    int shots = 0;
    std::uint16_t scored = 0;  // bit i: shot i
  };
  std::array<Trial, 2> trials_{};

  struct Watch {
    Stopwatch fallen;
    Stopwatch outside;
  };
  std::map<std::pair<std::uint8_t, std::uint8_t>, Watch> watches_;     // by team and player number
  std::map<std::pair<std::size_t, std::size_t>, Stopwatch> contacts_;  // by index in the view

  Outputs outputs_;  // of the next step
};

}  // namespace hl_game_controller
