// SPDX-License-Identifier: Apache-2.0
// What the eyes of a robot find in rendered pictures while it stands, walks and looks around, against what is there.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <hl_simulation/perception.hpp>
#include <hl_vision/evaluation.hpp>
#include <hl_vision/transform.hpp>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgcodecs.hpp>
#include <stdexcept>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/scenarios.hpp"
#include "photographer.hpp"
#include "play_trial.hpp"

namespace hl_match {
namespace {

using Eigen::Vector2d;

constexpr double kRate = 15.0;           // Hz, of the camera
constexpr int kArrangements = 3;         // places of robots and ball in one trial; the robot walks in all but the first
constexpr int kPictures = 34;            // in each of them
constexpr double kSettle = 0.5;          // s
constexpr double kExposure = 0.008;      // s, during which a turning head blurs the picture
constexpr std::size_t kPlainEvery = 5;   // of five trials one is in the plain hall
constexpr double kNear = 0.3, kFar = 4;  // m, balls whose place is judged

constexpr int kHighestNumber = 6;  // on a robot

constexpr double kPan = 0.8, kTilt = 0.34, kDown = -0.36;  // rad, how the head looks around
constexpr double kPanRate = 1.3, kTiltRate = 2.1;          // rad/s, of these waves

/// What was found in one trial.
struct Sightings {
  bool plain = false;
  hl_vision::Score score;
  std::vector<double> standing, walking;  // error of the ball's place after the transform, over what is allowed
};

/// One robot with eyes among others, in one hall.
class Watcher {
 public:
  /// `folder`: where the labelled pictures go; empty: nowhere.
  Watcher(const Match::Params& world, std::uint64_t seed, bool plain, const std::string& folder)
      : world_(world),
        seed_(seed),
        chance_(seed * 1000003),
        trial_(world, setup(seed, chance_)),
        photographer_(scenery(trial_.simulation().world(), seed, plain, chance_), chance_),
        effects_(hl_simulation::CameraEffects::random(seed)),
        detection_({}, world.field, network()),
        transform_({}, world.field) {
    result_.plain = plain;
    effects_.motion_x = effects_.motion_y = 0.0;
    if (folder.empty()) return;
    folder_ = folder + "/vision_" + std::to_string(seed);
    std::filesystem::create_directories(folder_);
    labels_.open(folder_ + "/labels.yaml");
    labels_ << "set: rendered\nkind: simulated\nfirst_seed: " << seed << "\nimages:\n";
  }

  Sightings watch() {
    trial_.stand();
    for (int n = 0; n < kArrangements; ++n) {
      arrange();
      photographer_.change_light(chance_);
      walks_ = false;
      run(kSettle);
      walks_ = n > 0;
      for (int k = 0; k < kPictures; ++k) {
        run(1.0 / kRate - Match::kTick);
        look();
      }
    }
    return result_;
  }

 private:
  static PlayTrial::Setup setup(std::uint64_t seed, Chance& chance) {
    PlayTrial::Setup setup;
    setup.players = {1 + static_cast<int>(chance.in(0.0, 2.0)), static_cast<int>(chance.in(0.0, 3.0))};
    setup.thinks = {false, false};
    setup.goalie = {0, 0};
    setup.seed = seed;
    return setup;
  }
  static hl_simulation::WorldSpec scenery(hl_simulation::WorldSpec world, std::uint64_t seed, bool plain,
                                          Chance& chance) {
    if (!plain) decorate(world, seed, chance);
    for (std::size_t n = 0; n < world.robots.size(); ++n)
      world.robots[n].number = 1 + static_cast<int>((seed + n) % kHighestNumber);
    return world;
  }
  static hl_vision::BallNetwork network() {
    return hl_vision::BallNetwork::from_file(ament_index_cpp::get_package_share_directory("hl_vision") +
                                             "/config/ball.weights");
  }

  /// Robot somewhere on the field, ball and others mostly where it looks. What does not fit stays where it is.
  void arrange() {
    Match& match = trial_.match();
    const double x = 0.5 * world_.field.length, y = 0.5 * world_.field.width;
    const hl_description::Pose2 self{chance_.in(-x, x), chance_.in(-y, y), chance_.in(-M_PI, M_PI)};
    match.place(0, self);
    const auto ahead = [&](double from, double to, double spread) {
      const double d = chance_.in(from, to), a = self.yaw + chance_.in(-spread, spread);
      return Vector2d(std::clamp(self.x + d * std::cos(a), -x - 0.5, x + 0.5),
                      std::clamp(self.y + d * std::sin(a), -y - 0.5, y + 0.5));
    };
    for (std::size_t n = 1; n < match.size(); ++n) {
      const Vector2d at = match.in_map(n, ahead(0.6, 4.0, 1.0));
      match.place(n, {at.x(), at.y(), chance_.in(-M_PI, M_PI)});
    }
    const Vector2d ball = ahead(0.2, chance_.with(0.5) ? 2.5 : 7.0, 0.8);
    trial_.simulation().place_ball({ball.x(), ball.y(), 0.0});
  }

  /// Orders for walk and head, and time.
  void run(double seconds) {
    Match& match = trial_.match();
    for (double t = 0.0; t < seconds - 1e-6; t += Match::kTick) step(match);
  }
  void step(Match& match) {
    for (std::size_t n = 0; n < match.size(); ++n) {
      const auto command = random_command(world_.files->walk.walk, match.time(), seed_ + 31 * n);
      const double share = walks_ ? (n == 0 ? 0.8 : 0.3) : 0.0;
      match.orders(n).orders.velocity = hl_walking::Velocity{share * command.x, share * command.y, share * command.yaw};
    }
    const double t = match.time();
    match.orders(0).orders.head =
        hl_player::Motion::HeadOrder{kPan * std::sin(kPanRate * t), kDown + kTilt * std::sin(kTiltRate * t), 0.0, 0.0};
    match.step();
  }

  void look() {
    Match& match = trial_.match();
    const auto& simulation = trial_.simulation();
    const auto body = match.outputs(0).motion->body;
    const auto eye = hl_simulation::eye_of(simulation, 0);
    const auto positions = match.body(0).sense().positions;
    if (!eye || !positions || simulation.robot(0).fallen() ||
        (body != hl_soccer::BodyState::Controllable && body != hl_soccer::BodyState::Walking)) {
      step(match);
      return;
    }
    blur();
    const std::string name = std::to_string(pictures_) + ".jpg";
    auto picture = photographer_.take(simulation, effects_, seed_ * 1000 + pictures_++, name);
    const Vector2d ball = (eye->footprint.inverse() * simulation.ball_position()).head<2>();
    step(match);  // odometry takes in what was measured when the picture was taken
    const auto labels = hl_vision::labels_from_text("images:\n" + picture.labels, "");
    const hl_vision::CameraView view = known_view(*positions, labels.at(0).view->lens());
    store(picture, name);
    const auto found = detection_.step({picture.bgr, view, limbs_}, match.time());
    result_.score.add(hl_vision::judge(labels[0], found));
    judge_place(labels[0], found, view, ball);
  }

  /// For `hl_vision evaluate`.
  void store(const Photographer::Picture& picture, const std::string& name) {
    if (!labels_.is_open()) return;
    labels_ << picture.labels << "  body:\n";
    for (const auto& limb : limbs_)
      labels_ << "  - [" << limb.from.x() << ", " << limb.from.y() << ", " << limb.from.z() << ", " << limb.to.x()
              << ", " << limb.to.y() << ", " << limb.to.z() << ", " << limb.radius << "]\n";
    if (!cv::imwrite(folder_ + "/" + name, picture.bgr, {cv::IMWRITE_JPEG_QUALITY, 96}) || !labels_.flush())
      throw std::runtime_error(folder_ + ": cannot be written");
  }

  /// How the picture moves while the shutter is open: the turn of trunk and head.
  void blur() {
    const Eigen::Vector3d trunk = trial_.simulation().robot(0).angular_velocity();
    const double t = trial_.match().time();
    const double pan = trunk.z() + kPan * kPanRate * std::cos(kPanRate * t),
                 tilt = trunk.y() - kTilt * kTiltRate * std::cos(kTiltRate * t);
    effects_.motion_x = effects_.focal_length * kExposure * pan;
    effects_.motion_y = effects_.focal_length * kExposure * tilt;
  }

  /// The camera as the robot knows it: measured joints, odometry's idea of the ground.
  hl_vision::CameraView known_view(const Eigen::VectorXd& positions, const hl_vision::Lens& lens) {
    const auto& files = *world_.files;
    files.model.forward(positions, posture_);
    const Eigen::Isometry3d camera = posture_.links[files.model.link(world_.spec->camera.frame)];
    limbs_.clear();
    for (const auto& capsule : files.config.capsules) {
      const Eigen::Isometry3d link = camera.inverse() * posture_.links[files.model.link(capsule.link)];
      limbs_.push_back({link * capsule.from, link * capsule.to, capsule.radius});
    }
    return {lens, trial_.match().player(0).motion().walking().odometry().base() * camera};
  }

  void judge_place(const hl_vision::LabelledPicture& labels, const hl_vision::Detection::Outputs& found,
                   const hl_vision::CameraView& view, const Vector2d& ball) {
    const double distance = ball.norm();
    if (!found.ball || labels.balls.empty() || distance < kNear || distance > kFar ||
        !hl_vision::matches(labels.balls.front(), *found.ball))
      return;
    const auto told = transform_.step({found, view, 0.0}, 0.0).percepts.ball;
    if (!told) return;
    const double error = (told->position - ball).norm();
    (walks_ ? result_.walking : result_.standing)
        .push_back(error / (walks_ ? 0.06 * distance + 0.02 : 0.03 * distance + 0.01));
  }

  const Match::Params& world_;
  std::uint64_t seed_;
  Chance chance_;
  PlayTrial trial_;
  Photographer photographer_;
  hl_simulation::CameraEffects effects_;
  hl_vision::Detection detection_;
  hl_vision::Transform transform_;
  hl_description::Posture posture_;
  std::vector<hl_vision::Limb> limbs_;
  Sightings result_;
  bool walks_ = false;
  std::uint64_t pictures_ = 0;
  std::string folder_;
  std::ofstream labels_;
};

void exchange(TrialValues& values, Sightings& sightings) {
  values(sightings.plain);
  values(sightings.standing);
  values(sightings.walking);
  for (const auto& [name, count] : hl_vision::Score::counts()) values(sightings.score.*count);
  for (const auto& [name, share] : hl_vision::Score::shares()) {
    values((sightings.score.*share).hits);
    values((sightings.score.*share).all);
  }
}

}  // namespace

std::vector<Figure> evaluate_vision(EvaluationContext& context) {
  cv::setNumThreads(1);
  const auto world = installed_match(context.options().robot);
  const auto seen = context.results<Sightings>("vision", context.trials(), [&](std::uint64_t seed) {
    const bool plain = seed % kPlainEvery == kPlainEvery - 1;
    Sightings found = Watcher(world, seed, plain, context.options().pictures).watch();
    std::fprintf(stderr, "vision %llu%s: %ld pictures, balls %s, posts %s\n", static_cast<unsigned long long>(seed),
                 plain ? " (plain)" : "", found.score.pictures, found.score.ball.text().c_str(),
                 found.score.posts_near.text().c_str());
    return found;
  });
  hl_vision::Score all;
  std::vector<std::vector<double>> standing, walking;
  for (const Sightings& s : seen) {
    all.add(s.score);
    if (!s.standing.empty()) standing.push_back(s.standing);
    if (!s.walking.empty()) walking.push_back(s.walking);
  }
  const auto share = [&](const char* name, hl_vision::Share hl_vision::Score::*of) {
    std::vector<Events> events;
    for (const Sightings& s : seen)
      events.push_back({static_cast<std::size_t>((s.score.*of).hits), static_cast<std::size_t>((s.score.*of).all)});
    return share_in(name, events);
  };
  // Over trials, those in the plain hall or the others.
  const auto rate = [&](const char* name, long hl_vision::Score::*count, double per, bool plain) {
    std::vector<double> rates;
    for (const Sightings& s : seen)
      if (s.plain == plain && s.score.pictures > 0)
        rates.push_back(per * static_cast<double>(s.score.*count) / static_cast<double>(s.score.pictures));
    return mean_of(name, rates, "");
  };
  std::fprintf(stderr, "%ld pictures\n", all.pictures);
  return {
      share("ball found, half visible, 0.2-3 m (wanted 97)", &hl_vision::Score::ball_near),
      share("ball found before the feet, to 0.6 m", &hl_vision::Score::ball_feet),
      share("ball 3-5 m (93)", &hl_vision::Score::ball_middle),
      share("ball 5-7 m (75)", &hl_vision::Score::ball_far),
      rate("false balls in 1000 pictures, plain hall (1)", &hl_vision::Score::false_balls, 1000, true),
      rate("false balls in 1000 pictures, surroundings (5)", &hl_vision::Score::false_balls, 1000, false),
      share("posts within 5 m found (93)", &hl_vision::Score::posts_near),
      rate("false posts in 100 pictures (2)", &hl_vision::Score::false_posts, 100, false),
      share("line points on a line (97)", &hl_vision::Score::line_points),
      share("lines within 3 m found (85)", &hl_vision::Score::line_pieces_near),
      share("lines 3-4 m found", &hl_vision::Score::line_pieces_far),
      share("crossings within 3 m found (75)", &hl_vision::Score::crossings),
      share("crossings right (92)", &hl_vision::Score::crossing_precision),
      share("centre circle found (75)", &hl_vision::Score::circles),
      share("centre circle right (92)", &hl_vision::Score::circle_precision),
      share("penalty mark within 3 m found", &hl_vision::Score::marks),
      share("penalty mark right", &hl_vision::Score::mark_precision),
      share("robots within 3 m found (93)", &hl_vision::Score::robots),
      rate("false robots in 100 pictures (2)", &hl_vision::Score::false_robots, 100, false),
      share("team colour given, of robots found", &hl_vision::Score::team_given),
      share("team colour right, of those given (95)", &hl_vision::Score::team_colour),
      share("number given, of robots found", &hl_vision::Score::number_given),
      share("number right, of those given (95)", &hl_vision::Score::number),
      share("people and poles taken for post or ball (2)", &hl_vision::Score::distractors),
      quantile_of("ball's place, standing, error over 3 % + 1 cm, median (1)", standing, 0.5, ""),
      quantile_of("ball's place, walking, error over 6 % + 2 cm, median (1)", walking, 0.5, ""),
  };
}

}  // namespace hl_match
