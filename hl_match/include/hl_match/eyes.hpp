// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_soccer/percepts.hpp>
#include <vector>

namespace hl_match {

/// What one robot of a match sees with, in place of the perception from the truth.
class Eyes {
 public:
  Eyes() = default;
  virtual ~Eyes() = default;
  Eyes(const Eyes&) = delete;
  Eyes& operator=(const Eyes&) = delete;

  /// Once in every tick, before the sensors are read; `expose`: a picture is due.
  virtual void look(bool expose) = 0;
  /// What has become known since the last call.
  virtual std::vector<hl_soccer::Percepts> take(double now) = 0;
  /// The robot was carried elsewhere: what is on its way counts no more.
  virtual void forget() = 0;
};

}  // namespace hl_match
