// SPDX-License-Identifier: Apache-2.0
// Other people's robots: read, understood, rewritten; and files that are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "add_robot.hpp"
#include "hl_description/leg_kinematics.hpp"
#include "hl_description/mesh.hpp"
#include "hl_testing/isolation.hpp"
#include "robots.hpp"

using namespace hl_description;
using testing::HasSubstr;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

const LikeFiles kLike{"minibot", DESCRIPTION_SHARE, "", "", ""};

AddedRobot add(const std::string& urdf, const Told& told = {}) {
  AddOrder order;
  order.told = told;
  order.options.name = "new";
  order.like = kLike;
  return add_robot(urdf, order);
}

const std::string& minibot() {
  static const std::string text = text_of(URDF_DIR "/minibot.urdf");
  return text;
}

}  // namespace

TEST(AddRobot, OurOwnRobotComesOutAsItWentIn) {
  const AddedRobot added = add(minibot());
  ASSERT_FALSE(added.findings.any_error()) << added.findings.text("minibot.urdf");
  const RobotModel ours = model_of("minibot"), theirs = RobotModel::from_urdf(added.robot.urdf());
  EXPECT_NEAR(theirs.mass(), ours.mass(), 1e-6);
  for (const auto& [joint, mount] : added.robot.servos) {
    EXPECT_EQ(mount.sign, 1.0) << joint;
    EXPECT_NEAR(mount.offset, 0.0, 0.02) << joint;
  }
  std::mt19937 random(1);
  for (int run = 0; run < 100; ++run) {
    const Eigen::VectorXd q = random_pose(ours, random);
    Eigen::VectorXd p = Eigen::VectorXd::Zero(q.size());
    for (std::size_t i = 0; i < ours.dof(); ++i)
      p[static_cast<Eigen::Index>(theirs.joint(ours.joint_names()[i]))] = q[static_cast<Eigen::Index>(i)];
    for (const Side side : {Side::Left, Side::Right})
      EXPECT_LT((ours.forward(q).links[ours.sole(side)].matrix() - theirs.forward(p).links[theirs.sole(side)].matrix())
                    .norm(),
                1e-3);
  }
}

TEST(AddRobot, DirectionsAndZerosOfServosAreKept) {
  // The same robot whose left knee servo is mounted the other way round.
  std::string urdf = minibot();
  const auto knee = urdf.find("<axis", urdf.find("name=\"LKnee\""));
  const auto end = urdf.find("effort", knee);
  urdf.replace(knee, end - knee, "<axis xyz=\"0 1 0\"/><limit lower=\"-0.157\" upper=\"2.269\" ");
  const AddedRobot added = add(urdf);
  ASSERT_FALSE(added.findings.any_error()) << added.findings.text("");
  EXPECT_EQ(added.robot.servos.at("LKnee").sign, -1.0);
  EXPECT_EQ(added.robot.servos.at("RKnee").sign, 1.0);
  EXPECT_THAT(added.files.at("hl_description/config/new/robot.yaml"), HasSubstr("reversed: [true, false]"));
}

TEST(AddRobot, NamesThatSayNothingAreFoundByStructure) {
  std::string urdf = minibot();
  int number = 0;
  for (const char* name : {"HeadPan", "HeadTilt"}) urdf = replaced(urdf, name, "m" + std::to_string(++number) + "x");
  for (const char* side : {"L", "R"})
    for (const char* name :
         {"ShoulderPitch", "ShoulderRoll", "Elbow", "HipYaw", "HipRoll", "HipPitch", "Knee", "AnklePitch", "AnkleRoll"})
      urdf = replaced(urdf, std::string("\"") + side + name + "\"", "\"m" + std::to_string(++number) + "x\"");
  const AddedRobot added = add(urdf);
  ASSERT_FALSE(added.findings.any_error()) << added.findings.text("");
  EXPECT_THAT(added.findings.text("f"), HasSubstr("found by their structure"));
  EXPECT_GT(added.robot.link("l_foot").place.y(), 0.0);
}

TEST(AddRobot, AllErrorsAreToldAtOnceWithTheirLines) {
  const AddedRobot added =
      add("<robot name='x'>\n<link name='a'/>\n<link name='a'/>\n<joint name='j' type='revolute'>\n"
          "<parent link='a'/><child link='nobody'/><axis xyz='0 0 0'/></joint>\n"
          "<link name='b'><inertial><mass value='-1'/></inertial></link></robot>");
  const std::string text = added.findings.text("x.urdf");
  EXPECT_THAT(text, HasSubstr("x.urdf:3: error: two links are called 'a'"));
  EXPECT_THAT(text, HasSubstr("x.urdf:4: error: joint 'j': its child link 'nobody' does not exist; remedy: "));
  EXPECT_THAT(text, HasSubstr("x.urdf:4: error: joint 'j' has no axis"));
  EXPECT_THAT(text, HasSubstr("x.urdf:6: error: link 'b' has a negative mass"));
}

TEST(AddRobot, ErrorsOfAllStagesAreToldTogether) {
  std::string urdf = replaced(minibot(), "\"LElbow\" type=\"revolute\"", "\"LElbow\" type=\"fixed\"");
  const auto mass = urdf.find("<mass value=\"", urdf.find("<link name=\"torso\"")) + 13;
  urdf.insert(mass, "x");
  const std::string text = add(urdf, {{{"RElbow", "nobody"}}, {{"l_sole", "nowhere"}}}).findings.text("x.urdf");
  EXPECT_THAT(text, HasSubstr("of <mass> is not 1 number"));
  EXPECT_THAT(text, HasSubstr("no joint is found for LElbow"));
  EXPECT_THAT(text, HasSubstr("--joint RElbow=nobody: the URDF has no such joint that turns"));
  EXPECT_THAT(text, HasSubstr("--frame l_sole=nowhere: the URDF has no such link"));
}

TEST(AddRobot, FramesCanBeTold) {
  const std::string urdf = replaced(minibot(), "\"imu_frame\"", "\"chip\"");
  EXPECT_THAT(add(urdf).findings.text(""), HasSubstr("--frame imu_frame=LINK"));
  EXPECT_THAT(add(urdf, {{}, {{"imu_frame", "chip"}}}).findings.text(""),
              testing::Not(HasSubstr("--frame imu_frame=LINK")));
}

TEST(AddRobot, TorquesThatCouldNotHoldOneLegAreNotThoseAtTheStall) {
  std::string urdf = minibot();
  for (auto at = urdf.find("effort=\""); at != std::string::npos; at = urdf.find("effort=\"", at + 1))
    urdf.replace(at + 8, urdf.find('"', at + 8) - at - 8, "2.6");
  const AddedRobot added = add(urdf);
  ASSERT_FALSE(added.findings.any_error());
  EXPECT_THAT(added.findings.text(""), HasSubstr("could hardly stand on one leg"));
  EXPECT_NEAR(added.robot.link("l_shank").limits.effort, 8.4, 0.2);
  EXPECT_THAT(add(minibot()).findings.text(""), testing::Not(HasSubstr("could hardly stand")));
}

TEST(AddRobot, AMissingLimbIsNamedWithWhatIsLeft) {
  const std::string urdf = replaced(minibot(), "\"LElbow\" type=\"revolute\"", "\"LElbow\" type=\"fixed\"");
  EXPECT_THAT(add(urdf).findings.text("x"), HasSubstr("no joint is found for LElbow; remedy: --joint LElbow=NAME"));
}

TEST(AddRobot, JointsCanBeTold) {
  const std::string urdf = replaced(minibot(), "\"LElbow\"", "\"gripper\"");
  EXPECT_TRUE(add(urdf).findings.any_error());
  EXPECT_FALSE(add(urdf, {{{"LElbow", "gripper"}}, {}}).findings.any_error());
  EXPECT_THAT(add(urdf, {{{"LElbow", "nobody"}}, {}}).findings.text(""), HasSubstr("no such joint that turns"));
}

class Damage : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, Damage, testing::Values(1u, 2u, 3u, 4u));

TEST_P(Damage, IsAnsweredInWords) {
  std::mt19937 random(GetParam());
  std::vector<std::string> originals{minibot()};
  std::size_t answered = 0, added_all = 0;
  if (const char* folder = std::getenv("HL_ROBOTS"))
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".urdf") originals.push_back(text_of(entry.path().string()));
  const std::string bits = "<>\"/= 0.-e9xnaif";
  for (std::size_t run = 0; run < hl_testing::count(40, 25'000); ++run) {
    std::string urdf = originals[run % originals.size()];
    const int changes = std::uniform_int_distribution<>(1, 6)(random);
    for (int i = 0; i < changes && !urdf.empty(); ++i) {
      const std::size_t at = random() % urdf.size();
      switch (random() % 4) {
        case 0:
          urdf[at] = bits[random() % bits.size()];
          break;
        case 1:
          urdf.erase(at, 1 + random() % 40);
          break;
        case 2:
          urdf.insert(at, urdf.substr(random() % urdf.size(), random() % 200));
          break;
        default:
          urdf[at] = static_cast<char>(random() % 256);
          break;
      }
    }
    const AddedRobot added = add(urdf);  // no crash, no endless loop
    ASSERT_FALSE(added.findings.text("x").empty() && added.files.empty());
    ASSERT_EQ(added.findings.any_error(), added.files.empty());
    ++(added.files.empty() ? answered : added_all);
  }
  std::printf("refused in words: %zu, added: %zu\n", answered, added_all);
}

TEST(AddRobot, MeshesComeAlongAndMissingOnesAreNamed) {
  std::string folder = (std::filesystem::temp_directory_path() / "robot_XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  Mesh wedge;
  wedge.points = {{0, 0, 0}, {0.1f, 0, 0}, {0, 0.2f, 0}, {0, 0, 0.3f}};
  wedge.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  std::ofstream(folder + "/wedge.stl", std::ios::binary) << stl_of(wedge);
  std::string urdf = minibot();
  const auto torso = urdf.find("<visual>", urdf.find("<link name=\"torso\""));
  urdf.insert(torso,
              "<visual><geometry><mesh filename='package://x/meshes/wedge.stl'/></geometry></visual>"
              "<visual><geometry><mesh filename='package://x/meshes/gone.stl'/></geometry></visual>");
  Findings findings;
  Draft draft = read_draft(urdf, findings);
  load_meshes(draft, {folder}, findings);
  std::filesystem::remove_all(folder);
  EXPECT_THAT(findings.text("f"), HasSubstr("are drawn instead: in package://x/meshes/ gone.stl"));
  NormalOptions options;
  options.name = "new";
  const NormalRobot robot =
      normal_form(draft, find_body(draft, Told(), findings), model_of("minibot"), options, findings);
  const auto files = robot_folder(robot, kLike, findings);
  ASSERT_FALSE(findings.any_error()) << findings.text("f");
  EXPECT_THAT(files.at("hl_description/urdf/new.urdf"), HasSubstr("package://hl_description/meshes/new/wedge.stl"));
  EXPECT_THAT(files.at("hl_description/urdf/new.urdf"), testing::Not(HasSubstr("gone.stl")));
  EXPECT_EQ(read_stl(files.at("hl_description/meshes/new/wedge.stl")).triangles.size(), 4u);
}

TEST(AddRobot, RobotsOfOtherTeams) {
  const char* folder = std::getenv("HL_ROBOTS");
  if (folder == nullptr) GTEST_SKIP() << "HL_ROBOTS does not name a folder of other teams' URDFs";
  int robots = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".urdf") continue;
    ++robots;
    const AddedRobot added = add(text_of(entry.path().string()));
    ASSERT_FALSE(added.findings.any_error()) << added.findings.text(entry.path().string());
    const RobotModel model = RobotModel::from_urdf(added.robot.urdf());
    std::mt19937 random(3);
    for (const Side side : {Side::Left, Side::Right}) {
      const LegKinematics leg(model, side);
      int solved = 0;
      for (int run = 0; run < 2000; ++run) {
        LegKinematics::Angles angles;
        for (std::size_t i = 0; i < 6; ++i)
          angles[i] = std::uniform_real_distribution<>(leg.limits(i).lower, leg.limits(i).upper)(random);
        solved += leg.solve(leg.forward(angles)).exact();
      }
      EXPECT_GE(solved, 1990) << entry.path();
    }
  }
  EXPECT_GT(robots, 0);
}
