// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "frame.hpp"
#include "hl_vision/ball_network.hpp"
#include "hl_vision/in_image.hpp"

namespace hl_vision {

/// Places that look like a ball to a quick test: not the field's colour, of the right size, field around.
/// The confidence is that test's score.
std::vector<BallInImage> ball_candidates(const Frame& frame, std::size_t most);

/// The candidates as the network sees them: moved to where it says the ball is, with its confidence, best first,
/// overlapping ones removed.
std::vector<BallInImage> check_balls(const Frame& frame, const std::vector<BallInImage>& candidates,
                                     const BallNetwork& network, BallNetwork::Activations& activations);

}  // namespace hl_vision
