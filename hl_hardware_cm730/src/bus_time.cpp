// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/bus_time.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace hl_hardware_cm730 {
namespace {

constexpr double kFrame = 1e-3;          // s between two deliveries, as a USB adapter bundles bytes
constexpr double kShortestNap = 0.1e-3;  // s
constexpr double kLongestNap = 5e-3;     // s
constexpr double kSameTime = 1e-9;       // s

double wall_time() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

std::optional<std::string> BusTime::Params::validate() const {
  const auto bad = [](const char* name, double value, const char* range) {
    return std::string(name) + " is " + std::to_string(value) + ", must be " + range;
  };
  if (!(factor >= 0.0 && factor <= 1000.0)) return bad("factor", factor, "0..1000");
  if (!(grace >= 0.001 && grace <= 10.0)) return bad("grace", grace, "0.001..10 s");
  if (!(patience > 0.0 && patience <= 3600.0)) return bad("patience", patience, "above 0, at most 3600 s");
  if (!(most_lag >= 0.0 && most_lag <= 10.0)) return bad("most_lag", most_lag, "0..10 s");
  return std::nullopt;
}

BusTime::BusTime(std::vector<PtyServer*> lines, const Params& params)
    : lines_(std::move(lines)), params_(params), last_wall_(wall_time()) {
  for (PtyServer* line : lines_) bus_ = std::max(bus_, line->emulator().now());
}

/// How far time may go now: to the next thing that happens on a wire, or as far as the hosts' silence allows.
double BusTime::limit(double until, double wall, bool& busy) const {
  double limit = until;
  busy = false;
  for (const PtyServer* line : lines_) {
    if (line->busy()) {
      busy = true;
      limit = std::min(limit, line->next(params_.factor > 0.0 ? kFrame : INFINITY));
    } else if (wall - line->last_byte_time() < params_.patience) {
      limit = std::min(limit, line->quiet_since() + params_.grace);
    }
  }
  const bool at_once = busy && params_.factor <= 0.0;
  return at_once ? limit : std::min(limit, bus_ + credit_);
}

bool BusTime::run(double until, double timeout) {
  const double end = wall_time() + timeout;
  for (;;) {
    const double wall = wall_time();
    for (PtyServer* line : lines_) line->receive(wall);
    const double speed = params_.factor > 0.0 ? params_.factor : 1.0;
    credit_ = std::min(credit_ + (wall - last_wall_) * speed, std::max(params_.most_lag, kLongestNap * speed));
    last_wall_ = wall;
    bool busy = false;
    const double next = limit(until, wall, busy);
    if (next > bus_ + kSameTime) {
      if (!busy || params_.factor > 0.0) credit_ = std::max(0.0, credit_ - (next - bus_));
      bus_ = next;
      for (PtyServer* line : lines_) line->pass(bus_);
    }
    if (bus_ >= until - kSameTime) return true;
    if (wall >= end) return false;
    const double open = limit(until, wall, busy);
    if (open > bus_ + kSameTime) continue;  // something is due at once
    // Real time has to go on, or a host has to speak.
    double event = until;
    for (const PtyServer* line : lines_) {
      if (line->busy()) event = std::min(event, line->next(kFrame));
    }
    wait(std::min({(event - bus_) / speed, end - wall, kLongestNap}));
  }
}

void BusTime::wait(double seconds) {
  constexpr size_t kMostLines = 16;
  pollfd fds[kMostLines];
  nfds_t count = 0;
  for (const PtyServer* line : lines_) {
    if (line->descriptor() >= 0 && count < kMostLines) fds[count++] = {line->descriptor(), POLLIN, 0};
  }
  const double nap = std::max(seconds, kShortestNap);
  const timespec time{static_cast<time_t>(nap), static_cast<long>((nap - std::floor(nap)) * 1e9)};
  ::ppoll(fds, count, &time, nullptr);
}

}  // namespace hl_hardware_cm730
