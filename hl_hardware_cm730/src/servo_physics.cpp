// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/servo_physics.hpp"

#include <algorithm>
#include <cmath>

namespace hl_hardware_cm730 {
namespace {

// Share of full motor voltage per tick of position error and unit of the P register: P = 32 saturates at about 3.5
// degrees, as measured on MX servos.
constexpr double kPwmPerTickAndP = 1.0 / (40.0 * 32.0);

}  // namespace

SecondOrderServos::SecondOrderServos(std::vector<ServoModel> models, const Params& params)
    : wear_(models.size()),
      goals_(models.size()),
      params_(params),
      models_(std::move(models)),
      states_(models_.size()),
      integrals_(models_.size(), 0.0) {
  for (auto& foot : body_.feet) foot.fill(params_.body_weight / 8.0);
}

double SecondOrderServos::goal_in_force(size_t servo, double goal, double time) {
  if (wear_[servo].lag <= 0.0) return goal;
  auto& goals = goals_[servo];
  if (goals.empty() || goals.back().position != goal) goals.push_back({goals.empty() ? 0.0 : time, goal});
  while (goals.size() > 1 && goals[1].since + wear_[servo].lag <= time) goals.erase(goals.begin());
  return goals.front().position;
}

void SecondOrderServos::step(double dt, const std::vector<ServoCommand>& commands) {
  const int steps = std::max(1, static_cast<int>(std::ceil(dt / params_.step)));
  const double h = dt / steps;
  for (size_t i = 0; i < states_.size(); ++i) {
    const ServoCommand& command = commands[i];
    const ServoData& motor = data(models_[i]);
    const ServoWear& wear = wear_[i];
    ServoState& state = states_[i];
    for (int k = 0; k < steps; ++k) {
      double drive = 0.0;  // -1..1 of the supply voltage
      if (command.torque) {
        const double whole = goal_in_force(i, command.goal, time_ + k * h) - state.position;
        const double play = std::copysign(std::max(0.0, std::abs(whole) - 0.5 * wear.backlash), whole);
        const double error = wear.stiffness * play / kRadPerTick;
        integrals_[i] = std::clamp(integrals_[i] + error * command.i * h, -1e5, 1e5);
        drive = (error * command.p + integrals_[i] * 0.5 - state.velocity / kRadPerTick * command.d * 1e-3) *
                kPwmPerTickAndP;
        drive = std::clamp(drive, -command.torque_limit, command.torque_limit);
        if (command.speed_limit > 0.0) {
          const double share = command.speed_limit / motor.no_load_speed;
          drive = std::clamp(drive, -share, share);
        }
      } else {
        integrals_[i] = 0.0;
      }
      // The motor's own back EMF brakes it: zero torque at the no-load speed. Implicit in velocity, hence stable.
      const double brake = (command.torque ? motor.stall_torque / motor.no_load_speed : 0.0) + params_.friction;
      state.velocity =
          (state.velocity + h * drive * motor.stall_torque / params_.inertia) / (1.0 + h * brake / params_.inertia);
      const double stopped = h * wear.dry_friction / params_.inertia;  // rad/s that dry friction takes
      state.velocity = std::copysign(std::max(0.0, std::abs(state.velocity) - stopped), state.velocity);
      state.position += h * state.velocity;
      state.load = drive;
    }
  }
  time_ += dt;
}

}  // namespace hl_hardware_cm730
