// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "hl_simulation/film.hpp"
#include "view_window.hpp"

using hl_simulation::display_available;
using hl_simulation::Spectator;
using hl_simulation::View;
using hl_simulation::ViewInput;
using Drag = ViewInput::Drag;

TEST(ViewInput, KeysTurnApproachFollowPauseAndClose) {
  ViewInput input;
  for (const char key : {'d', 'd', 'a', 'w', 'f', 'f', ' '}) input.key(key);
  const auto request = input.take();
  EXPECT_DOUBLE_EQ(request.azimuth, 5.0);
  EXPECT_DOUBLE_EQ(request.elevation, -5.0);
  EXPECT_EQ(request.next, 2);
  EXPECT_TRUE(request.toggle_pause);
  EXPECT_FALSE(request.close);
  EXPECT_TRUE(input.take().empty()) << "every request is told once";
  input.key('+');
  EXPECT_LT(input.take().distance, 1.0);
  input.key('-');
  EXPECT_GT(input.take().distance, 1.0);
  input.key('x');
  EXPECT_TRUE(input.take().empty());
  for (const int key : {int{'q'}, 27}) {
    input.key(key);
    EXPECT_TRUE(input.take().close);
  }
}

TEST(ViewInput, DraggingStartsWhereTheButtonWentDown) {
  ViewInput input;
  input.drag(Drag::None, 100, 100);
  input.drag(Drag::Turn, 300, 50);
  EXPECT_TRUE(input.take().empty());
  input.drag(Drag::Turn, 310, 50);
  EXPECT_LT(input.take().azimuth, 0.0);
  input.drag(Drag::Approach, 400, 80);
  EXPECT_TRUE(input.take().empty());
  input.drag(Drag::Approach, 400, 90);
  EXPECT_GT(input.take().distance, 1.0);
}

TEST(Spectator, StaysAboveTheGroundAndWithinReach) {
  Spectator spectator(-1, View());
  hl_simulation::WorldSpec world;
  const hl_simulation::Simulation simulation(world);
  spectator.turn(500.0, 200.0);
  spectator.approach(1e6);
  const View far = spectator.follow(simulation, 0.04);
  EXPECT_NEAR(far.azimuth, -130.0, 1e-9);
  EXPECT_LT(far.elevation, 0.0);
  EXPECT_DOUBLE_EQ(far.distance, 30.0);
  spectator.turn(0.0, -500.0);
  spectator.approach(1e-9);
  const View near = spectator.follow(simulation, 0.04);
  EXPECT_GT(near.elevation, -90.0);
  EXPECT_DOUBLE_EQ(near.distance, 0.3);
}

TEST(Display, AbsentOrDeadDisplaysAreNoticed) {
  ::unsetenv("WAYLAND_DISPLAY");
  ::unsetenv("DISPLAY");
  EXPECT_FALSE(display_available());
  for (const char* name : {"", "nonsense", ":4711", ":4711.0", "unix:4711"}) {
    ::setenv("DISPLAY", name, 1);
    EXPECT_FALSE(display_available()) << name;
  }
}
