// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>
#include <string>
#include <vector>

#include "hl_visualization/canvas.hpp"
#include "hl_visualization/relative_data.hpp"

namespace hl_visualization {

/// The walk as the engine sees it; everything in the sole of the support foot, m and rad. NaN = unknown.
struct WalkData {
  enum class Support { Unknown, Left, Right, Double, None };
  struct Footstep {
    FieldPose pose;  // in the present support sole
    bool left = true;
  };
  /// One value per tick, all of the same length.
  struct History {
    std::vector<double> time;  // s
    std::vector<float> zmp_x_planned, zmp_x_measured, zmp_y_planned, zmp_y_measured, roll, pitch, stability;
  };
  bool known = false;
  std::string engine;  // idle, starting, walking, stopping, kicking
  Support support = Support::Unknown;
  bool left_frame = true;  // the header's frame is the left sole
  double phase = 0.0;
  unsigned steps = 0;
  double vx = 0.0, vy = 0.0, vyaw = 0.0;  // commanded
  Point2 zmp_planned, zmp_measured, com_planned, com_measured, capture_point;
  FieldPose swing_foot, next_step;
  double swing_height = 0.0;
  std::vector<Footstep> footsteps;                 // the last ones, oldest first, without the present support
  double sole_length = 0.165, sole_width = 0.080;  // as drawn; those of the Minibot
  History history;
};

/// Feet and balance from above, and the last seconds as curves.
class WalkView : public Canvas {
  Q_OBJECT

 public:
  explicit WalkView(QWidget* parent = nullptr);
  void set_data(const WalkData& data);
  const WalkData& data() const { return data_; }
  QPointF to_pixel(const Point2& p) const { return origin_ + scale_ * QPointF(-p.y, -p.x); }

 protected:
  void draw(QPainter& painter, const QRectF& area) override;

 private:
  void draw_feet(QPainter& painter, const QRectF& area);
  void draw_sole(QPainter& painter, const FieldPose& pose, const QColor& color, Qt::PenStyle style, double fill) const;

  WalkData data_;
  QPointF origin_;
  double scale_ = 1000.0;  // px per m
};

}  // namespace hl_visualization
