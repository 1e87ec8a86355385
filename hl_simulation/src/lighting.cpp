// SPDX-License-Identifier: Apache-2.0
#include "lighting.hpp"

#include <algorithm>
#include <array>

namespace hl_simulation {
namespace {

using Colour = std::array<float, 3>;

struct LightSetting {
  Colour ambient;  // everywhere
  Colour main;     // the lamp that casts shadows
  std::array<double, 3> direction;
  Colour spots;  // black: off
};

LightSetting setting(Lighting lighting) {
  switch (lighting) {
    case Lighting::Indoor:
      return {{.34f, .34f, .34f}, {.48f, .48f, .46f}, {0.25, 0.20, -1.0}, {0, 0, 0}};
    case Lighting::Bright:
      return {{.60f, .60f, .60f}, {.80f, .80f, .80f}, {0.10, 0.10, -1.0}, {0, 0, 0}};
    case Lighting::Dim:
      return {{.22f, .22f, .24f}, {.25f, .25f, .25f}, {0.25, 0.20, -1.0}, {0, 0, 0}};
    case Lighting::LowSun:
      return {{.38f, .38f, .44f}, {.95f, .82f, .60f}, {0.9, 0.5, -0.55}, {0, 0, 0}};
    case Lighting::Spotlights:
      return {{.25f, .25f, .27f}, {.15f, .15f, .15f}, {0.2, 0.1, -1.0}, {.75f, .72f, .66f}};
  }
  return setting(Lighting::Indoor);
}

}  // namespace

void light(mjModel& model, Lighting lighting) {
  const LightSetting s = setting(lighting);
  std::copy(s.ambient.begin(), s.ambient.end(), model.vis.headlight.ambient);
  std::fill_n(model.vis.headlight.diffuse, 3, 0.12f);
  std::fill_n(model.vis.headlight.specular, 3, 0.0f);
  const auto set = [&](const char* name, const Colour& colour) {
    const int id = mj_name2id(&model, mjOBJ_LIGHT, name);
    if (id < 0) return id;
    std::copy(colour.begin(), colour.end(), model.light_diffuse + 3 * id);
    std::fill_n(model.light_specular + 3 * id, 3, 0.15f);
    model.light_active[id] = colour[0] > 0.0f ? 1 : 0;
    return id;
  };
  const int main = set("main", s.main);
  if (main >= 0) {
    std::copy(s.direction.begin(), s.direction.end(), model.light_dir + 3 * main);
    std::copy(s.direction.begin(), s.direction.end(), model.light_dir0 + 3 * main);
    mju_normalize3(model.light_dir + 3 * main);
    mju_normalize3(model.light_dir0 + 3 * main);
  }
  set("spot_left", s.spots);
  set("spot_right", s.spots);
}

}  // namespace hl_simulation
