// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>

#include "hl_visualization/canvas.hpp"
#include "hl_visualization/relative_data.hpp"

namespace hl_visualization {

/// What is around the robot, which looks up in this picture. The wheel changes the range.
class RelativeView : public Canvas {
  Q_OBJECT

 public:
  explicit RelativeView(QWidget* parent = nullptr);
  void set_data(const RelativeData& data);
  const RelativeData& data() const { return data_; }
  void set_range(double metres);
  double range() const { return range_; }
  QPointF to_pixel(const Point2& p) const { return origin_ + scale_ * QPointF(-p.y, -p.x); }

 protected:
  void draw(QPainter& painter, const QRectF& area) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void draw_rings(QPainter& painter, const QRectF& area) const;
  void draw_distances(QPainter& painter, const QRectF& area) const;
  double ring_step() const { return range_ > 6.0 ? 2.0 : range_ > 2.0 ? 1.0 : 0.5; }  // m
  void draw_seen(QPainter& painter) const;
  void draw_model(QPainter& painter) const;

  RelativeData data_;
  double range_ = 4.0;  // m ahead
  QPointF origin_;      // px
  double scale_ = 50.0;
};

}  // namespace hl_visualization
