// SPDX-License-Identifier: Apache-2.0
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "simulator_node.hpp"

namespace hl_simulation {
namespace {

using Strings = std::vector<std::string>;

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

}  // namespace

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
  lockstep_lost_.assign(lockstep_.size(), std::nullopt);
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
  params.false_ball = real("false_ball");
  params.false_robot = real("false_robot");
  params.false_line = real("false_line");
  params.wrong_crossing = real("wrong_crossing");
  params.line_point_spacing = real("line_point_spacing");
  params.compass_noise = real("compass_noise");
  params.compass_miss = real("compass_miss");
  params.turn_noise = real("turn_noise");
  params.delay = real("perception_delay");
  if (const auto error = params.validate()) throw std::runtime_error("perception: " + *error);
  visions_.assign(robots_.size(), Vision(params));
  perception_period_ = 1.0 / real("perception_rate");
  std::vector<Jersey> jerseys;
  for (const auto& config : configs_) jerseys.push_back({config.attacks_minus_x, config.player});
  for (std::size_t n = 0; n < robots_.size(); ++n)
    perception_publishers_.emplace_back(*this, robots_[n]->topic(""), jerseys, n);
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

}  // namespace hl_simulation
