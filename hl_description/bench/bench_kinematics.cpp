// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "hl_description/leg_kinematics.hpp"
#include "hl_description/robot_config.hpp"
#include "hl_description/self_collision.hpp"
#include "hl_testing/allocations.hpp"
#include "hl_testing/bench_report.hpp"
#include "odd_legs.hpp"

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

  double sum = 0.0;
  const auto bench_leg = [&](const std::string& name, const LegKinematics& leg, double budget) {
    std::mt19937 random(1000);
    std::vector<Eigen::Isometry3d> targets;
    for (int i = 0; i < 1024; ++i) {
      LegKinematics::Angles angles;
      for (std::size_t k = 0; k < 6; ++k)
        angles[k] = std::uniform_real_distribution<>(leg.limits(k).lower, leg.limits(k).upper)(random);
      targets.push_back(leg.forward(angles));
    }
    const std::size_t before = hl_testing::allocations::count;
    const double each =
        microseconds_each(runs / 10, [&](std::size_t i) { sum += leg.solve(targets[i % 1024]).angles[3]; });
    const std::size_t allocations = hl_testing::allocations::count - before;
    hl_testing::report({"hl_description", name, each, "us", budget, hl_testing::Better::Lower});
    hl_testing::report({"hl_description", name + ", allocations", static_cast<double>(allocations), "", 0.0,
                        hl_testing::Better::Lower});
  };
  bench_leg("leg IK", leg, 2.0);
  for (const Hip& hip : odd_legs())
    bench_leg(std::string("leg IK, ") + hip.name, LegKinematics(robot_with(hip), Side::Left),
              std::string(hip.name) == "meeting" ? 2.0 : 20.0);
  {  // as a walk asks: the sole moves on a little
    const LegKinematics bent(robot_with(odd_legs().back()), Side::Left);
    const Eigen::Isometry3d start = bent.forward({0, 0, -0.4, -0.8, -0.4, 0});
    LegKinematics::Angles last = bent.solve(start).angles;
    const double each = microseconds_each(runs / 10, [&](std::size_t i) {
      Eigen::Isometry3d target = start;
      const double t = 0.02 * static_cast<double>(i);
      target.translation() += Eigen::Vector3d(0.03 * std::sin(t), 0.02 * std::sin(1.3 * t), 0.01 * std::sin(1.7 * t));
      last = bent.solve(target, last).angles;
      sum += last[3];
    });
    hl_testing::report(
        {"hl_description", "leg IK, tilted, from where it was", each, "us", 20.0, hl_testing::Better::Lower});
  }

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

  hl_testing::report({"hl_description",
                      "forward kinematics of all links and centre of mass",
                      fk,
                      "us",
                      {},
                      hl_testing::Better::Lower});
  hl_testing::report({"hl_description", "self-collision, nearest pair", distance, "us", {}, hl_testing::Better::Lower});
  return 0;
}
