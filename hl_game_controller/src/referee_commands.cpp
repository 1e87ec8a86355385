// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <sstream>

#include "hl_game_controller/referee.hpp"

namespace hl_game_controller {
namespace {

constexpr const char* kHelp =
    "start              begin the half: READY, then SET and PLAYING by the clock\n"
    "ready, set, play   go to that state at once\n"
    "stop               INITIAL: everybody stands still\n"
    "finish             end of the half\n"
    "penalise [TEAM] N  send player N off (without TEAM: the first team)\n"
    "release [TEAM] N   let player N play again\n"
    "goal left|right    the ball is in the left or right goal; also: goal TEAM\n"
    "throw-in, corner, goal-kick, free-kick, indirect, penalty-kick TEAM\n"
    "drop               dropped ball\n"
    "timeout            timeout, then READY\n"
    "status             state, score and clock";

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    words.push_back(word);
  }
  return words;
}

std::optional<int> number_from(const std::string& word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

const std::map<std::string, SetPlay>& set_play_words() {
  static const std::map<std::string, SetPlay> words{
      {"throw-in", SetPlay::ThrowIn},          {"corner", SetPlay::CornerKick},
      {"goal-kick", SetPlay::GoalKick},        {"free-kick", SetPlay::DirectFreeKick},
      {"indirect", SetPlay::IndirectFreeKick}, {"penalty-kick", SetPlay::PenaltyKick}};
  return words;
}

}  // namespace

Referee::Answer Referee::command(const std::string& line) {
  const auto words = words_of(line);
  if (words.empty()) return {false, "say a word; 'help' lists them"};
  const auto& word = words[0];
  if (word == "help") return {true, kHelp};
  if (word == "status") return {true, status()};
  if (over_) return {false, "the game is over; " + status()};

  Answer answer{true, ""};
  if (word == "start") {
    if (state_ != State::Initial) return {false, "the half has started already; 'ready' starts a kick-off"};
    start_half(half_);
  } else if (word == "ready") {
    start_ready(kick_off_);
  } else if (word == "set") {
    enter(State::Set);
  } else if (word == "play") {
    enter(State::Playing);
  } else if (word == "stop") {
    enter(State::Initial);
  } else if (word == "finish") {
    end_half();
  } else if (word == "drop") {
    start_ready(std::nullopt);
  } else if (word == "timeout") {
    enter(State::Initial);
    timeout_ = true;
    timer_left_ = params_.rules.timeout;
  } else if (word == "penalise" || word == "penalize") {
    answer = penalty_command(words, true);
  } else if (word == "release" || word == "unpenalise" || word == "unpenalize") {
    answer = penalty_command(words, false);
  } else if (word == "goal") {
    answer = goal_command(words);
  } else if (const auto set_play = set_play_words().find(word); set_play != set_play_words().end()) {
    answer = set_play_command(set_play->second, words);
  } else {
    return {false, "unknown word '" + words[0] + "'; 'help' lists them"};
  }
  if (answer.obeyed) {
    note("command", line);
    answer.text = status();
  }
  return answer;
}

std::optional<std::size_t> Referee::team_named(const std::string& word) const {
  const auto number = number_from(word);
  return number && *number >= 1 && *number <= 254 ? team_index(static_cast<std::uint8_t>(*number)) : std::nullopt;
}

Referee::Answer Referee::penalty_command(const std::vector<std::string>& words, bool penalised) {
  const bool team_given = words.size() > 2;
  const auto player = words.size() > 1 ? number_from(words[team_given ? 2 : 1]) : std::nullopt;
  if (!player || *player < 1 || *player > params_.rules.players_per_team) {
    return {false,
            "which player? 1 to " + std::to_string(params_.rules.players_per_team) + ", as in '" + words[0] + " 3'"};
  }
  const auto team = team_given ? team_named(words[1]) : std::optional<std::size_t>(0);
  if (!team) {
    return {false, "no such team; they are " + std::to_string(params_.teams[0].number) + " and " +
                       std::to_string(params_.teams[1].number)};
  }
  const auto id = static_cast<std::uint8_t>(*player);
  const bool is_penalised = players_[*team][id - 1U].penalty != Penalty::None;
  if (is_penalised == penalised) {
    return {false, "player " + std::to_string(*player) + (penalised ? " is off already" : " is not penalised")};
  }
  penalised ? penalise(*team, id, Penalty::Manual) : release(*team, id);
  return {true, ""};
}

Referee::Answer Referee::goal_command(const std::vector<std::string>& words) {
  const std::string where = words.size() > 1 ? words[1] : "";
  if (where == "left" || where == "right") {
    count_goal(1 - team_on(where == "left" ? Side::Left : Side::Right));
    return {true, ""};
  }
  const auto team = team_named(where);
  if (!team) return {false, "'goal left' and 'goal right' say which goal the ball is in; 'goal TEAM' who scored"};
  count_goal(*team);
  return {true, ""};
}

Referee::Answer Referee::set_play_command(SetPlay kind, const std::vector<std::string>& words) {
  const auto team = words.size() > 1 ? team_named(words[1]) : std::nullopt;
  if (!team) {
    return {false, "for which team? '" + words[0] + " " + std::to_string(params_.teams[0].number) + "' or '" +
                       words[0] + " " + std::to_string(params_.teams[1].number) + "'"};
  }
  if (state_ != State::Playing) return {false, "a set play is possible only in PLAYING"};
  call_set_play(kind, *team, ball_);
  return {true, ""};
}

std::string Referee::status() const {
  std::ostringstream text;
  const int left = static_cast<int>(half_left_);
  text << name(state_) << ", " << team_name(0) << " " << score_[0] << " : " << score_[1] << " " << team_name(1) << ", "
       << left / 60 << " min " << left % 60 << " s left";
  if (set_play_ != SetPlay::None) text << ", " << name(set_play_) << " for " << team_name(set_play_team_);
  return text.str();
}

}  // namespace hl_game_controller
