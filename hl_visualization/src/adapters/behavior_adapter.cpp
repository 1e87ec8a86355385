// SPDX-License-Identifier: Apache-2.0
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <algorithm>
#include <ament_index_cpp/get_package_prefix.hpp>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cctype>
#include <chrono>
#include <deque>
#include <fstream>
#include <humanoid_league_msgs/action/run_task.hpp>
#include <humanoid_league_msgs/msg/behavior_debug.hpp>
#include <humanoid_league_msgs/msg/skill_event.hpp>
#include <humanoid_league_msgs/srv/list_behaviors.hpp>
#include <humanoid_league_msgs/srv/set_role.hpp>
#include <optional>
#include <rclcpp_action/rclcpp_action.hpp>

#include "../topics/robot_topics.hpp"
#include "adapter.hpp"
#include "hl_visualization/behavior_view.hpp"

namespace hl_visualization {
namespace {

using humanoid_league_msgs::action::RunTask;
using humanoid_league_msgs::msg::BehaviorDebug;
using humanoid_league_msgs::msg::SkillEvent;
using humanoid_league_msgs::srv::ListBehaviors;
using humanoid_league_msgs::srv::SetRole;
using Goal = rclcpp_action::ClientGoalHandle<RunTask>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kEvents = 50;
constexpr auto kDeadline = std::chrono::seconds(3);  // of an answer
constexpr const char* kOutcomes[] = {"completed", "failed", "cancelled", "invalid", "refused", "timeout"};

/// The text of a task of hl_behavior that is installed on this machine, too; empty = it is not.
std::string text_of(const std::string& task) {
  const bool plain = std::all_of(task.begin(), task.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (task.empty() || !plain) return {};
  try {
    std::ifstream file(ament_index_cpp::get_package_share_directory("hl_behavior") + "/tasks/" + task + ".rtdl");
    return {std::istreambuf_iterator<char>(file), {}};
  } catch (const ament_index_cpp::PackageNotFoundError&) {
    return {};
  }
}

/// What arrives, in the spin thread; also outlives the adapter while an answer is on its way.
struct Record {
  std::mutex mutex;
  BehaviorData data;
  bool fresh = false;
  std::optional<Clock::time_point> asked;  // an order waits for its answer
  Goal::SharedPtr goal;

  void answer(const std::string& text) {
    const std::lock_guard<std::mutex> lock(mutex);
    data.answer = text;
    asked.reset();
    fresh = true;
  }
};

class BehaviorAdapter : public Adapter {
 public:
  BehaviorAdapter(rclcpp::Node& node, const Target& target, BehaviorView& view)
      : view_(view),
        topics_(node, target.robot),
        role_(node.create_client<SetRole>(topics_.name_of(hl_node::services::kSetRole))),
        list_(node.create_client<ListBehaviors>(topics_.name_of(hl_node::services::kListBehaviors))),
        task_(rclcpp_action::create_client<RunTask>(&node, topics_.name_of(hl_node::actions::kRunTask))) {
    topics_.subscribe<BehaviorDebug>(hl_node::topics::kBehaviorDebug, 3.0,
                                     [this](const BehaviorDebug& m) { on_debug(m); });
    topics_.subscribe<SkillEvent>(hl_node::topics::kSkillEvents, 0.0, [this](const SkillEvent& m) { on_event(m); });
    connections_[0] = QObject::connect(&view, &BehaviorView::role_chosen, [this](int role) { set_role(role); });
    connections_[1] = QObject::connect(
        &view, &BehaviorView::run_chosen,
        [this](const QString& name, const QStringList& arguments, const QString& text) { run(name, arguments, text); });
    connections_[2] = QObject::connect(&view, &BehaviorView::cancel_chosen, [this] { cancel(); });
  }
  ~BehaviorAdapter() override {
    for (const auto& connection : connections_) QObject::disconnect(connection);
  }

  bool refresh() override {
    BehaviorData data;
    {
      const std::lock_guard<std::mutex> lock(record_->mutex);
      if (record_->asked && Clock::now() - *record_->asked > kDeadline) {
        record_->data.answer = "no answer from the behaviour within 3 s";
        record_->asked.reset();
        record_->fresh = true;
      }
      if (!record_->fresh) return false;
      record_->fresh = false;
      data = record_->data;
    }
    if (data.task != task_shown_) {
      task_shown_ = data.task;
      text_ = text_of(data.task.substr(0, data.task.find('(')));
    }
    data.text = text_;
    view_.set_data(data);
    return true;
  }

  std::vector<std::string> notices() override {
    if (!listed_ && list_->service_is_ready()) {  // once: which tasks there are
      listed_ = true;
      list_->async_send_request(std::make_shared<ListBehaviors::Request>(),
                                [record = record_](rclcpp::Client<ListBehaviors>::SharedFuture future) {
                                  const auto tasks = future.get()->tasks;
                                  const std::lock_guard<std::mutex> lock(record->mutex);
                                  record->data.tasks = tasks;
                                  record->fresh = true;
                                });
    }
    return topics_.notices();
  }

 private:
  void on_debug(const BehaviorDebug& m) {
    const bool back = topics_.went_back(seconds(m.header.stamp));
    const std::lock_guard<std::mutex> lock(record_->mutex);
    BehaviorData& data = record_->data;
    if (back) data.events.clear();
    data.known = true;
    data.role = role_name(m.role);
    data.action = action_name(m.action);
    data.situation = m.situation;
    data.move = {m.move_skill, m.move_state};
    data.head = {m.head_skill, m.head_state};
    data.kick = {m.kick_skill, m.kick_state};
    data.task = m.task;
    data.statements = m.task_statements;
    data.reasons.clear();
    for (const auto& reason : m.reasons) data.reasons.emplace_back(reason.name, reason.value);
    record_->fresh = true;
  }

  void on_event(const SkillEvent& m) {
    const std::lock_guard<std::mutex> lock(record_->mutex);
    auto& events = record_->data.events;
    events.insert(events.begin(), {seconds(m.header.stamp), m.event, m.skill, m.reason});
    if (events.size() > kEvents) events.resize(kEvents);
    record_->fresh = true;
  }

  void wait(const std::string& text) {
    record_->answer(text);
    const std::lock_guard<std::mutex> lock(record_->mutex);
    record_->asked = Clock::now();
  }

  void set_role(int role) {
    if (!role_->service_is_ready()) return record_->answer("nobody offers set_role");
    auto request = std::make_shared<SetRole::Request>();
    request->automatic = role < 0;
    request->role = static_cast<std::uint8_t>(std::max(role, 0));
    const std::string asked = role < 0 ? "automatic" : role_name(role);
    wait("asking for the role " + asked);
    role_->async_send_request(request, [record = record_, asked](rclcpp::Client<SetRole>::SharedFuture future) {
      const auto answer = future.get();
      record->answer(answer->success ? "role: " + asked : "role refused: " + answer->message);
    });
  }

  void run(const QString& name, const QStringList& arguments, const QString& text) {
    if (!task_->action_server_is_ready()) return record_->answer("nobody offers run_task");
    if (name.isEmpty() && text.trimmed().isEmpty()) return record_->answer("name a task, or write one");
    RunTask::Goal goal;
    goal.name = name.toStdString();
    goal.text = text.trimmed().isEmpty() ? std::string() : text.toStdString();
    for (const QString& argument : arguments) goal.arguments.push_back(argument.toStdString());
    wait("asking for the task");
    rclcpp_action::Client<RunTask>::SendGoalOptions options;
    options.goal_response_callback = [record = record_](const Goal::SharedPtr& handle) {
      record->answer(handle ? "the task runs" : "the task was refused");
      const std::lock_guard<std::mutex> lock(record->mutex);
      record->goal = handle;
    };
    options.feedback_callback = [record = record_](const Goal::SharedPtr&,
                                                   const std::shared_ptr<const RunTask::Feedback> feedback) {
      const std::lock_guard<std::mutex> lock(record->mutex);
      record->data.statements = feedback->active;
      record->fresh = true;
    };
    options.result_callback = [record = record_](const Goal::WrappedResult& result) {
      const unsigned outcome = result.result ? result.result->outcome : 1U;
      std::string text_of = std::string("task ") + (outcome < 6 ? kOutcomes[outcome] : "ended");
      if (result.result && !result.result->reason.empty()) text_of += ": " + result.result->reason;
      if (result.result && !result.result->diagnostics.empty()) text_of += "  " + result.result->diagnostics.front();
      record->answer(text_of);
      const std::lock_guard<std::mutex> lock(record->mutex);
      record->goal.reset();
      record->data.statements.clear();
    };
    task_->async_send_goal(goal, options);
  }

  void cancel() {
    Goal::SharedPtr goal;
    {
      const std::lock_guard<std::mutex> lock(record_->mutex);
      goal = record_->goal;
    }
    if (!task_->action_server_is_ready()) return record_->answer("nobody offers run_task");
    wait("cancelling");
    try {
      if (goal) {
        task_->async_cancel_goal(goal);
      } else {
        task_->async_cancel_all_goals();  // also those that others began
      }
    } catch (const rclcpp_action::exceptions::UnknownGoalHandleError&) {
      record_->answer("the task has already ended");
    }
  }

  BehaviorView& view_;
  std::shared_ptr<Record> record_ = std::make_shared<Record>();
  RobotTopics topics_;
  rclcpp::Client<SetRole>::SharedPtr role_;
  rclcpp::Client<ListBehaviors>::SharedPtr list_;
  rclcpp_action::Client<RunTask>::SharedPtr task_;
  QMetaObject::Connection connections_[3];
  bool listed_ = false;
  std::string task_shown_, text_;  // GUI thread
};

}  // namespace

std::unique_ptr<Adapter> make_behavior_adapter(rclcpp::Node& node, const Target& target, BehaviorView& view) {
  return std::make_unique<BehaviorAdapter>(node, target, view);
}

}  // namespace hl_visualization
