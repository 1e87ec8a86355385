// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

namespace hl_simulation {

/// The pictures of one camera that its vision has not answered yet. An answer carries the stamp of its picture and
/// settles older ones with it, because pictures may get lost on their way. Times are s of the simulated clock.
class OpenPictures {
 public:
  void exposed(double time) {
    if (!given_up_) open_.push_back(time);
  }
  /// True if this ends a silence for which it had been given up.
  bool answered(double stamp) {
    while (!open_.empty() && open_.front() <= stamp + kSame) open_.pop_front();
    const bool back = given_up_;
    given_up_ = false;
    return back;
  }
  /// Whether a picture from before `time` is open.
  bool owes(double time) const { return !open_.empty() && open_.front() < time - kSame; }
  double oldest() const { return open_.empty() ? 0.0 : open_.front(); }
  /// Waits for none until the next answer.
  void give_up() {
    open_.clear();
    given_up_ = true;
  }

 private:
  static constexpr double kSame = 1e-6;  // s
  std::deque<double> open_;
  bool given_up_ = false;
};

}  // namespace hl_simulation
