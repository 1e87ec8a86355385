// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "grid_world.hpp"
#include "hl_behavior/rtdl/library.hpp"
#include "hl_behavior/rtdl/syntax.hpp"

using namespace hl_behavior::rtdl;

namespace {

GridWorld kitchen() {
  GridWorld world({10, 10, 1});
  world.objects["Tap1"] = {{3, 3, 0}, false, true, true, false, "water"};
  world.objects["Glass1"] = {{6, 6, 0}, true, true, false, true, ""};
  return world;
}

std::shared_ptr<const Program> program_of(const std::string& text) {
  const auto catalogue =
      std::make_shared<const Catalogue>(read_catalogue(std::string(TASKS) + "/grid_world/catalogue.yaml"));
  Report report("text");
  const Document document = read(text, report);
  auto program = link(document, catalogue, {}, report);
  for (const Diagnostic& d : report.all()) ADD_FAILURE() << to_text(d);
  return program;
}

Interpreter::State run(Interpreter& interpreter, GridWorld& world) {
  for (double now = 0.0; now < 200.0; now += 0.5) {
    const auto state = interpreter.tick(world, world, now);
    if (state != Interpreter::State::Running) return state;
  }
  return interpreter.state();
}

}  // namespace

TEST(GridWorld, FetchWaterLeavesItsNineLines) {
  GridWorld world = kitchen();
  Interpreter interpreter(program_of(read_text(std::string(TASKS) + "/grid_world/fetchWater.rtdl")), {});
  ASSERT_EQ(interpreter.start({"Glass1", "Tap1"}, 0.0), std::nullopt);
  EXPECT_EQ(run(interpreter, world), Interpreter::State::Succeeded) << interpreter.reason();
  const std::vector<std::string> expected{
      "Robot moved to (6,6,0)", "Glass1 gripped",         "Robot moved to (3,3,0)",
      "Glass1 ungripped",       "Tap1 fills Glass1",      "Glass1 is filled with water",
      "Glass1 gripped",         "Robot moved to (0,0,0)", "Glass1 ungripped"};
  EXPECT_EQ(world.log, expected);
  EXPECT_EQ(world.objects["Glass1"].cell, (GridWorld::Cell{0, 0, 0}));
}

TEST(GridWorld, TheSameTaskFromXmlLeavesTheSameLines) {
  Report report("text");
  const std::string xml = write_xml(read(read_text(std::string(TASKS) + "/grid_world/fetchWater.rtdl"), report));
  GridWorld world = kitchen();
  Interpreter interpreter(program_of(xml), {});
  ASSERT_EQ(interpreter.start({"Glass1", "Tap1"}, 0.0), std::nullopt);
  EXPECT_EQ(run(interpreter, world), Interpreter::State::Succeeded);
  EXPECT_EQ(world.log.size(), 9u);
}

TEST(GridWorld, ABlockedWayFailsTheTaskWithItsReason) {
  GridWorld world = kitchen();
  for (int x = 0; x < 10; ++x) world.objects["Wall" + std::to_string(x)] = {{x, 5, 0}, false, false, false, false, ""};
  Interpreter interpreter(program_of(read_text(std::string(TASKS) + "/grid_world/fetchWater.rtdl")), {});
  ASSERT_EQ(interpreter.start({"Glass1", "Tap1"}, 0.0), std::nullopt);
  EXPECT_EQ(run(interpreter, world), Interpreter::State::Failed);
  EXPECT_EQ(interpreter.reason(), "the way is blocked");
  EXPECT_TRUE(world.log.empty());
}

TEST(GridWorld, FillingFromWhatIsNotHereFails) {
  GridWorld world = kitchen();
  Interpreter interpreter(program_of("rtdl 1.0 task t(Tap t1, Glass g) { move(g); fill(t1, g); }"), {});
  ASSERT_EQ(interpreter.start({"Tap1", "Glass1"}, 0.0), std::nullopt);
  EXPECT_EQ(run(interpreter, world), Interpreter::State::Failed);
  EXPECT_EQ(interpreter.reason(), "not all at one place");
}

TEST(GridWorld, ArgumentsAreChecked) {
  Interpreter interpreter(program_of(read_text(std::string(TASKS) + "/grid_world/fetchWater.rtdl")), {});
  EXPECT_EQ(interpreter.start({"Glass1"}, 0.0), "the task takes 2 arguments, not 1");
  EXPECT_NE(interpreter.start({"Tap1", "Glass1"}, 0.0), std::nullopt);
  EXPECT_NE(interpreter.start({"Glass1", "Tap2"}, 0.0), std::nullopt);
  EXPECT_NE(interpreter.start({"Glass1", "\xFF\"("}, 0.0), std::nullopt);
  EXPECT_EQ(interpreter.state(), Interpreter::State::Ready);
}
