// SPDX-License-Identifier: Apache-2.0
#include "bus_stages.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ament_index_cpp/get_package_prefix.hpp>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace hl_match {
namespace {

namespace hw = hl_hardware_cm730;
using hl_gazebo::WorldState;

constexpr double kStart = 60.0;  // s of real time that gzserver may need

hl_simulation::WorldSpec world_of(const Match::Params& match, std::uint64_t seed) {
  auto world = hl_simulation::world_with(match.spec, seed);
  world.field = match.field;
  return world;
}

hw::EmulatorConfig emulated(const hl_description::RobotConfig& config, double step) {
  auto bus = hl_simulation::emulator_config(config);
  bus.step = step;
  return bus;
}

double cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void check(const std::optional<std::string>& refused) {
  if (refused) throw std::runtime_error(*refused);
}

}  // namespace

MujocoStage::MujocoStage(const Match::Params& world, std::uint64_t seed)
    : simulation_(world_of(world, seed)),
      physics_(std::make_shared<hl_simulation::BusPhysics>(simulation_, 0, world.files->config,
                                                           hl_simulation::BusPhysics::Stepping::ByBus)),
      emulator_(emulated(world.files->config, simulation_.timestep()), physics_),
      port_(emulator_) {}

const WorldState& MujocoStage::look() {
  const auto& robot = simulation_.robot();
  state_.time = port_.now();
  state_.step = simulation_.steps();
  state_.held = robot.held();
  state_.base = robot.pose();
  state_.linear_velocity = robot.linear_velocity();
  state_.angular_velocity = state_.base.linear() * robot.angular_velocity();
  state_.left_foot = state_.right_foot = state_.others = false;
  for (const auto& contact : robot.ground_contacts()) {
    using Part = hl_simulation::GroundContact::Part;
    state_.left_foot |= contact.part == Part::LeftFoot;
    state_.right_foot |= contact.part == Part::RightFoot;
    state_.others |= contact.part == Part::Other;
  }
  state_.ball = simulation_.ball_position();
  state_.ball_velocity = simulation_.ball_velocity();
  state_.ball_touched = simulation_.ball_touched_by().has_value();
  state_.cpu = cpu_time();
  return state_;
}

void MujocoStage::push(const hl_gazebo::PushRobot& push) {
  check(simulation_.robot().push(push.force, push.duration, push.link));
}

void MujocoStage::place_ball(const hl_gazebo::PlaceBall& where) {
  check(simulation_.place_ball(where.position, where.velocity));
}

GazeboStage::GazeboStage(const std::string& robot, std::uint64_t seed) {
  static std::atomic<int> count{0};
  path_ = (std::filesystem::temp_directory_path() /
           ("hl_gazebo_" + std::to_string(getpid()) + "_" + std::to_string(count++)))
              .string();
  const std::string program = ament_index_cpp::get_package_prefix("hl_gazebo") + "/lib/hl_gazebo/gazebo_server";
  const std::string seed_text = std::to_string(seed), log_path = path_ + ".log";
  // The world goes on while bytes are on the wire, waits otherwise, and for a driver that this machine has forgotten.
  const char* arguments[] = {
      program.c_str(), "--robot", robot.c_str(), "--port", path_.c_str(), "--", "--seed", seed_text.c_str(),
      "--speed",       "0",       "--grace",     "0.001",  "--patience",  "20", nullptr};
  server_ = ::fork();
  if (server_ < 0) throw std::runtime_error("no process for gzserver");
  if (server_ == 0) {
    ::setpgid(0, 0);
    const int log = ::open(log_path.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::execv(program.c_str(), const_cast<char* const*>(arguments));
    ::_exit(127);
  }
  try {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kStart);
    while (!link_) {
      try {
        link_ = std::make_unique<hl_gazebo::LinkClient>(path_ + ".link", 0.2);
      } catch (const std::runtime_error&) {
        const bool dead = ::waitpid(server_, nullptr, WNOHANG) != 0;
        if (dead || std::chrono::steady_clock::now() > end)
          throw std::runtime_error("gzserver does not start\n" + log());
      }
    }
    if (!link_->update(kStart)) throw std::runtime_error("gzserver has ended\n" + log());
    port_ = std::make_unique<hw::SerialPort>(path_);
  } catch (...) {
    end();
    throw;
  }
}

GazeboStage::~GazeboStage() {
  end();
}

void GazeboStage::end() {
  ::kill(-server_, SIGINT);
  for (int tenth = 0; tenth < 50 && ::waitpid(server_, nullptr, WNOHANG) == 0; ++tenth)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ::kill(-server_, SIGKILL);
  ::waitpid(server_, nullptr, WNOHANG);
  for (const char* ending : {"", ".link", ".log"}) std::filesystem::remove(path_ + ending);
}

std::string GazeboStage::log() const {
  std::ifstream file(path_ + ".log");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

const WorldState& GazeboStage::look() {
  if (!link_->update()) throw std::runtime_error("gzserver has ended\n" + log());
  return link_->state();
}

void GazeboStage::ask(const hl_gazebo::Request& request) {
  if (const std::string refused = link_->ask(request); !refused.empty()) throw std::runtime_error(refused);
}

}  // namespace hl_match
