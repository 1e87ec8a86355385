// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hl_hcm/hcm.hpp"

namespace hl_hcm {

/// A robot of six joints: two of the head, two of the arms, two of the legs.
inline HcmBody small_body() {
  HcmBody body;
  body.joints.joints = {{"HeadPan", -2, 2, 5.0, Limb::Head},       {"HeadTilt", -1, 1, 5.0, Limb::Head},
                        {"LShoulderPitch", -3, 3, 5.0, Limb::Arm}, {"RShoulderPitch", -3, 3, 5.0, Limb::Arm},
                        {"LKnee", -2, 0.1, 4.0, Limb::Leg},        {"RKnee", -0.1, 2, 4.0, Limb::Leg}};
  for (std::size_t j = 0; j < 6; ++j) {
    body.walkready[j] = 0.0;
    body.joints.joints[j].effort = 2.5;
  }
  body.walkready[4] = -0.9;
  body.walkready[5] = 0.9;
  body.penalty = body.walkready;
  for (const Direction d : {Direction::Front, Direction::Back, Direction::Left, Direction::Right}) {
    auto& pose = body.protective[static_cast<std::size_t>(d)];
    pose[2] = -1.0;
    pose[3] = 1.0;
    body.get_up[static_cast<std::size_t>(d)] = {std::string("getup_") + name_of(d),
                                                std::string("getup_") + name_of(d) + "_2"};
  }
  return body;
}

inline Vector3 tilted(Direction direction) {
  switch (direction) {
    case Direction::Front:
      return {-1, 0, 0};
    case Direction::Back:
      return {1, 0, 0};
    case Direction::Left:
      return {0, -1, 0};
    case Direction::Right:
      return {0, 1, 0};
    default:
      return {0, 0, 1};
  }
}

/// The HCM with sensors that can be switched, and a servo bus that follows its goals.
class SimulatedRobot {
 public:
  explicit SimulatedRobot(const Hcm::Params& params = Hcm::Params(), const HcmBody& body = small_body())
      : hcm(body, params) {
    measured.fill(kAbsent);
    for (std::size_t j = 0; j < 6; ++j) measured[j] = 0.0;
  }

  /// One control cycle of 10 ms.
  void cycle() {
    now += 0.01;
    Hcm::Inputs inputs;
    if (joints) inputs.joints = {measured, now};
    if (imu) inputs.imu = {up, rate, now};
    if (report_hardware) inputs.hardware = hardware;
    if (feet >= 0.0) inputs.feet = {feet / 2, feet / 2};
    const Hcm::Outputs outputs = hcm.step(inputs, now);
    follow(outputs.new_goals, outputs.commands);
  }
  void run(double seconds) {
    for (const double end = now + seconds; now < end;) cycle();
  }
  /// Runs until `state`, or gives up.
  bool run_until(State state, double seconds = 10.0) {
    for (const double end = now + seconds; now < end && hcm.state() != state;) cycle();
    return hcm.state() == state;
  }

  Trajectory goals(std::vector<std::pair<std::size_t, double>> positions, double age = 0.0) const {
    Trajectory trajectory;
    trajectory.stamp = now - age;
    trajectory.points.resize(1);
    for (const auto& [joint, position] : positions) trajectory.points[0].position[joint] = position;
    return trajectory;
  }
  Trajectory legs(double bend, double age = 0.0) const { return goals({{4, -bend}, {5, bend}}, age); }

  Verdict ask(Source source, const Trajectory& trajectory) {
    const Verdict verdict = hcm.request(source, trajectory, now);
    collect();
    return verdict;
  }
  Verdict animate(const Hcm::AnimationGoals& flags, const Trajectory& trajectory) {
    const Verdict verdict = hcm.animation(flags, trajectory, now);
    collect();
    return verdict;
  }
  /// Walks for a while, a goal per cycle.
  void walk(double seconds) {
    for (const double end = now + seconds; now < end;) {
      cycle();
      hcm.on_support(true, false);
      ask(Source::Walking, legs(0.9 + 0.2 * std::sin(10 * now)));
    }
  }
  void lie(Direction direction) { up = tilted(direction); }
  void stand() { up = {0, 0, 1}; }
  void start() {
    hcm.animation_server(true);
    run_until(State::Controllable);
  }

  /// Takes what the HCM wants done, as the node would.
  void collect() {
    const bool goals = hcm.take_new_goals();
    follow(goals, hcm.take_commands());
  }
  void follow(bool goals, const Hcm::Commands& commands) {
    if (goals) {
      ++messages;
      sent = hcm.mixer().goals();
      if (hardware.torque_on)
        for (std::size_t j = 0; j < 6; ++j) measured[j] = sent[j];
    }
    if (commands.torque) hardware.torque_on = *commands.torque;
    if (commands.play) played.push_back(*commands.play);
    if (commands.cancel_animation) ++cancelled;
    if (commands.speak) spoken.push_back(commands.speak);
  }

  Hcm hcm;
  double now = 100.0;
  bool joints = true, imu = true, report_hardware = true;
  HardwareReport hardware;
  Vector3 up{0, 0, 1}, rate{0, 0, 0};
  double feet = -1.0;
  JointArray measured, sent = absent_joints();
  std::size_t messages = 0;
  int cancelled = 0;
  std::vector<std::string> played, spoken;
};

}  // namespace hl_hcm
