// SPDX-License-Identifier: Apache-2.0
#include "panel.hpp"

#include <QStringList>

#include "hl_visualization/behavior_view.hpp"
#include "hl_visualization/field_view.hpp"
#include "hl_visualization/hcm_view.hpp"
#include "hl_visualization/image_view.hpp"
#include "hl_visualization/relative_view.hpp"
#include "hl_visualization/team_link_view.hpp"
#include "hl_visualization/walk_view.hpp"

namespace hl_visualization {
namespace {

constexpr int kPeriod = 50;       // ms: 20 pictures a second
constexpr int kNoticeTicks = 20;  // once a second
constexpr int kHiddenTicks = 40;  // 2 s: a view that is only passed over in a tab keeps its data

Canvas* make_view(Kind kind) {
  switch (kind) {
    case Kind::Field:
      return new FieldView;
    case Kind::Relative:
      return new RelativeView;
    case Kind::Image:
      return new ImageView;
    case Kind::Hcm:
      return new HcmView;
    case Kind::Behavior:
      return new BehaviorView;
    case Kind::Walk:
      return new WalkView;
    case Kind::TeamLink:
      return new TeamLinkView;
  }
  return nullptr;
}

}  // namespace

const char* id_of(Kind kind) {
  constexpr const char* kIds[] = {"field", "relative", "image", "hcm", "behavior", "walk", "team_link"};
  return kIds[static_cast<std::size_t>(kind)];
}

const char* title_of(Kind kind) {
  constexpr const char* kTitles[] = {"Field", "Around the robot", "Camera", "Control manager", "Behaviour",
                                     "Walk",  "Team link"};
  return kTitles[static_cast<std::size_t>(kind)];
}

Panel::Panel(rclcpp::Node::SharedPtr node, Kind kind, QObject* parent)
    : QObject(parent), node_(std::move(node)), kind_(kind), view_(make_view(kind)) {
  view_->setObjectName(QString::fromLatin1(id_of(kind)));
  connect(&timer_, &QTimer::timeout, this, &Panel::tick);
  timer_.start(kPeriod);
}

Panel::~Panel() {
  stop();
}

void Panel::stop() {
  timer_.stop();
  adapter_.reset();
}

void Panel::set_target(const Target& target) {
  target_ = target;
  adapter_.reset();  // a new one is made when the view is next looked at
}

void Panel::connect_view() {
  switch (kind_) {
    case Kind::Field:
      adapter_ = make_field_adapter(*node_, target_, *static_cast<FieldView*>(view_));
      break;
    case Kind::Relative:
      adapter_ = make_relative_adapter(*node_, target_, *static_cast<RelativeView*>(view_));
      break;
    case Kind::Image:
      adapter_ = make_image_adapter(*node_, target_, *static_cast<ImageView*>(view_));
      break;
    case Kind::Hcm:
      adapter_ = make_hcm_adapter(*node_, target_, *static_cast<HcmView*>(view_));
      break;
    case Kind::Behavior:
      adapter_ = make_behavior_adapter(*node_, target_, *static_cast<BehaviorView*>(view_));
      break;
    case Kind::Walk:
      adapter_ = make_walk_adapter(*node_, target_, *static_cast<WalkView*>(view_));
      break;
    case Kind::TeamLink:
      adapter_ = make_team_link_adapter(*node_, target_, *static_cast<TeamLinkView*>(view_));
      break;
  }
}

void Panel::tick() {
  if (!view_->isVisible()) {
    if (adapter_ && ++hidden_ > kHiddenTicks) adapter_.reset();
    return;
  }
  hidden_ = 0;
  if (!adapter_) connect_view();
  if (adapter_->refresh()) ++refreshes_;
  if (++ticks_ % kNoticeTicks != 0) return;
  QStringList notices;
  for (const std::string& notice : adapter_->notices()) notices << QString::fromStdString(notice);
  view_->set_notices(notices);
}

}  // namespace hl_visualization
