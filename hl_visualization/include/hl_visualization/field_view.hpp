// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>
#include <QTransform>
#include <optional>

#include "hl_visualization/canvas.hpp"
#include "hl_visualization/field_data.hpp"

class QButtonGroup;

namespace hl_visualization {

/// The field from above: what the robots believe, beside what is true. Wheel zooms, dragging moves the field, a double
/// click shows all of it; with "Goal" or "Pose" pressed, press and drag gives place and direction.
class FieldView : public Canvas {
  Q_OBJECT

 public:
  enum class Tool { Look, Goal, Pose };

  explicit FieldView(QWidget* parent = nullptr);

  void set_data(const FieldData& data);
  const FieldData& data() const { return data_; }
  void set_tool(Tool tool);
  Tool tool() const { return tool_; }

  /// Pixel of a place in map, and back.
  QPointF to_pixel(double x, double y) const;
  QPointF to_map(const QPointF& pixel) const;

 Q_SIGNALS:
  void goal_chosen(double x, double y, double yaw);  // m, rad; map of the selected robot
  void pose_chosen(double x, double y, double yaw);

 protected:
  void draw(QPainter& painter, const QRectF& area) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  void place(const QRectF& area);
  double pixels(double metres) const { return metres * scale_; }
  QPointF at(const FieldPose& pose) const { return to_pixel(pose.x, pose.y); }

  void draw_turf(QPainter& painter) const;
  void draw_areas(QPainter& painter) const;
  void draw_belief(QPainter& painter, const Belief& belief, bool selected) const;
  void draw_mates(QPainter& painter) const;
  void draw_truth(QPainter& painter) const;
  void draw_robot(QPainter& painter, const FieldPose& pose, const QColor& color, const QString& number,
                  double alpha = 1.0) const;
  void draw_ball(QPainter& painter, const BelievedBall& ball, double alpha) const;
  void draw_ellipse(QPainter& painter, const QPointF& centre, const std::array<double, 3>& covariance,
                    const QColor& color) const;
  void draw_heading(QPainter& painter, const FieldPose& pose, double deviation) const;
  void draw_label(QPainter& painter, const QPointF& below, const QString& text, const QColor& color) const;
  void draw_chosen_place(QPainter& painter) const;

  FieldData data_;
  Tool tool_ = Tool::Look;
  QButtonGroup* tools_ = nullptr;
  double zoom_ = 1.0;
  QPointF shift_;         // px
  double scale_ = 100.0;  // px per m
  QTransform to_pixel_;
  std::optional<QPointF> pressed_, dragged_;  // px
};

}  // namespace hl_visualization
