// SPDX-License-Identifier: Apache-2.0
#include "match_film.hpp"

namespace hl_match {
namespace {

constexpr int kWidth = 640, kHeight = 360;  // px
constexpr double kRate = 12.5;              // pictures per simulated second

hl_simulation::View from_the_side() {
  hl_simulation::View view;
  view.distance = 3.2;
  view.azimuth = 90.0;
  view.elevation = -22.0;
  return view;
}

}  // namespace

void MatchFilm::look(const Match& match) {
  if (match.time() < next_) return;
  next_ += 1.0 / kRate;
  const auto& simulation = match.simulation();
  if (!renderer_) {
    renderer_.emplace(simulation.world(), hl_simulation::Renderer::Params());
    file_.emplace(path_, kWidth, kHeight, kRate);
    spectator_.emplace(-1, from_the_side());
  }
  renderer_->update(simulation);
  renderer_->spectator(spectator_->follow(simulation, 1.0 / kRate), kWidth, kHeight, image_);
  file_->add(image_);
}

}  // namespace hl_match
