// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <hl_hardware_cm730/bus_time.hpp>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <humanoid_league_msgs/srv/inject_fault.hpp>
#include <humanoid_league_msgs/srv/pause_simulation.hpp>
#include <humanoid_league_msgs/srv/place_ball.hpp>
#include <humanoid_league_msgs/srv/place_robot.hpp>
#include <humanoid_league_msgs/srv/press_button.hpp>
#include <humanoid_league_msgs/srv/push_robot.hpp>
#include <humanoid_league_msgs/srv/reset_simulation.hpp>
#include <humanoid_league_msgs/srv/restore_snapshot.hpp>
#include <humanoid_league_msgs/srv/save_snapshot.hpp>
#include <humanoid_league_msgs/srv/set_lighting.hpp>
#include <humanoid_league_msgs/srv/step_simulation.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <sensor_msgs/msg/camera_info.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <string>
#include <thread>
#include <vector>

#include "bus_robot.hpp"
#include "hl_node/node_parameters.hpp"
#include "hl_simulation/simulation.hpp"
#include "open_pictures.hpp"
#include "perception_publisher.hpp"
#include "picture_thread.hpp"
#include "robot_interface.hpp"
#include "simulator_params.hpp"

namespace hl_simulation {

/// Steps the world in a thread of its own and gives every robot in it the hardware contract.
class SimulatorNode : public rclcpp::Node {
 public:
  explicit SimulatorNode(const rclcpp::NodeOptions& options);
  ~SimulatorNode() override;

 private:
  struct Timing {
    double period = 0.008;                      // s of simulated time between two sensor messages
    std::atomic<double> real_time_factor{1.0};  // 0: as fast as possible
    std::atomic<double> lockstep_timeout{1.0};  // s of real time
  };
  struct CameraStream {
    std::size_t robot = 0;
    OpenPictures open;                               // under control_mutex_
    rclcpp::CallbackGroup::SharedPtr answers_group;  // a node keeps only a weak pointer
    rclcpp::Subscription<humanoid_league_msgs::msg::BallRelative>::SharedPtr answers;  // only in lock-step
    std::mutex mutex;                                                                  // of the messages
    rclcpp::Publisher<sensor_msgs::msg::Image>::SharedPtr images;
    rclcpp::Publisher<sensor_msgs::msg::CameraInfo>::SharedPtr infos;
    sensor_msgs::msg::Image image;
    sensor_msgs::msg::CameraInfo info;
  };

  void take(const SimulatorParams& params);  // changed while it runs

  // Set-up from the parameters, in simulator_setup.cpp.
  WorldSpec read_world();
  /// The robots that a list of names means; throws if a name is nobody's.
  std::vector<std::size_t> chosen(const std::string& parameter, const std::vector<std::string>& names) const;
  void read_robots(WorldSpec& world);
  void place_robots();
  void read_perception();
  void read_pictures();

  // In simulator_services.cpp.
  void offer_services();
  void offer_placing();
  void offer_lighting();
  void offer_snapshots();
  void offer_faults();
  void offer_time();
  void forget_the_past();  // time or places have jumped
  /// Answers with `action(request, response)` while the physics rests.
  template <class Service, class Action>
  void offer(const std::string& name, Action action);

  // The loop of the physics thread.
  void run();
  void tick();
  bool serve_buses(double time);  // lets bus time pass for so many s; false if the node ends
  void pace();
  void wait_for_commands();    // this and the next four: simulator_lockstep.cpp
  void resend_to_newcomers();  // a robot that was not there yet never saw the first sensor message
  void wait_for_eyes();
  void listen_for_answers(CameraStream& camera);
  void resend_picture(CameraStream& camera, double due_since);
  void publish();
  void perceive();  // from the truth, for robots without vision
  enum class ViewDue { ByClock, Always };
  void draw_pictures(ViewDue view_due = ViewDue::ByClock);
  void on_request(const ViewRequest& request);  // in the picture thread
  void obey_requests();
  humanoid_league_msgs::msg::SimulationState ground_truth();
  void on_camera_image(std::size_t robot, double time, const Image& image);

  /// Runs `action` while the physics rests.
  void with_world(const std::function<void()>& action);
  double now_seconds() const { return time_; }
  /// The robot of that namespace (empty: the only one); explains in `message` if there is none.
  SimulatedRobot* find(const std::string& name, std::string& message);

  void on_place_robot(const humanoid_league_msgs::srv::PlaceRobot::Request& request,
                      humanoid_league_msgs::srv::PlaceRobot::Response& response);

  hl_node::NodeParameters<SimulatorParams> parameters_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<std::unique_ptr<SimulatedRobot>> robots_;
  std::vector<SimulatedRobot::Config> configs_;
  std::vector<BusRobot*> bus_robots_;  // those of robots_ that are behind a bus
  std::unique_ptr<hl_hardware_cm730::BusTime> bus_time_;
  double bus_start_ = 0.0;  // s of bus time up to which the world has been simulated
  std::map<std::string, std::shared_ptr<const Simulation::Snapshot>> snapshots_;

  std::mutex world_mutex_;
  std::atomic<int> visitors_{0};   // callbacks that want the world
  std::atomic<double> time_{0.0};  // s, the node's simulated clock; never goes back
  Timing timing_;
  std::mutex control_mutex_;  // with control_: pausing and the arrival of goals
  std::condition_variable control_;
  std::atomic<bool> paused_{false};
  std::atomic<double> run_until_{0.0};  // s; runs until then although paused
  std::atomic<bool> stop_{false};
  std::vector<std::string> robot_names_;
  std::vector<std::size_t> lockstep_;                 // robots whose goals are waited for
  std::vector<std::optional<double>> lockstep_lost_;  // of each: stamp (s) of its last goals, if it was given up
  std::chrono::steady_clock::time_point pace_start_;
  double pace_time_ = 0.0;
  double real_time_factor_ = 0.0;  // measured
  std::chrono::steady_clock::time_point measure_start_;
  double measure_time_ = 0.0;
  double next_truth_ = 0.0, next_camera_ = 0.0, next_view_ = 0.0;
  double camera_period_ = 0.04;

  /// A robot that is told what a vision would tell it.
  struct Seer {
    std::size_t robot = 0;
    Vision vision;
    PerceptionPublisher publisher;
  };
  std::vector<Seer> seers_;
  double perception_period_ = 0.0, next_perception_ = 0.0;  // s

  PictureThread::Params picture_params_;
  std::unique_ptr<Spectator> spectator_;
  std::vector<std::unique_ptr<CameraStream>> cameras_;
  double vision_delay_ = 0.08;  // s of simulated time within which a picture is answered in lock-step
  std::unique_ptr<PictureThread> pictures_;
  bool view_wanted_ = false;
  std::mutex request_mutex_;  // of request_
  ViewRequest request_;       // of the person at the window

  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr clock_publisher_;
  rclcpp::Publisher<humanoid_league_msgs::msg::SimulationState>::SharedPtr truth_publisher_;
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
  std::thread thread_;
};

}  // namespace hl_simulation
