// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "ros2bag/arguments.hpp"
#include "ros2bag/info.hpp"
#include "ros2bag/player.hpp"
#include "ros2bag/recorder.hpp"
#include "ros2bag/time.hpp"

namespace {

using ros2bag::Takes;
using ros2bag::UsageError;

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

constexpr const char* usage = R"(usage: ros2 bag record [-a | TOPIC ...] [OPTION ...]   record topics to a folder
       ros2 bag play BAG [OPTION ...]                 publish what was recorded
       ros2 bag info BAG                              what is in a bag

record:  TOPIC ...                    these topics
         -a, --all                    all topics
         -e, --regex REGEX            topics that match
         -x, --exclude REGEX          but not those that match
         -o, --output FOLDER          where to; default rosbag2_<date>-<time>
         -b, --max-bag-size BYTES     begin a new file beyond this size
         -d, --max-bag-duration S     begin a new file after this time
         --include-hidden-topics      also topics with a part that starts with '_'
         --no-discovery               only topics that are there at the start
         --use-sim-time               stamp with /clock
play:    -r, --rate RATE              1 as recorded, 2 twice as fast
         -l, --loop                   over and over
         --topics TOPIC ...           only these
         -m, --remap FROM:=TO ...     publish under another name
         --clock [HZ]                 publish /clock from the bag's time, at 40 Hz if not said
         --start-offset S             skip the first seconds
         -d, --delay S                wait before the first message
)";

void log(const std::string& node, const std::string& level, const std::string& text) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  std::fprintf(stderr, "[%s] [%lld.%09lld] [%s]: %s\n", level.c_str(),
               static_cast<long long>(ns / ros2bag::ns_per_second), static_cast<long long>(ns % ros2bag::ns_per_second),
               node.c_str(), text.c_str());
}

std::string default_folder() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[40];
  std::strftime(text, sizeof(text), "rosbag2_%Y_%m_%d-%H_%M_%S", &local);
  return text;
}

std::optional<std::regex> regex_of(const ros2bag::Parsed& arguments, const std::string& option) {
  if (!arguments.has(option)) return std::nullopt;
  try {
    return std::regex(arguments.value(option));
  } catch (const std::regex_error& error) {
    throw UsageError(option + " '" + arguments.value(option) + "' is not a regular expression: " + error.what());
  }
}

std::string with_slash(const std::string& topic) {
  return topic.empty() || topic[0] == '/' ? topic : "/" + topic;
}

int record(const std::vector<std::string>& words) {
  const auto arguments = ros2bag::parse(words, {{{"--all", "-a"}},
                                                {{"--regex", "-e"}, Takes::One},
                                                {{"--exclude", "-x"}, Takes::One},
                                                {{"--output", "-o"}, Takes::One},
                                                {{"--max-bag-size", "-b"}, Takes::One},
                                                {{"--max-bag-duration", "-d"}, Takes::One},
                                                {{"--storage", "-s"}, Takes::One},
                                                {{"--include-hidden-topics"}},
                                                {{"--no-discovery"}},
                                                {{"--use-sim-time"}}});
  ros2bag::RecordOptions options;
  for (const auto& topic : arguments.positional) options.filter.names.push_back(with_slash(topic));
  options.filter.all = arguments.has("--all");
  options.filter.matching = regex_of(arguments, "--regex");
  options.filter.excluded = regex_of(arguments, "--exclude");
  options.filter.hidden = arguments.has("--include-hidden-topics");
  if (options.filter.names.empty() && !options.filter.all && !options.filter.matching) {
    throw UsageError("nothing to record: name topics, or use -a for all of them");
  }
  if (const auto storage = arguments.value("--storage", "sqlite3"); storage != "sqlite3") {
    throw UsageError("the storage '" + storage + "' is not supported, only sqlite3");
  }
  options.output = arguments.value("--output", default_folder());
  options.limits.file_bytes = static_cast<std::uint64_t>(arguments.number("--max-bag-size", 0.0, 0.0));
  options.limits.file_duration = ros2bag::ns_from_seconds(arguments.number("--max-bag-duration", 0.0, 0.0));
  options.discover_later = !arguments.has("--no-discovery");
  options.use_sim_time = arguments.has("--use-sim-time");

  const auto to_log = [](const std::string& level, const std::string& text) { log("rosbag2_recorder", level, text); };
  ros2bag::Recorder recorder(underlay_dds::Participant::get(), options, to_log);
  to_log("INFO", "Recording to '" + options.output.string() + "'; Ctrl-C ends it");
  recorder.run(stop_requested);
  to_log("INFO", "Recorded " + std::to_string(recorder.metadata().messages()) + " messages of " +
                     std::to_string(recorder.metadata().topics.size()) + " topics");
  return 0;
}

std::filesystem::path bag_of(const ros2bag::Parsed& arguments) {
  if (arguments.positional.size() != 1) throw UsageError("name one bag: the folder that `ros2 bag record` made");
  return arguments.positional.front();
}

int play(const std::vector<std::string>& words) {
  const auto arguments = ros2bag::parse(words, {{{"--rate", "-r"}, Takes::One},
                                                {{"--loop", "-l"}},
                                                {{"--topics"}, Takes::Many},
                                                {{"--remap", "-m"}, Takes::Many},
                                                {{"--clock"}, Takes::AtMostOne},
                                                {{"--start-offset"}, Takes::One},
                                                {{"--delay", "-d"}, Takes::One},
                                                {{"--storage", "-s"}, Takes::One},
                                                {{"--read-ahead-queue-size"}, Takes::One},
                                                {{"--disable-keyboard-controls"}}});
  ros2bag::PlayOptions options;
  options.bag = bag_of(arguments);
  options.rate = arguments.number("--rate", 1.0, 0.001);
  options.loop = arguments.has("--loop");
  if (arguments.has("--topics")) {
    for (const auto& topic : arguments.options.at("--topics")) options.topics.push_back(with_slash(topic));
  }
  if (arguments.has("--remap")) {
    for (const auto& rule : arguments.options.at("--remap")) {
      const auto sign = rule.find(":=");
      if (sign == std::string::npos || sign == 0 || sign + 2 == rule.size()) {
        throw UsageError("--remap '" + rule + "' is not of the form from:=to");
      }
      options.remaps[with_slash(rule.substr(0, sign))] = with_slash(rule.substr(sign + 2));
    }
  }
  if (arguments.has("--clock")) options.clock_rate = arguments.number("--clock", 40.0, 0.001);
  options.start_offset = arguments.number("--start-offset", 0.0, 0.0);
  options.delay = arguments.number("--delay", 0.0, 0.0);

  ros2bag::Player player(underlay_dds::Participant::get(), options);
  log("rosbag2_player", "INFO", "Playing '" + options.bag.string() + "'");
  const auto published = player.run(stop_requested);
  log("rosbag2_player", "INFO", "Published " + std::to_string(published) + " messages");
  return 0;
}

int info(const std::vector<std::string>& words) {
  const auto arguments = ros2bag::parse(words, {{{"--storage", "-s"}, Takes::One}});
  const auto bag = bag_of(arguments);
  const auto metadata = ros2bag::read_metadata(bag);
  const auto folder = std::filesystem::is_directory(bag) ? bag : bag.parent_path();
  std::uint64_t bytes = 0;
  for (const auto& file : metadata.files) {
    std::error_code error;
    const auto size = std::filesystem::file_size(folder / file.path, error);
    if (!error) bytes += size;
  }
  std::fputs(ros2bag::describe(metadata, bytes).c_str(), stdout);
  return 0;
}

int run(std::vector<std::string> words) {
  if (words.empty() || words[0] == "-h" || words[0] == "--help") {
    std::fputs(usage, words.empty() ? stderr : stdout);
    return words.empty() ? 2 : 0;
  }
  const std::string verb = words.front();
  words.erase(words.begin());
  if (std::find(words.begin(), words.end(), "--help") != words.end() ||
      std::find(words.begin(), words.end(), "-h") != words.end()) {
    std::fputs(usage, stdout);
    return 0;
  }
  if (verb == "record") return record(words);
  if (verb == "play") return play(words);
  if (verb == "info") return info(words);
  throw UsageError("'" + verb + "' is not a verb; there are record, play and info");
}

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction action {};
    action.sa_handler = [](int) { stop_requested = true; };
    sigaction(signal, &action, nullptr);
  }
  try {
    return run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const UsageError& error) {
    std::fprintf(stderr, "ros2 bag: %s\n`ros2 bag --help` tells more\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ros2 bag: %s\n", error.what());
    return 1;
  }
}
