// SPDX-License-Identifier: Apache-2.0
// Services that only a servo bus has, and how callbacks reach it.
#include "cm730_node.hpp"
#include "hl_node/contract.hpp"

namespace hl_hardware_cm730 {
namespace {

namespace srv = humanoid_league_msgs::srv;

constexpr auto kJobPatience = std::chrono::seconds(3);

}  // namespace

void Cm730Node::create_services() {
  services_.push_back(create_service<srv::ChangeServoId>(
      hl_node::services::kChangeServoId,
      [this](srv::ChangeServoId::Request::SharedPtr request, srv::ChangeServoId::Response::SharedPtr response) {
        response->message = "the bus does not run";
        on_bus([&] { response->message = driver_->change_id(request->old_id, request->new_id); });
        response->success = response->message.empty();
        if (response->success) response->message = "done; change robot.yaml, then restart";
      }));
  services_.push_back(create_service<srv::RecoverServo>(
      hl_node::services::kRecoverServo,
      [this](srv::RecoverServo::Request::SharedPtr request, srv::RecoverServo::Response::SharedPtr response) {
        const auto joint = contract_config_.joints.find(request->joint);
        if (!joint) {
          response->message = "there is no joint '" + request->joint + "'";
          return;
        }
        response->message = "the bus does not run";
        on_bus([&] { response->message = driver_->recover(*joint); });
        response->success = response->message.empty();
      }));
  services_.push_back(create_service<srv::ReadRegister>(
      hl_node::services::kReadRegister,
      [this](srv::ReadRegister::Request::SharedPtr request, srv::ReadRegister::Response::SharedPtr response) {
        if (request->length == 0 || request->length > 200 || request->address + request->length > 256) {
          response->message = "address and length must lie within a table of 256 bytes";
          return;
        }
        BusDriver::Answer answer;
        if (!on_bus([&] {
              answer = driver_->read(request->id, static_cast<uint8_t>(request->address),
                                     static_cast<uint8_t>(request->length));
            })) {
          response->message = "the bus does not run";
          return;
        }
        response->success = answer.ok();
        response->data = answer.data;
        response->error = answer.error;
        if (!answer.ok()) response->message = "device " + std::to_string(request->id) + " did not answer";
      }));
  services_.push_back(create_service<srv::WriteRegister>(
      hl_node::services::kWriteRegister,
      [this](srv::WriteRegister::Request::SharedPtr request, srv::WriteRegister::Response::SharedPtr response) {
        if (request->data.empty() || request->address + request->data.size() > 256 || request->data.size() > 200) {
          response->message = "address and data must lie within a table of 256 bytes";
          return;
        }
        BusDriver::Answer answer;
        if (!on_bus(
                [&] { answer = driver_->write(request->id, static_cast<uint8_t>(request->address), request->data); })) {
          response->message = "the bus does not run";
          return;
        }
        response->success = answer.ok() && answer.error == 0;
        response->error = answer.error;
        if (!answer.ok()) response->message = "device " + std::to_string(request->id) + " did not answer";
      }));
}

bool Cm730Node::on_bus(const std::function<void()>& job) {
  std::packaged_task<void()> task(job);
  auto done = task.get_future();
  {
    std::lock_guard<std::mutex> lock(jobs_mutex_);
    jobs_.push_back(std::move(task));
  }
  if (done.wait_for(kJobPatience) != std::future_status::ready) {
    std::lock_guard<std::mutex> lock(jobs_mutex_);
    jobs_.clear();  // nobody may touch what our caller owns once we have returned
    if (done.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
  }
  try {
    done.get();
  } catch (const std::future_error&) {  // dropped
    return false;
  }
  return true;
}

}  // namespace hl_hardware_cm730
