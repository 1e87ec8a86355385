// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/bus_driver.hpp"

#include <algorithm>

namespace hl_hardware_cm730 {
namespace {

constexpr size_t kBufferSize = 2048;

}  // namespace

std::optional<std::string> BusDriver::Params::validate() const {
  const auto bad = [](const char* name, double value, const char* range) {
    return std::string(name) + " is " + std::to_string(value) + ", must be " + range;
  };
  if (!(gyro_range > 0.1 && gyro_range < 100.0)) return bad("gyro_range", gyro_range, "0.1..100 rad/s");
  if (!(accel_range > 1.0 && accel_range < 1000.0)) return bad("accel_range", accel_range, "1..1000 m/s^2");
  if (!(reply_gap >= 0.2e-3 && reply_gap <= 1.0)) return bad("reply_gap", reply_gap, "0.0002..1 s");
  if (drop_after < 1) return bad("drop_after", drop_after, "at least 1");
  if (readmit_after < 1) return bad("readmit_after", readmit_after, "at least 1");
  if (rest_after < 1) return bad("rest_after", rest_after, "at least 1");
  if (!(prod_period >= 0.01)) return bad("prod_period", prod_period, "at least 0.01 s");
  if (!(rest_time >= 0.1)) return bad("rest_time", rest_time, "at least 0.1 s: devices need that to resynchronise");
  if (!(torque_ramp >= 0.0 && torque_ramp <= 60.0)) return bad("torque_ramp", torque_ramp, "0..60 s");
  if (!(farewell >= 0.0 && farewell <= 10.0)) return bad("farewell", farewell, "0..10 s");
  if (!(return_speed > 0.0 && return_speed <= 20.0))
    return bad("return_speed", return_speed, "above 0, at most 20 rad/s");
  if (return_level < 1 || return_level > 2) return bad("return_level", return_level, "1 or 2");
  return std::nullopt;
}

BusDriver::BusDriver(BusPort& port, std::vector<ServoSpec> servos, const Params& params)
    : port_(port), params_(params) {
  board_.id = params_.board_id;
  for (auto& spec : servos) {
    Servo servo;
    servo.link.id = spec.id;
    servo.spec = std::move(spec);
    const ServoTable* table = &servo.spec.table();
    if (table->protocol == Protocol::V2 && std::find(tables2_.begin(), tables2_.end(), table) == tables2_.end())
      tables2_.push_back(table);
    order_.push_back(servos_.size());
    servos_.push_back(std::move(servo));
  }
  for (size_t side = 0; side < 2; ++side) feet_[side].link.id = params_.foot_ids[side];
  tx_.reserve(kBufferSize);
  group_.reserve(kBufferSize);
  requests_.reserve(servos_.size() + 3);
}

std::vector<std::string> BusDriver::take_events() {
  std::vector<std::string> events;
  events.swap(events_);
  return events;
}

bool BusDriver::cycle() {
  const double now = port_.now();
  switch (state_) {
    case BusState::Disconnected:
      if (now < next_attempt_) port_.sleep_until(next_attempt_);
      next_attempt_ = port_.now() + params_.reopen_period;
      if (!port_.open()) {
        if (port_.error() != last_open_error_) event(last_open_error_ = port_.error());
        return false;
      }
      last_open_error_.clear();
      ++counters_.port_openings;
      if (!set_up()) {
        port_.close();
        return false;
      }
      event(was_lost_ ? "the port is back, the bus runs again" : "the bus runs");
      was_lost_ = false;
      state_ = BusState::Running;
      return false;

    case BusState::Resting:
      port_.sleep_until(now + params_.rest_time);
      port_.discard_input();
      parser_.clear();
      if (ping(params_.board_id).ok() && set_up()) {
        failed_pings_ = 0;
        event("the bus answers again");
        state_ = BusState::Running;
      } else if (++failed_pings_ >= 3) {  // perhaps the adapter itself hangs
        failed_pings_ = 0;
        lose_port();
      }
      return false;

    case BusState::Running:
      return exchange();
  }
  return false;
}

void BusDriver::lose_port() {
  ++counters_.port_losses;
  event("the port is lost: " + (port_.error().empty() ? std::string("no answer from the board") : port_.error()));
  port_.close();
  was_lost_ = true;
  state_ = BusState::Disconnected;
  next_attempt_ = port_.now() + params_.reopen_period;
  board_reading_.fresh = false;
  board_reading_.missing = true;
  for (auto& servo : servos_) {
    servo.reading.fresh = false;
    servo.reading.missing = true;
  }
}

void BusDriver::account(bool anything) {
  bool complete = true;
  bool any_servo = false, wants_servo = false;
  for (const auto& request : requests_) {
    complete &= request.link->received;
    if (request.slot >= 0) {
      wants_servo = true;
      any_servo |= request.link->received;
    }
    if (request.link->received) request.link->misses = request.link->damages = 0;
  }
  if (!complete) ++counters_.incomplete_cycles;
  board_reading_.fresh = board_.received && !board_.dropped;
  for (auto& servo : servos_) servo.reading.fresh = !servo.link.dropped && servo.link.received;
  for (auto& foot : feet_) foot.reading.fresh = !foot.link.dropped && foot.link.received;

  if (!anything) {
    for (auto& request : requests_) request.link->misses = 0;  // the bus is to blame, not the devices
    if (++silent_cycles_ >= params_.rest_after) {
      silent_cycles_ = 0;
      ++counters_.rests;
      event("the whole bus is silent: it gets a rest");
      state_ = BusState::Resting;
    }
    return;
  }
  silent_cycles_ = 0;

  if (wants_servo) all_servos_silent_ = !any_servo;
  if (board_.received && wants_servo && !any_servo) {
    if (++servo_silence_ >= params_.drop_after) check_power();
  } else {
    servo_silence_ = 0;
  }
  if (state_ != BusState::Running) return;
  for (const auto& request : requests_) {
    Link& link = *request.link;
    if (link.misses < params_.drop_after) continue;
    link.dropped = true;
    link.misses = link.answers = 0;
    ++counters_.drops;
    if (request.slot == kBoardSlot) {
      board_reading_.missing = true;
    } else if (request.slot >= 0) {
      const auto slot = static_cast<size_t>(request.slot);
      servos_[slot].reading.missing = true;
      servos_[slot].reading.fresh = false;
      servos_[slot].dropped_at = port_.now();
      // If it comes back and falters again, it shall disturb nobody.
      std::stable_partition(order_.begin(), order_.end(), [&](size_t i) { return i != slot; });
    }
    event(name(request) + " does not answer any more and is left out");
  }
}

/// The board answers, no servo does: their supply may have gone.
void BusDriver::check_power() {
  servo_silence_ = 0;
  const Answer power = read(params_.board_id, kBoardPower, 1);
  if (!power.ok() || power.data[0] != 0) return;
  ++counters_.power_losses;
  event("the servos' supply was off and is switched on again");
  if (!set_up()) state_ = BusState::Resting;
}

void BusDriver::prod() {
  if (port_.now() < next_prod_) return;
  next_prod_ = port_.now() + params_.prod_period;
  const size_t count = servos_.size() + 1 + feet_.size();
  for (size_t k = 0; k < count; ++k) {
    const size_t turn = (prod_turn_ + k) % count;
    Link* link = turn < servos_.size()    ? &servos_[turn].link
                 : turn == servos_.size() ? &board_
                                          : &feet_[turn - servos_.size() - 1].link;
    if (!link->dropped || link->id == 0) continue;
    prod_turn_ = turn;  // stay with one that begins to answer
    const Answer answer = turn < servos_.size() ? ping(servos_[turn]) : ping(link->id);
    if (answer.result == Answer::Result::Lost) return lose_port();
    if (!answer.ok()) {
      next_prod_ = port_.now() + params_.prod_period;  // waiting for it may have taken longer than that
      link->answers = 0;
      prod_turn_ = turn + 1;
      return;
    }
    if (++link->answers < params_.readmit_after) {
      next_prod_ = port_.now();  // ask again in the next cycle
      return;
    }
    prod_turn_ = turn + 1;
    link->answers = 0;
    if (turn < servos_.size()) {
      Servo& servo = servos_[turn];
      if (!set_up_servo(servo)) return;
      event(servo.spec.joint + " (servo " + std::to_string(servo.spec.id) + ") answers again");
    } else if (turn == servos_.size()) {
      if (!set_up_board()) return;
      event("the CM-730 answers again");
    } else {
      link->dropped = false;
      feet_[turn - servos_.size() - 1].reading.present = true;
      event("a foot board answers");
    }
    link->misses = 0;
    ++counters_.readmissions;
    return;
  }
}

}  // namespace hl_hardware_cm730
