// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <hl_description/mesh.hpp>

#include "hl_simulation/camera_effects.hpp"
#include "hl_simulation/film.hpp"
#include "hl_simulation/labelled_view.hpp"
#include "robots.hpp"

using namespace hl_simulation;

namespace {

struct Colours {
  int green = 0, white = 0, blue = 0, red = 0, black = 0;
};

Colours count(const Image& image) {
  Colours c;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const auto* p = image.pixel(x, y);
      const int r = p[0], g = p[1], b = p[2];
      if (g > 50 && g > 1.6 * r && g > 1.6 * b) ++c.green;
      if (r > 160 && g > 160 && b > 160) ++c.white;
      if (b > 80 && b > 2 * r && b > 2 * g) ++c.blue;
      if (r > 80 && r > 2 * b && r > 2 * g) ++c.red;
      if (r < 40 && g < 40 && b < 40) ++c.black;
    }
  }
  return c;
}

WorldSpec two_teams() {
  WorldSpec world;
  for (int n = 0; n < 2; ++n) {
    RobotPlacement robot;
    robot.spec = robot_spec("minibot");
    robot.name = n ? "red" : "blue";
    robot.x = n ? 0.8 : -0.8;
    robot.y = n ? 0.3 : 0.0;
    robot.yaw = n ? M_PI : 0.0;
    if (n) robot.colour = {0.85, 0.1, 0.1, 1.0};
    world.robots.push_back(robot);
  }
  return world;
}

}  // namespace

TEST(Pictures, FilmStripShowsRobotsLinesGoalsAndBall) {
  const WorldSpec world = two_teams();
  Simulation simulation(world);
  Renderer::Params params;
  params.width = 480;
  params.height = 270;
  Renderer renderer(world, params);
  FilmStrip strip(2);
  View view;
  view.distance = 2.2;
  view.azimuth = 60;
  Spectator spectator(-1, view);
  Image image;
  for (int n = 0; n < 4; ++n) {
    simulation.run(0.2);
    renderer.update(simulation);
    renderer.spectator(spectator.follow(simulation, 0.2), 480, 270, image);
    const Colours c = count(image);
    EXPECT_GT(c.green, 480 * 270 / 4);
    EXPECT_GT(c.white, 500);
    EXPECT_GT(c.blue, 60);
    EXPECT_GT(c.red, 60);
    EXPECT_GT(c.black, 100);  // servos, and the ball's patches
    strip.add(image, "film");
  }
  const Image whole = strip.assemble();
  EXPECT_EQ(whole.width, 960);
  EXPECT_EQ(whole.height, 540);
  const std::string path = ::testing::TempDir() + "hl_strip.png";
  strip.write(path);
  EXPECT_TRUE(std::ifstream(path).good());
  std::remove(path.c_str());
  EXPECT_THROW(strip.write("/no/such/directory/film.png"), std::runtime_error);
}

TEST(Pictures, BallIsWhereThePhysicsPutsIt) {
  // Straight from above, the middle of the picture is the ball, and beside it turf.
  const WorldSpec world = two_teams();
  Simulation simulation(world);
  Renderer renderer(world, Renderer::Params());
  View above;
  above.elevation = -90;
  above.distance = 1.0;
  Image image;
  for (const double x : {1.0, 2.0, 3.4}) {
    ASSERT_FALSE(simulation.place_ball({x, 2.0, 0.0}));
    above.target = {x, 2.0, 0.0};
    renderer.update(simulation);
    renderer.spectator(above, 200, 200, image);
    const auto* centre = image.pixel(100, 100);
    EXPECT_NEAR(centre[0], centre[1], 25) << "ball is black or white, not green";
    const auto* beside = image.pixel(100, 20);
    EXPECT_GT(beside[1], 1.4 * beside[0]);
  }
}

TEST(Pictures, LinesLieWhereTheRulesPutThem) {
  const WorldSpec world = two_teams();
  Simulation simulation(world);
  Renderer renderer(world, Renderer::Params());
  View above;
  above.elevation = -90;
  above.distance = 0.4;
  Image image;
  const auto white_at = [&](double x, double y) {
    above.target = {x, y, 0.0};
    renderer.update(simulation);
    renderer.spectator(above, 100, 100, image);
    const auto* p = image.pixel(50, 50);
    return p[0] > 140 && p[2] > 140;
  };
  const auto& field = world.field;
  for (const auto& line : field.lines()) {
    for (const double share : {0.1, 0.4, 0.9}) {
      const Eigen::Vector2d p = line.from + share * (line.to - line.from);
      EXPECT_TRUE(white_at(p.x(), p.y())) << p.transpose();
    }
  }
  const double r = field.circle_radius();
  EXPECT_TRUE(white_at(r * std::cos(1.0), r * std::sin(1.0)));
  EXPECT_TRUE(white_at(3.0, 0.08));
  EXPECT_TRUE(white_at(-3.08, 0.0));
  EXPECT_FALSE(white_at(1.5, 1.0));
  EXPECT_FALSE(white_at(4.7, 0.5));
}

TEST(Pictures, RobotCameraSeesTheBallAheadAndTurnsWithTheHead) {
  WorldSpec world = two_teams();
  Simulation simulation(world);
  ASSERT_FALSE(simulation.place_ball({0.4, 0.0, 0.0}));
  simulation.robot(1).place({0.0, 2.5, 0.0});
  Renderer renderer(world, Renderer::Params());
  Image ahead, left;
  renderer.update(simulation);
  renderer.robot_camera(0, ahead);
  EXPECT_EQ(ahead.width, 640);
  EXPECT_EQ(ahead.height, 480);
  EXPECT_GT(count(ahead).green, 640 * 480 / 5);
  std::vector<double> goals = simulation.robot(0).spec().walk_ready_positions();
  goals[simulation.robot(0).spec().joint_index("HeadPan")] = 1.2;
  simulation.robot(0).set_goals(goals);
  simulation.run(1.0);
  renderer.update(simulation);
  renderer.robot_camera(0, left);
  // Turned to the left it sees the other robot's team marker there, which it did not before.
  EXPECT_GT(count(left).red, count(ahead).red + 50);
}

TEST(Pictures, LightingChangesTheBrightness) {
  const WorldSpec world = two_teams();
  Simulation simulation(world);
  Renderer renderer(world, Renderer::Params());
  renderer.update(simulation);
  Image image;
  const auto brightness = [&] {
    renderer.spectator(View(), 320, 240, image);
    double sum = 0.0;
    for (int x = 0; x < 320; ++x) sum += image.pixel(x, 220)[1];
    return sum / 320.0;
  };
  const double indoor = brightness();
  renderer.set_lighting(Lighting::Bright);
  const double bright = brightness();
  renderer.set_lighting(Lighting::Dim);
  const double dim = brightness();
  renderer.set_brightness(1.6);
  EXPECT_GT(brightness(), dim + 5.0);
  EXPECT_GT(bright, indoor + 5.0);
  EXPECT_LT(dim, indoor - 5.0);
}

TEST(Pictures, VideoFileIsWritten) {
  const std::string path = ::testing::TempDir() + "hl_film.mp4";
  {
    VideoFile video(path, 64, 48, 25.0);
    Image image{64, 48, std::vector<std::uint8_t>(3 * 64 * 48, 90)};
    for (int n = 0; n < 10; ++n) video.add(image);
    image.width = 32;
    EXPECT_THROW(video.add(image), std::runtime_error);
  }
  std::ifstream file(path, std::ios::ate | std::ios::binary);
  EXPECT_GT(file.tellg(), 500);
  std::remove(path.c_str());
  EXPECT_THROW(VideoFile("/no/such/directory/film.mp4", 64, 48, 25.0), std::runtime_error);
}

TEST(Pictures, SurroundingsAreChosenByTheirSeed) {
  const auto picture = [](std::uint64_t seed) {
    WorldSpec world = two_teams();
    world.surroundings = seed;
    Simulation simulation(world);
    Renderer renderer(world, Renderer::Params());
    renderer.update(simulation);
    Image image;
    renderer.robot_camera(0, image);
    return image.rgb;
  };
  EXPECT_EQ(picture(3), picture(3));
  EXPECT_NE(picture(3), picture(4));
  EXPECT_NE(picture(3), picture(0));
}

TEST(Pictures, SegmentsAndLabelsTellWhereTheBallIs) {
  const WorldSpec world = two_teams();
  Simulation simulation(world);
  ASSERT_FALSE(simulation.place_ball({1.8, -0.3, 0.0}));
  Renderer renderer(world, Renderer::Params());
  renderer.update(simulation);
  Renderer::Segments segments;
  renderer.robot_segments(0, segments);
  const int ball = segments.id("ball");
  ASSERT_GE(ball, 0);
  double x = 0.0, y = 0.0, n = 0.0;
  for (int j = 0; j < segments.height; ++j) {
    for (int i = 0; i < segments.width; ++i) {
      if (segments.at(i, j) != ball) continue;
      x += i + 0.5;
      y += j + 0.5;
      n += 1.0;
    }
  }
  ASSERT_GT(n, 60.0);
  const std::string labels = labels_of(simulation, 0, segments, "a.jpg");
  double u = 0.0, v = 0.0;
  const auto at = labels.find("center: [");
  ASSERT_NE(at, std::string::npos);
  ASSERT_EQ(std::sscanf(labels.c_str() + at, "center: [%lf, %lf]", &u, &v), 2);
  EXPECT_NEAR(u, x / n, 2.5);
  EXPECT_NEAR(v, y / n, 2.5);
}

TEST(Pictures, ARobotWearsItsNumber) {
  const auto look = [](int number, std::string& labels) {
    WorldSpec world = two_teams();
    world.robots[1].number = number;
    Simulation simulation(world);
    Placement self(-0.5, 0.0, 0.0), other(0.6, 0.0, M_PI);
    simulation.robot(0).place(self);
    simulation.robot(1).place(other);
    Renderer renderer(world, Renderer::Params());
    renderer.update(simulation);
    Image image;
    renderer.robot_camera(0, image);
    Renderer::Segments segments;
    renderer.robot_segments(0, segments);
    labels = labels_of(simulation, 0, segments, "a.jpg");
    return image.rgb;
  };
  std::string none, one, eight;
  const auto without = look(0, none), with_one = look(1, one), with_eight = look(8, eight);
  EXPECT_NE(without, with_one);
  EXPECT_NE(with_one, with_eight);
  EXPECT_NE(none.find("number: 0"), std::string::npos) << none;
  EXPECT_NE(eight.find("number: 8"), std::string::npos) << eight;
  WorldSpec world = two_teams();
  world.robots[1].number = 12;
  EXPECT_NE(world.validate().value_or("").find("number"), std::string::npos);
}

TEST(Pictures, CameraEffectsAreRepeatableAndBadOnesAreNamed) {
  const CameraEffects effects = CameraEffects::random(5);
  EXPECT_FALSE(effects.validate());
  const Image plain{64, 48, std::vector<std::uint8_t>(3 * 64 * 48, 90)};
  Image one = plain, two = plain, other = plain;
  apply(effects, 1, one);
  apply(effects, 1, two);
  apply(CameraEffects::random(6), 2, other);
  EXPECT_EQ(one.rgb, two.rgb);
  EXPECT_NE(one.rgb, other.rgb);
  CameraEffects bad;
  bad.noise = -1.0;
  EXPECT_NE(bad.validate().value_or("").find("noise"), std::string::npos);
}

namespace {

/// A block of 0.2 x 0.2 x 0.4 m on the floor, red, from a mesh; its collision shape is a smaller box.
const char* const kBlock = R"(<robot name="block">
  <link name="base_link"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="-0.1 -0.1 -0.2"/><geometry><mesh filename="package://blocks/block.stl" scale="0.2 0.2 0.4"/></geometry>
      <material name=""><color rgba="0.9 0.05 0.05 1"/></material></visual>
    <collision><geometry><box size="0.04 0.04 0.04"/></geometry></collision></link>
  <link name="arm"><inertial><mass value="0.1"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="revolute"><parent link="base_link"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="2.5" velocity="5"/></joint>
</robot>)";

/// The unit cube; half of its triangles are turned inside out, as files are.
hl_description::Mesh cube() {
  hl_description::Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points.emplace_back(static_cast<float>(i & 1), static_cast<float>(i >> 1 & 1), static_cast<float>(i >> 2));
  for (const auto& [a, b, c, d] : {std::array<std::uint32_t, 4>{0, 1, 2, 3},
                                   {4, 5, 6, 7},
                                   {0, 1, 4, 5},
                                   {2, 3, 6, 7},
                                   {0, 2, 4, 6},
                                   {1, 3, 5, 7}}) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({d, b, c});
  }
  return mesh;
}

int red_pixels(const std::shared_ptr<const RobotSpec>& spec) {
  WorldSpec world = world_with(spec);
  world.with_ball = world.with_goals = false;
  Simulation simulation(world);
  Renderer renderer(world, Renderer::Params());
  renderer.update(simulation);
  Image image;
  View view;
  view.target = simulation.robot(0).pose().translation();
  renderer.spectator(view, 320, 240, image);
  return count(image).red;
}

}  // namespace

TEST(Pictures, MeshesAreDrawnAndMissingOnesNamed) {
  std::string folder = (std::filesystem::temp_directory_path() / "meshes_XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const auto load = [&] { return std::make_shared<const RobotSpec>(load_robot(kBlock, "", folder)); };

  const auto missing = load();
  ASSERT_EQ(missing->warnings.size(), 1u);
  EXPECT_NE(missing->warnings[0].find("package://blocks/block.stl is not found"), std::string::npos);
  ASSERT_EQ(missing->bodies[0].shapes.size(), 2u) << "the shape that collides is drawn, too";
  EXPECT_EQ(red_pixels(missing), 0);

  std::ofstream(folder + "/block.stl", std::ios::binary) << hl_description::stl_of(cube());
  const auto whole = load();
  EXPECT_TRUE(whole->warnings.empty());
  std::string box = kBlock;
  const std::string mesh_visual =
      R"(<origin xyz="-0.1 -0.1 -0.2"/><geometry><mesh filename="package://blocks/block.stl" scale="0.2 0.2 0.4"/>)";
  const auto visual = box.find(mesh_visual);
  ASSERT_NE(visual, std::string::npos);
  box.replace(visual, mesh_visual.size(), R"(<geometry><box size="0.2 0.2 0.4"/>)");
  const int as_box = red_pixels(std::make_shared<const RobotSpec>(load_robot(box, "", folder)));
  EXPECT_GT(as_box, 300);
  EXPECT_NEAR(red_pixels(whole), as_box, 0.05 * as_box) << "no side of it is missing";

  std::ofstream(folder + "/block.stl", std::ios::binary) << hl_description::stl_of(cube()).substr(0, 200);
  const auto damaged = load();
  ASSERT_EQ(damaged->warnings.size(), 1u);
  EXPECT_NE(damaged->warnings[0].find("block.stl: it ends after 2 of 12 triangles"), std::string::npos);

  hl_description::Mesh flat = cube();
  flat.triangles.resize(2);
  std::ofstream(folder + "/block.stl", std::ios::binary) << hl_description::stl_of(flat);
  ASSERT_EQ(load()->warnings.size(), 1u);
  EXPECT_NE(load()->warnings[0].find("is flat"), std::string::npos);
  std::filesystem::remove_all(folder);
}
