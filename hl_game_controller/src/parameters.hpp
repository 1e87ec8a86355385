// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <hl_node/parameter_table.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_game_controller/client.hpp"
#include "hl_game_controller/referee.hpp"

namespace hl_game_controller {

struct ClientParams {
  Client::Params core;
  std::string without_referee = "keep";
  int port = 3838, answer_port = 3939;
  std::string listen_address = "0.0.0.0";

  Client::Params client() const {
    Client::Params params = core;
    params.without_referee = without_referee == "play"   ? WithoutReferee::Play
                             : without_referee == "stop" ? WithoutReferee::Stop
                                                         : WithoutReferee::Keep;
    return params;
  }
  std::optional<std::string> validate() const { return client().validate(); }
};

inline const hl_node::ParameterTable<ClientParams>& client_parameters() {
  using P = ClientParams;
  constexpr auto kAtStart = hl_node::Change::AtStart;
  static const hl_node::ParameterTable<Client::Params> core({
      {"team_id", &Client::Params::team, 1, 254, "own team number", kAtStart},
      {"player_id", &Client::Params::player, 1, static_cast<double>(kMaxPlayers), "own player number", kAtStart},
      {"goalkeeper", &Client::Params::goalkeeper, "announce this robot as the goalkeeper"},
      {"lost_after", &Client::Params::lost_after, 2.0, 60.0, "without a packet: the referee is gone, s", kAtStart},
  });
  static const auto table =
      hl_node::ParameterTable<P>(
          {
              {"without_referee", &P::without_referee, hl_node::Words{"keep", "play", "stop"},
               "while no referee is heard: keep its last word, play, or stop"},
              {"port", &P::port, 1, 65535, "UDP port of the referee's broadcast", kAtStart},
              {"answer_port", &P::answer_port, 1, 65535, "UDP port the referee listens on", kAtStart},
              {"listen_address", &P::listen_address, "address to listen on; 0.0.0.0 = all", kAtStart},
          })
          .with(&P::core, core);
  return table;
}

/// The rule book comes first: it gives the defaults of the rest.
struct RuleBook {
  std::string rules = "kid_2025";
  std::optional<std::string> validate() const { return std::nullopt; }
};

inline const hl_node::ParameterTable<RuleBook>& rule_book_parameters() {
  static const hl_node::ParameterTable<RuleBook> table(
      {{"rules", &RuleBook::rules, Rules::preset_names(), "rule book", hl_node::Change::AtStart}});
  return table;
}

struct RefereeParams {
  Rules rules;
  std::vector<std::int64_t> teams{1, 2};
  std::vector<std::string> team_names{"red", "blue"}, team_colors{"red", "blue"};
  std::string protocol = "v12";
  std::string robots_address = "255.255.255.255";
  int port = 3838, answer_port = 3939;
  std::string log_file, report_file;
  bool remove_robots = true, start = false;
  int seed = 1;

  static RefereeParams of(const RuleBook& book, const std::string& field_file) {
    RefereeParams params;
    params.rules = Rules::preset(book.rules, field_file).value_or(Rules());
    return params;
  }
  Referee::Params referee() const {
    Referee::Params params;
    params.rules = rules;
    for (std::size_t i = 0; i < params.teams.size(); ++i) {
      params.teams[i].number = static_cast<std::uint8_t>(teams.at(i));
      params.teams[i].name = team_names.at(i);
      params.teams[i].colour = team_colors.at(i) == "red" ? 1 : 0;  // as the GameController numbers them
    }
    params.dialect = protocol == "v11"     ? Dialect::V11
                     : protocol == "hsl19" ? Dialect::Hsl19
                     : protocol == "hsl20" ? Dialect::Hsl20
                                           : Dialect::V12;
    params.seed = static_cast<std::uint64_t>(seed);
    return params;
  }
  std::optional<std::string> validate() const {
    if (teams.size() != 2 || team_names.size() != 2 || team_colors.size() != 2)
      return "teams, team_names and team_colors need two entries each";
    for (const std::string& colour : team_colors) {
      if (colour != "red" && colour != "blue") return "team_colors: '" + colour + "' is neither red nor blue";
    }
    if (!hl_network::Endpoint::from(robots_address, static_cast<std::uint16_t>(port)))
      return "robots_address '" + robots_address + "' is not an IPv4 address";
    return referee().validate();
  }
};

inline const hl_node::ParameterTable<RefereeParams>& referee_parameters() {
  using P = RefereeParams;
  static const hl_node::ParameterTable<Rules> rules({
      {"half_time", &Rules::half_time, 1.0, 32767.0, "of a half, s"},
      {"break_time", &Rules::break_time, 1.0, 32767.0, "between the halves, s"},
      {"ready_time", &Rules::ready_time, 0.1, 3600.0, "for the way to the kick-off, s"},
      {"players_per_team", &Rules::players_per_team, 1, 11, "that play"},
      {"knock_out", &Rules::knock_out, "a draw leads to extra time and shoot-out"},
  });
  static const hl_node::ParameterTable<P> own({
      {"teams", &P::teams, 1, 254, "the two team numbers; the first starts on the left and kicks off"},
      {"team_names", &P::team_names, "the two names"},
      {"team_colors", &P::team_colors, "jerseys of the two teams, red or blue"},
      {"protocol", &P::protocol, hl_node::Words{"v11", "v12", "hsl19", "hsl20"}, "what the robots are told"},
      {"robots_address", &P::robots_address,
       "where packets go: a broadcast address; 127.255.255.255 reaches all robots on this machine only"},
      {"port", &P::port, 1, 65535, "UDP port the robots listen on"},
      {"answer_port", &P::answer_port, 0, 65535, "UDP port robots answer to; 0 = none"},
      {"log_file", &P::log_file, "game log, one JSON object per line"},
      {"report_file", &P::report_file, "report at the end of the game, Markdown"},
      {"remove_robots", &P::remove_robots, "penalised robots are carried to the touch line, in simulation"},
      {"start", &P::start, "start the first half at once"},
      {"seed", &P::seed, 0, 999999, "decides only what nobody saw"},
  });
  static const auto table =
      hl_node::ParameterTable<P>({}).with_at_start(&P::rules, rules).with_at_start([](P& p) -> P& { return p; }, own);
  return table;
}

}  // namespace hl_game_controller
