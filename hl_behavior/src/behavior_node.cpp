// SPDX-License-Identifier: Apache-2.0
// The node `behavior`: messages in, decisions, orders out.
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <geometry_msgs/msg/point_stamped.hpp>
#include <humanoid_league_msgs/action/play_animation.hpp>
#include <humanoid_league_msgs/msg/head_mode.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/speak.hpp>
#include <humanoid_league_msgs/srv/list_behaviors.hpp>
#include <humanoid_league_msgs/srv/request_steps.hpp>
#include <humanoid_league_msgs/srv/set_role.hpp>
#include <limits>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <string>

#include "decision_tracer.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "messages.hpp"
#include "node_params.hpp"
#include "order_client.hpp"
#include "task_server.hpp"

namespace hl_behavior {
namespace {

namespace msg = humanoid_league_msgs::msg;
namespace srv = humanoid_league_msgs::srv;
namespace topics = hl_node::topics;
using humanoid_league_msgs::action::Kick;
using humanoid_league_msgs::action::Navigate;
using humanoid_league_msgs::action::PlayAnimation;

constexpr double kGameMemory = 5.0;       // s without a gamestate: no referee is heard
constexpr double kPlannerPatience = 3.0;  // s without a word of the planner: the goal is told again

Behavior::Params with_field(const BehaviorNodeParams& params) {
  Behavior::Params core = params.core_params();
  if (!params.field_file.empty())
    core.tactics.field = hl_description::Field::from_file(params.field_file, params.field);
  return core;
}

rtdl::Tasks::Params task_params(const BehaviorNodeParams& params) {
  rtdl::Tasks::Params tasks;
  tasks.in_game = params.tasks_in_game;
  tasks.time_limit = params.task_time_limit;
  return tasks;
}

/// Those of the package and those of the team; a bad one is told and left out.
rtdl::Library task_library(const BehaviorNodeParams& params, const rclcpp::Logger& logger) {
  std::vector<std::string> folders{ament_index_cpp::get_package_share_directory("hl_behavior") + "/tasks"};
  for (const std::string& folder : params.task_folders)
    if (!folder.empty()) folders.push_back(folder);
  std::vector<std::string> problems;
  rtdl::Library library = rtdl::library_of(folders, problems);
  for (const std::string& problem : problems) RCLCPP_WARN(logger, "%s", problem.c_str());
  return library;
}

}  // namespace

class BehaviorNode : public rclcpp::Node {
 public:
  explicit BehaviorNode(const rclcpp::NodeOptions& options)
      : Node("behavior", options),
        parameters_(*this, behavior_parameters()),
        behavior_(with_field(parameters_.values())),
        diagnostics_(*this, "decisions"),
        navigate_(*this, "navigate",
                  [](const Navigate::Result& r) {
                    return r.outcome == Navigate::Result::REACHED ? "" : r.reason.empty() ? "not reached" : r.reason;
                  }),
        kick_(*this, "kick",
              [](const Kick::Result& r) { return r.successful        ? ""
                                                 : r.message.empty() ? "no kick"
                                                                     : r.message; }),
        animation_(*this, "play_animation",
                   [](const PlayAnimation::Result& r) {
                     return r.successful ? "" : r.message.empty() ? "not played" : r.message;
                   }),
        tasks_(*this, task_params(parameters_.values()), task_library(parameters_.values(), get_logger()),
               behavior_.params().tactics.field, inputs_.knowledge),
        tracer_(*this) {
    parameters_.on_change([this](const BehaviorNodeParams& params) {
      Behavior::Params core = params.core_params();
      core.tactics.field = behavior_.params().tactics.field;
      core.tactics.role = behavior_.params().tactics.role;
      behavior_.set_params(core);
      tasks_.set_params(task_params(params));
    });
    subscribe();
    advertise();
    const auto period = std::chrono::duration<double>(1.0 / parameters_.values().rate);
    timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration(period), [this] { tick(); });
  }

 private:
  void subscribe() {
    personal_ = hl_node::create_subscription<msg::Model>(*this, topics::kPersonalModel, [this](const msg::Model& m) {
      inputs_.knowledge.personal = model_from(m);
      ++models_;
    });
    team_ = hl_node::create_subscription<msg::Model>(
        *this, topics::kTeamModel, [this](const msg::Model& m) { inputs_.knowledge.team = model_from(m); });
    game_ = hl_node::create_subscription<msg::GameState>(*this, topics::kGamestate, [this](const msg::GameState& m) {
      inputs_.knowledge.game = game_from(m);
      game_heard_ = get_clock()->now().seconds();
    });
    mates_ = hl_node::create_subscription<msg::TeamData>(
        *this, topics::kTeamData, [this](const msg::TeamData& m) { inputs_.knowledge.mates = mates_from(m); });
    body_ = hl_node::create_subscription<msg::RobotControlState>(
        *this, topics::kRobotState, [this](const msg::RobotControlState& m) {
          if (m.state <= msg::RobotControlState::KICKING)
            inputs_.knowledge.body = static_cast<hl_soccer::BodyState>(m.state);
        });
  }

  void advertise() {
    head_mode_ = hl_node::create_publisher<msg::HeadMode>(*this, topics::kHeadMode);
    look_at_ = hl_node::create_publisher<geometry_msgs::msg::PointStamped>(*this, topics::kLookAt);
    strategy_ = hl_node::create_publisher<msg::Strategy>(*this, topics::kStrategy);
    debug_ = hl_node::create_publisher<msg::BehaviorDebug>(*this, topics::kBehaviorDebug);
    events_ = hl_node::create_publisher<msg::SkillEvent>(*this, topics::kSkillEvents);
    speak_ = hl_node::create_publisher<msg::Speak>(*this, topics::kSpeak);
    steps_ = create_client<srv::RequestSteps>("request_steps");
    set_role_ = create_service<srv::SetRole>(
        "set_role", [this](const std::shared_ptr<srv::SetRole::Request> request,
                           std::shared_ptr<srv::SetRole::Response> response) { set_role(*request, *response); });
    list_ = create_service<srv::ListBehaviors>(
        "list_behaviors", [this](const std::shared_ptr<srv::ListBehaviors::Request>,
                                 std::shared_ptr<srv::ListBehaviors::Response> response) { list(*response); });
  }

  void set_role(const srv::SetRole::Request& request, srv::SetRole::Response& response) {
    if (!request.automatic && request.role > msg::Strategy::ROLE_GOALIE) {
      response.success = false;
      response.message = "role " + std::to_string(request.role) + " is not within 0..5";
      return;
    }
    behavior_.set_role(request.automatic ? std::nullopt : std::optional<Role>(static_cast<Role>(request.role)));
    response.success = true;
  }

  void list(srv::ListBehaviors::Response& response) const {
    for (int role = 0; role <= 5; ++role) response.roles.emplace_back(name_of(static_cast<Role>(role)));
    for (const Row& row : rows()) response.strategies.emplace_back(row.name);
    response.tasks = tasks_.tasks().library().names();
    for (const auto& capability : rtdl::soccer_catalogue()->capabilities)
      response.capabilities.push_back(rtdl::signature(capability));
  }

  void tick() {
    const double now = get_clock()->now().seconds();
    // game_controller tells twice a second; if it has died, its last word does not count for ever.
    if (now - game_heard_ > kGameMemory) inputs_.knowledge.game.referee_connected = false;
    inputs_.feedback.navigate = navigate_.feedback();
    inputs_.feedback.kick = kick_.feedback();
    inputs_.feedback.animation = animation_.feedback();
    inputs_.task = tasks_.step(behavior_.params().tactics, last_, now);
    const Behavior::Outputs& out = behavior_.step(inputs_, now);
    last_ = &out;
    order(out.orders, now);
    tell(out, now);
  }

  void order(const Orders& orders, double now) {
    if (orders.navigate) {
      // A moving target is told ten times a second: a new goal replaces the old one without stopping the feet.
      const auto& order = *orders.navigate;
      const bool new_order = order.id != navigate_id_;
      if (new_order || (order.revision != navigate_revision_ && now - navigate_sent_ >= 0.1)) {
        navigate_id_ = order.id;
        navigate_revision_ = order.revision;
        navigate_sent_ = now;
      }
      // A way from where the robot stood would begin anew from where it stands.
      const bool repeatable =
          order.goal.frame != Frame::BaseFootprint || order.goal.kind == NavigateGoal::Kind::Velocity;
      navigate_.want(order.id, (static_cast<std::uint64_t>(order.id) << 32) | navigate_revision_,
                     message_from(order.goal), now,
                     repeatable ? kPlannerPatience : std::numeric_limits<double>::infinity());
    } else {
      navigate_.end_leftovers();
      navigate_.want_nothing();
    }
    if (orders.kick)
      kick_.want(orders.kick->id, orders.kick->id, message_from(orders.kick->goal), now);
    else
      kick_.want_nothing();
    if (orders.animation) {
      PlayAnimation::Goal goal;
      goal.animation = orders.animation->name;
      animation_.want(orders.animation->id, orders.animation->id, goal, now);
    } else {
      animation_.want_nothing();
    }
    if (orders.steps && orders.steps->id != steps_id_ && steps_->service_is_ready()) request(*orders.steps);
    look(orders.head, now);
  }

  void request(const Orders::Steps& order) {
    steps_id_ = order.id;
    auto request = std::make_shared<srv::RequestSteps::Request>();
    request->step.x = order.step.x;
    request->step.y = order.step.y;
    request->step.theta = order.step.yaw;
    request->count = static_cast<std::uint32_t>(order.count);
    steps_->async_send_request(request, [this, id = order.id](rclcpp::Client<srv::RequestSteps>::SharedFuture future) {
      const auto& response = *future.get();
      inputs_.feedback.steps = {id, response.success ? Feedback::State::Succeeded : Feedback::State::Failed, 1.0,
                                response.message};
    });
  }

  void look(const Orders::HeadGoal& goal, double now) {
    const auto mode = static_cast<std::uint8_t>(goal.mode);
    if (mode != mode_) {
      mode_ = mode;
      msg::HeadMode message;
      message.head_mode = mode;
      head_mode_->publish(message);
    }
    if (!goal.look_at || now - looked_ < 0.1) return;
    looked_ = now;
    geometry_msgs::msg::PointStamped message;
    message.header.stamp = stamp_from(now);
    message.header.frame_id = frame_id(goal.look_at->frame);
    message.point.x = goal.look_at->point.x();
    message.point.y = goal.look_at->point.y();
    message.point.z = goal.look_at->height;
    look_at_->publish(message);
  }

  void tell(const Behavior::Outputs& out, double now) {
    const msg::Strategy strategy = strategy_from(out.decision);
    if (!told_strategy_ || strategy != strategy_message_) {
      told_strategy_ = true;
      strategy_message_ = strategy;
      strategy_->publish(strategy);
    }
    for (const SkillEvent& event : out.events) events_->publish(message_from(event, now));
    if (out.decision.say != nullptr) say(out.decision.say);
    if (inputs_.task)
      for (const std::string& words : tasks_.tasks().outputs().say) say(words);
    const bool new_row = row_ != out.decision.row;
    row_ = out.decision.row;
    if (new_row || now - told_ >= 0.2) {
      told_ = now;
      if (debug_->get_subscription_count() > 0) debug(out, now);
      tracer_.decided(out, navigate_sent_, now);
    }
    if (now - reported_ < 1.0 && now >= reported_) return;
    reported_ = now;
    const bool fresh = out.data_age < behavior_.params().tactics.model_memory;
    diagnostics_.report(fresh ? hl_node::Level::Ok : hl_node::Level::Warn,
                        fresh ? out.decision.row : "no fresh personal_model: is world_model running?",
                        {{"role", name_of(out.decision.role)}, {"models", std::to_string(models_)}});
  }

  void debug(const Behavior::Outputs& out, double now) {
    msg::BehaviorDebug message = debug_from(out, now);
    if (inputs_.task) {
      message.task = tasks_.tasks().name();
      message.task_statements = tasks_.tasks().outputs().active;
    }
    debug_->publish(message);
  }

  void say(const std::string& words) {
    msg::Speak speak;
    speak.text = words;
    speak.priority = msg::Speak::LOW_PRIORITY;
    speak_->publish(speak);
  }

  hl_node::NodeParameters<BehaviorNodeParams> parameters_;
  Behavior behavior_;
  Behavior::Inputs inputs_;
  hl_node::Diagnostics diagnostics_;
  OrderClient<Navigate> navigate_;
  OrderClient<Kick> kick_;
  OrderClient<PlayAnimation> animation_;
  TaskServer tasks_;
  DecisionTracer tracer_;
  const Behavior::Outputs* last_ = nullptr;
  rclcpp::Subscription<msg::Model>::SharedPtr personal_, team_;
  rclcpp::Subscription<msg::GameState>::SharedPtr game_;
  rclcpp::Subscription<msg::TeamData>::SharedPtr mates_;
  rclcpp::Subscription<msg::RobotControlState>::SharedPtr body_;
  rclcpp::Publisher<msg::HeadMode>::SharedPtr head_mode_;
  rclcpp::Publisher<geometry_msgs::msg::PointStamped>::SharedPtr look_at_;
  rclcpp::Publisher<msg::Strategy>::SharedPtr strategy_;
  rclcpp::Publisher<msg::BehaviorDebug>::SharedPtr debug_;
  rclcpp::Publisher<msg::SkillEvent>::SharedPtr events_;
  rclcpp::Publisher<msg::Speak>::SharedPtr speak_;
  rclcpp::Client<srv::RequestSteps>::SharedPtr steps_;
  rclcpp::Service<srv::SetRole>::SharedPtr set_role_;
  rclcpp::Service<srv::ListBehaviors>::SharedPtr list_;
  rclcpp::TimerBase::SharedPtr timer_;
  msg::Strategy strategy_message_;
  bool told_strategy_ = false;
  std::string row_;
  std::size_t models_ = 0;
  int mode_ = -1;
  std::uint32_t navigate_id_ = 0, navigate_revision_ = 0, steps_id_ = 0;
  double game_heard_ = 0.0;                                                  // s
  double navigate_sent_ = 0.0, looked_ = 0.0, told_ = 0.0, reported_ = 0.0;  // s
};

}  // namespace hl_behavior

RCLCPP_COMPONENTS_REGISTER_NODE(hl_behavior::BehaviorNode)
