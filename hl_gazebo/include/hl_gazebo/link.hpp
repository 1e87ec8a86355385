// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What the plug-in in gzserver and those outside tell each other, as lines of text over a Unix socket: the truth about
/// the world after every step, and what somebody wants of it. The robot itself is driven over its bus, not here.
namespace hl_gazebo {

/// The world after a step.
struct WorldState {
  double time = 0.0;  // s, bus time
  std::uint64_t step = 0;
  bool held = true;                                            // by somebody's hands
  Eigen::Isometry3d base = Eigen::Isometry3d::Identity();      // of base_link, in the world
  Eigen::Vector3d linear_velocity = Eigen::Vector3d::Zero();   // m/s
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  // rad/s, world axes
  bool left_foot = false, right_foot = false, others = false;  // touch the ground: the feet, other links
  Eigen::Vector3d ball = Eigen::Vector3d::Zero();              // m
  Eigen::Vector3d ball_velocity = Eigen::Vector3d::Zero();     // m/s
  bool ball_touched = false;                                   // by the robot, since it was placed
  double cpu = 0.0;                                            // s of processor time that gzserver has used
  std::vector<std::string> ground_contacts;                    // links

  bool upright() const;  // on nothing but its feet
};

/// Everything a client may want.
struct PlaceRobot {
  double x = 0.0, y = 0.0, yaw = 0.0, roll = 0.0, pitch = 0.0;  // m, rad
  double clearance = 0.002;                                     // m between the lowest point and the ground
  bool hold = false;
  std::vector<double> joints;  // rad, in the order of the URDF's tree; empty: ready to walk
};
struct PlaceBall {
  Eigen::Vector3d position = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();  // m, m/s
};
struct PushRobot {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  // N, world axes
  double duration = 0.0;                            // s
  std::string link;                                 // empty: the base
};
struct BreakBus {
  std::string fault;  // a line of hl_hardware_cm730::Faults
};
struct PressButton {
  std::string button;     // mode or start
  double duration = 0.0;  // s
};
struct SetSpeed {
  double speed = 1.0;  // bus time per real time, 0 = as fast as the host speaks
};
using Request = std::variant<PlaceRobot, PlaceBall, PushRobot, BreakBus, PressButton, SetSpeed>;

std::string to_line(const WorldState& state);
std::optional<WorldState> read_state(const std::string& line);  // nothing: it is none
std::string to_line(const Request& request);
/// A request, or in words why it is none.
std::variant<Request, std::string> read_request(const std::string& line);

/// The plug-in's side. Never waits: who does not read misses states.
class LinkServer {
 public:
  /// Throws std::runtime_error if the socket cannot be made.
  explicit LinkServer(const std::string& path);
  ~LinkServer();
  LinkServer(const LinkServer&) = delete;
  LinkServer& operator=(const LinkServer&) = delete;

  bool anybody() const { return !clients_.empty(); }
  void tell(const WorldState& state);
  /// Lets clients in, and takes the next request; `answer` ends it.
  std::optional<std::string> take();
  void answer(const std::string& error);  // empty: it was done

 private:
  std::string path_;
  int listener_ = -1, asked_by_ = -1;
  std::vector<int> clients_;
};

/// The other side.
class LinkClient {
 public:
  /// Throws std::runtime_error if nobody serves the path within `patience` s of real time.
  LinkClient(const std::string& path, double patience);
  ~LinkClient();
  LinkClient(const LinkClient&) = delete;
  LinkClient& operator=(const LinkClient&) = delete;

  /// Reads what has come, waiting up to `patience` s for the first; false: the server is gone.
  bool update(double patience = 0.0);
  const WorldState& state() const { return state_; }  // the newest
  /// Waits for the answer; empty if it was done, else why not.
  std::string ask(const Request& request);

 private:
  bool read_one(double patience);

  int socket_ = -1;
  WorldState state_;
  std::optional<std::string> answer_;
  bool alive_ = true;
};

}  // namespace hl_gazebo
