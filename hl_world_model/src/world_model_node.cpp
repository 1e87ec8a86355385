// SPDX-License-Identifier: Apache-2.0
#include <tf2/exceptions.h>
#include <tf2_ros/buffer.h>
#include <tf2_ros/transform_listener.h>

#include <algorithm>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/position2_d.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "hl_world_model/ground_view.hpp"
#include "messages.hpp"
#include "parameters.hpp"

namespace hl_world_model {
namespace {

constexpr double kGather = 0.05;     // s a picture waits for the rest of what was seen in it
constexpr double kViewRange = 8.0;   // m
constexpr double kSilentMate = 5.0;  // s

const char* text_of(Word word) {
  switch (word) {
    case Word::Used:
      return "used";
    case Word::Stale:
      return "stale";
    case Word::NoPose:
      return "does not know where it is";
    case Word::Echo:
      return "repeats our own word";
    case Word::Mirrored:
      return "left out: on the wrong side of the field";
    default:
      return "left out: contradicts what we see";
  }
}

}  // namespace

/// Messages in, messages out; see PersonalModel and TeamModel.
class WorldModelNode : public rclcpp::Node {
 public:
  explicit WorldModelNode(const rclcpp::NodeOptions& options)
      : Node("world_model", options),
        parameters_(*this, parameters()),
        personal_(parameters_.values().personal),
        team_(parameters_.values().team),
        diagnostics_(*this, "models"),
        buffer_(get_clock()),
        listener_(buffer_, this, false, tf2_ros::DynamicListenerQoS(), tf2_ros::StaticListenerQoS(),
                  rclcpp::SubscriptionOptions(),
                  hl_node::options_for<rclcpp::SubscriptionOptions>(hl_node::topics::kTfStatic)) {
    using namespace hl_node;
    personal_publisher_ = hl_node::create_publisher<Model>(*this, topics::kPersonalModel);
    team_publisher_ = hl_node::create_publisher<Model>(*this, topics::kTeamModel);
    listen();
    update_timer_ = rclcpp::create_timer(
        this, get_clock(), rclcpp::Duration::from_seconds(1.0 / parameters_.values().rate), [this] { publish(); });
    health_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { health(); });
  }

 private:
  using Model = humanoid_league_msgs::msg::Model;

  /// A picture of which a part may still be on its way.
  struct Pending {
    hl_soccer::Percepts percepts;
    bool ball = false, obstacles = false;
    double since = 0.0;  // s
  };

  template <class Message, class Callback>
  void subscribe(const hl_node::Topic& topic, Callback&& callback) {
    subscriptions_.push_back(hl_node::create_subscription<Message>(*this, topic, std::forward<Callback>(callback)));
  }

  void listen() {
    using namespace humanoid_league_msgs::msg;
    using namespace hl_node;
    subscribe<nav_msgs::msg::Odometry>(topics::kOdom, [this](const nav_msgs::msg::Odometry& m) {
      inputs_.odometry = odometry_from(m);
      step();  // none is skipped: pictures of that moment need it
    });
    subscribe<BallRelative>(topics::kBallRelative, [this](const BallRelative& m) {
      if (Pending* picture = picture_of(m.header)) {
        picture->ball = true;
        add_ball(m, picture->percepts);
      }
    });
    subscribe<ObstaclesRelative>(topics::kObstaclesRelative, [this](const ObstaclesRelative& m) {
      if (Pending* picture = picture_of(m.header)) {
        picture->obstacles = true;
        add_obstacles(m, picture->percepts);
      }
    });
    subscribe<geometry_msgs::msg::PoseWithCovarianceStamped>(
        topics::kPose, [this](const geometry_msgs::msg::PoseWithCovarianceStamped& m) { take_pose(m, inputs_.pose); });
    subscribe<Position2D>(topics::kPosition, [this](const Position2D& m) {
      inputs_.pose.confidence = std::isfinite(m.confidence) ? std::clamp(m.confidence, 0.0F, 1.0F) : 0.0F;
    });
    subscribe<RobotControlState>(topics::kRobotState, [this](const RobotControlState& m) {
      inputs_.body = static_cast<hl_soccer::BodyState>(std::min<int>(m.state, RobotControlState::KICKING));
    });
    subscribe<GameState>(topics::kGamestate,
                         [this](const GameState& m) { inputs_.own_color_blue = m.own_color == GameState::COLOR_BLUE; });
    subscribe<TeamData>(topics::kTeamData, [this](const TeamData& m) { mates_ = mates_from(m); });
  }

  Pending* picture_of(const std_msgs::msg::Header& header) {
    if (header.frame_id != "base_footprint") {
      ++unknown_frames_;
      return nullptr;
    }
    const double stamp = seconds(header.stamp);
    for (Pending& picture : pending_) {
      if (picture.percepts.stamp == stamp) return &picture;
    }
    if (pending_.size() > 30) pending_.erase(pending_.begin());
    pending_.emplace_back();
    Pending& picture = pending_.back();
    picture.percepts.stamp = stamp;
    picture.percepts.view = view_at(header.stamp);
    picture.since = now().seconds();
    return &picture;
  }

  std::vector<Eigen::Vector2d> view_at(const rclcpp::Time& stamp) const {
    const NodeParams& params = parameters_.values();
    if (params.horizontal_fov <= 0.0 || params.vertical_fov <= 0.0) return {};
    try {
      const auto t = buffer_.lookupTransform("base_footprint", "camera_optical_frame", stamp).transform;
      Eigen::Isometry3d camera = Eigen::Isometry3d::Identity();
      camera.translation() = Eigen::Vector3d(t.translation.x, t.translation.y, t.translation.z);
      camera.linear() =
          Eigen::Quaterniond(t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z).normalized().toRotationMatrix();
      return ground_view(camera, params.horizontal_fov, params.vertical_fov, kViewRange);
    } catch (const tf2::TransformException&) {
      return {};  // then not seeing a thing means nothing
    }
  }

  void step() {
    const double time = now().seconds();
    inputs_.percepts.clear();
    for (std::size_t n = 0; n < pending_.size();) {
      Pending& picture = pending_[n];
      if ((picture.ball && picture.obstacles) || std::abs(time - picture.since) > kGather) {
        inputs_.percepts.push_back(std::move(picture.percepts));
        pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(n));
      } else {
        ++n;
      }
    }
    outputs_ = personal_.step(inputs_, time);
    inputs_.odometry.reset();
  }

  void publish() {
    step();
    const double time = now().seconds();
    fill(personal_message_, outputs_.model, inputs_.own_color_blue);
    personal_publisher_->publish(personal_message_);
    TeamModel::Inputs words;
    words.own = outputs_.model;
    for (const hl_soccer::TeamMate& mate : mates_) {
      if (time - mate.stamp < kSilentMate) words.mates.push_back(mate);
    }
    team_outputs_ = team_.step(words, time);
    fill(team_message_, team_outputs_.model, inputs_.own_color_blue);
    team_publisher_->publish(team_message_);
  }

  void health() {
    const auto& r = outputs_.refused;
    const auto text = [](auto value) { return std::to_string(value); };
    hl_node::Diagnostics::Values values = {{"ball confidence", text(outputs_.model.ball.confidence)},
                                           {"ball hypotheses", text(outputs_.ball_hypotheses)},
                                           {"robots", text(outputs_.model.robots.size())},
                                           {"pictures put in order", text(outputs_.reordered)},
                                           {"refused stamps", text(r.stamps)},
                                           {"refused repetitions", text(r.repeated)},
                                           {"refused values", text(r.values)},
                                           {"refused odometry", text(r.odometry)},
                                           {"pictures without odometry", text(r.unplaced)},
                                           {"unknown frames", text(unknown_frames_)},
                                           {"refused words of the team", text(team_outputs_.refused)}};
    bool left_out = false;
    for (const auto& verdict : team_outputs_.verdicts) {
      values.emplace_back("team mate " + text(verdict.number), text_of(verdict.word));
      left_out = left_out || verdict.word == Word::Mirrored || verdict.word == Word::Contradicts;
    }
    diagnostics_.report(left_out ? hl_node::Level::Warn : hl_node::Level::Ok,
                        outputs_.model.ball.confidence > 0.0        ? "sees the ball"
                        : team_outputs_.model.ball.confidence > 0.0 ? "knows the ball from the team"
                                                                    : "knows no ball",
                        values);
  }

  hl_node::NodeParameters<NodeParams> parameters_;
  PersonalModel personal_;
  TeamModel team_;
  PersonalModel::Inputs inputs_;
  PersonalModel::Outputs outputs_;
  TeamModel::Outputs team_outputs_;
  std::vector<hl_soccer::TeamMate> mates_;
  std::vector<Pending> pending_;
  hl_node::Diagnostics diagnostics_;
  tf2_ros::Buffer buffer_;
  tf2_ros::TransformListener listener_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::Publisher<Model>::SharedPtr personal_publisher_, team_publisher_;
  rclcpp::TimerBase::SharedPtr update_timer_, health_timer_;
  Model personal_message_, team_message_;
  int unknown_frames_ = 0;
};

}  // namespace hl_world_model

RCLCPP_COMPONENTS_REGISTER_NODE(hl_world_model::WorldModelNode)
