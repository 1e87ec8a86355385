// SPDX-License-Identifier: Apache-2.0
#include "hl_player/robot_files.hpp"

#include <yaml-cpp/yaml.h>

#include <hl_hcm/body_from_files.hpp>
#include <hl_hcm/parameters.hpp>
#include <stdexcept>

namespace hl_player {

void read_hcm_file(const std::string& path, hl_hcm::Hcm::Params& params, hl_hcm::Body& body) {
  using hl_hcm::Direction;
  try {
    const YAML::Node values = YAML::LoadFile(path)["/**"]["ros__parameters"];
    if (!values.IsMap()) throw std::runtime_error(path + ": no map `/**: ros__parameters:`");
    for (const auto& row : hl_hcm::parameters().rows()) {
      if (const auto value = values[row.name]) hl_hcm::parameters().set(params, row.name, value.as<double>());
    }
    for (const Direction side : {Direction::Front, Direction::Back, Direction::Left, Direction::Right}) {
      if (const auto names = values[std::string("get_up.") + name_of(side)])
        body.get_up[static_cast<std::size_t>(side)] = names.as<std::vector<std::string>>();
    }
    if (const auto name = values["sit_down"]) body.sit_down = name.as<std::string>();
  } catch (const YAML::Exception& e) {
    throw std::runtime_error(path + ": " + e.what());
  }
  if (const auto bad = params.validate()) throw std::runtime_error(path + ": " + *bad);
}

std::shared_ptr<const RobotFiles> RobotFiles::load(const std::string& robot, const Folders& folders) {
  const std::string urdf = folders.description + "/urdf/" + robot + ".urdf";
  const std::string yaml = folders.description + "/config/" + robot + "/robot.yaml";
  auto files = std::make_shared<RobotFiles>();
  files->robot = robot;
  files->model = hl_description::RobotModel::from_file(urdf);
  files->config = hl_description::RobotConfig::from_file(yaml);
  files->hcm_body = hl_hcm::body_from_files(urdf, yaml);
  read_hcm_file(folders.hcm + "/config/" + robot + ".yaml", files->hcm, files->hcm_body);
  files->walking_body = std::make_shared<hl_walking::Body>(files->model, files->config.pose(files->model, "walkready"));
  files->walk = hl_walking::load_config(folders.walking + "/config/" + robot + ".yaml");
  files->animations = hl_animation::AnimationLibrary::from_folder(folders.animation + "/animations/" + robot);
  if (!files->animations.errors.empty()) throw std::runtime_error(files->animations.errors.front());
  return files;
}

}  // namespace hl_player
