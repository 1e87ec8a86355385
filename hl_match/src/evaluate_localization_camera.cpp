// SPDX-License-Identifier: Apache-2.0
// Localisation from rendered pictures: what hl_vision finds in them is all it gets, and odometry.
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cmath>
#include <cstdio>
#include <deque>
#include <hl_description/geometry.hpp>
#include <hl_vision/detection.hpp>
#include <hl_vision/transform.hpp>
#include <opencv2/core/utility.hpp>

#include "hl_match/evaluations.hpp"
#include "localization_trials.hpp"
#include "photographer.hpp"

namespace hl_match {
namespace {

using hl_description::Pose2;
using hl_localization::Localization;
using hl_soccer::BodyState;

constexpr double kRate = 10.0;  // Hz, of the camera

/// What a robot's camera and vision tell it.
class CameraEye {
 public:
  CameraEye(const Match& match, const hl_simulation::WorldSpec& hall, std::uint64_t seed)
      : match_(match),
        seed_(seed),
        effects_(hl_simulation::CameraEffects::random(seed)),
        renderer_(hall, look()),
        detection_({}, match.params().field, network()),
        transform_({}, match.params().field) {
    const auto& camera = match.params().spec->camera;
    lens_.width = camera.width;
    lens_.height = camera.height;
    lens_.fx = lens_.fy = 0.5 * camera.width / std::tan(0.5 * camera.horizontal_fov);
    lens_.cx = 0.5 * camera.width;
    lens_.cy = 0.5 * camera.height;
    effects_.motion_x = effects_.motion_y = 0.0;
  }

  /// A picture of now, with what the servos say.
  void take(const Eigen::VectorXd& positions) {
    renderer_.update(match_.simulation());
    renderer_.robot_camera(0, image_);
    hl_simulation::apply(effects_, seed_ * 100000 + pictures_++, image_);
    positions_ = positions;
    stamp_ = match_.time();
  }

  /// What is in that picture; odometry has taken in what was measured with it.
  hl_soccer::Percepts recognise() {
    const cv::Mat rgb(image_.height, image_.width, CV_8UC3, image_.rgb.data());
    cv::Mat bgr(rgb.size(), CV_8UC3);
    cv::mixChannels({rgb}, {bgr}, {0, 2, 1, 1, 2, 0});
    const auto& files = *match_.params().files;
    files.model.forward(positions_, posture_);
    Eigen::Isometry3d camera = posture_.links[files.model.link(match_.params().spec->camera.frame)];
    std::vector<hl_vision::Limb> limbs;
    for (const auto& capsule : files.config.capsules) {
      const Eigen::Isometry3d link = camera.inverse() * posture_.links[files.model.link(capsule.link)];
      limbs.push_back({link * capsule.from, link * capsule.to, capsule.radius});
    }
    const auto mounted = hl_simulation::mounting_error(match_.params().perception, 0, seed_, stamp_);
    camera.rotate(Eigen::AngleAxisd(mounted.pitch, Eigen::Vector3d::UnitX()) *
                  Eigen::AngleAxisd(mounted.yaw, Eigen::Vector3d::UnitY()) *
                  Eigen::AngleAxisd(mounted.roll, Eigen::Vector3d::UnitZ()));
    const hl_vision::CameraView view(lens_, match_.player(0).motion().walking().odometry().base() * camera);
    const auto found = detection_.step({bgr, view, limbs}, match_.time());
    auto percepts = transform_.step({found, view, stamp_}, match_.time()).percepts;
    percepts.stamp = stamp_;
    return percepts;
  }

  double stamp() const { return stamp_; }
  std::uint64_t pictures() const { return pictures_; }

 private:
  static hl_simulation::Renderer::Params look() {
    hl_simulation::Renderer::Params params;
    params.samples = 4;
    return params;
  }
  static hl_vision::BallNetwork network() {
    return hl_vision::BallNetwork::from_file(ament_index_cpp::get_package_share_directory("hl_vision") +
                                             "/config/ball.weights");
  }

  const Match& match_;
  std::uint64_t seed_, pictures_ = 0;
  hl_simulation::CameraEffects effects_;
  hl_simulation::Renderer renderer_;
  hl_simulation::Image image_;
  hl_vision::Lens lens_;
  hl_vision::Detection detection_;
  hl_vision::Transform transform_;
  hl_description::Posture posture_;
  Eigen::VectorXd positions_;
  double stamp_ = 0.0;
};

struct CameraWalk {
  PoseErrors pictures, truth;  // by what is found in pictures; by perception from the truth, without its compass
  std::size_t things = 0;      // recognised, per picture summed
  std::uint64_t looks = 0;
};

void exchange(TrialValues& values, CameraWalk& walk) {
  values(walk.pictures);
  values(walk.truth);
  values(walk.things);
  values(walk.looks);
}

/// A localisation that hears odometry and percepts as they become known.
struct Listener {
  explicit Listener(const Localization::Params& params) : localization(params) {}
  Localization localization;
  Localization::Inputs inputs;
  Localization::Outputs outputs;

  void step(const hl_soccer::Odometry& odometry, BodyState body, double now) {
    inputs.odometry = odometry;
    inputs.body = body;
    outputs = localization.step(inputs, now);
    inputs.percepts.clear();
    inputs.reset.reset();
    inputs.pose.reset();
  }
};

CameraWalk walk(const Match::Params& world, std::uint64_t seed, double seconds) {
  Match::Params params = world;
  params.players = {1, 0};
  params.with_ball = false;
  params.vision_rate = kRate;
  TrialMind::Params mind = trial_mind(params);
  mind.knows = false;
  GuidedTrial trial(params, mind, seed);
  trial.stand_up();
  Chance chance(seed);
  const auto& field = params.field;
  const auto anywhere = [&] {
    return Pose2{chance.in(-0.46, 0.46) * field.length, chance.in(-0.46, 0.46) * field.width, chance.in(-M_PI, M_PI)};
  };
  trial.match().place(0, anywhere());
  trial.run(0.3);
  auto hall = trial.match().simulation().world();
  decorate(hall, seed, chance);
  CameraEye eye(trial.match(), hall, seed);
  Listener by_pictures(mind.cores.localization), by_truth(mind.cores.localization);
  for (Listener* listener : {&by_pictures, &by_truth}) {
    listener->inputs.reset = hl_localization::Start::Pose;
    listener->inputs.pose =
        hl_localization::PoseEstimate{trial.match().true_pose(0), Eigen::Vector3d(0.04, 0.04, 0.02).asDiagonal()};
  }
  CameraWalk result;
  std::deque<hl_soccer::Percepts> under_way;
  const auto& motion = trial.match().player(0).motion();
  double next_look = trial.time(), next_sample = trial.time() + 5.0, stands_until = 0.0;
  trial.mind(0).goal = hl_path_planning::Goal{};
  trial.mind(0).goal->pose = anywhere();
  for (const double end = trial.time() + 5.0 + seconds; trial.time() < end;) {
    const double now = trial.time();
    if (trial.mind(0).result && now > stands_until) {
      trial.mind(0).goal = hl_path_planning::Goal{};
      trial.mind(0).goal->pose = anywhere();
      trial.mind(0).result.reset();
      stands_until = now + (chance.with(0.3) ? 3.0 : 0.5);
    }
    bool looks = false;
    if (now >= next_look - 1e-6) {
      next_look += 1.0 / kRate;
      const auto positions = trial.match().body(0).sense().positions;
      looks = positions.has_value() && trial.upright(0);
      if (looks) eye.take(*positions);
    }
    if (!trial.step()) break;
    if (looks) {
      under_way.push_back(eye.recognise());
      const auto& seen = under_way.back();
      result.things += seen.segments.size() + seen.crossings.size() + seen.circles.size() + (seen.goal ? 1 : 0);
      result.looks = eye.pictures();
    }
    while (!under_way.empty() && under_way.front().stamp + params.perception.delay <= now + 1e-6) {
      by_pictures.inputs.percepts.push_back(std::move(under_way.front()));
      under_way.pop_front();
    }
    for (const auto& seen : trial.match().orders(0).percepts) {
      by_truth.inputs.percepts.push_back(seen);
      by_truth.inputs.percepts.back().heading.reset();
    }
    const hl_soccer::Odometry odometry{now, odometry_of(motion)};
    for (Listener* listener : {&by_pictures, &by_truth}) listener->step(odometry, trial.body(0), now);
    if (trial.time() < next_sample) continue;
    next_sample += 0.5;
    const Pose2 truth = trial.match().true_pose(0);
    const auto &pictures = by_pictures.outputs.belief, &perception = by_truth.outputs.belief;
    result.pictures.look(pictures, truth, pictures.known());
    result.truth.look(perception, truth, perception.known());
  }
  return result;
}

using Errors = PoseErrors CameraWalk::*;

void report(const std::string& what, const std::vector<CameraWalk>& walks, Errors of, std::vector<Figure>& figures) {
  std::vector<std::vector<double>> places, headings;
  std::vector<double> inside;
  std::size_t unknown = 0, all = 0, flips = 0;
  for (const CameraWalk& walk : walks) {
    const PoseErrors& errors = walk.*of;
    unknown += errors.unknown;
    all += errors.unknown + errors.place.size();
    if (errors.place.empty()) continue;
    places.push_back(errors.place);
    headings.push_back(errors.heading);
    for (double& heading : headings.back()) heading *= 180.0 / M_PI;
    inside.push_back(100.0 * static_cast<double>(errors.inside) / static_cast<double>(errors.place.size()));
    flips += errors.flips;
  }
  figures.push_back(quantile_of(what + ", median", places, 0.5, "m"));
  figures.push_back(quantile_of(what + ", median", headings, 0.5, "degrees"));
  figures.push_back(quantile_of(what + ", 95 %", places, 0.95, "m"));
  figures.push_back(quantile_of(what + ", 95 %", headings, 0.95, "degrees"));
  figures.push_back(mean_of(what + ", errors inside the 95 % ellipse", inside, "%"));
  figures.push_back(rate_of(what + ", flips", flips, walks.size(), "per walk"));
  figures.push_back(share_of(what + ", time without a pose", unknown, all));
}

}  // namespace

/// Rendered halls of other light and surroundings in each trial; the start is known, there is no compass.
std::vector<Figure> evaluate_localization_camera(EvaluationContext& context) {
  cv::setNumThreads(1);
  const auto world = context.world();
  const auto& options = context.options();
  const auto walks = context.results<CameraWalk>("camera walk", context.trials(), [&](std::uint64_t seed) {
    const auto result = walk(world, seed, options.half_time);
    std::fprintf(stderr, "walk %zu: %zu things in %zu pictures\n", static_cast<std::size_t>(seed), result.things,
                 static_cast<std::size_t>(result.looks));
    return result;
  });
  std::vector<Figure> figures;
  report("from pictures, without compass", walks, &CameraWalk::pictures, figures);
  report("the same walks, perception from the truth, without compass", walks, &CameraWalk::truth, figures);
  return figures;
}

}  // namespace hl_match
