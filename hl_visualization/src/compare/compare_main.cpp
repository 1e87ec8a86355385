// SPDX-License-Identifier: Apache-2.0
// Plays a recorded run to two versions of a node and prints how their outputs differ.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <vector>

#include "judgement.hpp"
#include "replay.hpp"

namespace {

using namespace hl_visualization;

std::vector<Claim> claims_of(const Performance::Output& output) {
  std::vector<Claim> claims;
  for (const auto& bytes : output.messages)
    if (const auto claim = claim_from(output.type, bytes)) claims.push_back(*claim);
  return claims;
}

void row(const char* what, const std::string& a, const std::string& b) {
  std::printf("  %-34s %18s %18s\n", what, a.c_str(), b.c_str());
}

std::string text(const char* format, double a, double b = 0.0) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, a, b);
  return buffer;
}

std::string spread(const Spread& s, double factor, const char* unit) {
  return s.count == 0 ? "-" : text("%.3g / %.3g ", factor * s.median, factor * s.p95) + unit;
}

void compare_topic(const std::string& topic, const Performance::Output& a, const Performance::Output& b,
                   double seconds_a, double seconds_b, const TruthTrack& truth) {
  std::printf("%s (%s)\n", topic.c_str(), (a.type.empty() ? b.type : a.type).c_str());
  row("messages", std::to_string(a.messages.size()), std::to_string(b.messages.size()));
  row("rate", text("%.1f Hz", static_cast<double>(a.messages.size()) / seconds_a),
      text("%.1f Hz", static_cast<double>(b.messages.size()) / seconds_b));
  const Spread delay_a = spread_of(a.delays), delay_b = spread_of(b.delays);
  if (delay_a.count + delay_b.count > 0)
    row("delay, median / 95 %", spread(delay_a, 1e3, "ms"), spread(delay_b, 1e3, "ms"));
  const Subject subject = subject_of(a.type.empty() ? b.type : a.type);
  if (subject == Subject::None) return;
  const auto claims_a = claims_of(a), claims_b = claims_of(b);
  const Score score_a = score_of(claims_a, subject, truth), score_b = score_of(claims_b, subject, truth);
  const char* what = subject == Subject::Ball ? "ball found in" : "pose known in";
  row(what, text("%.1f %%", 100 * score_a.recall), text("%.1f %%", 100 * score_b.recall));
  if (!truth.empty()) {
    row("error to the truth, median / 95 %", spread(score_a.error, 1.0, "m"), spread(score_b.error, 1.0, "m"));
    row(text("further off than %.1f m", kWrong).c_str(), text("%.1f %%", 100 * score_a.wrong),
        text("%.1f %%", 100 * score_b.wrong));
    if (subject == Subject::OwnPose)
      row("heading error, median / 95 %", spread(score_a.turn, 57.2958, "deg"), spread(score_b.turn, 57.2958, "deg"));
  }
  const Spread apart = difference_of(claims_a, claims_b);
  if (apart.count > 0)
    std::printf("  %-34s %s over %zu moments\n", "A and B apart, median / 95 %", spread(apart, 1.0, "m").c_str(),
                apart.count);
}

}  // namespace

int main(int argc, char** argv) {
  std::string path, robot, truth_topic;
  std::vector<std::string> nodes;
  double rate = 1.0;
  int domain = 97;
  CLI::App cli(
      "Plays a recorded run to two versions of a node, one after the other, and prints how their outputs differ.");
  cli.add_option("bag", path, "folder of the bag (sqlite3)")->required();
  cli.add_option("--node", nodes, "\"package/executable [file.yaml] [name:=value ...]\"; give it twice")
      ->required()
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cli.add_option("--rate", rate, "of the recorded speed")->check(CLI::Range(0.05, 20.0));
  cli.add_option("--truth", truth_topic, "topic with the ground truth; without: the robot's, or /ground_truth");
  cli.add_option("--robot", robot, "name of the robot: its namespace, if its topics have one, and in the ground truth");
  cli.add_option("--domain", domain, "ROS domain to play in, away from running robots")->check(CLI::Range(0, 232));
  CLI11_PARSE(cli, argc, argv);
  if (nodes.size() != 2) {
    std::fprintf(stderr, "compare: two nodes are compared, not %zu\n", nodes.size());
    return 2;
  }
  setenv("ROS_DOMAIN_ID", std::to_string(domain).c_str(), 1);
  setenv("ROS_LOCALHOST_ONLY", "1", 1);
  int result = 0;
  try {
    NodeSpec specs[] = {NodeSpec::parse(nodes[0]), NodeSpec::parse(nodes[1])};
    const Bag bag = read_bag(path);
    if (bag.has_namespace(robot))
      for (NodeSpec& spec : specs) spec.put_into(robot);
    if (truth_topic.empty()) {
      const std::string own = "/" + robot + "/ground_truth";
      truth_topic = bag.types.count(own) > 0 ? own : "/ground_truth";
    }
    const TruthTrack truth(bag, truth_topic, robot);
    rclcpp::init(1, argv);
    std::printf("A: %s\nB: %s\n%s: %zu messages, %.1f s%s\n\n", nodes[0].c_str(), nodes[1].c_str(), path.c_str(),
                bag.messages.size(), 1e-9 * static_cast<double>(bag.messages.back().time - bag.messages.front().time),
                truth.empty() ? ", without ground truth" : ", with ground truth");
    std::fflush(stdout);
    const Performance a = replay(bag, specs[0], rate), b = replay(bag, specs[1], rate);
    row("", "A", "B");
    row("processor", text("%.1f %% of a core", 100 * a.cpu), text("%.1f %% of a core", 100 * b.cpu));
    std::map<std::string, std::pair<const Performance::Output*, const Performance::Output*>> topics;
    for (const auto& [topic, output] : a.outputs) topics[topic].first = &output;
    for (const auto& [topic, output] : b.outputs) topics[topic].second = &output;
    const Performance::Output none;
    for (const auto& [topic, both] : topics)
      compare_topic(topic, both.first != nullptr ? *both.first : none, both.second != nullptr ? *both.second : none,
                    a.seconds, b.seconds, truth);
    std::printf("\nplayed:");
    for (const std::string& input : a.inputs) std::printf(" %s", input.c_str());
    std::printf("\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compare: %s\n", error.what());
    result = 1;
  }
  if (rclcpp::ok()) rclcpp::shutdown();
  return result;
}
