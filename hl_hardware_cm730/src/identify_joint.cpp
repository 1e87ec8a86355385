// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/identify_joint.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <sstream>
#include <stdexcept>

namespace hl_hardware_cm730 {
namespace {

constexpr double kApproach = 0.5;        // rad/s, to where the motion begins
constexpr double kMargin = 0.03;         // rad, from the ends of the joint's range
constexpr double kPause = 0.5;           // s, before each round
constexpr double kJitter = 0.004;        // s; goals and answers at all distances tell a lag better than one cycle does
constexpr double kHot = 65.0;            // degrees Celsius
constexpr int kMostSilent = 20;          // answers in a row
constexpr double kWireOfGoals = 0.7e-3;  // s from the begin of a cycle until its goals have arrived
constexpr double kWireOfAsking = 0.1e-3;

/// Reads position, velocity and load of one servo at once.
bool ask(BusDriver& driver, const ServoSpec& spec, Recording::Sample& sample) {
  const ServoTable& table = spec.table();
  const Block block = table.slow();
  const auto answer = table.protocol == Protocol::V1
                          ? driver.read(spec.id, static_cast<uint8_t>(block.address), static_cast<uint8_t>(block.size))
                          : driver.read2(spec.id, block.address, block.size);
  if (!answer.ok() || answer.data.size() < block.size) return false;
  const auto value = [&](const Register& r) {
    return register_value(answer.data.data() + (r.address - block.address), r.size);
  };
  sample.position = position_of(table, value(table.position));
  sample.velocity = velocity_of(table, value(table.velocity));
  sample.load = load_of(table, value(table.load), data(spec.model).stall_current);
  if (value(table.temperature) > kHot) throw std::runtime_error(spec.joint + " is hot: let it cool");
  return true;
}

std::string text(const Measured& measured, int digits) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "[%.*f, %.*f]", digits, measured.value, digits, measured.uncertainty);
  return buffer;
}

std::string text(const Identified& found) {
  return "{friction: " + text(found.friction, 4) + ", stiffness: " + text(found.stiffness, 2) +
         ", lag: " + text(found.lag, 4) + ", backlash: " + text(found.backlash, 5) + "}";
}

/// `line` without its "measured: ..." and what closes it.
void cut_measured(std::string& line) {
  const auto begin = line.find(", measured: ");
  if (begin == std::string::npos) return;
  int depth = 0;
  for (std::size_t at = begin + 12; at < line.size(); ++at) {
    if (line[at] == '[' || line[at] == '{') ++depth;
    if ((line[at] == ']' || line[at] == '}') && --depth == 0) {
      line.erase(begin, at + 1 - begin);
      return;
    }
  }
}

}  // namespace

std::vector<Recording> record_joint(BusDriver& driver, BusPort& port, std::size_t joint, int rounds) {
  const ServoSpec& spec = driver.spec(joint);
  const double reach = kExcitationReach + kMargin;
  if (spec.upper - spec.lower < 2.0 * reach) throw std::runtime_error(spec.joint + " has too narrow a range");
  const double middle = std::clamp(driver.joint(joint).position, spec.lower + reach, spec.upper - reach);
  std::mt19937 random(static_cast<unsigned>(joint) + 1);
  std::uniform_real_distribution<double> jitter(0.0, kJitter);
  int silent = 0;
  const auto step = [&](double position, Recording* recording) {
    driver.command(joint).position = position;
    const double before = port.now();
    driver.cycle();
    if (driver.joint(joint).overloaded)
      throw std::runtime_error(spec.joint + " is overloaded: is something in its way?");
    if (recording) {
      port.sleep_until(port.now() + jitter(random));
      const int raw = raw_position(spec.table(), spec.servo_from_joint(position));
      recording->goals.push_back({before + kWireOfGoals, position_of(spec.table(), raw)});
      Recording::Sample sample{port.now() + kWireOfAsking, 0.0, 0.0, 0.0};
      silent = ask(driver, spec, sample) ? 0 : silent + 1;
      if (silent == 0) recording->samples.push_back(sample);
      if (silent > kMostSilent) throw std::runtime_error(spec.joint + " does not answer");
    }
    port.sleep_until(port.now() + jitter(random));
  };
  double at = driver.joint(joint).position, last = port.now();
  while (std::abs(at - middle) > 1e-3) {
    const double now = port.now();
    at += std::clamp(middle - at, -kApproach * (now - last), kApproach * (now - last));
    last = now;
    step(at, nullptr);
  }
  std::vector<Recording> recordings;
  for (int round = 0; round < rounds; ++round) {
    for (const double until = port.now() + kPause; port.now() < until;) step(middle, nullptr);
    Recording recording;
    for (const double begin = port.now(); port.now() < begin + excitation_duration();)
      step(middle + excitation(port.now() - begin), &recording);
    recordings.push_back(std::move(recording));
  }
  step(middle, nullptr);
  return recordings;
}

std::string with_measured(const std::string& yaml, const std::map<std::string, Identified>& found) {
  std::map<std::string, Identified> left = found;
  std::istringstream in(yaml);
  std::string result;
  for (std::string line; std::getline(in, line);) {
    const auto begin = line.find_first_not_of(' ');
    const auto colon = line.find(": {");
    if (begin != std::string::npos && begin > 0 && colon != std::string::npos &&
        line.find("model:") != std::string::npos) {
      const std::string name = line.substr(begin, colon - begin);
      const auto take = [&](const std::string& joint) {
        const auto one = left.find(joint);
        if (one == left.end()) return std::string("{}");
        const std::string words = text(one->second);
        left.erase(one);
        return words;
      };
      const bool paired = line.find("ids:") != std::string::npos;
      const std::string measured = paired ? "[" + take("L" + name) + ", " + take("R" + name) + "]" : take(name);
      const auto end = line.rfind('}');
      if (measured.find("lag") != std::string::npos && end != std::string::npos) {
        const std::string comment = line.substr(end + 1);
        line.resize(end + 1);
        cut_measured(line);
        line.insert(line.size() - 1, ", measured: " + measured);
        line += comment;
      }
    }
    result += line + "\n";
  }
  if (!left.empty())
    throw std::runtime_error(left.begin()->first + ": its servo has no entry `name: {..., model: ...}` on one line");
  return result;
}

}  // namespace hl_hardware_cm730
