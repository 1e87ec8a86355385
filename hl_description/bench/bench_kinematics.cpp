// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

#include "hl_description/leg_kinematics.hpp"
#include "hl_description/robot_config.hpp"
#include "hl_description/self_collision.hpp"
#include "hl_testing/allocations.hpp"
#include "hl_testing/bench_report.hpp"

using namespace hl_description;

namespace {

template <class Work>
double microseconds_each(std::size_t runs, Work work) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < runs; ++i) work(i);
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() /
         static_cast<double>(runs);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t runs = hl_testing::quick(argc, argv) ? 100'000 : 1'000'000;
  // Installed beside the models: <prefix>/lib/hl_description/bench_kinematics, <prefix>/share/hl_description.
  const std::string program = argv[0];
  const std::string share = program.substr(0, program.rfind('/') + 1) + "../../share/hl_description/";
  const RobotModel model = RobotModel::from_file(share + "urdf/minibot.urdf");
  const RobotConfig config = RobotConfig::from_file(share + "config/minibot/robot.yaml");
  const LegKinematics leg(model, Side::Left);

  std::mt19937 random(1000);
  std::vector<Eigen::Isometry3d> targets;
  for (int i = 0; i < 1024; ++i) {
    LegKinematics::Angles angles;
    for (std::size_t k = 0; k < 6; ++k)
      angles[k] = std::uniform_real_distribution<>(leg.limits(k).lower, leg.limits(k).upper)(random);
    targets.push_back(leg.forward(angles));
  }
  double sum = 0.0;
  const std::size_t before = hl_testing::allocations::count;
  const double ik = microseconds_each(runs, [&](std::size_t i) { sum += leg.solve(targets[i % 1024]).angles[3]; });
  const std::size_t ik_allocations = hl_testing::allocations::count - before;

  const Eigen::VectorXd q = config.pose(model, "walkready");
  Posture posture = model.forward(q);
  const double fk = microseconds_each(runs / 10, [&](std::size_t) {
    model.forward(q, posture);
    sum += model.center_of_mass(posture).z();
  });
  const SelfCollision collision(model, config.capsules);
  const double distance =
      microseconds_each(runs / 10, [&](std::size_t) { sum += collision.nearest(posture).distance; });
  std::fprintf(stderr, "checksum %g\n", sum);

  hl_testing::report({"hl_description", "leg IK", ik, "us", 2.0, hl_testing::Better::Lower});
  hl_testing::report({"hl_description", "leg IK allocations", static_cast<double>(ik_allocations), "", 0.0,
                      hl_testing::Better::Lower});
  hl_testing::report({"hl_description",
                      "forward kinematics of all links and centre of mass",
                      fk,
                      "us",
                      {},
                      hl_testing::Better::Lower});
  hl_testing::report({"hl_description", "self-collision, nearest pair", distance, "us", {}, hl_testing::Better::Lower});
  return 0;
}
