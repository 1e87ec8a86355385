// SPDX-License-Identifier: Apache-2.0
// A robot of Gazebo 11 behind an emulated CM-730 on a pseudo-terminal. The driver of the real robot drives it.
#include <time.h>

#include <atomic>
#include <gazebo/common/Console.hh>
#include <gazebo/common/Events.hh>
#include <gazebo/common/Plugin.hh>
#include <gazebo/physics/physics.hh>
#include <hl_description/robot_config.hpp>
#include <hl_hardware_cm730/bus_time.hpp>
#include <hl_hardware_cm730/pty_server.hpp>
#include <hl_simulation/bus_servos.hpp>
#include <memory>
#include <optional>

#include "conversions.hpp"
#include "gazebo_ball.hpp"
#include "gazebo_body.hpp"

namespace hl_gazebo {
namespace {

namespace bus = hl_hardware_cm730;
namespace physics = gazebo::physics;

constexpr double kTurn = 0.005;  // s of real time between two looks at the link while the world waits for its bus

/// s of processor time that this process has used.
double cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class T>
T parameter(const sdf::ElementPtr& sdf, const std::string& name) {
  if (!sdf->HasElement(name)) throw std::runtime_error("<plugin> has no <" + name + ">");
  return sdf->Get<T>(name);
}

bus::BusTime::Params time_of(const sdf::ElementPtr& sdf) {
  bus::BusTime::Params params;
  params.factor = parameter<double>(sdf, "speed");
  params.grace = parameter<double>(sdf, "grace");
  params.patience = parameter<double>(sdf, "patience");
  if (const auto error = params.validate()) throw std::runtime_error(*error);
  return params;
}

}  // namespace

/// What lives as long as the robot does.
class RobotOnItsBus {
 public:
  RobotOnItsBus(const physics::ModelPtr& model, const sdf::ElementPtr& sdf)
      : config_(hl_description::RobotConfig::from_file(parameter<std::string>(sdf, "robot_config"))),
        body_(model,
              hl_simulation::read_robot_files(parameter<std::string>(sdf, "urdf"),
                                              parameter<std::string>(sdf, "robot_config")),
              parameter<std::uint64_t>(sdf, "seed")),
        ball_(model->GetWorld()),
        step_(model->GetWorld()->Physics()->GetMaxStepSize()),
        servos_(std::make_shared<hl_simulation::BusServos>(body_, config_, parameter<double>(sdf, "hold"))),
        emulator_(emulated(), servos_),
        line_(emulator_, parameter<std::string>(sdf, "bus")),
        time_({&line_}, time_of(sdf)),
        link_(parameter<std::string>(sdf, "link_socket")) {
    const auto start = parameter<ignition::math::Vector3d>(sdf, "start");
    start_.x = start.X();
    start_.y = start.Y();
    start_.yaw = start.Z();
    start_.hold = true;
    gzmsg << "hl_gazebo: '" << model->GetName() << "' is behind a bus with " << config_.servos.size() << " servos on "
          << parameter<std::string>(sdf, "bus") << "\n";
  }

  void before_step() {
    if (steps_ == 0) {  // only now all links are where the world file puts them
      body_.place(start_);
      servos_->read();
    }
    until_ += step_;
    do {
      while (const auto line = link_.take()) link_.answer(obey(*line));
    } while (!time_.run(until_, kTurn) && !stopped_);
    emulator_.press(until_ < mode_until_, until_ < start_until_);
    body_.before_step(step_);
    ball_.before_step(step_);
  }

  void after_step() {
    ++steps_;
    body_.after_step(step_);
    servos_->read();
    if (ball_.link() && body_.touches(ball_.link())) ball_.touch();
    if (!link_.anybody()) return;
    WorldState state;
    state.time = until_;
    state.step = steps_;
    state.cpu = cpu_time();
    body_.describe(state);
    ball_.describe(state);
    link_.tell(state);
  }

  void stop() { stopped_ = true; }

 private:
  bus::EmulatorConfig emulated() const {
    auto config = hl_simulation::emulator_config(config_);
    config.step = step_;
    return config;
  }

  /// Empty if it was done, else why not.
  std::string obey(const std::string& line) {
    const auto read = read_request(line);
    if (const auto* error = std::get_if<std::string>(&read)) return *error;
    return std::visit([this](const auto& request) { return obey_one(request); }, std::get<Request>(read));
  }
  std::string obey_one(const PlaceRobot& where) {
    if (const auto refused = body_.place(where)) return *refused;
    servos_->jumped();
    return "";
  }
  std::string obey_one(const PlaceBall& where) { return ball_.place(where) ? "" : "the world has no ball"; }
  std::string obey_one(const PushRobot& push) { return body_.push(push).value_or(""); }
  std::string obey_one(const BreakBus& fault) { return emulator_.faults().apply(fault.fault); }
  std::string obey_one(const PressButton& press) {
    (press.button == "mode" ? mode_until_ : start_until_) = until_ + press.duration;
    return "";
  }
  std::string obey_one(const SetSpeed& speed) {
    time_.set_factor(speed.speed);
    return "";
  }

  hl_description::RobotConfig config_;
  GazeboBody body_;
  GazeboBall ball_;
  double step_;  // s
  std::shared_ptr<hl_simulation::BusServos> servos_;
  bus::Emulator emulator_;
  bus::PtyServer line_;
  bus::BusTime time_;
  LinkServer link_;
  PlaceRobot start_;
  double until_ = 0.0;  // s, bus time
  double mode_until_ = 0.0, start_until_ = 0.0;
  std::uint64_t steps_ = 0;
  std::atomic<bool> stopped_{false};
};

class RobotPlugin : public gazebo::ModelPlugin {
 public:
  void Load(physics::ModelPtr model, sdf::ElementPtr sdf) override {
    try {
      robot_ = std::make_unique<RobotOnItsBus>(model, sdf);
    } catch (const std::exception& error) {
      gzerr << "hl_gazebo: '" << model->GetName() << "': " << error.what() << "\n";
      return;
    }
    using gazebo::event::Events;
    connections_ = {
        Events::ConnectWorldUpdateBegin([this](const gazebo::common::UpdateInfo&) { robot_->before_step(); }),
        Events::ConnectWorldUpdateEnd([this] { robot_->after_step(); }),
        Events::ConnectSigInt([this] { robot_->stop(); }), Events::ConnectStop([this] { robot_->stop(); })};
  }

 private:
  std::unique_ptr<RobotOnItsBus> robot_;
  std::vector<gazebo::event::ConnectionPtr> connections_;
};

GZ_REGISTER_MODEL_PLUGIN(RobotPlugin)

}  // namespace hl_gazebo
