// SPDX-License-Identifier: Apache-2.0
#include "example_data.hpp"

#include <QPainter>
#include <cmath>
#include <limits>
#include <random>

#include "hl_hcm/state_machine.hpp"

namespace example {
using namespace hl_visualization;

FieldData field() {
  FieldData data;
  data.game = "PLAYING   1 : 0   06:12";
  data.set_play = "own corner kick, prepare, 18 s";
  data.areas.push_back({SetPlayArea::Shape::Circle, 4.5, 3.0, 0.75, 0, 0, true});
  Belief robot;
  robot.name = "robot1";
  robot.number = 2;
  robot.team = 6;
  robot.role = "striker";
  robot.action = "going to ball";
  robot.pose = FieldPose{-0.8, 0.6, 0.35};
  robot.covariance = {0.012, 0.006, 0.03};
  robot.yaw_deviation = 0.12;
  robot.ball = BelievedBall{1.6, 1.3, 0.5, 0.25, {0.01, 0.0, 0.01}, 0.3, 0};
  robot.robots = {
      {2.6, -0.4, Side::Rival, 3, 0.4}, {3.9, 0.3, Side::Rival, 1, 2.5}, {0.7, -1.9, Side::Unknown, -1, 5.0}};
  for (int i = 0; i <= 20; ++i) {
    const double s = i / 20.0;
    robot.path.push_back({-0.8 + 2.1 * s, 0.6 + 0.9 * s * s - 0.25 * std::sin(M_PI * s), 0});
  }
  robot.goal = FieldPose{1.3, 1.5, -0.4};
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 150; ++i)
    robot.particles.push_back(
        {-0.8 + 0.12 * normal(random), 0.6 + 0.18 * normal(random), 0.35 + 0.15 * normal(random)});
  data.robots.push_back(robot);
  data.mates.push_back({1, "goalie", {-4.1, 0.1, 0.0}, FieldPose{1.9, 1.1, 0}, {}});
  data.mates.push_back({4, "supporter", {-2.3, -1.7, 0.6}, FieldPose{1.5, 1.0, 0}, {{2.75, -0.55, 0}}});
  Truth truth;
  truth.robots = {{"robot1", 6, 2, {-0.72, 0.68, 0.37}},
                  {"robot5", 7, 3, {2.65, -0.45, 3.0}},
                  {"robot6", 7, 1, {4.1, 0.25, 3.1}},
                  {"robot2", 6, 1, {-4.15, 0.05, 0.0}},
                  {"robot3", 6, 4, {-2.35, -1.75, 0.6}}};
  truth.ball = {1.66, 1.32, 0};
  data.truth = truth;
  return data;
}

RelativeData relative() {
  RelativeData data;
  data.ball = Point2{2.3, 0.35};
  data.obstacles = {{{1.5, -0.8}, 0.3, Side::Rival, 3, 0.9}, {{3.1, 1.2}, 0.3, Side::Unknown, -1, 0.6}};
  data.posts = {{3.7, 0.9}, {3.6, -1.3}};
  data.lines = {{{0.9, -1.6}, {3.1, -1.75}}, {{2.6, 1.4}, {2.75, -0.2}}};
  data.crossings = {{3.1, -1.75}};
  for (int i = 0; i < 40; ++i) data.line_points.push_back({1.2 + 0.04 * i, 1.35 - 0.02 * i});
  data.seen_age = 0.04;
  data.model_ball = BelievedBall{2.25, 0.3, 0.4, -0.3, {0.01, 0, 0.01}, 0.1, 0};
  data.model_robots = {{1.55, -0.75, Side::Rival, 3, 0.2}, {-0.5, 1.2, Side::Own, 4, 3.0}};
  data.field_of_view = {{0.45, 0.32}, {0.45, -0.28}, {5.0, -2.6}, {5.0, 3.0}};
  return data;
}

ImageData image() {
  ImageData data;
  data.image = QImage(640, 480, QImage::Format_RGB888);
  data.image.fill(QColor(70, 84, 96));
  QPainter painter(&data.image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(0, 170, 640, 310, QColor(48, 120, 62));
  painter.setPen(QPen(QColor(235, 240, 235), 9));
  painter.drawLine(0, 300, 640, 225);
  painter.drawLine(250, 268, 560, 480);
  painter.setPen(QPen(QColor(245, 245, 245), 14));
  painter.drawLine(110, 200, 110, 40);
  painter.drawLine(330, 195, 330, 45);
  painter.drawLine(103, 40, 337, 44);
  painter.fillRect(QRect(440, 90, 92, 170), QColor(52, 54, 60));
  painter.fillRect(QRect(455, 125, 62, 40), QColor(200, 60, 160));
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(250, 250, 250));
  painter.drawEllipse(QPointF(210, 360), 34, 34);
  painter.setBrush(QColor(30, 30, 30));
  painter.drawEllipse(QPointF(200, 350), 10, 10);
  painter.drawEllipse(QPointF(225, 374), 9, 9);
  painter.end();
  data.markings.balls = {{{210, 360}, 70, 0.94}};
  data.markings.candidates = {{{210, 360}, 80, 0.9}, {{486, 145}, 44, 0.3}};
  data.markings.obstacles = {{{436, 86}, 100, 178, 2, 3, 0.82}};
  data.markings.posts = {{{110, 202}, {110, 40}, 14, 0.9}, {{330, 197}, {330, 45}, 14, 0.85}};
  data.markings.bars = {{{103, 40}, {337, 44}, 14, 0.7}};
  data.markings.goal_posts = {{{110, 202}, {110, 40}, 22, 0.9}, {{330, 197}, {330, 45}, 22, 0.9}};
  data.markings.goal_centre = {{220, 198}};
  data.markings.lines = {{{2, 300}, {638, 225}, 9, 0.9}, {{250, 270}, {558, 478}, 9, 0.8}};
  data.markings.crossings = {{{250, 270}, 'T'}};
  data.markings.regions = {{{0, 168}, 639, 311, 0, -1, 1.0}};
  data.marked = true;
  data.detection = 0.012;
  data.to_ground = [](double x, double y) -> std::optional<GroundPoint> {
    if (y < 180) return std::nullopt;
    return GroundPoint{260.0 / (y - 170.0), (320.0 - x) / (y - 170.0)};
  };
  return data;
}

StateGraph graph() {
  StateGraph graph;
  for (const auto& t : hl_hcm::transitions()) graph.add_edge(hl_hcm::name_of(t.from), hl_hcm::name_of(t.to), t.reason);
  return graph;
}

HcmData hcm() {
  HcmData data;
  data.state = "WALKING";
  data.history = {{83.42, "CONTROLLABLE", "WALKING", "walking asks for joints"},
                  {83.30, "SETTLING", "CONTROLLABLE", "walk-ready is reached"},
                  {81.94, "GETTING_UP_CHECK", "SETTLING", "stands upright"},
                  {81.02, "GETTING_UP", "GETTING_UP_CHECK", "the animation has ended"},
                  {77.31, "FALLEN", "GETTING_UP", "lies still"},
                  {76.55, "FALLING", "FALLEN", "lies"},
                  {75.98, "WALKING", "FALLING", "a fall can no longer be prevented"}};
  const char* joints[] = {"head_pan",         "head_tilt",       "l_shoulder_pitch", "l_shoulder_roll", "l_elbow",
                          "r_shoulder_pitch", "r_shoulder_roll", "r_elbow",          "l_hip_yaw",       "l_hip_roll",
                          "l_hip_pitch",      "l_knee",          "l_ankle_pitch",    "l_ankle_roll",    "r_hip_yaw",
                          "r_hip_roll",       "r_hip_pitch",     "r_knee",           "r_ankle_pitch",   "r_ankle_roll"};
  for (int i = 0; i < 20; ++i) data.joints.push_back({joints[i], i < 2 ? 5 : 2});
  data.fall_margin = 0.82;
  data.latency = 0.0009;
  data.refusal = "animation: walking has the joints";
  return data;
}

const char* const kTask = R"(rtdl 1.0
task fetch(Place target) {
  announce(GOING_TO_BALL);
  retry (5)
    find_ball();
    approach_ball(target);
    dribble(target);
  endtry
}
)";
BehaviorData behavior() {
  BehaviorData data;
  data.known = true;
  data.role = "striker";
  data.action = "going to ball";
  data.situation = "the ball is ours, the goal is in reach: go behind the ball";
  data.move = {"go_to(1.30, 1.50, -0.4)", "running"};
  data.head = {"track(ball)", "running"};
  data.kick = {"kick(goal)", "waiting"};
  data.reasons = {{"time_to_ball", "3.1 s"},    {"nearest_mate", "4, 5.8 s"}, {"ball_age", "0.3 s"},
                  {"own_pose", "sure, 0.12 m"}, {"goal_angle", "21 degrees"}, {"set_play", "own corner kick"}};
  data.events = {{83.4, 0, "go_to(1.30, 1.50, -0.4)", ""},
                 {82.9, 3, "search(ball)", "the ball was found"},
                 {76.0, 2, "go_to(0.90, 1.10, 0.0)", "the robot fell"},
                 {71.2, 1, "kick(goal)", ""}};
  data.task = "fetch";
  data.statements = {"4:3 retry (5)", "6:5 approach_ball(target)"};
  data.tasks = {"fetch", "patrol", "wave"};
  data.answer = "task 'fetch' runs";
  return data;
}

WalkData walk() {
  WalkData data;
  data.known = true;
  data.engine = "walking";
  data.support = WalkData::Support::Left;
  data.left_frame = true;
  data.phase = 0.42;
  data.steps = 37;
  data.vx = 0.25;
  data.vyaw = 0.1;
  data.zmp_planned = {0.01, -0.005};
  data.zmp_measured = {0.022, -0.012};
  data.com_measured = {0.015, -0.045};
  data.capture_point = {0.05, -0.06};
  data.swing_foot = {0.03, -0.102, 0.02};
  data.next_step = {0.11, -0.1, 0.05};
  data.footsteps = {{{-0.33, -0.1, 0.0}, false}, {{-0.22, 0.0, 0.0}, true}, {{-0.11, -0.1, 0.0}, false}};
  for (int i = 0; i < 625; ++i) {
    const double t = i * 0.008, p = 2 * M_PI * t / 0.8;
    auto& h = data.history;
    h.time.push_back(100 + t);
    h.zmp_x_planned.push_back(static_cast<float>(0.01 + 0.02 * std::sin(2 * p)));
    h.zmp_x_measured.push_back(static_cast<float>(0.012 + 0.024 * std::sin(2 * p + 0.3) + 0.004 * std::sin(9 * p)));
    h.zmp_y_planned.push_back(static_cast<float>(std::sin(p) > 0 ? 0.0 : -0.1));
    h.zmp_y_measured.push_back(i > 300 && i < 330
                                   ? std::numeric_limits<float>::quiet_NaN()
                                   : static_cast<float>(-0.05 + 0.058 * std::tanh(3 * std::sin(p - 0.2))));
    h.roll.push_back(static_cast<float>(0.06 * std::sin(p)));
    h.pitch.push_back(static_cast<float>(0.09 + 0.03 * std::sin(2 * p)));
    h.stability.push_back(static_cast<float>(0.6 + 0.25 * std::cos(2 * p)));
  }
  return data;
}

TeamLinkData team_link() {
  TeamLinkData data;
  data.known = true;
  data.budget = 9210;
  data.send_rate = 4.0;
  data.mates = {{1, TeamLinkData::State::Connected, 0.2, 0.03, 0.012, 3.9},
                {3, TeamLinkData::State::Connecting, 4.6, 0.41, 0.260, 0.0},
                {4, TeamLinkData::State::Connected, 0.1, 0.08, 0.035, 3.6},
                {5, TeamLinkData::State::Disconnected, -1, -1, -1, 0.0}};
  return data;
}

}  // namespace example
