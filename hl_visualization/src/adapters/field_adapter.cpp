// SPDX-License-Identifier: Apache-2.0
#include <QObject>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <chrono>
#include <geometry_msgs/msg/pose_array.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <humanoid_league_msgs/msg/strategy.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>
#include <nav_msgs/msg/path.hpp>

#include "../topics/game_words.hpp"
#include "../topics/messages.hpp"
#include "../topics/robot_topics.hpp"
#include "adapter.hpp"
#include "hl_visualization/behavior_view.hpp"
#include "hl_visualization/field_view.hpp"

namespace hl_visualization {
namespace {

using geometry_msgs::msg::PoseArray;
using geometry_msgs::msg::PoseStamped;
using geometry_msgs::msg::PoseWithCovarianceStamped;
using namespace humanoid_league_msgs::msg;
using Clock = std::chrono::steady_clock;

constexpr double kUnknownVariance = 1e3;    // m^2, of the contract
constexpr double kClickDeviation = 0.2;     // m, of a pose a person points at
constexpr double kClickYawDeviation = 0.3;  // rad

bool pose_from(const geometry_msgs::msg::Pose& pose, FieldPose& result) {
  result = {pose.position.x, pose.position.y, yaw_from(pose.orientation)};
  return finite(result.x, result.y, result.yaw);
}

geometry_msgs::msg::Pose message_from(double x, double y, double yaw) {
  geometry_msgs::msg::Pose pose;
  pose.position.x = x;
  pose.position.y = y;
  pose.orientation.z = std::sin(yaw / 2);
  pose.orientation.w = std::cos(yaw / 2);
  return pose;
}

/// What one robot says; the details only of the selected one.
class RobotBelief {
 public:
  RobotBelief(rclcpp::Node& node, const std::string& robot, bool selected) : topics_(node, robot) {
    belief_.name = robot;
    using namespace hl_node;
    topics_.subscribe<PoseWithCovarianceStamped>(topics::kPose, 2.0,
                                                 [this](const PoseWithCovarianceStamped& m) { on_pose(m); });
    topics_.subscribe<Model>(topics::kPersonalModel, 2.0, [this](const Model& m) { on_model(m); });
    topics_.subscribe<Strategy>(topics::kStrategy, 0.0, [this](const Strategy& m) {
      belief_.role = role_name(m.role);
      belief_.action = m.action == Strategy::ACTION_UNDEFINED ? "" : action_name(m.action);
      fresh_ = true;
    });
    topics_.subscribe<GameState>(topics::kGamestate, 0.0, [this](const GameState& m) {
      game_ = m;
      belief_.team = m.own_team;
      belief_.number = m.own_player;
      fresh_ = true;
    });
    if (!selected) return;
    topics_.subscribe<PoseArray>(topics::kParticles, 0.0, [this](const PoseArray& m) { on_particles(m); });
    topics_.subscribe<nav_msgs::msg::Path>(topics::kPath, 0.0, [this](const nav_msgs::msg::Path& m) { on_path(m); });
    topics_.subscribe<PoseStamped>(topics::kGoalPose, 0.0, [this](const PoseStamped& m) {
      FieldPose goal;
      if (pose_from(m.pose, goal)) belief_.goal = goal;
      fresh_ = true;
    });
    topics_.subscribe<TeamData>(topics::kTeamData, 0.0, [this](const TeamData& m) { on_team(m); });
    topics_.subscribe<SimulationState>(topics::kGroundTruth, 0.0, [this](const SimulationState& m) { on_truth(m); });
  }

  RobotTopics& topics() { return topics_; }

  /// Copies what is known; true if there is something new since the last time.
  bool copy(Belief& belief, FieldData& data, bool selected) {
    const std::lock_guard<std::mutex> lock(topics_.mutex());
    belief = belief_;
    belief.age = belief_.pose ? std::chrono::duration<double>(Clock::now() - posed_).count() : 0.0;
    // The model's robots and ball are relative to where the robot thinks it is.
    if (belief.pose) {
      if (model_.ball) {
        belief.ball = moved(*model_.ball, *belief.pose);
        belief.ball->age += std::max(0.0, topics_.robot_time() - modelled_);
      }
      for (const BelievedRobot& robot : model_.robots) belief.robots.push_back(moved(robot, *belief.pose));
    }
    if (selected) {
      data.mates = mates_;
      data.truth = truth_;
      data.game = game_line(game_);
      data.set_play = set_play_line(game_);
      data.areas = set_play_areas(game_, data.field, belief.ball);
    }
    return std::exchange(fresh_, false);
  }

 private:
  void on_pose(const PoseWithCovarianceStamped& m) {
    if (topics_.went_back(seconds(m.header.stamp))) {
      belief_.path.clear();
      belief_.goal.reset();
      model_ = {};
    }
    fresh_ = true;
    FieldPose pose;
    const auto& c = m.pose.covariance;
    if (!pose_from(m.pose.pose, pose)) return topics_.complain(topics_.name_of("pose") + ": not a number, left out");
    if (!finite(c[0], c[1], c[7], c[35]))
      return topics_.complain(topics_.name_of("pose") + ": its covariance is not a number");
    posed_ = Clock::now();
    if (c[0] >= kUnknownVariance || c[7] >= kUnknownVariance) {
      belief_.pose.reset();
      topics_.complain("the robot does not know where it is");
      return;
    }
    belief_.pose = pose;
    belief_.covariance = {c[0], c[1], c[7]};
    belief_.yaw_deviation = std::sqrt(std::max(0.0, c[35]));
  }

  void on_model(const Model& m) {
    const double stamp = seconds(m.header.stamp);
    if (topics_.went_back(stamp)) belief_.path.clear();
    fresh_ = true;
    model_ = model_from(m, stamp);
    modelled_ = stamp;
    for (const std::string& fault : model_.faults) topics_.complain(topics_.name_of("personal_model") + ": " + fault);
    model_.faults.clear();
  }

  void on_particles(const PoseArray& m) {
    constexpr std::size_t kMost = 400;  // more than a person can tell apart
    belief_.particles.clear();
    const std::size_t step = 1 + m.poses.size() / kMost;
    for (std::size_t i = 0; i < m.poses.size(); i += step) {
      FieldPose pose;
      if (pose_from(m.poses[i], pose)) belief_.particles.push_back(pose);
    }
    fresh_ = true;
  }

  void on_path(const nav_msgs::msg::Path& m) {
    belief_.path.clear();
    for (const PoseStamped& p : m.poses) {
      FieldPose pose;
      if (pose_from(p.pose, pose)) belief_.path.push_back(pose);
    }
    belief_.goal.reset();
    if (!belief_.path.empty()) belief_.goal = belief_.path.back();
    fresh_ = true;
  }

  void on_team(const TeamData& m) {
    const std::size_t count = m.robot_ids.size();
    if (m.robot_positions.size() != count || m.role.size() != count || m.ball_relative.size() != count) {
      topics_.complain("team_data: its arrays differ in length, left out");
      return;
    }
    mates_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const auto& p = m.robot_positions[i];
      if (!finite(p.x, p.y, p.theta)) continue;
      if (m.position_covariances.size() == 9 * count && m.position_covariances[9 * i] >= kUnknownVariance) continue;
      ToldMate mate;
      mate.number = m.robot_ids[i];
      mate.role = role_name(m.role[i]);
      mate.pose = {p.x, p.y, p.theta};
      const Position2D& ball = m.ball_relative[i];
      if (ball.confidence > 0.0F && finite(ball.pose.x, ball.pose.y)) {
        BelievedBall told;
        told.x = ball.pose.x;
        told.y = ball.pose.y;
        told = moved(told, mate.pose);
        mate.ball = FieldPose{told.x, told.y, 0.0};
      }
      for (const auto* rivals : {&m.opponent_robot_a, &m.opponent_robot_b, &m.opponent_robot_c, &m.opponent_robot_d}) {
        if (rivals->size() == count && (*rivals)[i].confidence > 0.0F)
          mate.rivals.push_back({(*rivals)[i].pose.x, (*rivals)[i].pose.y, (*rivals)[i].pose.theta});
      }
      mates_.push_back(mate);
    }
    fresh_ = true;
  }

  void on_truth(const SimulationState& m) {
    Truth truth;
    for (const SimulatedRobot& robot : m.robots) {
      TrueRobot t{robot.name, robot.team, robot.player, {}};
      if (pose_from(robot.pose, t.pose)) truth.robots.push_back(t);
    }
    if (pose_from(m.ball_pose, truth.ball)) truth_ = truth;
    fresh_ = true;
  }

  Belief belief_;
  ModelView model_;
  double modelled_ = 0.0;  // s, stamp of the model
  Clock::time_point posed_;
  std::vector<ToldMate> mates_;
  std::optional<Truth> truth_;
  GameState game_;
  bool fresh_ = false;
  RobotTopics topics_;  // last: its callbacks use the rest
};

void turn(FieldPose& p) {
  p = {-p.x, -p.y, p.yaw + M_PI};
}

/// A robot of the other team looks at the field from the other side.
void turn(Belief& belief) {
  if (belief.pose) turn(*belief.pose);
  if (belief.ball) {
    for (double* v : {&belief.ball->x, &belief.ball->y, &belief.ball->vx, &belief.ball->vy}) *v = -*v;
  }
  for (BelievedRobot& robot : belief.robots) robot.x = -robot.x, robot.y = -robot.y;
  for (FieldPose& p : belief.path) turn(p);
  if (belief.goal) turn(*belief.goal);
}

class FieldAdapter : public Adapter {
 public:
  FieldAdapter(rclcpp::Node& node, const Target& target, FieldView& view) : node_(node), view_(view) {
    try {
      field_ = hl_description::Field::from_file(ament_index_cpp::get_package_share_directory("hl_description") +
                                                "/config/field.yaml");
    } catch (const std::exception& error) {
      field_fault_ = error.what();
    }
    std::vector<std::string> all = target.all;
    if (std::find(all.begin(), all.end(), target.robot) == all.end()) all.push_back(target.robot);
    for (const std::string& robot : all) {
      if (robot == target.robot) selected_ = static_cast<int>(robots_.size());
      robots_.push_back(std::make_unique<RobotBelief>(node, robot, robot == target.robot));
    }
    RobotTopics& own = robots_[static_cast<std::size_t>(selected_)]->topics();
    goal_ = own.publisher<PoseStamped>(hl_node::topics::kGoalPose);
    pose_ = own.publisher<PoseWithCovarianceStamped>(hl_node::topics::kInitialpose);
    connections_[0] = QObject::connect(&view, &FieldView::goal_chosen, [this](double x, double y, double yaw) {
      PoseStamped message;
      message.header.frame_id = "map";
      message.header.stamp = stamp();
      message.pose = message_from(x, y, yaw);
      goal_->publish(message);
    });
    connections_[1] = QObject::connect(&view, &FieldView::pose_chosen, [this](double x, double y, double yaw) {
      PoseWithCovarianceStamped message;
      message.header.frame_id = "map";
      message.header.stamp = stamp();
      message.pose.pose = message_from(x, y, yaw);
      message.pose.covariance[0] = message.pose.covariance[7] = kClickDeviation * kClickDeviation;
      message.pose.covariance[35] = kClickYawDeviation * kClickYawDeviation;
      pose_->publish(message);
    });
  }
  ~FieldAdapter() override {
    for (const auto& connection : connections_) QObject::disconnect(connection);
  }

  bool refresh() override {
    FieldData data;
    data.field = field_;
    data.selected = selected_;
    data.robots.resize(robots_.size());
    bool fresh = false;
    for (std::size_t i = 0; i < robots_.size(); ++i)
      fresh = robots_[i]->copy(data.robots[i], data, static_cast<int>(i) == selected_) || fresh;
    if (!fresh) return false;
    const Belief& own = data.robots[static_cast<std::size_t>(selected_)];
    for (Belief& belief : data.robots) {
      if (own.team != 0 && belief.team != 0 && own.team != belief.team) turn(belief);
    }
    // Who is heard directly need not be drawn as told over the radio.
    data.mates.erase(std::remove_if(data.mates.begin(), data.mates.end(),
                                    [&](const ToldMate& mate) {
                                      return std::any_of(data.robots.begin(), data.robots.end(), [&](const Belief& b) {
                                        return b.pose && b.team == own.team && b.number == mate.number && b.number != 0;
                                      });
                                    }),
                     data.mates.end());
    view_.set_data(data);
    return true;
  }

  std::vector<std::string> notices() override {
    std::vector<std::string> result = robots_[static_cast<std::size_t>(selected_)]->topics().notices();
    for (std::size_t i = 0; i < robots_.size(); ++i) {
      if (static_cast<int>(i) == selected_ || result.size() > 3) continue;
      for (const std::string& text : robots_[i]->topics().notices())
        if (text.find("yet") == std::string::npos && result.size() <= 3) result.push_back(text);
    }
    if (!field_fault_.empty()) result.push_back(field_fault_);
    return result;
  }

 private:
  /// The robot's time, which need not be ours.
  rclcpp::Time stamp() {
    RobotTopics& own = robots_[static_cast<std::size_t>(selected_)]->topics();
    const std::lock_guard<std::mutex> lock(own.mutex());
    const double time = own.robot_time();
    return time > 0.0 ? rclcpp::Time(static_cast<std::int64_t>(time * 1e9), RCL_ROS_TIME) : node_.now();
  }

  rclcpp::Node& node_;
  FieldView& view_;
  hl_description::Field field_;
  std::string field_fault_;
  std::vector<std::unique_ptr<RobotBelief>> robots_;
  int selected_ = 0;
  rclcpp::Publisher<PoseStamped>::SharedPtr goal_;
  rclcpp::Publisher<PoseWithCovarianceStamped>::SharedPtr pose_;
  QMetaObject::Connection connections_[2];
};

}  // namespace

std::unique_ptr<Adapter> make_field_adapter(rclcpp::Node& node, const Target& target, FieldView& view) {
  return std::make_unique<FieldAdapter>(node, target, view);
}

}  // namespace hl_visualization
