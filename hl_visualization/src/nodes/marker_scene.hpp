// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include <visualization_msgs/msg/marker_array.hpp>

#include "hl_visualization/relative_data.hpp"

namespace hl_visualization {

/// What RViz is to show. Positions in base_footprint unless they say otherwise.
struct SceneData {
  RelativeData around;
  std::vector<Point2> ball_trail;  // map, oldest first
  std::vector<FieldPose> path;     // map
  std::string label;               // over the robot: role and state
  std::vector<Point2> support;     // outline of the feet that carry
  bool capture_known = false;
  std::string capture_frame;  // l_sole or r_sole
  Point2 capture;
};

/// Turns data into markers: one namespace per layer, ids that stay, a lifetime for what is seen, and a DELETE for what
/// has gone. Values that are not a number never leave. The array is built once and reused.
class MarkerScene {
 public:
  using MarkerArray = visualization_msgs::msg::MarkerArray;
  using Marker = visualization_msgs::msg::Marker;

  MarkerScene(const hl_description::Field& field, double lifetime);

  /// Field and goals: lifetime without end, to be sent now and then for those who come late.
  const MarkerArray& still();
  const MarkerArray& moving(const SceneData& data);
  std::size_t left_out() const { return left_out_; }

 private:
  Marker& add(const char* layer, int type, const char* frame);
  void point(Marker& marker, double x, double y, double z);
  void drop_unusable();
  void build_still();
  void add_ball(const SceneData& data);
  void add_things(const SceneData& data);
  void add_plan(const SceneData& data);
  void add_body(const SceneData& data);

  hl_description::Field field_;
  double lifetime_;
  MarkerArray still_, moving_;
  std::size_t used_ = 0;
  std::map<std::string, int> next_id_;
  std::set<std::pair<std::string, int>> shown_, before_;
  std::size_t left_out_ = 0;
};

}  // namespace hl_visualization
