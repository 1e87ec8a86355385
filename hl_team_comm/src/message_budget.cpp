// SPDX-License-Identifier: Apache-2.0
#include "hl_team_comm/message_budget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hl_team_comm {
namespace {

constexpr double kLastSeconds = 1.0;  // the rate stays finite when the whistle is near
constexpr double kNewBudget = 50.0;   // messages more than before: a new game or extra time, no packet out of order

}  // namespace

std::optional<std::string> MessageBudget::Params::validate() const {
  if (!(min_interval >= 0.0)) return "min_interval must not be negative";
  if (!(without_budget > 0.0)) return "without_budget must be positive, in seconds";
  if (!(burst >= 1.0)) return "burst must be at least 1 message";
  if (!(routine_reserve >= 0.0 && routine_reserve + 1.0 <= burst)) {
    return "routine_reserve must lie between 0 and burst - 1, or routine could never speak";
  }
  if (!(overdraft >= 0.0)) return "overdraft must not be negative";
  if (team_size < 1) return "team_size must be at least 1";
  return std::nullopt;
}

void MessageBudget::set_remaining(std::optional<double> messages, double seconds_to_whistle) {
  if (!messages) {
    own_share_.reset();
    told_.reset();
  } else if (const double left = std::max(*messages, 0.0); !told_ || left > *told_ + kNewBudget) {
    own_share_ = own_share_.value_or(0.0) + (left - told_.value_or(0.0)) / params_.team_size;
    told_ = left;
  } else if (left < *told_) {
    own_share_ = std::min(*own_share_, left / params_.team_size);
    told_ = left;
  }
  seconds_left_ = std::max(seconds_to_whistle, kLastSeconds);
}

double MessageBudget::sustainable_interval() const {
  if (!own_share_) return params_.without_budget;
  return *own_share_ > 0.0 ? seconds_left_ / *own_share_ : std::numeric_limits<double>::infinity();
}

bool MessageBudget::request(Urgency urgency, double now) {
  if (updated_at_ && now > *updated_at_) {
    tokens_ = std::min(tokens_ + (now - *updated_at_) / sustainable_interval(), params_.burst);
  }
  updated_at_ = now;

  const bool spent = own_share_ && *own_share_ < 1.0;
  const bool too_soon = sent_at_ && now - *sent_at_ < params_.min_interval && urgency != Urgency::Important;
  const double reserve = !own_share_ ? 0.0 : params_.routine_reserve;
  const double needed = urgency == Urgency::Routine ? 1.0 + reserve
                        : urgency == Urgency::Event ? 1.0
                                                    : 1.0 - params_.overdraft;
  constexpr double kRounding = 1e-9;
  if (spent || too_soon || tokens_ + kRounding < needed) return false;
  tokens_ -= 1.0;
  if (own_share_) *own_share_ -= 1.0;
  sent_at_ = now;
  return true;
}

}  // namespace hl_team_comm
