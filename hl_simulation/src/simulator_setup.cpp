// SPDX-License-Identifier: Apache-2.0
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "simulator_node.hpp"

namespace hl_simulation {
namespace {

namespace srv = humanoid_league_msgs::srv;
using Descriptor = rcl_interfaces::msg::ParameterDescriptor;
using Strings = std::vector<std::string>;

constexpr double kLyingClearance = 0.01;  // m

Descriptor fixed(const std::string& description) {
  Descriptor descriptor;
  descriptor.description = description;
  descriptor.read_only = true;
  return descriptor;
}

Descriptor ranged(const std::string& description, double low, double high, bool changeable = false) {
  Descriptor descriptor;
  descriptor.description = description;
  descriptor.read_only = !changeable;
  rcl_interfaces::msg::FloatingPointRange range;
  range.from_value = low;
  range.to_value = high;
  descriptor.floating_point_range.push_back(range);
  return descriptor;
}

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The n-th of a list that may hold one value for all.
template <class T>
T pick(const std::vector<T>& list, std::size_t n, const T& otherwise) {
  if (list.empty()) return otherwise;
  return list.size() == 1 ? list[0] : list[n];
}

template <class T>
void check_length(const char* name, const std::vector<T>& list, std::size_t robots) {
  if (list.size() > 1 && list.size() != robots) {
    throw std::runtime_error(std::string("parameter ") + name + " has " + std::to_string(list.size()) +
                             " entries for " + std::to_string(robots) + " robots; give one for all or one for each");
  }
}

/// Places along the half the robot defends, facing the other goal.
Eigen::Vector3d default_place(std::size_t number, std::size_t of_side, bool attacks_minus_x, std::size_t robots) {
  if (robots == 1) return {0.0, 0.0, 0.0};
  const double sign = attacks_minus_x ? 1.0 : -1.0;
  const double across = of_side > 1 ? -1.5 + 3.0 * static_cast<double>(number) / static_cast<double>(of_side - 1) : 0.0;
  return {sign * 1.2, -sign * across, attacks_minus_x ? M_PI : 0.0};
}

double yaw_of(const geometry_msgs::msg::Quaternion& q) {
  if (q.w == 0.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0) return 0.0;
  return std::atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
}

}  // namespace

void SimulatorNode::declare_parameters() {
  declare_parameter("robots", Strings{""},
                    fixed("namespaces of the robots; an empty one puts its topics into the simulator's own"));
  declare_parameter("types", Strings{"minibot"}, fixed("robot of hl_description, one for all or one for each"));
  declare_parameter("poses", std::vector<double>{},
                    fixed("start: x (m), y (m), yaw (rad) of each robot; empty: two teams facing each other"));
  declare_parameter(
      "sides", Strings{},
      fixed("'left' attacks +x of the world, 'right' attacks -x; empty: the first half of the robots is left"));
  declare_parameter("teams", std::vector<std::int64_t>{}, fixed("team number of each robot, for the ground truth"));
  declare_parameter("players", std::vector<std::int64_t>{}, fixed("player number of each robot, for the ground truth"));
  declare_parameter("field", std::string(), fixed("preset of hl_description's field.yaml; empty: its default"));
  declare_parameter("ball", true, fixed("put a ball on the field"));
  declare_parameter("lighting", std::string("indoor"), fixed("indoor, bright, dim, low_sun or spotlights"));
  declare_parameter("turf_look", std::string("fresh"), fixed("fresh, worn or striped"));
  declare_parameter("ball_look", std::string("classic"), fixed("classic, orange or dotted"));
  declare_parameter("friction", 0.9, ranged("of the turf", 0.05, 3.0));
  declare_parameter("rolling_friction", 0.04, ranged("deceleration of the ball, of gravity", 0.0, 1.0));
  declare_parameter("rolling_drag", 0.15, ranged("deceleration of the ball per speed, 1/s", 0.0, 10.0));
  declare_parameter("timestep", 0.002, ranged("of the physics, s", 1e-4, 0.01));
  declare_parameter("rate", 125.0, ranged("of the sensor messages, Hz of simulated time", 10.0, 1000.0));
  declare_parameter("real_time_factor", 1.0,
                    ranged("simulated per real time; 0: as fast as possible", 0.0, 1000.0, true));
  declare_parameter("seed", 1, fixed("of all noise"));
  declare_parameter("paused", false, fixed("wait for the service ~/pause or ~/step"));
  declare_parameter("lockstep", Strings{},
                    fixed("robots whose motor_goals the world waits for after every sensor message; '*': all, '': "
                          "none; a robot without namespace is called 'robot'"));
  declare_parameter("lockstep_timeout", 1.0,
                    ranged("s of real time after which the world goes on without a robot", 0.01, 60.0, true));
  declare_parameter("bus", Strings{},
                    fixed("robots behind an emulated CM-730, for the driver of the real robot; '*': all, '': none"));
  declare_parameter("bus_port", std::string("/tmp/cm730"),
                    fixed("where the emulated bus appears; with a namespace, '_' and its name are added"));
  declare_parameter(
      "bus_grace", 0.012,
      ranged("s of bus time that pass on an idle wire before the world waits for the driver", 0.001, 1.0));
  declare_parameter("bus_patience", 0.5,
                    ranged("s of real time after which the world goes on without the driver", 0.01, 60.0));
  declare_parameter("stale_limit", 0.5, ranged("s; older motor_goals are refused", 0.01, 10.0));
  declare_parameter("hold_after", 0.5, ranged("s without motor_goals until the pose is held", 0.01, 60.0));
  declare_parameter("soften_after", 10.0, ranged("s without motor_goals until it is held softly", 0.01, 3600.0));
  const SensorSpec sensors;
  declare_parameter("gyro_noise", sensors.gyro_noise, ranged("rad/s", 0.0, 10.0));
  declare_parameter("gyro_bias", sensors.gyro_bias, ranged("rad/s, spread between seeds", 0.0, 10.0));
  declare_parameter("accelerometer_noise", sensors.accelerometer_noise, ranged("m/s^2", 0.0, 100.0));
  declare_parameter("accelerometer_bias", sensors.accelerometer_bias,
                    ranged("m/s^2, spread between seeds", 0.0, 100.0));
  declare_parameter("orientation_noise", sensors.orientation_noise, ranged("rad", 0.0, 1.0));
  declare_parameter("force_noise", sensors.force_noise, ranged("N per foot cell", 0.0, 100.0));
  declare_parameter("sensor_delay", sensors.sensor_delay, ranged("s", 0.0, 0.5));
  declare_parameter("command_delay", sensors.command_delay, ranged("s", 0.0, 0.5));
  declare_parameter("battery_voltage", 12.0, ranged("V at rest", 5.0, 20.0));
  declare_parameter("battery_resistance", 0.04, ranged("ohm", 0.0, 1.0));
  declare_parameter(
      "cameras", Strings{"*"},
      fixed("robots that have a camera; '*': all, empty list or '': none. Drawn only while somebody listens"));
  declare_parameter("camera_rate", 0.0, ranged("Hz of simulated time; 0: as in robot.yaml", 0.0, 200.0));
  const Perception::Params perception;
  declare_parameter("perception", std::string("none"),
                    fixed("'ground_truth': ball, goal, robots and lines relative to each robot as its camera would "
                          "see them, without pictures; 'none': left to a vision"));
  declare_parameter("perception_rate", 15.0, ranged("Hz of simulated time", 1.0, 100.0));
  declare_parameter("ball_range", perception.ball_range, ranged("m, up to which a ball is seen", 0.0, 100.0));
  declare_parameter("robot_range", perception.robot_range, ranged("m, for other robots", 0.0, 100.0));
  declare_parameter("goal_range", perception.goal_range, ranged("m, for goal posts", 0.0, 100.0));
  declare_parameter("line_range", perception.line_range, ranged("m, for field lines", 0.0, 100.0));
  declare_parameter("number_range", perception.number_range, ranged("m, for the number of a robot", 0.0, 100.0));
  declare_parameter("ray_noise", perception.ray_noise, ranged("rad, of the direction to each thing", 0.0, 0.5));
  declare_parameter("pose_noise", perception.pose_noise, ranged("rad, of the camera's attitude, per look", 0.0, 0.5));
  declare_parameter("miss_near", perception.miss_near, ranged("share of things missed nearby", 0.0, 1.0));
  declare_parameter("miss_far", perception.miss_far, ranged("share of things missed at the end of range", 0.0, 1.0));
  declare_parameter("shadows", false, fixed("in all pictures; costs twice the time"));
  declare_parameter("smooth_edges", false, fixed("in all pictures; costs three times the time"));
  declare_parameter("record", std::string(), fixed("video file (.mp4, .avi) of the spectator's view"));
  declare_parameter("film_strip", std::string(), fixed("PNG file of the spectator's view, written at the end"));
  declare_parameter("strip_interval", 1.0, ranged("s of simulated time between the strip's pictures", 0.05, 3600.0));
  declare_parameter("window", false, fixed("show the spectator's view in a window"));
  declare_parameter("follow", std::string("ball"), fixed("what the spectator looks at: ball, or a robot"));
  declare_parameter("view_distance", 3.0, ranged("m", 0.3, 30.0));
  declare_parameter("view_azimuth", 70.0, ranged("degrees", -360.0, 360.0));
  declare_parameter("view_elevation", -18.0, ranged("degrees", -90.0, 90.0));
  declare_parameter("view_rate", 25.0, ranged("Hz of simulated time", 1.0, 100.0));
}

WorldSpec SimulatorNode::read_world() {
  const auto real = [this](const char* name) { return get_parameter(name).as_double(); };
  const auto text = [this](const char* name) { return get_parameter(name).as_string(); };
  const auto strings = [this](const char* name) { return get_parameter(name).as_string_array(); };
  const std::string share = ament_index_cpp::get_package_share_directory("hl_description");

  WorldSpec world;
  world.field = hl_description::Field::from_file(share + "/config/field.yaml", text("field"));
  world.turf = {real("friction"), real("rolling_friction"), real("rolling_drag")};
  world.with_ball = get_parameter("ball").as_bool();
  world.timestep = real("timestep");
  world.seed = static_cast<std::uint64_t>(get_parameter("seed").as_int());
  const auto lighting = lighting_from(text("lighting"));
  if (!lighting)
    throw std::runtime_error("parameter lighting: '" + text("lighting") +
                             "' is none of indoor, bright, dim, low_sun, spotlights");
  world.lighting = *lighting;
  static const std::map<std::string, TurfLook> turfs{
      {"fresh", TurfLook::Fresh}, {"worn", TurfLook::Worn}, {"striped", TurfLook::Striped}};
  static const std::map<std::string, BallLook> balls{
      {"classic", BallLook::Classic}, {"orange", BallLook::Orange}, {"dotted", BallLook::Dotted}};
  if (!turfs.count(text("turf_look")))
    throw std::runtime_error("parameter turf_look: '" + text("turf_look") + "' is none of fresh, worn, striped");
  if (!balls.count(text("ball_look")))
    throw std::runtime_error("parameter ball_look: '" + text("ball_look") + "' is none of classic, orange, dotted");
  world.turf_look = turfs.at(text("turf_look"));
  world.ball_look = balls.at(text("ball_look"));

  timing_.real_time_factor = real("real_time_factor");
  timing_.lockstep_timeout = real("lockstep_timeout");
  timing_.period = std::max(1.0, std::round(1.0 / real("rate") / world.timestep)) * world.timestep;
  paused_ = get_parameter("paused").as_bool();

  SensorSpec sensors;
  sensors.gyro_noise = real("gyro_noise");
  sensors.gyro_bias = real("gyro_bias");
  sensors.accelerometer_noise = real("accelerometer_noise");
  sensors.accelerometer_bias = real("accelerometer_bias");
  sensors.orientation_noise = real("orientation_noise");
  sensors.force_noise = real("force_noise");
  sensors.sensor_delay = real("sensor_delay");
  sensors.command_delay = real("command_delay");

  const Strings names = strings("robots"), types = strings("types"), sides = strings("sides");
  const auto poses = get_parameter("poses").as_double_array();
  const auto teams = get_parameter("teams").as_integer_array(), players = get_parameter("players").as_integer_array();
  check_length("types", types, names.size());
  check_length("sides", sides, names.size());
  check_length("teams", teams, names.size());
  check_length("players", players, names.size());
  if (!poses.empty() && poses.size() != 3 * names.size()) {
    throw std::runtime_error("parameter poses needs x, y and yaw for each of the " + std::to_string(names.size()) +
                             " robots");
  }
  std::map<std::string, std::shared_ptr<const RobotSpec>> specs;
  std::map<std::string, hl_description::RobotConfig> robot_configs;
  const std::size_t left = (names.size() + 1) / 2;
  for (std::size_t n = 0; n < names.size(); ++n) {
    const std::string type = pick(types, n, std::string("minibot"));
    if (!specs.count(type)) {
      const std::string urdf = share + "/urdf/" + type + ".urdf", yaml = share + "/config/" + type + "/robot.yaml";
      specs[type] = std::make_shared<RobotSpec>(load_robot_files(urdf, yaml));
      robot_configs[type] = hl_description::RobotConfig::from_text(slurp(yaml), yaml);
    }
    const std::string side = pick(sides, n, std::string(n < left ? "left" : "right"));
    if (side != "left" && side != "right")
      throw std::runtime_error("parameter sides: '" + side + "' is neither left nor right");
    SimulatedRobot::Config config;
    config.name = names[n];
    config.attacks_minus_x = side == "right";
    config.team = static_cast<int>(teams.empty() ? (config.attacks_minus_x ? 2 : 1) : pick(teams, n, std::int64_t{0}));
    config.player =
        static_cast<int>(players.empty() ? (n < left ? n : n - left) + 1 : pick(players, n, std::int64_t{0}));
    config.robot = robot_configs[type];
    config.publish_rate = 1.0 / timing_.period;
    config.goals.max_age = real("stale_limit");
    config.goals.hold_after = real("hold_after");
    config.goals.soften_after = real("soften_after");
    if (const auto error = config.goals.validate()) throw std::runtime_error(*error);

    RobotPlacement placement;
    placement.spec = specs[type];
    placement.name = names[n].empty() ? "robot" : names[n];
    const Eigen::Vector3d place = poses.empty()
                                      ? default_place(n < left ? n : n - left, n < left ? left : names.size() - left,
                                                      config.attacks_minus_x, names.size())
                                      : Eigen::Vector3d(poses[3 * n], poses[3 * n + 1], poses[3 * n + 2]);
    placement.x = place.x();
    placement.y = place.y();
    placement.yaw = place.z();
    placement.sensors = sensors;
    placement.battery = {real("battery_voltage"), real("battery_resistance")};
    if (config.attacks_minus_x) placement.colour = {0.85, 0.1, 0.1, 1.0};
    world.robots.push_back(placement);
    configs_.push_back(config);
  }
  const auto chosen = [&](const char* parameter) {
    std::vector<std::size_t> robots;
    for (const std::string& name : strings(parameter)) {
      if (name.empty()) continue;
      const std::size_t before = robots.size();
      for (std::size_t n = 0; n < names.size(); ++n) {
        if (name == "*" || name == world.robots[n].name) robots.push_back(n);
      }
      if (robots.size() == before)
        throw std::runtime_error(std::string("parameter ") + parameter + ": there is no robot '" + name + "'");
    }
    return robots;
  };
  lockstep_ = chosen("lockstep");
  for (const std::size_t n : chosen("bus")) {
    configs_[n].bus_port = text("bus_port") + (names[n].empty() ? "" : "_" + names[n]);
  }
  lockstep_lost_.assign(lockstep_.size(), false);
  return world;
}

void SimulatorNode::read_perception() {
  const std::string source = get_parameter("perception").as_string();
  if (source == "none") return;
  if (source != "ground_truth")
    throw std::runtime_error("parameter perception: '" + source + "' is neither none nor ground_truth");
  const auto real = [this](const char* name) { return get_parameter(name).as_double(); };
  Perception::Params params;
  params.ball_range = real("ball_range");
  params.robot_range = real("robot_range");
  params.goal_range = real("goal_range");
  params.line_range = real("line_range");
  params.number_range = real("number_range");
  params.ray_noise = real("ray_noise");
  params.pose_noise = real("pose_noise");
  params.miss_near = real("miss_near");
  params.miss_far = real("miss_far");
  if (const auto error = params.validate()) throw std::runtime_error("perception: " + *error);
  perception_ = std::make_unique<Perception>(params);
  perception_period_ = 1.0 / real("perception_rate");
  std::vector<Jersey> jerseys;
  for (const auto& config : configs_) jerseys.push_back({config.attacks_minus_x, config.player});
  for (const auto& robot : robots_) perception_publishers_.emplace_back(*this, robot->topic(""), jerseys);
}

void SimulatorNode::read_pictures() {
  const WorldSpec& world = simulation_->world();
  const auto wanted = get_parameter("cameras").as_string_array();
  const auto wants = [&](const std::string& name) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const std::string& w) { return w == "*" || (!w.empty() && w == name); });
  };
  double rate = get_parameter("camera_rate").as_double();
  for (std::size_t n = 0; n < world.robots.size(); ++n) {
    const CameraSpec& spec = world.robots[n].spec->camera;
    if (spec.frame.empty() || !wants(world.robots[n].name)) continue;
    CameraStream camera;
    camera.robot = n;
    camera.images =
        create_publisher<sensor_msgs::msg::Image>(robots_[n]->topic("camera/image_raw"), rclcpp::SensorDataQoS());
    camera.infos =
        create_publisher<sensor_msgs::msg::CameraInfo>(robots_[n]->topic("camera/camera_info"), rclcpp::QoS(5));
    const double focal = 0.5 * spec.width / std::tan(0.5 * spec.horizontal_fov);  // pixel
    camera.image.header.frame_id = camera.info.header.frame_id = spec.frame;
    camera.image.width = camera.info.width = static_cast<std::uint32_t>(spec.width);
    camera.image.height = camera.info.height = static_cast<std::uint32_t>(spec.height);
    camera.image.encoding = "rgb8";
    camera.image.step = 3 * camera.image.width;
    camera.info.distortion_model = "plumb_bob";
    camera.info.d.assign(5, 0.0);
    const double cx = 0.5 * spec.width, cy = 0.5 * spec.height;
    camera.info.k = {focal, 0.0, cx, 0.0, focal, cy, 0.0, 0.0, 1.0};
    camera.info.r = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    camera.info.p = {focal, 0.0, cx, 0.0, 0.0, focal, cy, 0.0, 0.0, 0.0, 1.0, 0.0};
    cameras_.push_back(camera);
    if (rate <= 0.0) rate = spec.rate;
  }
  if (rate > 0.0) camera_period_ = 1.0 / rate;

  picture_params_.renderer.shadows = get_parameter("shadows").as_bool();
  picture_params_.renderer.samples = get_parameter("smooth_edges").as_bool() ? 4 : 0;
  picture_params_.record = get_parameter("record").as_string();
  picture_params_.film_strip = get_parameter("film_strip").as_string();
  picture_params_.strip_interval = get_parameter("strip_interval").as_double();
  picture_params_.view_rate = get_parameter("view_rate").as_double();
  picture_params_.window = get_parameter("window").as_bool();
  if (picture_params_.window && !display_available()) {
    RCLCPP_WARN(get_logger(), "no display, so there is no window; use record:=film.mp4 or film_strip:=film.png");
    picture_params_.window = false;
  }
  view_wanted_ = picture_params_.window || !picture_params_.record.empty() || !picture_params_.film_strip.empty();
  const std::string follow = get_parameter("follow").as_string();
  int followed = -1;
  for (std::size_t n = 0; n < configs_.size(); ++n) {
    if (follow == world.robots[n].name) followed = static_cast<int>(n);
  }
  if (followed < 0 && follow != "ball")
    throw std::runtime_error("parameter follow: '" + follow + "' is neither ball nor a robot");
  View view;
  view.distance = get_parameter("view_distance").as_double();
  view.azimuth = get_parameter("view_azimuth").as_double();
  view.elevation = get_parameter("view_elevation").as_double();
  spectator_ = std::make_unique<Spectator>(followed, view);
  if (!view_wanted_ && cameras_.empty()) return;
  pictures_ = std::make_unique<PictureThread>(
      world, picture_params_,
      [this](std::size_t robot, double time, const Image& image) { on_camera_image(robot, time, image); },
      [this](const ViewWish& wish) { on_wish(wish); },
      [this](const std::string& message) { RCLCPP_ERROR(get_logger(), "%s", message.c_str()); });
}

rcl_interfaces::msg::SetParametersResult SimulatorNode::on_parameters(const std::vector<rclcpp::Parameter>& changes) {
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = true;
  with_world([&] {
    for (const auto& change : changes) {
      if (change.get_name() == "real_time_factor") {
        timing_.real_time_factor = change.as_double();
        if (bus_time_) bus_time_->set_factor(change.as_double());
      }
      if (change.get_name() == "lockstep_timeout") timing_.lockstep_timeout = change.as_double();
    }
  });
  return result;
}

void SimulatorNode::on_place_robot(const srv::PlaceRobot::Request& request, srv::PlaceRobot::Response& response) {
  SimulatedRobot* robot = find(request.robot, response.message);
  if (!robot) return;
  Placement placement(request.pose.position.x, request.pose.position.y, yaw_of(request.pose.orientation));
  if (request.frame_id == "map" && robot->config().attacks_minus_x) {
    placement.x = -placement.x;
    placement.y = -placement.y;
    placement.yaw += M_PI;
  } else if (!request.frame_id.empty() && request.frame_id != "world" && request.frame_id != "map") {
    response.message = "frame_id '" + request.frame_id + "' is neither world nor map";
    return;
  }
  struct Posture {
    double roll, pitch;
  };
  static const std::map<std::string, Posture> postures{{"", {0, 0}},
                                                       {"walkready", {0, 0}},
                                                       {"lying_front", {0, M_PI / 2}},
                                                       {"lying_back", {0, -M_PI / 2}},
                                                       {"lying_left", {-M_PI / 2, 0}},
                                                       {"lying_right", {M_PI / 2, 0}}};
  const auto posture = postures.find(request.posture);
  if (posture == postures.end()) {
    response.message =
        "posture '" + request.posture + "' is none of walkready, lying_front, lying_back, lying_left, lying_right";
    return;
  }
  placement.roll = posture->second.roll;
  placement.pitch = posture->second.pitch;
  if (placement.roll != 0.0 || placement.pitch != 0.0) placement.clearance = kLyingClearance;
  if (request.pose.position.z > 0.0) placement.clearance = request.pose.position.z;
  if (request.joint_names.size() != request.positions.size()) {
    response.message = "as many positions as joint_names are needed";
    return;
  }
  placement.joints = robot->robot().spec().walk_ready_positions();
  for (std::size_t k = 0; k < request.joint_names.size(); ++k) {
    const int joint = robot->robot().spec().joint_index(request.joint_names[k]);
    if (joint < 0) {
      response.message = "no joint is called '" + request.joint_names[k] + "'";
      return;
    }
    placement.joints[joint] = request.positions[k];
  }
  if (const auto error = robot->robot().place(placement)) {
    response.message = *error;
    return;
  }
  robot->robot().hold(request.hold);
  robot->forget_goals();
  response.success = true;
  response.message = request.hold ? "placed and held" : "placed";
}

void SimulatorNode::offer_services() {
  // Answers `action`, which returns a reason if it could not do it, while the physics rests.
  const auto offer = [this](const char* name, auto request_type, auto action) {
    using Service = typename decltype(request_type)::type;
    services_.push_back(create_service<Service>(std::string("~/") + name,
                                                [this, action](const std::shared_ptr<typename Service::Request> request,
                                                               std::shared_ptr<typename Service::Response> response) {
                                                  with_world([&] { action(*request, *response); });
                                                }));
  };
  const auto conclude = [](auto& response, const std::optional<std::string>& error, const char* done) {
    response.success = !error;
    response.message = error ? *error : done;
  };
  const auto jumped = [this] {
    for (auto& robot : robots_) robot->forget_goals();
  };
  struct ResetType {
    using type = srv::ResetSimulation;
  };
  struct PlaceRobotType {
    using type = srv::PlaceRobot;
  };
  struct PlaceBallType {
    using type = srv::PlaceBall;
  };
  struct PushType {
    using type = srv::PushRobot;
  };
  struct LightType {
    using type = srv::SetLighting;
  };
  struct SaveType {
    using type = srv::SaveSnapshot;
  };
  struct RestoreType {
    using type = srv::RestoreSnapshot;
  };
  struct PressType {
    using type = srv::PressButton;
  };
  struct FaultType {
    using type = srv::InjectFault;
  };

  offer("reset", ResetType(), [this, jumped](const auto& request, auto& response) {
    simulation_->reset(request.seed ? request.seed : simulation_->world().seed);
    jumped();
    response.success = true;
    response.message = "all is back at the start";
  });
  offer("place_robot", PlaceRobotType(),
        [this](const auto& request, auto& response) { on_place_robot(request, response); });
  offer("place_ball", PlaceBallType(), [this, conclude](const auto& request, auto& response) {
    double sign = 1.0;
    if (const auto slash = request.frame_id.rfind("/map"); slash != std::string::npos && slash > 0) {
      const SimulatedRobot* robot = find(request.frame_id.substr(0, slash), response.message);
      if (!robot) return;
      if (robot->config().attacks_minus_x) sign = -1.0;
    } else if (!request.frame_id.empty() && request.frame_id != "world") {
      response.message = "frame_id '" + request.frame_id + "' is neither world nor <robot>/map";
      return;
    }
    const auto& p = request.position;
    const auto& v = request.velocity;
    conclude(response, simulation_->place_ball({sign * p.x, sign * p.y, p.z}, {sign * v.x, sign * v.y, v.z}), "placed");
  });
  offer("push_robot", PushType(), [this, conclude](const auto& request, auto& response) {
    SimulatedRobot* robot = find(request.robot, response.message);
    if (!robot) return;
    const Eigen::Vector3d forward = robot->robot().pose().linear().col(0);
    const Eigen::AngleAxisd heading(std::atan2(forward.y(), forward.x()), Eigen::Vector3d::UnitZ());
    const Eigen::Vector3d force(request.force.x, request.force.y, request.force.z);
    conclude(response, robot->robot().push(heading * force, request.duration, request.link), "pushed");
  });
  offer("set_lighting", LightType(), [this](const auto& request, auto& response) {
    std::optional<Lighting> preset;
    if (!request.preset.empty()) {
      preset = lighting_from(request.preset);
      if (!preset) {
        response.message = "preset '" + request.preset + "' is none of indoor, bright, dim, low_sun, spotlights";
        return;
      }
    }
    const Eigen::Vector3d direction(request.direction.x, request.direction.y, request.direction.z);
    if (!(request.brightness >= 0.0f && request.brightness <= 10.0f) || !direction.allFinite()) {
      response.message = "brightness must be in 0..10 and direction finite";
      return;
    }
    if (pictures_) pictures_->set_lighting(preset, request.brightness, direction);
    response.success = true;
    response.message = pictures_ ? "lighting set" : "nobody draws pictures, so it makes no difference";
  });
  offer("save_snapshot", SaveType(), [this](const auto& request, auto& response) {
    constexpr std::size_t kMostSnapshots = 20;  // each holds several MB
    if (request.name.empty()) {
      response.message = "give the snapshot a name";
    } else if (snapshots_.size() >= kMostSnapshots && !snapshots_.count(request.name)) {
      response.message = "there are 20 snapshots already; use one of their names";
    } else {
      snapshots_[request.name] = simulation_->snapshot();
      response.success = true;
      response.message = "saved as '" + request.name + "'";
    }
  });
  offer("restore_snapshot", RestoreType(), [this, conclude, jumped](const auto& request, auto& response) {
    const auto it = snapshots_.find(request.name);
    if (it == snapshots_.end()) {
      response.message = "no snapshot is called '" + request.name + "'";
      return;
    }
    conclude(response, simulation_->restore(*it->second), "restored");
    jumped();
  });
  offer("press_button", PressType(), [this](const auto& request, auto& response) {
    SimulatedRobot* robot = find(request.robot, response.message);
    if (!robot) return;
    if (request.button != "mode" && request.button != "start") {
      response.message = "button '" + request.button + "' is neither mode nor start";
    } else if (!(request.duration > 0.0 && request.duration < 3600.0)) {
      response.message = "duration must be in 0..3600 s";
    } else {
      robot->press(request.button, time_ + request.duration);
      response.success = true;
      response.message = "pressed";
    }
  });
  offer("inject_fault", FaultType(), [this, conclude](const auto& request, auto& response) {
    SimulatedRobot* robot = find(request.robot, response.message);
    if (robot) conclude(response, robot->inject(request), "done");
  });

  services_.push_back(create_service<srv::PauseSimulation>(
      "~/pause", [this](const std::shared_ptr<srv::PauseSimulation::Request> request,
                        std::shared_ptr<srv::PauseSimulation::Response> response) {
        const std::lock_guard<std::mutex> lock(control_mutex_);
        paused_ = request->pause;
        run_until_ = 0.0;
        control_.notify_all();
        response->success = true;
        response->message = request->pause ? "paused" : "running";
      }));
  services_.push_back(
      create_service<srv::StepSimulation>("~/step", [this](const std::shared_ptr<srv::StepSimulation::Request> request,
                                                           std::shared_ptr<srv::StepSimulation::Response> response) {
        if (!(request->duration > 0.0 && request->duration <= 3600.0)) {
          response->message = "duration must be in 0..3600 s";
          return;
        }
        std::unique_lock<std::mutex> lock(control_mutex_);
        paused_ = true;
        run_until_ = time_ + request->duration;
        control_.notify_all();
        control_.wait(lock, [this] { return stop_ || !rclcpp::ok() || time_ >= run_until_ - 1e-9; });
        response->success = !stop_;
        response->message = "paused at " + std::to_string(time_) + " s";
      }));
}

}  // namespace hl_simulation
