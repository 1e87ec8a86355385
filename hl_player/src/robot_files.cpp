// SPDX-License-Identifier: Apache-2.0
#include "hl_player/robot_files.hpp"

#include <hl_description/yaml_reader.hpp>
#include <hl_hcm/body_from_files.hpp>
#include <hl_hcm/parameters.hpp>
#include <stdexcept>

namespace hl_player {

void read_hcm_file(const std::string& path, hl_hcm::Hcm::Params& params, hl_hcm::HcmBody& body) {
  using hl_description::YamlReader;
  using hl_hcm::Direction;
  const auto values = YamlReader::from_text(YamlReader::read_file(path), path)["/**"]["ros__parameters"];
  for (const auto& row : hl_hcm::parameters().rows())
    if (values.has(row.name)) hl_hcm::parameters().set(params, row.name, values[row.name].number());
  for (const Direction side : {Direction::Front, Direction::Back, Direction::Left, Direction::Right}) {
    const std::string name = std::string("get_up.") + name_of(side);
    if (!values.has(name)) continue;
    auto& motions = body.get_up[static_cast<std::size_t>(side)];
    motions.clear();
    for (const auto& motion : values[name].items()) motions.push_back(motion.text());
  }
  body.sit_down = values.text("sit_down", body.sit_down);
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
  files->walking_body =
      std::make_shared<hl_walking::WalkingBody>(files->model, files->config.pose(files->model, "walkready"));
  files->walk = hl_walking::load_config(folders.walking + "/config/" + robot + ".yaml");
  files->animations = hl_animation::AnimationLibrary::from_folder(folders.animation + "/animations/" + robot);
  if (!files->animations.errors.empty()) throw std::runtime_error(files->animations.errors.front());
  return files;
}

}  // namespace hl_player
