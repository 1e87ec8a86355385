// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <map>
#include <memory>
#include <opencv2/imgcodecs.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <sensor_msgs/msg/image.hpp>

#include "../pictures/draw_markings.hpp"
#include "../pictures/image_message.hpp"
#include "../pictures/marking_collector.hpp"
#include "../pictures/marking_messages.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "image_marker_params.hpp"

namespace hl_visualization {
namespace {

using namespace humanoid_league_msgs::msg;
using sensor_msgs::msg::CompressedImage;
using sensor_msgs::msg::Image;

constexpr std::size_t kPictures = 6;  // kept while their markings are on the way

std::int64_t nanoseconds(const builtin_interfaces::msg::Time& stamp) {
  return 1'000'000'000LL * stamp.sec + stamp.nanosec;
}

}  // namespace

/// The camera's picture with what was found in it, on `camera/image_marked` (raw) and its `/compressed` (JPEG). Without
/// a subscriber it listens to nothing.
class ImageMarkerNode : public rclcpp::Node {
 public:
  explicit ImageMarkerNode(const rclcpp::NodeOptions& options)
      : Node("image_marker", options),
        parameters_(*this, image_marker_parameters()),
        collector_(parameters_.values().patience),
        diagnostics_(*this, "pictures") {
    using namespace hl_node;
    raw_ = hl_node::create_publisher<Image>(*this, topics::kCameraImageMarked);
    jpeg_ = create_publisher<CompressedImage>(std::string(topics::kCameraImageMarked.name) + "/compressed",
                                              offered(topics::kCameraImageMarked));
    // Real time: who listens has nothing to do with the robot's clock.
    watch_ = create_wall_timer(std::chrono::milliseconds(200), [this] { watch(); });
    wait_ = create_wall_timer(std::chrono::milliseconds(50), [this] { publish(); });
    health_ = create_wall_timer(std::chrono::seconds(1), [this] { health(); });
    wait_->cancel();
  }

 private:
  static double now_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  void watch() {
    const bool wanted = raw_->get_subscription_count() + jpeg_->get_subscription_count() > 0;
    if (wanted == !subscriptions_.empty()) return;
    if (wanted) {
      listen();
      wait_->reset();
    } else {
      subscriptions_.clear();
      pictures_.clear();
      collector_.clear();
      wait_->cancel();
    }
  }

  void listen() {
    using namespace hl_node;
    subscriptions_.push_back(hl_node::create_subscription<Image>(
        *this, topics::kCameraImageRaw, [this](const std::shared_ptr<const Image> m) { on_image(m); }));
    listen_to<BallInImage>(topics::kBallInImage, MarkingKind::Ball);
    listen_to<BallsInImage>(topics::kBallsInImage, MarkingKind::Candidates);
    listen_to<ObstaclesInImage>(topics::kObstaclesInImage, MarkingKind::Obstacles);
    listen_to<GoalPartsInImage>(topics::kGoalPartsInImage, MarkingKind::GoalParts);
    listen_to<GoalInImage>(topics::kGoalInImage, MarkingKind::Goal);
    listen_to<LineInformationInImage>(topics::kLinesInImage, MarkingKind::Lines);
    subscriptions_.push_back(hl_node::create_subscription<sensor_msgs::msg::RegionOfInterest>(
        *this, topics::kRegionsOfInterest,
        [this](const sensor_msgs::msg::RegionOfInterest& m) { collector_.set_regions(markings_from(m, bad_)); }));
  }

  template <class Message>
  void listen_to(const hl_node::Topic& topic, MarkingKind kind) {
    subscriptions_.push_back(hl_node::create_subscription<Message>(*this, topic, [this, kind](const Message& m) {
      collector_.add(kind, nanoseconds(m.header.stamp), markings_from(m, bad_), now_seconds());
      publish();
    }));
  }

  void on_image(const std::shared_ptr<const Image>& image) {
    const std::int64_t stamp = nanoseconds(image->header.stamp);
    pictures_[stamp] = image;
    while (pictures_.size() > kPictures) pictures_.erase(pictures_.begin());
    collector_.add_picture(stamp, now_seconds());
    publish();
  }

  void publish() {
    const auto ready = collector_.take(now_seconds());
    if (!ready) return;
    const auto found = pictures_.find(ready->stamp);
    if (found == pictures_.end()) return;
    const std::shared_ptr<const Image> image = found->second;
    pictures_.erase(pictures_.begin(), std::next(found));
    if (const auto fault = bgr_from(*image, bgr_)) {
      fault_ = *fault;
      return;
    }
    draw_markings(bgr_, ready->markings, parameters_.values().shown());
    ++published_;
    if (!ready->marked) ++unmarked_;
    if (raw_->get_subscription_count() > 0) publish_raw(image->header);
    if (jpeg_->get_subscription_count() > 0) publish_jpeg(image->header);
  }

  void publish_raw(const std_msgs::msg::Header& header) {
    raw_message_.header = header;
    raw_message_.width = static_cast<std::uint32_t>(bgr_.cols);
    raw_message_.height = static_cast<std::uint32_t>(bgr_.rows);
    raw_message_.encoding = "bgr8";
    raw_message_.step = static_cast<std::uint32_t>(bgr_.cols) * 3U;
    raw_message_.data.assign(bgr_.data, bgr_.data + bgr_.total() * 3);
    raw_->publish(raw_message_);
  }

  void publish_jpeg(const std_msgs::msg::Header& header) {
    jpeg_message_.header = header;
    jpeg_message_.format = "bgr8; jpeg compressed bgr8";
    cv::imencode(".jpg", bgr_, jpeg_message_.data, {cv::IMWRITE_JPEG_QUALITY, parameters_.values().jpeg_quality});
    jpeg_->publish(jpeg_message_);
  }

  void health() {
    using hl_node::Level;
    const hl_node::Diagnostics::Values values = {{"published", std::to_string(published_)},
                                                 {"without markings", std::to_string(unmarked_)},
                                                 {"not a number", std::to_string(bad_)}};
    if (!fault_.empty()) {
      diagnostics_.report(Level::Error, "a picture cannot be drawn on: " + fault_, values);
    } else if (bad_ > 0) {
      diagnostics_.report(Level::Warn, "markings that are not a number were left out", values);
    } else {
      diagnostics_.report(Level::Ok, subscriptions_.empty() ? "nobody listens" : "draws", values);
    }
    fault_.clear();
    bad_ = 0;
  }

  hl_node::NodeParameters<ImageMarkerParams> parameters_;
  MarkingCollector collector_;
  hl_node::Diagnostics diagnostics_;
  std::map<std::int64_t, std::shared_ptr<const Image>> pictures_;
  cv::Mat bgr_;
  Image raw_message_;
  CompressedImage jpeg_message_;
  std::string fault_;
  int bad_ = 0;
  std::uint64_t published_ = 0, unmarked_ = 0;
  rclcpp::Publisher<Image>::SharedPtr raw_;
  rclcpp::Publisher<CompressedImage>::SharedPtr jpeg_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::TimerBase::SharedPtr watch_, wait_, health_;
};

}  // namespace hl_visualization

RCLCPP_COMPONENTS_REGISTER_NODE(hl_visualization::ImageMarkerNode)
