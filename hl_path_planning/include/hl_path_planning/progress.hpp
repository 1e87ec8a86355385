// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_path_planning/params.hpp"
#include "hl_path_planning/types.hpp"

namespace hl_path_planning {

/// Sees that the robot gets on: it moves when it should, and comes nearer in the long run.
class Progress {
 public:
  enum class Verdict { Fine, Stuck, Circling };

  void restart(double now);
  /// `walks`: a velocity was commanded; `time_left`: s to the goal.
  Verdict update(const Pose2& here, bool walks, double time_left, const Params& params, double now);

 private:
  Pose2 anchor_;            // where it last counted as moved
  double moved_ = 0.0;      // s, when
  double best_ = 1e9;       // s left, the least so far
  double best_time_ = 0.0;  // s, when
  bool begun_ = false;
};

}  // namespace hl_path_planning
