// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <array>
#include <memory>
#include <rclcpp/node.hpp>
#include <string>

#include "adapter.hpp"

namespace hl_visualization {

class Canvas;

enum class Kind { Field, Relative, Image, Hcm, Behavior, Walk, TeamLink };
constexpr std::array<Kind, 7> kKinds = {Kind::Field,    Kind::Relative, Kind::Image,   Kind::Hcm,
                                        Kind::Behavior, Kind::Walk,     Kind::TeamLink};
const char* id_of(Kind kind);     // "field", for settings
const char* title_of(Kind kind);  // "Field", for people

/// A view with its adapter, for whichever window it sits in. Listens only while the view is visible: a debug topic
/// costs nothing if nobody looks. The window that takes the view owns it; this object lets go of the topics first.
class Panel : public QObject {
  Q_OBJECT

 public:
  Panel(rclcpp::Node::SharedPtr node, Kind kind, QObject* parent = nullptr);
  ~Panel() override;

  Kind kind() const { return kind_; }
  Canvas* view() const { return view_; }
  void set_target(const Target& target);
  /// Lets go of all topics; nothing arrives any more. Before the view dies.
  void stop();
  /// How often new data reached the view.
  std::size_t refreshes() const { return refreshes_; }

 private:
  void tick();
  void connect_view();

  rclcpp::Node::SharedPtr node_;
  Kind kind_;
  Canvas* view_;
  Target target_;
  std::unique_ptr<Adapter> adapter_;
  QTimer timer_;
  int hidden_ = 0, ticks_ = 0;
  std::size_t refreshes_ = 0;
};

}  // namespace hl_visualization
