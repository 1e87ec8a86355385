// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <hl_simulation/camera_effects.hpp>
#include <hl_simulation/labelled_view.hpp>
#include <hl_simulation/renderer.hpp>
#include <opencv2/core.hpp>
#include <random>
#include <string>

namespace hl_match {

/// Numbers of one seed.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  bool with(double share) { return in(0.0, 1.0) < share; }

 private:
  std::mt19937_64 engine_;
};

/// Puts a hall around the field: surroundings, turf, ball pattern and lighting as `seed` says.
void decorate(hl_simulation::WorldSpec& world, std::uint64_t seed, Chance& chance);

/// Takes pictures with the camera of the first robot of a world, and tells what is to be seen in them.
class Photographer {
 public:
  /// A world without surroundings (the plain hall) is seen by a perfect camera.
  Photographer(const hl_simulation::WorldSpec& world, Chance& chance);

  struct Picture {
    cv::Mat bgr;
    std::string labels;  // one entry of a labels.yaml
  };
  /// Light that changes with time of day and clouds, and comes from somewhere else if it is the sun.
  void change_light(Chance& chance);
  /// `effects` count only with surroundings.
  Picture take(const hl_simulation::Simulation& simulation, const hl_simulation::CameraEffects& effects,
               std::uint64_t noise_seed, const std::string& file);

 private:
  static hl_simulation::Renderer::Params look(bool plain, Chance& chance);

  bool plain_;
  hl_simulation::Lighting lighting_;
  hl_simulation::Renderer camera_, truth_;
  hl_simulation::Image image_;
  hl_simulation::Renderer::Segments segments_;
};

}  // namespace hl_match
