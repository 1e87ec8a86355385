// SPDX-License-Identifier: Apache-2.0
#include "hl_match/game_results.hpp"

#include <cstdio>
#include <fstream>
#include <hl_description/yaml_reader.hpp>
#include <stdexcept>

namespace hl_match {
namespace {

using hl_description::YamlReader;

constexpr double kMost = 1e9;  // of any number in the file

template <class T>
std::array<T, 2> pair_of(const YamlReader& json) {
  const auto items = json.items(2);
  return {static_cast<T>(items[0].number_in(0.0, kMost)), static_cast<T>(items[1].number_in(0.0, kMost))};
}

GameResult game_from(const YamlReader& json) {
  GameResult game;
  game.seed = static_cast<std::uint64_t>(json["seed"].number_in(0.0, 9e15));
  game.score = pair_of<int>(json["score"]);
  game.shots = pair_of<std::size_t>(json["shots"]);
  game.kicks = pair_of<std::size_t>(json["kicks"]);
  game.falls = pair_of<std::size_t>(json["falls"]);
  game.penalties = pair_of<std::size_t>(json["penalties"]);
  game.possession = pair_of<double>(json["possession"]);
  game.failures = static_cast<std::size_t>(json["failures"].number_in(0.0, kMost));
  game.warnings = static_cast<std::size_t>(json["warnings"].number_in(0.0, kMost));
  game.simulated = json["simulated"].number_in(0.0, kMost);
  game.cpu = json["cpu"].number_in(0.0, kMost);
  game.finished = json["finished"].flag();
  return game;
}

std::string line_of(const std::string& kind, const GameResult& game) {
  char text[600];
  std::snprintf(text, sizeof text,
                "{\"kind\": \"%s\", \"seed\": %llu, \"score\": [%d, %d], \"shots\": [%zu, %zu], \"kicks\": [%zu, %zu], "
                "\"falls\": [%zu, %zu], \"penalties\": [%zu, %zu], \"possession\": [%.1f, %.1f], \"failures\": %zu, "
                "\"warnings\": %zu, \"simulated\": %.2f, \"cpu\": %.2f, \"finished\": %s}",
                kind.c_str(), static_cast<unsigned long long>(game.seed), game.score[0], game.score[1], game.shots[0],
                game.shots[1], game.kicks[0], game.kicks[1], game.falls[0], game.falls[1], game.penalties[0],
                game.penalties[1], game.possession[0], game.possession[1], game.failures, game.warnings, game.simulated,
                game.cpu, game.finished ? "true" : "false");
  return text;
}

}  // namespace

GameResults::GameResults(std::string path, std::string kind) : path_(std::move(path)), kind_(std::move(kind)) {
  if (path_.empty()) return;
  std::ifstream file(path_);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const auto json = YamlReader::from_text(line, path_ + ", line " + std::to_string(number));
    if (json["kind"].text() != kind_) continue;
    const auto game = game_from(json);
    games_[game.seed] = game;
  }
}

const GameResult* GameResults::find(std::uint64_t seed) const {
  const auto found = games_.find(seed);
  return found == games_.end() ? nullptr : &found->second;
}

void GameResults::add(const GameResult& game) {
  if (path_.empty()) return;
  std::ofstream file(path_, std::ios::app);
  file << line_of(kind_, game) << std::endl;
  if (!file) throw std::runtime_error("cannot write " + path_ + ": does its folder exist?");
}

}  // namespace hl_match
