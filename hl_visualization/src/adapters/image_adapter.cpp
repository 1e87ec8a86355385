// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <map>
#include <opencv2/core.hpp>

#include "../pictures/image_message.hpp"
#include "../pictures/marking_collector.hpp"
#include "../pictures/marking_messages.hpp"
#include "../topics/robot_camera.hpp"
#include "../topics/robot_topics.hpp"
#include "adapter.hpp"
#include "hl_visualization/image_view.hpp"

namespace hl_visualization {
namespace {

using namespace humanoid_league_msgs::msg;
using sensor_msgs::msg::Image;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kPictures = 6;  // kept while their markings are on the way

double now_seconds() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

std::int64_t nanoseconds(const builtin_interfaces::msg::Time& stamp) {
  return 1'000'000'000LL * stamp.sec + stamp.nanosec;
}

class ImageAdapter : public Adapter {
 public:
  ImageAdapter(rclcpp::Node& node, const Target& target, ImageView& view)
      : view_(view),
        topics_owner_(std::make_unique<RobotTopics>(node, target.robot)),
        topics_(*topics_owner_),
        camera_(topics_) {
    using namespace hl_node;
    topics_.subscribe<Image>(topics::kCameraImageRaw, 2.0, [this](const Image& m) { on_image(m); });
    listen<BallInImage>(topics::kBallInImage, MarkingKind::Ball);
    listen<BallsInImage>(topics::kBallsInImage, MarkingKind::Candidates);
    listen<ObstaclesInImage>(topics::kObstaclesInImage, MarkingKind::Obstacles);
    listen<GoalPartsInImage>(topics::kGoalPartsInImage, MarkingKind::GoalParts);
    listen<GoalInImage>(topics::kGoalInImage, MarkingKind::Goal);
    listen<LineInformationInImage>(topics::kLinesInImage, MarkingKind::Lines);
    topics_.subscribe<sensor_msgs::msg::RegionOfInterest>(topics::kRegionsOfInterest, 0.0,
                                                          [this](const sensor_msgs::msg::RegionOfInterest& m) {
                                                            int bad = 0;
                                                            collector_.set_regions(markings_from(m, bad));
                                                          });
  }

  ~ImageAdapter() override { topics_owner_.reset(); }  // first: its callbacks use the rest

  bool refresh() override {
    ImageData data;
    {
      const std::lock_guard<std::mutex> lock(topics_.mutex());
      const auto ready = collector_.take(now_seconds());
      if (!ready) return false;
      const auto found = pictures_.find(ready->stamp);
      if (found == pictures_.end()) return false;
      const cv::Mat picture = found->second;
      pictures_.erase(pictures_.begin(), std::next(found));
      // Deep copy: the picture outlives the record.
      data.image =
          QImage(picture.data, picture.cols, picture.rows, static_cast<int>(picture.step), QImage::Format_BGR888)
              .convertToFormat(QImage::Format_RGB32);
      data.markings = ready->markings;
      data.marked = ready->marked;
      data.detection = ready->marked ? ready->delay : -1.0;
      if (const auto camera = camera_.view(ready->stamp)) {
        data.to_ground = [camera = *camera](double x, double y) -> std::optional<GroundPoint> {
          const auto hit = camera.on_plane(cv::Point2d(x, y));
          if (!hit) return std::nullopt;
          return GroundPoint{hit->x(), hit->y()};
        };
      }
    }
    view_.set_data(data);
    return true;
  }
  std::vector<std::string> notices() override { return topics_.notices(); }

 private:
  template <class Message>
  void listen(const hl_node::Topic& topic, MarkingKind kind) {
    topics_.subscribe<Message>(topic, 0.0, [this, kind, name = topic.name](const Message& m) {
      int bad = 0;
      collector_.add(kind, nanoseconds(m.header.stamp), markings_from(m, bad), now_seconds());
      if (bad > 0) topics_.complain(topics_.name_of(name) + ": not a number, left out");
    });
  }

  void on_image(const Image& m) {
    if (topics_.went_back(seconds(m.header.stamp))) {
      pictures_.clear();
      collector_.clear();
    }
    cv::Mat picture;
    if (const auto fault = bgr_from(m, picture)) return topics_.complain("camera/image_raw: " + *fault);
    const std::int64_t stamp = nanoseconds(m.header.stamp);
    pictures_[stamp] = picture;
    while (pictures_.size() > kPictures) pictures_.erase(pictures_.begin());
    collector_.add_picture(stamp, now_seconds());
  }

  ImageView& view_;
  MarkingCollector collector_;
  std::map<std::int64_t, cv::Mat> pictures_;
  std::unique_ptr<RobotTopics> topics_owner_;
  RobotTopics& topics_;
  RobotCamera camera_;
};

}  // namespace

std::unique_ptr<Adapter> make_image_adapter(rclcpp::Node& node, const Target& target, ImageView& view) {
  return std::make_unique<ImageAdapter>(node, target, view);
}

}  // namespace hl_visualization
