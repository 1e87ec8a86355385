// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cmath>
#include <stdexcept>

#include "hl_node/interfaces.hpp"
#include "simulator_node.hpp"

namespace hl_simulation {
namespace {

std::string share() {
  return ament_index_cpp::get_package_share_directory("hl_description");
}

struct RobotType {
  std::shared_ptr<const RobotSpec> spec;
  hl_description::RobotConfig config;
};

RobotType load_type(const std::string& type) {
  const std::string urdf = share() + "/urdf/" + type + ".urdf", yaml = share() + "/config/" + type + "/robot.yaml";
  return {std::make_shared<RobotSpec>(load_robot_files(urdf, yaml)), hl_description::RobotConfig::from_file(yaml)};
}

void read_looks(const SimulatorParams& params, WorldSpec& world) {
  static const std::map<std::string, TurfLook> turfs{
      {"fresh", TurfLook::Fresh}, {"worn", TurfLook::Worn}, {"striped", TurfLook::Striped}};
  static const std::map<std::string, BallLook> balls{
      {"classic", BallLook::Classic}, {"orange", BallLook::Orange}, {"dotted", BallLook::Dotted}};
  world.lighting = lighting_from(params.lighting).value_or(Lighting::Indoor);
  world.turf_look = turfs.at(params.turf_look);
  world.ball_look = balls.at(params.ball_look);
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
  const SimulatorParams& params = parameters_.values();
  WorldSpec world;
  world.field = hl_description::Field::from_file(share() + "/config/field.yaml", params.field);
  world.turf = params.turf;
  world.with_ball = params.ball;
  world.timestep = params.timestep;
  world.seed = static_cast<std::uint64_t>(params.seed);
  read_looks(params, world);

  timing_.real_time_factor = params.real_time_factor;
  timing_.lockstep_timeout = params.lockstep_timeout;
  timing_.period = std::max(1.0, std::round(1.0 / params.rate / world.timestep)) * world.timestep;
  paused_ = params.paused;

  read_robots(world);
  robot_names_.clear();
  for (const auto& robot : world.robots) robot_names_.push_back(robot.name);
  lockstep_ = chosen("lockstep", params.lockstep);
  for (const std::size_t n : chosen("bus", params.bus)) {
    configs_[n].bus_port = params.bus_port + (params.robots[n].empty() ? "" : "_" + params.robots[n]);
  }
  lockstep_lost_.assign(lockstep_.size(), std::nullopt);
  return world;
}

void SimulatorNode::read_robots(WorldSpec& world) {
  const SimulatorParams& params = parameters_.values();
  const std::size_t count = params.robots.size();
  check_length("types", params.types, count);
  check_length("sides", params.sides, count);
  check_length("teams", params.teams, count);
  check_length("players", params.players, count);
  if (!params.poses.empty() && params.poses.size() != 3 * count) {
    throw std::runtime_error("parameter poses needs x, y and yaw for each of the " + std::to_string(count) + " robots");
  }
  std::vector<bool> minus_x;  // the robot attacks there
  for (std::size_t n = 0; n < count; ++n)
    minus_x.push_back(pick(params.sides, n, std::string(2 * n < count ? "left" : "right")) == "right");
  std::map<std::string, RobotType> types;
  for (std::size_t n = 0; n < count; ++n) {
    const std::string type = pick(params.types, n, std::string("minibot"));
    if (!types.count(type)) types[type] = load_type(type);
    const auto place_in = minus_x.begin() + static_cast<std::ptrdiff_t>(n);
    const auto of_side = static_cast<std::size_t>(std::count(minus_x.begin(), place_in, minus_x[n]));  // before it
    const auto side = static_cast<std::size_t>(std::count(minus_x.begin(), minus_x.end(), minus_x[n]));

    SimulatedRobot::Config config;
    config.name = params.robots[n];
    config.attacks_minus_x = minus_x[n];
    config.team = static_cast<int>(pick(params.teams, n, std::int64_t{config.attacks_minus_x ? 2 : 1}));
    config.player = static_cast<int>(pick(params.players, n, static_cast<std::int64_t>(of_side + 1)));
    config.robot = types[type].config;
    config.publish_rate = 1.0 / timing_.period;
    config.goals = params.goals;
    config.limits = params.limits;

    RobotPlacement placement;
    placement.spec = types[type].spec;
    placement.name = config.name.empty() ? "robot" : config.name;
    const Eigen::Vector3d place =
        params.poses.empty() ? default_place(of_side, side, config.attacks_minus_x, count)
                             : Eigen::Vector3d(params.poses[3 * n], params.poses[3 * n + 1], params.poses[3 * n + 2]);
    placement.x = place.x();
    placement.y = place.y();
    placement.yaw = place.z();
    placement.sensors = params.sensors;
    placement.battery = params.battery;
    if (config.attacks_minus_x) placement.colour = {0.85, 0.1, 0.1, 1.0};
    placement.number = config.player >= 1 && config.player <= 9 ? config.player : 0;
    world.robots.push_back(placement);
    configs_.push_back(config);
  }
}

std::vector<std::size_t> SimulatorNode::chosen(const std::string& parameter,
                                               const std::vector<std::string>& names) const {
  std::vector<std::size_t> robots;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    const std::size_t before = robots.size();
    for (std::size_t n = 0; n < robot_names_.size(); ++n) {
      if (name == "*" || name == robot_names_[n]) robots.push_back(n);
    }
    if (robots.size() == before)
      throw std::runtime_error("parameter " + parameter + ": there is no robot '" + name + "'");
  }
  return robots;
}

void SimulatorNode::read_perception() {
  const SimulatorParams& params = parameters_.values();
  if (params.perception == "none") return;
  perception_period_ = 1.0 / params.perception_rate;
  std::vector<Jersey> jerseys;
  for (const auto& config : configs_) jerseys.push_back({config.attacks_minus_x, config.player});
  for (const std::size_t n : chosen("perception_robots", params.perception_robots))
    seers_.push_back({n, Vision(params.percepts), PerceptionPublisher(*this, robots_[n]->topic(""), jerseys, n)});
}

void SimulatorNode::read_pictures() {
  const WorldSpec& world = simulation_->world();
  const SimulatorParams& params = parameters_.values();
  const auto wants = [&](const std::string& name) {
    return std::any_of(params.cameras.begin(), params.cameras.end(),
                       [&](const std::string& w) { return w == "*" || (!w.empty() && w == name); });
  };
  double rate = params.camera_rate;
  for (std::size_t n = 0; n < world.robots.size(); ++n) {
    const CameraSpec& spec = world.robots[n].spec->camera;
    if (spec.frame.empty() || !wants(world.robots[n].name)) continue;
    cameras_.push_back(std::make_unique<CameraStream>());
    CameraStream& camera = *cameras_.back();
    camera.robot = n;
    camera.images = hl_node::create_publisher<sensor_msgs::msg::Image>(*this, hl_node::topics::kCameraImageRaw,
                                                                       robots_[n]->topic(""));
    camera.infos = hl_node::create_publisher<sensor_msgs::msg::CameraInfo>(*this, hl_node::topics::kCameraCameraInfo,
                                                                           robots_[n]->topic(""));
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
    const bool waited_for = std::find(lockstep_.begin(), lockstep_.end(), n) != lockstep_.end();
    const bool told = std::any_of(seers_.begin(), seers_.end(), [n](const Seer& seer) { return seer.robot == n; });
    if (waited_for && !told) listen_for_answers(camera);
    if (rate <= 0.0) rate = spec.rate;
  }
  vision_delay_ = params.vision_delay;
  if (rate > 0.0) camera_period_ = 1.0 / rate;

  picture_params_.renderer.shadows = params.shadows;
  picture_params_.renderer.samples = params.smooth_edges ? 4 : 0;
  picture_params_.record = params.record;
  picture_params_.film_strip = params.film_strip;
  picture_params_.strip_interval = params.strip_interval;
  picture_params_.view_rate = params.view_rate;
  picture_params_.window = params.window;
  if (picture_params_.window && !display_available()) {
    RCLCPP_WARN(get_logger(), "no display, so there is no window; use record:=film.mp4 or film_strip:=film.png");
    picture_params_.window = false;
  }
  view_wanted_ = picture_params_.window || !picture_params_.record.empty() || !picture_params_.film_strip.empty();
  int followed = -1;
  for (std::size_t n = 0; n < configs_.size(); ++n) {
    if (params.follow == world.robots[n].name) followed = static_cast<int>(n);
  }
  if (followed < 0 && params.follow != "ball")
    throw std::runtime_error("parameter follow: '" + params.follow + "' is neither ball nor a robot");
  spectator_ = std::make_unique<Spectator>(followed, params.view);
  if (!view_wanted_ && cameras_.empty()) return;
  pictures_ = std::make_unique<PictureThread>(
      world, picture_params_,
      [this](std::size_t robot, double time, const Image& image) { on_camera_image(robot, time, image); },
      [this](const ViewRequest& request) { on_request(request); },
      [this](const std::string& message) { RCLCPP_ERROR(get_logger(), "%s", message.c_str()); });
}

}  // namespace hl_simulation
