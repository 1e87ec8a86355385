// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/labeller.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <stdexcept>

namespace hl_vision {
namespace {

namespace fs = std::filesystem;

constexpr double kFirstDiameter = 40.0, kFirstWidth = 15.0;  // px, of a new ball or post
constexpr double kResize = 1.08;
constexpr const char* kLists[] = {"balls", "posts", "robots", "line_crossings", "penalty_marks"};

bool is_picture(const fs::path& path) {
  const std::string end = path.extension().string();
  return end == ".png" || end == ".jpg" || end == ".jpeg" || end == ".bmp";
}

YAML::Node numbers(std::initializer_list<double> values) {
  YAML::Node node;
  node.SetStyle(YAML::EmitterStyle::Flow);
  for (const double value : values) node.push_back(std::round(10.0 * value) / 10.0);
  return node;
}

YAML::Node flow_map() {
  YAML::Node node(YAML::NodeType::Map);
  node.SetStyle(YAML::EmitterStyle::Flow);
  return node;
}

YAML::Node ball_label(const cv::Point2d& centre, double diameter) {
  YAML::Node item = flow_map();
  item["center"] = numbers({centre.x, centre.y});
  item["diameter"] = std::round(10.0 * diameter) / 10.0;
  item["visible"] = 1;
  return item;
}
YAML::Node post_label(const cv::Point2d& foot, double width) {
  YAML::Node item = flow_map();
  item["foot"] = numbers({foot.x, foot.y});
  item["width"] = std::round(10.0 * width) / 10.0;
  item["foot_visible"] = true;
  return item;
}
YAML::Node robot_label(const cv::Rect2d& box, const std::string& team) {
  YAML::Node item = flow_map();
  item["box"] = numbers({box.x, box.y, box.width, box.height});
  if (!team.empty()) item["team"] = team;
  return item;
}
YAML::Node place_label(const cv::Point2d& at) {
  YAML::Node item = flow_map();
  item["at"] = numbers({at.x, at.y});
  return item;
}
YAML::Node crossing_label(char type, const cv::Point2d& at) {
  YAML::Node item = place_label(at);
  item["type"] = std::string(1, type);
  return item;
}

std::string kind_name(char kind) {
  static const std::map<char, std::string> names{{'b', "ball"},
                                                 {'p', "post: its foot"},
                                                 {'r', "red robot: two corners"},
                                                 {'u', "blue robot: two corners"},
                                                 {'l', "L crossing"},
                                                 {'t', "T crossing"},
                                                 {'x', "X crossing"},
                                                 {'m', "penalty mark"}};
  const auto found = names.find(kind);
  return found == names.end() ? "" : found->second;
}

/// The point of a label that the arrow keys move.
YAML::Node anchor(YAML::Node item) {
  for (const char* key : {"center", "foot", "at", "box"})
    if (item[key]) return item[key];
  return {};
}

}  // namespace

const char* Labeller::help() {
  return "b ball, p post, r red robot, u blue robot, l t x crossing, m penalty mark: then click\n"
         "+ - size of the last, 4 6 8 2 move it by a pixel, i ignore it, z take it back\n"
         "a take over what the detection finds, n next picture, v previous, s save, q save and leave";
}

Labeller::Labeller(const std::string& folder) : folder_(folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_picture(entry.path())) files_.push_back(entry.path().string());
  if (error) throw std::runtime_error(folder + ": " + error.message());
  if (files_.empty()) throw std::runtime_error(folder + ": holds no .png, .jpg or .bmp");
  std::sort(files_.begin(), files_.end());
  const std::string labels = folder + "/labels.yaml";
  if (fs::exists(labels)) {
    try {
      root_ = YAML::LoadFile(labels);
    } catch (const std::exception& problem) {
      throw std::runtime_error(labels + ": " + problem.what());
    }
    if (!root_.IsMap() || !root_["images"] || !root_["images"].IsSequence())
      throw std::runtime_error(labels + ": has no list 'images'");
  } else {
    root_["set"] = fs::path(folder).filename().string();
    root_["images"] = YAML::Node(YAML::NodeType::Sequence);
  }
  for (const std::string& file : files_) {
    const std::string name = fs::path(file).filename().string();
    std::size_t n = 0;
    while (n < root_["images"].size() && root_["images"][n]["file"].as<std::string>("") != name) ++n;
    entries_.push_back(n);
    if (n < root_["images"].size()) continue;
    const cv::Mat picture = cv::imread(file, cv::IMREAD_COLOR);
    if (picture.empty()) throw std::runtime_error(file + ": is no picture that can be read");
    YAML::Node fresh;
    fresh["file"] = name;
    fresh["width"] = picture.cols;
    fresh["height"] = picture.rows;
    root_["images"].push_back(fresh);
  }
}

YAML::Node Labeller::entry() const {
  return root_["images"][entries_[at_]];
}

YAML::Node Labeller::list(const char* key) {
  YAML::Node present = entry();
  if (!present[key] || !present[key].IsSequence()) present[key] = YAML::Node(YAML::NodeType::Sequence);
  return present[key];
}

void Labeller::add(const char* key, const YAML::Node& item) {
  list(key).push_back(item);
  last_list_ = key;
}

YAML::Node Labeller::last() {
  if (last_list_.empty()) return {};
  YAML::Node items = list(last_list_.c_str());
  return items.size() > 0 ? items[items.size() - 1] : YAML::Node();
}

std::string Labeller::status() const {
  std::string text = std::to_string(at_ + 1) + "/" + std::to_string(files_.size()) + "  click: " + kind_name(kind_);
  const YAML::Node present = entry();
  for (const char* key : kLists)
    if (present[key] && present[key].size() > 0)
      text += "  " + std::string(key) + " " + std::to_string(present[key].size());
  return text;
}

void Labeller::resize(double factor) {
  YAML::Node item = last();
  for (const char* key : {"diameter", "width"})
    if (item && item.IsMap() && item[key]) item[key] = std::round(10.0 * factor * item[key].as<double>()) / 10.0;
}

void Labeller::move(double dx, double dy) {
  YAML::Node item = last();
  if (!item || !item.IsMap()) return;
  YAML::Node place = anchor(item);
  if (!place || !place.IsSequence()) return;
  place[0] = place[0].as<double>() + dx;
  place[1] = place[1].as<double>() + dy;
}

void Labeller::undo() {
  corner_.reset();
  if (last_list_.empty()) return;
  YAML::Node items = list(last_list_.c_str());
  YAML::Node rest(YAML::NodeType::Sequence);
  for (std::size_t n = 0; n + 1 < items.size(); ++n) rest.push_back(items[n]);
  entry()[last_list_] = rest;
}

bool Labeller::press(char key) {
  switch (key) {
    case 'n':
    case 'v':
      at_ = (at_ + (key == 'n' ? 1 : files_.size() - 1)) % files_.size();
      last_list_.clear();
      corner_.reset();
      break;
    case '+':
      resize(kResize);
      break;
    case '-':
      resize(1.0 / kResize);
      break;
    case '4':
      move(-1.0, 0.0);
      break;
    case '6':
      move(1.0, 0.0);
      break;
    case '8':
      move(0.0, -1.0);
      break;
    case '2':
      move(0.0, 1.0);
      break;
    case 'i':
      if (YAML::Node item = last(); item && item.IsMap()) item["ignore"] = !item["ignore"].as<bool>(false);
      break;
    case 'z':
      undo();
      break;
    case 's':
      save();
      break;
    case 'q':
      return false;
    default:
      if (kind_name(key).empty()) break;
      kind_ = key;
      corner_.reset();
  }
  return true;
}

void Labeller::click(const cv::Point2d& place) {
  switch (kind_) {
    case 'b':
      add("balls", ball_label(place, kFirstDiameter));
      break;
    case 'p':
      add("posts", post_label(place, kFirstWidth));
      break;
    case 'l':
    case 't':
    case 'x':
      add("line_crossings", crossing_label(static_cast<char>(kind_ - 'a' + 'A'), place));
      break;
    case 'm':
      add("penalty_marks", place_label(place));
      break;
    default:
      if (!corner_) {
        corner_ = place;
        break;
      }
      add("robots", robot_label({std::min(corner_->x, place.x), std::min(corner_->y, place.y),
                                 std::abs(corner_->x - place.x), std::abs(corner_->y - place.y)},
                                kind_ == 'r' ? "red" : "blue"));
      corner_.reset();
  }
}

void Labeller::take_over(const Detection::Outputs& found) {
  for (const char* key : kLists) entry()[key] = YAML::Node(YAML::NodeType::Sequence);
  if (found.ball) add("balls", ball_label(found.ball->center, found.ball->diameter));
  for (const auto& post : found.posts) add("posts", post_label(post.foot, post.width));
  for (const auto& o : found.obstacles) {
    using hl_soccer::ObstacleKind;
    if (o.kind != ObstacleKind::RobotRed && o.kind != ObstacleKind::RobotBlue && o.kind != ObstacleKind::RobotUndefined)
      continue;
    add("robots", robot_label(o.box, o.kind == ObstacleKind::RobotRed    ? "red"
                                     : o.kind == ObstacleKind::RobotBlue ? "blue"
                                                                         : ""));
  }
  for (const auto& c : found.crossings)
    add("line_crossings", crossing_label("LTX"[static_cast<int>(c.type)], c.position));
  for (const auto& m : found.marks) add("penalty_marks", place_label(m.center));
}

void Labeller::draw(cv::Mat& bgr) const {
  const YAML::Node present = entry();
  const auto at = [](const YAML::Node& node) { return cv::Point2d(node[0].as<double>(), node[1].as<double>()); };
  const cv::Scalar ink(0, 0, 255);
  for (const YAML::Node& b : present["balls"])
    cv::circle(bgr, at(b["center"]), static_cast<int>(0.5 * b["diameter"].as<double>()), ink, 1);
  for (const YAML::Node& p : present["posts"]) {
    const cv::Point2d foot = at(p["foot"]), half(0.5 * p["width"].as<double>(), 0.0);
    cv::line(bgr, foot - half, foot + half, ink, 2);
  }
  for (const YAML::Node& r : present["robots"]) {
    const auto box = r["box"].as<std::vector<double>>();
    if (box.size() == 4)
      cv::rectangle(bgr, cv::Point2d(box[0], box[1]), cv::Point2d(box[0] + box[2], box[1] + box[3]), ink, 1);
  }
  for (const YAML::Node& c : present["line_crossings"])
    cv::putText(bgr, c["type"].as<std::string>(), at(c["at"]), cv::FONT_HERSHEY_SIMPLEX, 0.5, ink, 2);
  for (const YAML::Node& m : present["penalty_marks"]) cv::drawMarker(bgr, at(m["at"]), ink, cv::MARKER_CROSS, 12, 2);
  if (corner_) cv::drawMarker(bgr, *corner_, ink, cv::MARKER_TILTED_CROSS, 9, 1);
}

void Labeller::save() const {
  const std::string path = folder_ + "/labels.yaml", part = path + ".part";
  {
    std::ofstream file(part);
    file << root_ << '\n';
    if (!file.flush()) throw std::runtime_error(part + ": cannot be written");
  }
  fs::rename(part, path);  // never half a file
}

}  // namespace hl_vision
