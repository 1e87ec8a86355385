// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QPair>
#include <QRectF>
#include <string>
#include <vector>

#include "hl_visualization/canvas.hpp"
#include "hl_visualization/state_graph.hpp"

namespace hl_visualization {

/// What the control manager is doing.
struct HcmData {
  struct Transition {
    double time = 0.0;  // s, clock of the robot
    std::string from, to, reason;
  };
  struct Joint {
    std::string name;
    int owner = 0;  // of HcmDebug: none, HCM, walking, animation, kick, head, record
  };
  std::string state;                // empty = not told
  std::vector<Transition> history;  // newest first
  std::vector<Joint> joints;
  std::string refusal;  // the last one
  double fall_margin = 1.0;
  double latency = -1.0;  // s
};

/// The graph of the control manager's states, written from its own table; current state orange; what can follow and
/// what could come before the state under the mouse is coloured. Beside it the last states and the owner of each joint.
class HcmView : public Canvas {
  Q_OBJECT

 public:
  explicit HcmView(QWidget* parent = nullptr);
  void set_graph(const StateGraph& graph);
  void set_data(const HcmData& data);
  const HcmData& data() const { return data_; }
  /// Where a state is drawn; an empty rectangle for one the graph does not know.
  QRectF box_of(const std::string& state) const;

 protected:
  void draw(QPainter& painter, const QRectF& area) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void place(const QRectF& area);
  void draw_graph(QPainter& painter, const QRectF& area);
  void draw_edge(QPainter& painter, std::size_t from, std::size_t to, const QColor& color, double width) const;
  void draw_history(QPainter& painter, const QRectF& area) const;
  void draw_joints(QPainter& painter, const QRectF& area) const;
  int current() const { return graph_.index_of(data_.state); }

  StateGraph graph_;
  GraphLayout layout_;
  std::vector<QRectF> boxes_;  // of each state
  HcmData data_;
  int hovered_ = -1;
};

}  // namespace hl_visualization
