// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/labels.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace hl_vision {
namespace {

double number(const YAML::Node& node, const char* key, double otherwise) {
  return node[key] && node[key].IsScalar() ? node[key].as<double>() : otherwise;
}

bool flag(const YAML::Node& node, const char* key, bool otherwise) {
  return node[key] ? node[key].as<bool>() : otherwise;
}

cv::Point2d point(const YAML::Node& node) {
  if (!node.IsSequence() || node.size() < 2) throw std::runtime_error("a point must be [x, y]");
  return {node[0].as<double>(), node[1].as<double>()};
}

std::optional<CameraView> camera(const YAML::Node& node, int width, int height) {
  if (!node || !node["focal_px"] || !node["up_xyz"] || !node["height_m"]) return std::nullopt;
  Lens lens;
  lens.width = width;
  lens.height = height;
  lens.fx = lens.fy = node["focal_px"].as<double>();
  const cv::Point2d centre = node["centre_px"] ? point(node["centre_px"]) : cv::Point2d(0.5 * width, 0.5 * height);
  lens.cx = centre.x;
  lens.cy = centre.y;
  if (const YAML::Node d = node["distortion"]) {
    for (std::size_t n = 0; n < std::min<std::size_t>(5, d.size()); ++n) lens.distortion[n] = d[n].as<double>();
  }
  const auto up = node["up_xyz"].as<std::vector<double>>();
  if (up.size() != 3) throw std::runtime_error("up_xyz needs three numbers");
  if (const auto error = lens.validate()) throw std::runtime_error(*error);
  const Eigen::Vector3d direction(up[0], up[1], up[2]);
  const double metres = node["height_m"].as<double>();
  if (!(direction.norm() > 0.1) || !(metres > 0.0)) throw std::runtime_error("up_xyz or height_m is nonsense");
  return CameraView(lens, ground_from_up(direction, metres));
}

hl_description::Field::Crossing crossing_type(const std::string& name) {
  using Type = hl_description::Field::Crossing;
  if (name == "L") return Type::L;
  if (name == "T") return Type::T;
  if (name == "X") return Type::X;
  throw std::runtime_error("crossing type '" + name + "' is none of L, T, X");
}

LabelledPicture picture(const YAML::Node& node, const std::string& folder) {
  LabelledPicture p;
  p.file = folder + "/" + node["file"].as<std::string>();
  p.width = node["width"].as<int>();
  p.height = node["height"].as<int>();
  p.view = camera(node["camera"], p.width, p.height);
  p.other_ball = static_cast<bool>(node["ball_kind"]);
  for (const YAML::Node& kind : node["complete"]) {
    const auto name = kind.as<std::string>();
    p.lines_complete |= name == "lines";
    p.robots_complete |= name == "robots";
    p.crossings_complete |= name == "crossings";
    p.marks_complete |= name == "penalty_mark";
  }
  for (const YAML::Node& b : node["balls"]) {
    p.balls.push_back({point(b["center"]), b["diameter"].as<double>(), number(b, "visible", 1.0),
                       number(b, "distance", 0.0), flag(b, "ignore", false), flag(b, "approx", false)});
  }
  for (const YAML::Node& b : node["posts"]) {
    p.posts.push_back({point(b["foot"]), b["width"].as<double>(), number(b, "distance", 0.0),
                       flag(b, "foot_visible", true), flag(b, "ignore", false)});
  }
  for (const YAML::Node& r : node["robots"]) {
    const auto box = r["box"].as<std::vector<double>>();
    if (box.size() != 4) throw std::runtime_error("a box must be [x, y, w, h]");
    p.robots.push_back({cv::Rect2d(box[0], box[1], box[2], box[3]),
                        r["team"] && r["team"].IsScalar() ? r["team"].as<std::string>() : "",
                        static_cast<int>(number(r, "number", 0.0)), number(r, "distance", 0.0),
                        number(r, "visible", 1.0)});
  }
  for (const YAML::Node& c : node["line_crossings"]) {
    p.crossings.push_back({crossing_type(c["type"].as<std::string>()), point(c["at"]), number(c, "distance", 0.0)});
  }
  if (const YAML::Node mark = node["penalty_mark"]; mark && mark.IsSequence()) p.marks.push_back({point(mark), 0.0});
  for (const YAML::Node& m : node["penalty_marks"]) p.marks.push_back({point(m["at"]), number(m, "distance", 0.0)});
  for (const YAML::Node& l : node["line_pieces"]) {
    const auto v = l.as<std::vector<double>>();
    if (v.size() != 6) throw std::runtime_error("a line piece must be [x0, y0, x1, y1, width, distance]");
    p.lines.push_back({{v[0], v[1]}, {v[2], v[3]}, v[4], v[5]});
  }
  for (const YAML::Node& d : node["distractors"]) p.distractors.push_back(point(d));
  for (const YAML::Node& b : node["body"]) {
    const auto v = b.as<std::vector<double>>();
    if (v.size() != 7) throw std::runtime_error("a limb must be [x0, y0, z0, x1, y1, z1, radius]");
    p.body.push_back({{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, v[6]});
  }
  if (node["circle_center"]) p.circle_center = point(node["circle_center"]);
  if (node["circle_partly"]) {
    p.circle_center = point(node["circle_partly"]);
    p.circle_partly = true;
  }
  return p;
}

}  // namespace

std::vector<LabelledPicture> labels_from_text(const std::string& yaml, const std::string& folder) {
  std::vector<LabelledPicture> pictures;
  try {
    const YAML::Node root = YAML::Load(yaml);
    if (!root.IsMap() || !root["images"] || !root["images"].IsSequence())
      throw std::runtime_error("has no list 'images'");
    for (const YAML::Node& node : root["images"]) {
      try {
        pictures.push_back(picture(node, folder));
      } catch (const std::exception& error) {
        throw std::runtime_error("picture " + std::to_string(pictures.size() + 1) + ": " + error.what());
      }
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(folder + "/labels.yaml: " + error.what());
  }
  return pictures;
}

std::vector<LabelledPicture> read_labels(const std::string& folder) {
  std::ifstream file(folder + "/labels.yaml");
  if (!file) throw std::runtime_error(folder + "/labels.yaml: cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return labels_from_text(text.str(), folder);
}

}  // namespace hl_vision
