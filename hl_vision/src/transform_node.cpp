// SPDX-License-Identifier: Apache-2.0
#include <tf2_ros/buffer.h>
#include <tf2_ros/transform_listener.h>

#include <deque>
#include <functional>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/goal_relative.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_node/contract.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "image_message.hpp"
#include "known_pose.hpp"
#include "messages.hpp"
#include "mounted_camera.hpp"
#include "nodes.hpp"
#include "parameters.hpp"

namespace hl_vision {

/// From places in the picture to places around the robot, with the camera's pose at the time of the picture.
class TransformNode : public rclcpp::Node {
 public:
  explicit TransformNode(const rclcpp::NodeOptions& options)
      : Node("transform", options),
        parameters_(*this, transform_parameters()),
        field_(
            parameters_.values().field_file.empty()
                ? hl_description::Field()
                : hl_description::Field::from_file(parameters_.values().field_file, parameters_.values().field_preset)),
        transform_(parameters_.values().core, field_),
        camera_(parameters_.values().robot_config_file),
        drift_(parameters_.values().drift, field_),
        buffer_(get_clock()),
        listener_(buffer_, this, false, tf2_ros::DynamicListenerQoS(), tf2_ros::StaticListenerQoS(),
                  between_processes(), between_processes()),
        diagnostics_(*this, "places") {
    parameters_.on_change([this](const TransformNodeParams& params) {
      transform_.set_params(params.core);
      drift_.set_params(params.drift);
    });
    using hl_node::create_publisher;
    using hl_node::create_subscription;
    namespace topics = hl_node::topics;
    ball_ = create_publisher<msg::BallRelative>(*this, topics::kBallRelative);
    goal_ = create_publisher<msg::GoalRelative>(*this, topics::kGoalRelative);
    obstacles_ = create_publisher<msg::ObstaclesRelative>(*this, topics::kObstaclesRelative);
    lines_ = create_publisher<msg::LineInformationRelative>(*this, topics::kLinesRelative);
    points_ = create_publisher<sensor_msgs::msg::PointCloud2>(*this, topics::kLinePoints);
    info_sub_ = create_subscription<sensor_msgs::msg::CameraInfo>(
        *this, topics::kCameraCameraInfo, [this](const sensor_msgs::msg::CameraInfo::ConstSharedPtr& info) {
          Lens lens;
          if (auto error = to_lens(*info, lens)) {
            fault_ = std::move(*error);
          } else {
            lens_ = lens;
          }
        });
    pose_sub_ = create_subscription<geometry_msgs::msg::PoseWithCovarianceStamped>(
        *this, topics::kPose,
        [this](const geometry_msgs::msg::PoseWithCovarianceStamped::ConstSharedPtr& m) { believed_ = known_pose(*m); });
    ball_sub_ = create_subscription<msg::BallInImage>(
        *this, topics::kBallInImage, [this](const msg::BallInImage::ConstSharedPtr& m) {
          take(
              m->header,
              [this, m](const CameraView& view, const std_msgs::msg::Header& header) { on_ball(*m, view, header); },
              [this](const std_msgs::msg::Header& header) { no_ball(header); });
        });
    goal_sub_ = create_subscription<msg::GoalInImage>(
        *this, topics::kGoalInImage, [this](const msg::GoalInImage::ConstSharedPtr& m) {
          take(m->header,
               [this, m](const CameraView& view, const std_msgs::msg::Header& header) { on_goal(*m, view, header); });
        });
    obstacles_sub_ = create_subscription<msg::ObstaclesInImage>(
        *this, topics::kObstaclesInImage, [this](const msg::ObstaclesInImage::ConstSharedPtr& m) {
          take(m->header, [this, m](const CameraView& view, const std_msgs::msg::Header& header) {
            on_obstacles(*m, view, header);
          });
        });
    lines_sub_ = create_subscription<msg::LineInformationInImage>(
        *this, topics::kLinesInImage, [this](const msg::LineInformationInImage::ConstSharedPtr& m) {
          take(m->header,
               [this, m](const CameraView& view, const std_msgs::msg::Header& header) { on_lines(*m, view, header); });
        });
    // On the wall clock: in lock-step simulated time stands still until the answer is there. How long a message may
    // wait is measured in the node's time.
    retry_ = create_wall_timer(std::chrono::milliseconds(3), [this] { try_waiting(); });
    report_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { report(); });
  }

 private:
  using Use = std::function<void(const CameraView&, const std_msgs::msg::Header&)>;
  using Refuse = std::function<void(const std_msgs::msg::Header&)>;  // header of the answer
  struct Waiting {
    std_msgs::msg::Header header;
    Use use;
    Refuse refuse;
    double since = 0.0;
  };
  static constexpr std::size_t kMostWaiting = 64;

  bool attempt(const std_msgs::msg::Header& header, const Use& use) {
    const auto pose = camera_.at(buffer_, header, 0.0, drift_.corrected(camera_.mounting()));
    if (!pose) return false;
    use(CameraView(*lens_, *pose), at_robot(header));
    ++done_;
    return true;
  }

  static std_msgs::msg::Header at_robot(const std_msgs::msg::Header& header) {
    std_msgs::msg::Header there;
    there.stamp = header.stamp;
    there.frame_id = "base_footprint";
    return there;
  }

  /// `refuse` answers in place of `use` if the message cannot be used.
  void take(const std_msgs::msg::Header& header, Use use, Refuse refuse = {}) {
    Waiting next{header, std::move(use), std::move(refuse), now().seconds()};
    if (!lens_) {
      drop(next, "no camera_info yet");
      return;
    }
    if (header.frame_id.empty()) {
      drop(next, "the message names no frame");
      return;
    }
    if (attempt(header, next.use)) return;
    if (waiting_.size() >= kMostWaiting) {
      drop(waiting_.front(), "too many messages wait for the camera's pose");
      waiting_.pop_front();
    }
    waiting_.push_back(std::move(next));
  }

  void try_waiting() {
    const double time = now().seconds();
    for (std::size_t n = waiting_.size(); n > 0; --n) {
      Waiting next = std::move(waiting_.front());
      waiting_.pop_front();
      if (attempt(next.header, next.use)) continue;
      if (time - next.since > parameters_.values().wait || time < next.since) {
        drop(next, "no transform from " + next.header.frame_id + " to base_footprint at the time of the picture");
      } else {
        waiting_.push_back(std::move(next));
      }
    }
  }

  void drop(const Waiting& message, std::string reason) {
    ++dropped_;
    fault_ = std::move(reason);
    if (message.refuse) message.refuse(at_robot(message.header));
  }

  void no_ball(const std_msgs::msg::Header& header) {
    msg::BallRelative nothing;
    nothing.header = header;
    ball_->publish(nothing);
  }

  Transform::Outputs run(Detection::Outputs seen, const CameraView& view, const std_msgs::msg::Header& header) const {
    const double stamp = rclcpp::Time(header.stamp).seconds();
    return transform_.step({std::move(seen), view, stamp}, stamp);
  }

  void on_ball(const msg::BallInImage& m, const CameraView& view, const std_msgs::msg::Header& header) {
    Detection::Outputs seen;
    seen.ball = from_message(m);
    const auto out = run(std::move(seen), view, header);
    msg::BallRelative relative;
    relative.header = header;
    if (const auto& ball = out.percepts.ball) {
      relative.ball_relative.x = ball->position.x();
      relative.ball_relative.y = ball->position.y();
      relative.ball_relative.z = field_.ball_radius;
      relative.confidence = static_cast<float>(ball->confidence);
    }
    ball_->publish(relative);
  }

  void on_goal(const msg::GoalInImage& m, const CameraView& view, const std_msgs::msg::Header& header) {
    Detection::Outputs seen;
    seen.goal = from_message(m);
    const auto out = run(seen, view, header);
    msg::GoalRelative relative;
    relative.header = header;
    if (const auto& goal = out.percepts.goal) {
      const auto set = [](geometry_msgs::msg::Point& to, const Eigen::Vector2d& from) {
        to.x = from.x();
        to.y = from.y();
      };
      set(relative.left_post, goal->left_post);
      set(relative.right_post, goal->right_post);
      Eigen::Vector2d centre = 0.5 * (goal->left_post + goal->right_post);
      if (!goal->both()) {
        if (const auto guess = transform_.place(view, seen.goal->center, 0.0)) centre = guess->position;
      }
      set(relative.center_direction, centre);
      relative.confidence = static_cast<float>(goal->confidence);
    }
    goal_->publish(relative);
  }

  void on_obstacles(const msg::ObstaclesInImage& m, const CameraView& view, const std_msgs::msg::Header& header) {
    Detection::Outputs seen;
    seen.obstacles = from_message(m);
    obstacles_->publish(obstacles_message(header, run(std::move(seen), view, header).percepts));
  }

  void on_lines(const msg::LineInformationInImage& m, const CameraView& view, const std_msgs::msg::Header& header) {
    Detection::Outputs seen;
    from_message(m, view, seen);
    learn_drift(m.header, seen.line_points);
    const auto out = run(std::move(seen), view, header);
    lines_->publish(lines_message(header, out.percepts, field_.circle_radius()));
    points_->publish(points_message(header, out.percepts.line_points));
  }

  /// From the points of lines and localisation's pose: is the camera still mounted as it was?
  void learn_drift(const std_msgs::msg::Header& header, const std::vector<cv::Point2d>& line_points) {
    if (!believed_ || !parameters_.values().drift.learn) return;
    const auto parts = camera_.parts_at(buffer_, header, 0.0);
    if (!parts) return;
    const Mounting calibration = camera_.mounting();
    MountingDrift::Inputs inputs;
    inputs.frame.lens = *lens_;
    // Body and pan are corrected already; what is left to learn belongs to the camera.
    Mounting without_tilt = calibration;
    without_tilt.tilt.setZero();
    without_tilt.offset.setZero();
    Mounting only_camera;
    only_camera.tilt = calibration.tilt;
    only_camera.offset = calibration.offset;
    inputs.frame.footprint_from_base = without_tilt.apply(parts->footprint_from_base, Eigen::Isometry3d::Identity());
    inputs.frame.base_from_camera = only_camera.apply(Eigen::Isometry3d::Identity(), parts->base_from_camera);
    inputs.frame.line_points = line_points;
    inputs.pose = *believed_;
    if (!drift_.step(inputs, rclcpp::Time(header.stamp).seconds())) return;
    RCLCPP_INFO(get_logger(), "camera mounting: learned %.2f degrees of pitch and %.2f of roll against the calibration",
                drift_.pitch() * 180.0 / M_PI, drift_.roll() * 180.0 / M_PI);
  }

  void report() {
    const hl_node::Diagnostics::Values values = {{"transformed", std::to_string(done_)},
                                                 {"dropped", std::to_string(dropped_)},
                                                 {"waiting", std::to_string(waiting_.size())},
                                                 {"learned pitch (rad)", std::to_string(drift_.pitch())},
                                                 {"learned roll (rad)", std::to_string(drift_.roll())},
                                                 {"lessons", std::to_string(drift_.lessons())}};
    if (drift_.at_bound() && fault_.empty())
      fault_ = "the camera has moved further than may be learned: calibrate its mounting";
    const bool fine = dropped_ == 0 && fault_.empty();
    diagnostics_.report(fine ? hl_node::Level::Ok : hl_node::Level::Warn, fine ? "transforms" : fault_, values);
    done_ = dropped_ = 0;
    fault_.clear();
  }

  hl_node::NodeParameters<TransformNodeParams> parameters_;
  hl_description::Field field_;
  Transform transform_;
  MountedCamera camera_;
  MountingDrift drift_;
  std::optional<KnownPose> believed_;
  tf2_ros::Buffer buffer_;
  tf2_ros::TransformListener listener_;
  hl_node::Diagnostics diagnostics_;
  std::optional<Lens> lens_;
  std::deque<Waiting> waiting_;
  int done_ = 0, dropped_ = 0;
  std::string fault_;
  rclcpp::Publisher<msg::BallRelative>::SharedPtr ball_;
  rclcpp::Publisher<msg::GoalRelative>::SharedPtr goal_;
  rclcpp::Publisher<msg::ObstaclesRelative>::SharedPtr obstacles_;
  rclcpp::Publisher<msg::LineInformationRelative>::SharedPtr lines_;
  rclcpp::Publisher<sensor_msgs::msg::PointCloud2>::SharedPtr points_;
  rclcpp::Subscription<sensor_msgs::msg::CameraInfo>::SharedPtr info_sub_;
  rclcpp::Subscription<geometry_msgs::msg::PoseWithCovarianceStamped>::SharedPtr pose_sub_;
  rclcpp::Subscription<msg::BallInImage>::SharedPtr ball_sub_;
  rclcpp::Subscription<msg::GoalInImage>::SharedPtr goal_sub_;
  rclcpp::Subscription<msg::ObstaclesInImage>::SharedPtr obstacles_sub_;
  rclcpp::Subscription<msg::LineInformationInImage>::SharedPtr lines_sub_;
  rclcpp::TimerBase::SharedPtr retry_, report_timer_;
};

std::shared_ptr<rclcpp::Node> make_transform_node(const rclcpp::NodeOptions& options) {
  return std::make_shared<TransformNode>(options);
}

}  // namespace hl_vision

RCLCPP_COMPONENTS_REGISTER_NODE(hl_vision::TransformNode)
