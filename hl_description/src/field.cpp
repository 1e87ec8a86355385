// SPDX-License-Identifier: Apache-2.0
#include "hl_description/field.hpp"

#include "hl_description/yaml_reader.hpp"

namespace hl_description {

std::vector<Field::Line> Field::lines() const {
  const double half = 0.5 * line_width;
  const double goal_line = 0.5 * length - half, touch_line = 0.5 * width - half;
  std::vector<Line> lines;
  const auto add = [&lines](double x0, double y0, double x1, double y1) { lines.push_back({{x0, y0}, {x1, y1}}); };
  add(0, -touch_line, 0, touch_line);
  for (const double side : {1.0, -1.0}) {
    add(-goal_line, side * touch_line, goal_line, side * touch_line);
    add(side * goal_line, -touch_line, side * goal_line, touch_line);
    const auto area = [&](double area_length, double area_width) {
      if (area_length <= 0.0) return;
      const double front = side * (0.5 * length - area_length + half), y = 0.5 * area_width - half;
      add(front, -y, front, y);
      add(front, y, side * goal_line, y);
      add(front, -y, side * goal_line, -y);
    };
    area(goal_area_length, goal_area_width);
    area(penalty_area_length, penalty_area_width);
  }
  return lines;
}

std::vector<Field::Intersection> Field::intersections() const {
  const double half = 0.5 * line_width;
  const double goal_line = 0.5 * length - half, touch_line = 0.5 * width - half;
  std::vector<Intersection> result;
  for (const double y : {1.0, -1.0}) {
    result.push_back({{0, y * circle_radius()}, Crossing::X});
    result.push_back({{0, y * touch_line}, Crossing::T});
    for (const double x : {1.0, -1.0}) {
      result.push_back({{x * goal_line, y * touch_line}, Crossing::L});
      const auto area = [&](double area_length, double area_width) {
        if (area_length <= 0.0) return;
        const double side = y * (0.5 * area_width - half);
        result.push_back({{x * (0.5 * length - area_length + half), side}, Crossing::L});
        result.push_back({{x * goal_line, side}, Crossing::T});
      };
      area(goal_area_length, goal_area_width);
      area(penalty_area_length, penalty_area_width);
    }
  }
  return result;
}

Field Field::from_file(const std::string& path, const std::string& preset) {
  return from_text(YamlReader::read_file(path), path, preset);
}

Field Field::from_text(const std::string& yaml, const std::string& file_name, const std::string& preset) {
  const YamlReader root = YamlReader::from_text(yaml, file_name);
  root.only({"default", "presets"});
  const YamlReader presets = root["presets"];
  const std::string name = preset.empty() ? root["default"].text() : preset;
  if (!presets.has(name)) {
    std::string known;
    for (const auto& entry : presets.entries()) known += (known.empty() ? "" : ", ") + entry.first;
    presets.refuse("there is no preset '" + name + "'; one of: " + known);
  }
  const YamlReader from = presets[name].merged();
  from.only({"length", "width", "line_width", "goal_width", "goal_height", "goal_depth", "post_diameter", "goal_area",
             "penalty_area", "penalty_mark", "mark_length", "circle_diameter", "border", "ball_radius", "ball_mass"});
  Field field;
  field.length = from["length"].number_in(1, 200);
  field.width = from["width"].number_in(1, 200);
  field.line_width = from["line_width"].number_in(0.01, 0.5);
  field.goal_width = from["goal_width"].number_in(0.1, field.width);
  field.goal_height = from["goal_height"].number_in(0.1, 5);
  field.goal_depth = from["goal_depth"].number_in(0.1, 5);
  field.post_diameter = from["post_diameter"].number_in(0.01, 0.5);
  const auto goal_area = from["goal_area"].items(2), penalty_area = from["penalty_area"].items(2);
  field.goal_area_length = goal_area[0].number_in(0, 0.5 * field.length);
  field.goal_area_width = goal_area[1].number_in(0, field.width);
  field.penalty_area_length = penalty_area[0].number_in(0, 0.5 * field.length);
  field.penalty_area_width = penalty_area[1].number_in(0, field.width);
  field.penalty_mark = from["penalty_mark"].number_in(0, 0.5 * field.length);
  field.mark_length = from["mark_length"].number_in(0, 1);
  field.circle_diameter = from["circle_diameter"].number_in(0.1, field.width);
  field.border = from["border"].number_in(0, 20);
  field.ball_radius = from["ball_radius"].number_in(0.01, 0.5);
  field.ball_mass = from["ball_mass"].number_in(0.01, 5);
  return field;
}

}  // namespace hl_description
