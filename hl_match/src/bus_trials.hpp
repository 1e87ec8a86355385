// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "bus_stages.hpp"

namespace hl_match {

// What a robot can do above its driver and its bus; the same trials in every world.

/// Makes a world of its own for each trial.
using MakeStage = std::function<std::unique_ptr<BusStage>(std::uint64_t seed)>;

struct BusTrial {
  bool well = false;       // it did what it should, and stands
  double value = 0.0;      // what is measured: m, rad or s, as the trial says
  double simulated = 0.0;  // s of the whole trial
  double cpu = 0.0;        // s of processor time of the physics; MuJoCo's with driver and motion
  double real = 0.0;       // s
};

using Files = std::shared_ptr<const hl_player::RobotFiles>;

BusTrial stand(const Files& files, const MakeStage& make, double seconds, std::uint64_t seed);  // rad: largest tilt
BusTrial walk_ahead(const Files& files, const MakeStage& make, double way, double speed, std::uint64_t seed);  // m/s
// Pushed over; s from the HCM's word that it falls.
BusTrial get_up_on_bus(const Files& files, const MakeStage& make, hl_hcm::Direction side, std::uint64_t seed);
BusTrial kick_on_bus(const Files& files, const MakeStage& make, std::uint64_t seed);  // m that the ball went

}  // namespace hl_match
