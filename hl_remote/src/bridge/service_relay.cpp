// SPDX-License-Identifier: Apache-2.0
#include "service_relay.hpp"

#include <action_msgs/srv/cancel_goal.hpp>
#include <cstring>
#include <humanoid_league_msgs/action/play_animation.hpp>
#include <humanoid_league_msgs/action/run_task.hpp>
#include <humanoid_league_msgs/srv/edit_animation.hpp>
#include <humanoid_league_msgs/srv/emergency_stop.hpp>
#include <humanoid_league_msgs/srv/list_animations.hpp>
#include <humanoid_league_msgs/srv/list_behaviors.hpp>
#include <humanoid_league_msgs/srv/manual_penalize.hpp>
#include <humanoid_league_msgs/srv/place_ball.hpp>
#include <humanoid_league_msgs/srv/place_robot.hpp>
#include <humanoid_league_msgs/srv/push_robot.hpp>
#include <humanoid_league_msgs/srv/record_compass.hpp>
#include <humanoid_league_msgs/srv/record_keyframe.hpp>
#include <humanoid_league_msgs/srv/recorder_command.hpp>
#include <humanoid_league_msgs/srv/referee_command.hpp>
#include <humanoid_league_msgs/srv/reload_animations.hpp>
#include <humanoid_league_msgs/srv/reset_localization.hpp>
#include <humanoid_league_msgs/srv/set_record_mode.hpp>
#include <humanoid_league_msgs/srv/set_role.hpp>
#include <optional>
#include <rcl_interfaces/srv/describe_parameters.hpp>
#include <rclcpp/serialization.hpp>
#include <set>

#include "hl_remote/message_text.hpp"

namespace hl_remote {
namespace {

constexpr std::size_t kMostCalls = 100;  // of one service, waiting for their answers

template <class Service>
class TypedCaller : public ServiceCaller {
 public:
  TypedCaller(rclcpp::Node& node, const std::string& name, std::chrono::seconds deadline)
      : client_(node.create_client<Service>(name)), deadline_(deadline) {}

  void call(const std::string& payload, Robots::ServiceAnswer answer) override {
    auto request = std::make_shared<typename Service::Request>();
    try {
      rclcpp::SerializedMessage bytes(payload.size());
      auto& raw = bytes.get_rcl_serialized_message();
      std::memcpy(raw.buffer, payload.data(), payload.size());
      raw.buffer_length = payload.size();
      rclcpp::Serialization<typename Service::Request>().deserialize_message(&bytes, request.get());
    } catch (const std::exception& error) {
      return answer(std::nullopt, std::string("the request cannot be read: ") + error.what());
    }
    if (calls_.size() >= kMostCalls) return answer(std::nullopt, "too many calls wait for an answer");
    const std::uint64_t number = ++last_call_;
    calls_[number] = {request, std::move(answer), std::chrono::steady_clock::now(), std::nullopt};
    if (client_->service_is_ready()) send(number);
  }

  void poll(std::chrono::steady_clock::time_point now) override {
    const bool ready = !calls_.empty() && client_->service_is_ready();
    std::vector<std::uint64_t> waiting, old;
    for (const auto& [number, call] : calls_) {
      if (now - call.since >= deadline_)
        old.push_back(number);
      else if (ready && !call.sent)
        waiting.push_back(number);
    }
    for (const std::uint64_t number : waiting) send(number);
    for (const std::uint64_t number : old) give_up(number);
  }

 private:
  struct Call {
    std::shared_ptr<typename Service::Request> request;
    Robots::ServiceAnswer answer;
    std::chrono::steady_clock::time_point since;
    std::optional<std::int64_t> sent;  // the client's number of it
  };

  void send(std::uint64_t number) {
    const auto sent = client_->async_send_request(
        calls_.at(number).request,
        [this, number](typename rclcpp::Client<Service>::SharedFuture future) { answered(number, *future.get()); });
    calls_.at(number).sent = sent.request_id;
  }

  void give_up(std::uint64_t number) {
    const Call call = std::move(calls_.at(number));
    calls_.erase(number);
    if (call.sent) client_->remove_pending_request(*call.sent);
    call.answer(std::nullopt, call.sent ? "no answer within " + std::to_string(deadline_.count()) + " s"
                                        : "the service is not there");
  }

  void answered(std::uint64_t number, const typename Service::Response& response) {
    const auto call = calls_.find(number);
    if (call == calls_.end()) return;
    const Robots::ServiceAnswer answer = std::move(call->second.answer);
    calls_.erase(call);
    rclcpp::SerializedMessage bytes;
    rclcpp::Serialization<typename Service::Response>().serialize_message(&response, &bytes);
    const auto& raw = bytes.get_rcl_serialized_message();
    answer(std::string(reinterpret_cast<const char*>(raw.buffer), raw.buffer_length), {});
  }

  typename rclcpp::Client<Service>::SharedPtr client_;
  std::chrono::seconds deadline_;
  std::map<std::uint64_t, Call> calls_;
  std::uint64_t last_call_ = 0;
};

constexpr std::chrono::seconds kDeadline(5);
constexpr std::chrono::seconds kLongestAction(1200);  // until its result is there

struct Kind {
  std::function<std::unique_ptr<ServiceCaller>(rclcpp::Node&, const std::string&)> make;
  bool reads = false;
};

template <class Service>
Kind kind(bool reads = false, std::chrono::seconds deadline = kDeadline) {
  return {[deadline](rclcpp::Node& node, const std::string& name) {
            return std::make_unique<TypedCaller<Service>>(node, name, deadline);
          },
          reads};
}

const std::map<std::string, Kind>& kinds() {
  using namespace humanoid_league_msgs::srv;
  using humanoid_league_msgs::action::PlayAnimation;
  using humanoid_league_msgs::action::RunTask;
  static const std::map<std::string, Kind> kKinds = {
      {"action_msgs/srv/CancelGoal", kind<action_msgs::srv::CancelGoal>()},
      {"humanoid_league_msgs/action/PlayAnimation_GetResult",
       kind<PlayAnimation::Impl::GetResultService>(false, kLongestAction)},
      {"humanoid_league_msgs/action/PlayAnimation_SendGoal", kind<PlayAnimation::Impl::SendGoalService>()},
      {"humanoid_league_msgs/action/RunTask_GetResult", kind<RunTask::Impl::GetResultService>(false, kLongestAction)},
      {"humanoid_league_msgs/action/RunTask_SendGoal", kind<RunTask::Impl::SendGoalService>()},
      {"humanoid_league_msgs/srv/EditAnimation", kind<EditAnimation>()},
      {"humanoid_league_msgs/srv/EmergencyStop", kind<EmergencyStop>()},
      {"humanoid_league_msgs/srv/ListAnimations", kind<ListAnimations>(true)},
      {"humanoid_league_msgs/srv/ListBehaviors", kind<ListBehaviors>(true)},
      {"humanoid_league_msgs/srv/ManualPenalize", kind<ManualPenalize>()},
      {"humanoid_league_msgs/srv/PlaceBall", kind<PlaceBall>()},
      {"humanoid_league_msgs/srv/PlaceRobot", kind<PlaceRobot>()},
      {"humanoid_league_msgs/srv/PushRobot", kind<PushRobot>()},
      {"humanoid_league_msgs/srv/RecordCompass", kind<RecordCompass>()},
      {"humanoid_league_msgs/srv/RecordKeyframe", kind<RecordKeyframe>()},
      {"humanoid_league_msgs/srv/RecorderCommand", kind<RecorderCommand>()},
      {"humanoid_league_msgs/srv/RefereeCommand", kind<RefereeCommand>()},
      {"humanoid_league_msgs/srv/ReloadAnimations", kind<ReloadAnimations>()},
      {"humanoid_league_msgs/srv/ResetLocalization", kind<ResetLocalization>()},
      {"humanoid_league_msgs/srv/SetRecordMode", kind<SetRecordMode>()},
      {"humanoid_league_msgs/srv/SetRole", kind<SetRole>()},
      {"rcl_interfaces/srv/DescribeParameters", kind<rcl_interfaces::srv::DescribeParameters>(true)},
  };
  return kKinds;
}

}  // namespace

ServiceRelay::Changes ServiceRelay::look() {
  Changes changes;
  std::set<std::uint32_t> seen;
  for (const auto& [name, types] : node_.get_service_names_and_types()) {
    if (types.size() != 1) continue;
    const std::string& type = types.front();
    const auto known = kinds().find(type);
    if (known == kinds().end()) continue;
    const auto [entry, fresh] = ids_.try_emplace({name, type}, static_cast<std::uint32_t>(ids_.size() + 1));
    const std::uint32_t id = entry->second;
    seen.insert(id);
    if (services_.count(id) != 0) continue;
    const auto text = service_text(type);
    if (!text) continue;
    services_[id] = {name, type, nullptr};
    changes.appeared.push_back({{id, name, type, text->request, text->response}, known->second.reads});
  }
  for (auto service = services_.begin(); service != services_.end();) {
    if (seen.count(service->first) != 0) {
      ++service;
      continue;
    }
    changes.vanished.push_back(service->first);
    if (service->second.caller) service->second.caller->poll(std::chrono::steady_clock::time_point::max());
    service = services_.erase(service);
  }
  return changes;
}

void ServiceRelay::call(std::uint32_t service, const std::string& payload, const Robots::ServiceAnswer& answer) {
  const auto found = services_.find(service);
  if (found == services_.end()) return answer(std::nullopt, "there is no such service any more");
  Offered& offered = found->second;
  if (!offered.caller) offered.caller = kinds().at(offered.type).make(node_, offered.name);
  offered.caller->call(payload, answer);
}

void ServiceRelay::poll() {
  const auto now = std::chrono::steady_clock::now();
  for (auto& [id, offered] : services_)
    if (offered.caller) offered.caller->poll(now);
}

}  // namespace hl_remote
