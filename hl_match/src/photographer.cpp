// SPDX-License-Identifier: Apache-2.0
#include "photographer.hpp"

#include <cmath>

namespace hl_match {

using hl_simulation::BallLook;
using hl_simulation::Lighting;
using hl_simulation::TurfLook;

void decorate(hl_simulation::WorldSpec& world, std::uint64_t seed, Chance& chance) {
  world.surroundings = seed;
  world.ball_look = chance.with(0.35) ? BallLook::Classic : BallLook::Random;
  world.turf_look = chance.with(0.2) ? TurfLook::Striped : chance.with(0.2) ? TurfLook::Worn : TurfLook::Fresh;
  const double kind = chance.in(0.0, 5.0);
  world.lighting = kind < 1.5   ? Lighting::Indoor
                   : kind < 2.3 ? Lighting::Bright
                   : kind < 3.0 ? Lighting::Dim
                   : kind < 4.2 ? Lighting::LowSun
                                : Lighting::Spotlights;
}

hl_simulation::Renderer::Params Photographer::look(bool plain, Chance& chance) {
  hl_simulation::Renderer::Params params;
  params.samples = 4;
  params.shadows = !plain && chance.with(0.6);
  return params;
}

Photographer::Photographer(const hl_simulation::WorldSpec& world, Chance& chance)
    : plain_(world.surroundings == 0),
      lighting_(world.lighting),
      camera_(world, look(plain_, chance)),
      truth_(world, {}) {}

void Photographer::change_light(Chance& chance) {
  if (plain_) return;
  camera_.set_brightness(chance.in(0.75, 1.3));
  if (lighting_ != Lighting::LowSun) return;
  const double from = chance.in(-M_PI, M_PI);
  camera_.set_light_direction({std::cos(from), std::sin(from), -chance.in(0.35, 1.2)});
}

Photographer::Picture Photographer::take(const hl_simulation::Simulation& simulation,
                                         const hl_simulation::CameraEffects& effects, std::uint64_t noise_seed,
                                         const std::string& file) {
  camera_.update(simulation);
  truth_.update(simulation);
  camera_.robot_camera(0, image_);
  truth_.robot_segments(0, segments_);
  if (!plain_) hl_simulation::apply(effects, noise_seed, image_);
  const cv::Mat rgb(image_.height, image_.width, CV_8UC3, image_.rgb.data());
  Picture picture{cv::Mat(rgb.size(), CV_8UC3), hl_simulation::labels_of(simulation, 0, segments_, file)};
  cv::mixChannels({rgb}, {picture.bgr}, {0, 2, 1, 1, 2, 0});
  return picture;
}

}  // namespace hl_match
