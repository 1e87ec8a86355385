// SPDX-License-Identifier: Apache-2.0
// replay: runs the localisation over what a bag recorded and draws where it believed to be over the field.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <hl_node/bag_reader.hpp>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <map>
#include <stdexcept>

#include "hl_localization/track_picture.hpp"
#include "input_collector.hpp"
#include "parameters.hpp"

namespace {

using namespace hl_localization;  // NOLINT(google-build-using-namespace): a program
using hl_node::BagReader;
namespace msg = humanoid_league_msgs::msg;

constexpr double kSample = 0.1;      // s between two points of a track
constexpr double kSure = 0.3;        // confidence from which the node's diagnostics are all right
constexpr double kKnown = 1e2;       // m^2; a larger variance means lost
constexpr double kSameMoment = 0.1;  // s

struct Options {
  std::string bag, robot, out = "track.svg", start = "rules";
  NodeParams params;
};

class Replay {
 public:
  explicit Replay(const Options& options)
      : options_(options), core_(options.params.core), collector_(options.params.core.field.circle_radius()) {
    hear<nav_msgs::msg::Odometry>("odom", [this](const auto& m) {
      collector_.add(m);
      step(seconds(m.header.stamp));
    });
    hear<nav_msgs::msg::Odometry>("visual_odometry", [this](const auto& m) { collector_.add_visual(m); });
    collect<msg::LineInformationRelative>("lines_relative");
    collect<msg::GoalRelative>("goal_relative");
    collect<sensor_msgs::msg::PointCloud2>("line_points");
    collect<msg::VisualCompassRotation>("visual_compass");
    collect<msg::RobotControlState>("robot_state");
    collect<msg::SupportState>("support_state");
    collect<msg::GameState>("gamestate");
    collect<msg::TeamData>("team_data");
    collect<msg::Model>("personal_model");
    hear<geometry_msgs::msg::PoseWithCovarianceStamped>("initialpose",
                                                        [this](const auto& m) { collector_.add_initial(m); });
    hear<geometry_msgs::msg::PoseWithCovarianceStamped>("pose", [this](const auto& m) { remember(m); });
    hear<msg::SimulationState>("ground_truth", [this](const auto& m) { remember(m); });
    if (options.start == "own_half") collector_.inputs.reset = Start::OwnHalf;
    if (options.start == "anywhere") collector_.inputs.reset = Start::Anywhere;
  }

  bool wants(const std::string& topic) const { return hearers_.count(topic) > 0; }

  void hear(const std::string& topic, const BagReader::Message& message) {
    try {
      hearers_.at(topic)(message);
    } catch (const std::exception& e) {
      if (++unreadable_ == 1) std::fprintf(stderr, "replay: %s: %s\n", message.topic.c_str(), e.what());
    }
  }

  /// False if there was nothing to go by.
  bool tell() const {
    if (steps_ == 0) {
      std::fprintf(stderr, "replay: %s holds no odom of this robot: is --robot right?\n", options_.bag.c_str());
      return false;
    }
    const double seconds = std::max(last_ - first_, 1e-9);
    char words[200];
    std::snprintf(words, sizeof words, "%.0f s, sure %.0f %%, unknown %.0f %%, %d flips mended", seconds,
                  100.0 * share_of(sure_), 100.0 * share_of(unknown_), outputs_.mended_flips);
    const auto& r = outputs_.refused;
    std::printf("%s\nat the end: %s\n", words, outputs_.reason);
    std::printf("refused: stamps %d, repetitions %d, values %d, odometry %d, pictures without odometry %d, frames %d\n",
                r.stamps, r.repeated, r.values, r.odometry, r.unplaced, collector_.unknown_frames);
    if (unreadable_ > 0) std::printf("messages that could not be read: %d\n", unreadable_);
    compare("as recorded", recorded_);
    compare("truth", truth_);
    Track believed{"as believed now; dashed: unsure", "#1f5fbf", believed_},
        recorded{"as recorded", "#e07000", recorded_}, truth{"truth", "#333333", truth_};
    std::vector<Track> tracks;
    if (!truth_.empty()) tracks.push_back(truth);
    if (!recorded_.empty()) tracks.push_back(recorded);
    tracks.push_back(believed);
    std::ofstream file(options_.out);
    file << picture_of(options_.params.core.field, tracks, words);
    file.close();
    if (!file) throw std::runtime_error("cannot write " + options_.out);
    std::printf("%s written\n", options_.out.c_str());
    return true;
  }

 private:
  template <class Message, class Callback>
  void hear(const std::string& topic, Callback callback) {
    hearers_[topic] = [callback](const BagReader::Message& m) { callback(hl_node::message_of<Message>(m)); };
  }
  template <class Message>
  void collect(const std::string& topic) {
    hear<Message>(topic, [this](const Message& m) { collector_.add(m); });
  }

  void step(double now) {
    if (steps_++ == 0) first_ = now;
    last_ = now;
    outputs_ = core_.step(collector_.inputs, now);
    collector_.taken();
    if (std::abs(now - sampled_) < kSample - 1e-6) return;
    sampled_ = now;
    ++samples_;
    const bool sure = outputs_.belief.confidence > kSure;
    sure_ += sure;
    if (outputs_.belief.known()) {
      believed_.push_back({now, outputs_.belief.pose, sure});
    } else {
      ++unknown_;
    }
  }

  void remember(const geometry_msgs::msg::PoseWithCovarianceStamped& message) {
    const PoseEstimate pose = estimate_from(message);
    if (!pose.pose.finite() || !(pose.covariance(0, 0) < kKnown)) return;
    add(recorded_, {seconds(message.header.stamp), pose.pose, true});
  }

  void remember(const msg::SimulationState& message) {
    for (const auto& robot : message.robots) {
      if (robot.name != options_.robot && message.robots.size() > 1) continue;
      const auto& q = robot.pose.orientation;
      const double yaw = std::atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
      add(truth_, {seconds(message.header.stamp), {robot.pose.position.x, robot.pose.position.y, yaw}, true});
    }
  }

  static void add(std::vector<Track::Point>& points, const Track::Point& point) {
    if (points.empty() || std::abs(point.time - points.back().time) > kSample - 1e-6) points.push_back(point);
  }

  /// Distances from what is believed now to what another track says at the same moments.
  void compare(const char* name, const std::vector<Track::Point>& other) const {
    std::vector<double> places, headings;
    std::size_t k = 0;
    for (const Track::Point& point : believed_) {
      while (k + 1 < other.size() && other[k + 1].time <= point.time) ++k;
      if (k >= other.size() || std::abs(other[k].time - point.time) > kSameMoment) continue;
      places.push_back((point.pose.position() - other[k].pose.position()).norm());
      headings.push_back(std::abs(hl_description::wrap_angle(point.pose.yaw - other[k].pose.yaw)) * 180.0 / M_PI);
    }
    if (places.empty()) return;
    const auto quantile = [](std::vector<double>& values, double q) {
      std::sort(values.begin(), values.end());
      return values[std::min(values.size() - 1, static_cast<std::size_t>(q * static_cast<double>(values.size())))];
    };
    std::printf("against %s, %zu moments: median %.2f m %.1f degrees, 95 %% %.2f m %.1f degrees\n", name, places.size(),
                quantile(places, 0.5), quantile(headings, 0.5), quantile(places, 0.95), quantile(headings, 0.95));
  }

  double share_of(std::size_t count) const {
    return static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(1, samples_));
  }

  const Options& options_;
  Localization core_;
  InputCollector collector_;
  std::map<std::string, std::function<void(const BagReader::Message&)>> hearers_;
  Localization::Outputs outputs_;
  std::vector<Track::Point> believed_, recorded_, truth_;
  std::size_t steps_ = 0, samples_ = 0, sure_ = 0, unknown_ = 0;
  int unreadable_ = 0;
  double first_ = 0.0, last_ = 0.0, sampled_ = -1e9;  // s
};

int run(const Options& options) {
  const BagReader bag(options.bag);
  Replay replay(options);
  const std::string space = options.robot.empty() ? "/" : "/" + options.robot + "/";
  bag.read([&](const std::string& topic,
               const std::string&) { return topic.rfind(space, 0) == 0 && replay.wants(topic.substr(space.size())); },
           [&](const BagReader::Message& message) {
             replay.hear(message.topic.substr(space.size()), message);
             return true;
           });
  return replay.tell() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Runs the localisation over what a bag recorded and draws its track over the field (SVG).");
  app.add_option("BAG", options.bag, "folder of 'ros2 bag record -s sqlite3'")->required();
  app.add_option("--robot", options.robot, "namespace, such as robot1");
  app.add_option("--out", options.out, "the picture")->capture_default_str();
  app.add_option("--start", options.start, "what it knows at first: rules, own_half, anywhere")
      ->check(CLI::IsMember({"rules", "own_half", "anywhere"}));
  app.add_option("--field-file", options.params.field_file, "field.yaml of hl_description; empty: the field of 2025");
  app.add_option("--field-preset", options.params.field_preset, "preset of that file");
  app.add_option("--camera-height", options.params.core.noise.camera_height, "m")->check(CLI::Range(0.1, 2.0));
  CLI11_PARSE(app, argc, argv);
  try {
    if (!options.params.field_file.empty()) {
      options.params.core.field =
          hl_description::Field::from_file(options.params.field_file, options.params.field_preset);
    }
    return run(options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "replay: %s\n", e.what());
    return 2;
  }
}
