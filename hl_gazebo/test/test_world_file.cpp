// SPDX-License-Identifier: Apache-2.0
// What Gazebo is told says the same as the description of the robot and of the field.
#include <gmock/gmock.h>
#include <tinyxml2.h>

#include <cmath>
#include <memory>
#include <sstream>

#include "hl_gazebo/world_file.hpp"

using namespace hl_gazebo;  // NOLINT(google-build-using-namespace): the whole file is about it
using tinyxml2::XMLElement;

namespace {

class WorldFile : public testing::TestWithParam<const char*> {
 protected:
  WorldFile()
      : spec_(std::make_shared<hl_simulation::RobotSpec>(
            hl_simulation::read_robot_files(std::string(ROBOTS) + "/urdf/" + GetParam() + ".urdf",
                                            std::string(ROBOTS) + "/config/" + GetParam() + "/robot.yaml"))),
        world_(hl_simulation::world_with(spec_)) {
    options_.folder = "/some/where";
    document_.Parse(to_sdf(world_, options_).c_str());
  }

  const XMLElement& world() const { return *document_.FirstChildElement("sdf")->FirstChildElement("world"); }
  static const XMLElement* named(const XMLElement& parent, const char* kind, const std::string& name) {
    for (const auto* child = parent.FirstChildElement(kind); child; child = child->NextSiblingElement(kind)) {
      if (child->Attribute("name", name.c_str())) return child;
    }
    return nullptr;
  }
  static std::vector<double> numbers(const XMLElement& element) {
    std::istringstream in(element.GetText());
    std::vector<double> result;
    for (double value = 0.0; in >> value;) result.push_back(value);
    return result;
  }
  static double number(const XMLElement& parent, const char* name) {
    return numbers(*parent.FirstChildElement(name)).at(0);
  }

  std::shared_ptr<hl_simulation::RobotSpec> spec_;
  hl_simulation::WorldSpec world_;
  WorldFileOptions options_;
  tinyxml2::XMLDocument document_;
};

}  // namespace

TEST_P(WorldFile, HasEveryBodyWithItsMassAndInertia) {
  ASSERT_FALSE(document_.Error()) << document_.ErrorStr();
  const XMLElement* robot = named(world(), "model", "robot");
  ASSERT_TRUE(robot);
  double mass = 0.0;
  for (const auto& body : spec_->bodies) {
    const XMLElement* link = named(*robot, "link", body.name);
    ASSERT_TRUE(link) << body.name;
    const XMLElement& inertial = *link->FirstChildElement("inertial");
    mass += number(inertial, "mass");
    EXPECT_NEAR(number(*inertial.FirstChildElement("inertia"), "iyy"), body.inertia(1, 1), 1e-9);
    std::size_t collisions = 0, wanted = 0;
    for (const auto* c = link->FirstChildElement("collision"); c; c = c->NextSiblingElement("collision")) ++collisions;
    for (const auto& shape : body.shapes) wanted += shape.collides;
    EXPECT_EQ(collisions, wanted) << body.name;
  }
  EXPECT_NEAR(mass, spec_->total_mass(), 1e-6);
}

TEST_P(WorldFile, HasEveryJointWithItsAxisAndNoServoOfItsOwn) {
  const XMLElement* robot = named(world(), "model", "robot");
  for (const auto& body : spec_->bodies) {
    if (body.joint < 0) continue;
    const auto& joint = spec_->joints[static_cast<std::size_t>(body.joint)];
    const XMLElement* found = named(*robot, "joint", joint.name);
    ASSERT_TRUE(found) << joint.name;
    EXPECT_EQ(found->FirstChildElement("child")->GetText(), body.name);
    const auto axis = numbers(*found->FirstChildElement("axis")->FirstChildElement("xyz"));
    EXPECT_NEAR(axis.at(2), joint.axis.z(), 1e-9);
    EXPECT_FALSE(found->FirstChildElement("axis")->FirstChildElement("dynamics")) << "the plug-in damps it";
  }
}

TEST_P(WorldFile, PutsEveryLinkWhereTheJointsAtZeroDo) {
  const XMLElement* robot = named(world(), "model", "robot");
  std::vector<Eigen::Isometry3d> at(spec_->bodies.size());
  for (std::size_t n = 0; n < spec_->bodies.size(); ++n) {
    const auto& body = spec_->bodies[n];
    at[n] = body.parent < 0 ? Eigen::Isometry3d::Identity() : at[static_cast<std::size_t>(body.parent)] * body.origin;
    const auto p = numbers(*named(*robot, "link", body.name)->FirstChildElement("pose"));
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() << p.at(0), p.at(1), p.at(2);
    pose.linear() =
        (Eigen::AngleAxisd(p.at(5), Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(p.at(4), Eigen::Vector3d::UnitY()) *
         Eigen::AngleAxisd(p.at(3), Eigen::Vector3d::UnitX()))
            .toRotationMatrix();
    EXPECT_TRUE(pose.isApprox(at[n], 1e-6)) << body.name;
  }
}

TEST_P(WorldFile, HasTheFieldsGoalsAndBall) {
  const auto& field = world_.field;
  const XMLElement* goal = named(world(), "model", "goal_other");
  ASSERT_TRUE(goal);
  EXPECT_NEAR(numbers(*goal->FirstChildElement("pose")).at(0), 0.5 * field.length, 1e-9);
  const XMLElement* post = named(*goal->FirstChildElement("link"), "collision", "left_post");
  EXPECT_NEAR(numbers(*post->FirstChildElement("pose")).at(1), 0.5 * (field.goal_width + field.post_diameter), 1e-9);
  const XMLElement* ball = named(world(), "model", "ball")->FirstChildElement("link");
  EXPECT_NEAR(number(*ball->FirstChildElement("inertial"), "mass"), field.ball_mass, 1e-9);
  EXPECT_TRUE(named(*named(world(), "model", "field")->FirstChildElement("link"), "visual", "line_0"));
}

TEST_P(WorldFile, TellsThePlugInWhereItsFilesAre) {
  const XMLElement* plugin = named(world(), "model", "robot")->FirstChildElement("plugin");
  ASSERT_TRUE(plugin);
  EXPECT_EQ(plugin->FirstChildElement("urdf")->GetText(), urdf_path("/some/where", spec_->name));
  EXPECT_EQ(plugin->FirstChildElement("bus")->GetText(), std::string("/some/where/robot.bus"));
}

INSTANTIATE_TEST_SUITE_P(Robots, WorldFile, testing::Values("minibot", "darwin_op"),
                         [](const auto& info) { return std::string(info.param); });

TEST(BadWorld, IsRefusedInWords) {
  hl_simulation::WorldSpec world;
  world.timestep = 1.0;
  EXPECT_THROW(to_sdf(world, {}), std::runtime_error);
}
