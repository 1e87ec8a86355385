// SPDX-License-Identifier: Apache-2.0
#include "../topics/surroundings.hpp"
#include "adapter.hpp"
#include "hl_visualization/relative_view.hpp"

namespace hl_visualization {
namespace {

class RelativeAdapter : public Adapter {
 public:
  RelativeAdapter(rclcpp::Node& node, const Target& target, RelativeView& view)
      : view_(view), topics_(std::make_unique<RobotTopics>(node, target.robot)), surroundings_(*topics_) {}
  ~RelativeAdapter() override { topics_.reset(); }  // first: its callbacks use the surroundings

  bool refresh() override {
    RelativeData data;
    {
      const std::lock_guard<std::mutex> lock(topics_->mutex());
      data = surroundings_.now();
    }
    view_.set_data(data);
    return true;
  }
  std::vector<std::string> notices() override { return topics_->notices(); }

 private:
  RelativeView& view_;
  std::unique_ptr<RobotTopics> topics_;
  Surroundings surroundings_;
};

}  // namespace

std::unique_ptr<Adapter> make_relative_adapter(rclcpp::Node& node, const Target& target, RelativeView& view) {
  return std::make_unique<RelativeAdapter>(node, target, view);
}

}  // namespace hl_visualization
