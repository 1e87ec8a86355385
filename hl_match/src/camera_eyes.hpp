// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <hl_description/robot_model.hpp>
#include <hl_simulation/renderer.hpp>
#include <hl_vision/detection.hpp>
#include <hl_vision/transform.hpp>
#include <memory>
#include <optional>

#include "hl_match/eyes.hpp"
#include "hl_match/match.hpp"

namespace hl_match {

/// Sees through the camera of a robot in physics: rendered pictures, hl_vision's detection and transform. The camera's
/// pose is what joints and odometry tell, as the nodes know it. There is no compass.
class CameraEyes : public Eyes {
 public:
  /// `match` outlives it. Throws std::runtime_error if pictures cannot be drawn.
  CameraEyes(Match& match, std::size_t robot);

  void look(bool expose) override;
  std::vector<hl_soccer::Percepts> take(double now) override;
  void forget() override;

  /// The last picture that was understood, and how.
  struct Look {
    double stamp = 0.0;  // s
    cv::Mat bgr;
    hl_vision::Detection::Outputs seen;
    hl_soccer::Percepts percepts;
  };
  const std::optional<Look>& last() const { return last_; }

 private:
  struct Picture {
    double stamp = 0.0;  // s
    hl_simulation::Image image;
  };
  struct Answer {
    double known = 0.0;  // s
    hl_soccer::Percepts percepts;
  };
  void develop();

  Match& match_;
  std::size_t robot_;
  hl_simulation::Renderer renderer_;
  hl_vision::Detection detection_;
  hl_vision::Transform transform_;
  hl_description::Posture posture_;
  std::optional<Picture> exposed_;  // odometry of its moment is not known yet
  std::deque<Answer> answers_;
  std::optional<Look> last_;
};

}  // namespace hl_match
