// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_description/geometry.hpp"
#include "hl_vision/camera_view.hpp"
#include "hl_vision/compass_memory.hpp"
#include "hl_vision/expected_views.hpp"
#include "hl_vision/panorama.hpp"

namespace hl_vision {

/// The heading on the field from what is to be seen beyond it, so that the two halves can be told apart.
class VisualCompass {
 public:
  using Place = ExpectedViews::Place;
  struct Inputs {
    cv::Mat bgr;                 // 8 bit, three channels
    CameraView view;             // base_footprint from the camera, at the moment of the picture
    std::optional<Place> about;  // nothing: it may be anywhere, and much looks alike from somewhere else
    std::optional<hl_description::Pose2> odometry;  // odom from base_footprint; nothing: this picture alone is judged
    Inputs(const cv::Mat& picture, const CameraView& camera, const std::optional<Place>& place = std::nullopt,
           const std::optional<hl_description::Pose2>& counted = std::nullopt)
        : bgr(picture), view(camera), about(place), odometry(counted) {}
  };
  struct Outputs {
    double heading = 0.0;     // rad, of base_footprint in map
    double confidence = 0.0;  // 0..1: probability that the heading is right; 0: nothing found
    double above = 0.0;       // share of the picture above the field's border
    std::string reason;       // why there is no answer; empty: there is one
  };
  struct Params {
    double noise = 1.0;       // how much the surroundings may differ from the record, against what is usual
    double same_place = 0.4;  // m within which pictures are joined to one panorama
    int most_places = 12;     // recorded; then the oldest is forgotten
    double gap = 0.0;         // m between turf and walls; 0: found from the record
    double memory = 15.0;     // s after which little is left of an earlier picture; 0: each is judged alone
    std::optional<std::string> validate() const;
  };

  VisualCompass(const Params& params, const hl_description::Field& field);
  void set_params(const Params& params);

  /// Remembers what is seen from a known pose (map from base_footprint). Says why not, if it cannot.
  std::optional<std::string> record(const Inputs& inputs, const hl_description::Pose2& pose);
  Outputs step(const Inputs& inputs, double now);
  /// The robot was carried or fell: what it saw before says nothing of its heading any more.
  void forget_pictures() { memory_.forget(); }

  void clear();
  /// The teams changed sides: what was behind is ahead now.
  void turn_around();
  std::size_t places() const { return places_.size(); }
  int views() const { return views_; }            // pictures recorded
  double gap() const { return expected_.gap(); }  // m between turf and walls, as found

  /// Binary; throws std::runtime_error with the file and the reason.
  void save(const std::string& path) const;
  void load(const std::string& path);
  std::string to_bytes() const;
  void from_bytes(const std::string& bytes, const std::string& name);

 private:
  Params params_;
  hl_description::Field field_;
  PanoramaReader reader_;
  std::vector<RecordedPlace> places_;
  int views_ = 0;
  bool stale_ = true;  // the record changed since `expected_` was built
  ExpectedViews expected_;
  CompassMemory memory_;
};

}  // namespace hl_vision
