// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <fstream>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <rosgraph_msgs/msg/clock.hpp>

#include "assets.hpp"
#include "bridge_params.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/node_parameters.hpp"
#include "hl_remote/access.hpp"
#include "hl_remote/bridge.hpp"
#include "hl_remote/web_server.hpp"
#include "parameter_relay.hpp"
#include "service_relay.hpp"
#include "topic_relay.hpp"

namespace hl_remote {
namespace {

using humanoid_league_msgs::msg::GameState;

/// Work one thread leaves for another.
class TaskQueue {
 public:
  void push(std::function<void()> task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  void run() {
    std::vector<std::function<void()>> tasks;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      tasks.swap(tasks_);
    }
    for (const auto& task : tasks) task();
  }

 private:
  std::mutex mutex_;
  std::vector<std::function<void()>> tasks_;
};

std::string token_of(const BridgeParams& params) {
  if (params.token_file.empty()) return new_token();
  std::ifstream file(params.token_file);
  std::string token;
  if (!(file >> token) || token.size() < 16)
    throw std::invalid_argument("token_file = '" + params.token_file + "' must hold a token of at least 16 letters");
  return token;
}

std::string page_folder() {
  return ament_index_cpp::get_package_share_directory("hl_remote") + "/www";
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

/// Shows every robot of the ROS graph to browsers and viewers. Two threads: the server's, in which the `Bridge` lives,
/// and the node's, in which everything of ROS happens; each leaves work for the other.
class BridgeNode : public rclcpp::Node, private Robots {
 public:
  explicit BridgeNode(const rclcpp::NodeOptions& options)
      : Node("bridge", options),
        parameters_(*this, bridge_parameters()),
        token_(token_of(parameters_.values())),
        diagnostics_(*this, "bridge"),
        topics_(*this,
                [this](std::uint32_t channel, std::uint64_t stamp, SendQueue::Payload payload) {
                  to_bridge([channel, stamp, payload](Bridge& bridge) { bridge.message(channel, stamp, payload); });
                }),
        services_(*this),
        robot_parameters_(*this) {
    start_server();
    tasks_timer_ = create_wall_timer(std::chrono::milliseconds(20), [this] {
      tasks_.run();
      services_.poll();
      robot_parameters_.poll();
    });
    graph_timer_ = create_wall_timer(std::chrono::seconds(1), [this] { look_around(); });
    if (get_parameter("use_sim_time").as_bool())
      clock_ = create_subscription<rosgraph_msgs::msg::Clock>(
          "/clock", rclcpp::QoS(1).best_effort(), [this](const rosgraph_msgs::msg::Clock& clock) { tell_time(clock); });
    parameter_events_ = create_subscription<rcl_interfaces::msg::ParameterEvent>(
        "/parameter_events", rclcpp::ParameterEventsQoS(),
        [this](const rcl_interfaces::msg::ParameterEvent& event) { tell_parameters(event); });
    look_around();
  }

  ~BridgeNode() override { server_.reset(); }

 private:
  void start_server() {
    const BridgeParams& params = parameters_.values();
    WebServer::Params server;
    server.address = params.address;
    server.port = static_cast<std::uint16_t>(params.port);
    server.folder = page_folder();
    server.certificate = params.certificate;
    server.key = params.key;
    server.origins = params.origins;
    server.token = params.commands ? token_ : std::string{};
    server.most_clients = static_cast<std::size_t>(params.most_clients);
    WebServer::Events events;
    events.opened = [this](ClientId client, bool may) { bridge_->opened(client, may); };
    events.received = [this](ClientId client, std::string_view frame, bool binary) {
      bridge_->received(client, frame, binary);
    };
    events.closed = [this](ClientId client) { bridge_->closed(client); };
    events.refused = [this](const std::string& what) {
      tasks_.push([this, what] { RCLCPP_WARN(get_logger(), "refused: %s", what.c_str()); });
    };
    server_ = std::make_unique<WebServer>(server);
    bridge_ = std::make_unique<Bridge>(*server_, static_cast<Robots&>(*this), info());
    bridge_->match(params.match);
    server_->start(std::move(events));
    const std::string scheme = params.certificate.empty() ? "http" : "https";
    const std::string place = scheme + "://" + params.address + ":" + std::to_string(server_->port()) + "/";
    RCLCPP_INFO(get_logger(), "look: %s", place.c_str());
    if (params.match)
      RCLCPP_INFO(get_logger(), "match: nothing that reaches a robot is accepted");
    else if (params.commands && params.token_file.empty())
      RCLCPP_INFO(get_logger(), "command: %s?token=%s", place.c_str(), token_.c_str());
  }

  foxglove::ServerInfo info() const {
    foxglove::ServerInfo info;
    info.name = "Humanoid League";
    info.session = std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
    info.encodings = {"cdr"};
    const std::string distro = environment("ROS_DISTRO");
    info.metadata["ROS_DISTRO"] = distro.empty() ? "humble" : distro;
    return info;
  }

  void to_bridge(std::function<void(Bridge&)> task) {
    server_->post([this, task = std::move(task)] { task(*bridge_); });
  }

  // --- in the node's thread

  void look_around() {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    look_due_ = look_due_ || graph_event_->check_and_clear();
    if ((look_due_ && start >= next_look_) || start >= next_look_ + kLongestPause) {
      look_due_ = false;
      look_at_graph();
      // Some middlewares tell hundreds of topics slowly: messages come first.
      next_look_ = Clock::now() + kLookShare * (Clock::now() - start);
    }
    const bool match = parameters_.values().match || match_running();
    to_bridge([match, this](Bridge& bridge) {
      bridge.match(match);
      bridge.report_drops();
      tasks_.push([this, clients = bridge.clients(), watched = bridge.anybody_watches_graph()] {
        clients_ = clients;
        look_due_ = look_due_ || (watched && !graph_watched_);
        graph_watched_ = watched;
      });
    });
    diagnostics_.report(hl_node::Level::Ok, std::to_string(clients_) + (clients_ == 1 ? " client" : " clients"),
                        {{"match", match ? "true" : "false"}});
  }

  void look_at_graph() {
    const auto topics = topics_.look();
    const auto services = services_.look();
    watch_games();
    auto graph = graph_watched_ ? std::optional(topics_.graph()) : std::nullopt;
    to_bridge([topics, services, graph = std::move(graph)](Bridge& bridge) {
      bridge.withdraw(topics.vanished);
      bridge.offer(topics.appeared);
      bridge.withdraw_services(services.vanished);
      bridge.offer_services(services.appeared);
      if (graph) bridge.graph(*graph);
    });
  }

  /// Every robot's game state: while one plays, nobody is commanded.
  void watch_games() {
    for (const auto& [name, types] : get_topic_names_and_types()) {
      if (types.front() != "humanoid_league_msgs/msg/GameState" || games_.count(name) != 0) continue;
      Game& game = games_[name];
      game.subscription = create_subscription<GameState>(name, rclcpp::QoS(1).transient_local(),
                                                         [&game](const GameState& message) { game.state = message; });
    }
    for (auto game = games_.begin(); game != games_.end();)
      game = count_publishers(game->first) == 0 ? games_.erase(game) : std::next(game);
  }

  bool match_running() const {
    return std::any_of(games_.begin(), games_.end(), [](const auto& game) {
      const GameState& state = game.second.state;
      return state.referee_connected &&
             (state.game_state == GameState::GAMESTATE_READY || state.game_state == GameState::GAMESTATE_SET ||
              state.game_state == GameState::GAMESTATE_PLAYING);
    });
  }

  void tell_time(const rosgraph_msgs::msg::Clock& clock) {
    const auto stamp = static_cast<std::uint64_t>(rclcpp::Time(clock.clock).nanoseconds());
    if (stamp - last_time_ < 50'000'000 && stamp >= last_time_) return;  // 20 Hz do for a viewer
    last_time_ = stamp;
    to_bridge([stamp](Bridge& bridge) { bridge.time(stamp); });
  }

  void tell_parameters(const rcl_interfaces::msg::ParameterEvent& event) {
    std::vector<std::string> names;
    for (const auto& parameter : event.changed_parameters) names.push_back(event.node + "." + parameter.name);
    if (names.empty()) return;
    robot_parameters_.get(names, [this](const std::vector<foxglove::Parameter>& values) {
      to_bridge([values](Bridge& bridge) { bridge.parameters_changed(values); });
    });
  }

  // --- Robots: called in the server's thread, done in the node's

  void subscribe(std::uint32_t channel) override {
    tasks_.push([this, channel] { topics_.subscribe(channel); });
  }
  void unsubscribe(std::uint32_t channel) override {
    tasks_.push([this, channel] { topics_.unsubscribe(channel); });
  }
  void publish(const std::string& topic, const std::string& type, std::string payload) override {
    tasks_.push([this, topic, type, payload = std::move(payload)] { topics_.publish(topic, type, payload); });
  }
  void call(std::uint32_t service, std::string payload, ServiceAnswer answer) override {
    tasks_.push([this, service, payload = std::move(payload), answer = std::move(answer)] {
      services_.call(service, payload,
                     [this, answer](const std::optional<std::string>& response, const std::string& error) {
                       server_->post([answer, response, error] { answer(response, error); });
                     });
    });
  }
  void get_parameters(const std::vector<std::string>& names, Values answer) override {
    tasks_.push([this, names, answer = std::move(answer)] { robot_parameters_.get(names, back(answer)); });
  }
  void set_parameters(const std::vector<foxglove::Parameter>& parameters, Changed answer) override {
    tasks_.push([this, parameters, answer = std::move(answer)] {
      robot_parameters_.set(parameters, [this, answer](const std::vector<foxglove::Parameter>& values,
                                                       const std::vector<std::string>& refusals) {
        server_->post([answer, values, refusals] { answer(values, refusals); });
      });
    });
  }
  std::optional<std::string> asset(const std::string& uri, std::string& error) override {
    return read_asset(uri, error);
  }

  Values back(const Values& answer) {
    return [this, answer](const std::vector<foxglove::Parameter>& values) {
      server_->post([answer, values] { answer(values); });
    };
  }

  static constexpr int kLookShare = 9;  // a look at the graph, then so many times as long without one
  static constexpr std::chrono::seconds kLongestPause{30};

  struct Game {
    rclcpp::Subscription<GameState>::SharedPtr subscription;
    GameState state;
  };

  hl_node::NodeParameters<BridgeParams> parameters_;
  std::string token_;
  hl_node::Diagnostics diagnostics_;
  TaskQueue tasks_;  // for the node's thread
  TopicRelay topics_;
  ServiceRelay services_;
  ParameterRelay robot_parameters_;
  std::map<std::string, Game> games_;
  std::unique_ptr<WebServer> server_;
  std::unique_ptr<Bridge> bridge_;  // in the server's thread once that runs
  std::uint64_t last_time_ = 0;     // ns
  std::size_t clients_ = 0;
  rclcpp::Event::SharedPtr graph_event_ = get_graph_event();
  bool look_due_ = true, graph_watched_ = false;
  std::chrono::steady_clock::time_point next_look_{};
  rclcpp::Subscription<rosgraph_msgs::msg::Clock>::SharedPtr clock_;
  rclcpp::Subscription<rcl_interfaces::msg::ParameterEvent>::SharedPtr parameter_events_;
  rclcpp::TimerBase::SharedPtr tasks_timer_, graph_timer_;
};

}  // namespace hl_remote

RCLCPP_COMPONENTS_REGISTER_NODE(hl_remote::BridgeNode)
