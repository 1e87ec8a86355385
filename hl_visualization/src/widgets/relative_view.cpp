// SPDX-License-Identifier: Apache-2.0
#include "hl_visualization/relative_view.hpp"

#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "hl_visualization/palette.hpp"

namespace hl_visualization {
namespace {

QColor color_of(Side side) {
  return side == Side::Own ? palette::kMate : side == Side::Rival ? palette::kRival : palette::kUnknown;
}

}  // namespace

RelativeView::RelativeView(QWidget* parent) : Canvas(parent) {
  setObjectName(QStringLiteral("relative"));
  setWindowTitle(QStringLiteral("Around the robot"));
}

void RelativeView::set_data(const RelativeData& data) {
  data_ = data;
  update();
}

void RelativeView::set_range(double metres) {
  range_ = std::clamp(metres, 1.0, 12.0);
  update();
}

void RelativeView::wheelEvent(QWheelEvent* event) {
  set_range(range_ * std::pow(1.0015, -event->angleDelta().y()));
}

void RelativeView::draw(QPainter& painter, const QRectF& area) {
  using Mark = Key::Mark;
  const QRectF inside =
      draw_legend(painter, area,
                  {{palette::kBall, QStringLiteral("ball seen"), Mark::Ring},
                   {palette::kBall, QStringLiteral("ball filtered")},
                   {palette::kUnknown, QStringLiteral("obstacle seen"), Mark::Ring},
                   {palette::kMate, QStringLiteral("team mate filtered")},
                   {palette::kRival, QStringLiteral("opponent filtered")},
                   {palette::kPath, QStringLiteral("goal post"), Mark::Box},
                   {palette::kFieldLine, QStringLiteral("line"), Mark::Line},
                   {palette::faded(palette::kSelf, 0.35), QStringLiteral("field of view"), Mark::Box}});
  origin_ = QPointF(inside.center().x(), inside.bottom() - 0.22 * inside.height());
  scale_ = std::min((origin_.y() - inside.top()) / (range_ + 0.25), inside.width() / 2 / (range_ * 0.7));
  painter.setClipRect(inside);
  draw_rings(painter, inside);
  draw_seen(painter);
  draw_model(painter);
  draw_distances(painter, inside);

  painter.setPen(QPen(palette::kBackground, 1));  // the robot itself
  painter.setBrush(palette::kSelf);
  painter.drawPolygon(QPolygonF({origin_ + QPointF(0, -20), origin_ + QPointF(-8, -8), origin_ + QPointF(8, -8)}));
  painter.drawEllipse(origin_, 10, 10);
  painter.setPen(data_.seen_age < 0 || data_.seen_age > 1.0 ? palette::kWarn : palette::kDim);
  painter.setFont(palette::font(12));
  const QString seen = data_.seen_age < 0 ? QStringLiteral("nothing seen yet")
                                          : QStringLiteral("seen %1 s ago").arg(data_.seen_age, 0, 'f', 1);
  painter.drawText(inside.adjusted(8, 6, -8, 0), Qt::AlignTop | Qt::AlignLeft, seen);
}

void RelativeView::draw_rings(QPainter& painter, const QRectF& area) const {
  if (data_.field_of_view.size() > 2) {
    QPolygonF cone;
    for (const Point2& p : data_.field_of_view) cone << to_pixel(p);
    painter.setPen(QPen(palette::faded(palette::kSelf, 0.5), 1));
    painter.setBrush(palette::faded(palette::kSelf, 0.16));
    painter.drawPolygon(cone);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setFont(palette::font(11));
  const double step = ring_step();
  const double corner = std::hypot(area.width() / 2, origin_.y() - area.top()) / scale_;
  for (double r = step; r <= corner; r += step) {
    painter.setPen(QPen(palette::kGrid, 1));
    painter.drawEllipse(origin_, r * scale_, r * scale_);
  }
  painter.setPen(QPen(palette::kGrid, 1, Qt::DotLine));
  painter.drawLine(QPointF(origin_.x(), area.top()), QPointF(origin_.x(), area.bottom()));
  painter.drawLine(QPointF(area.left(), origin_.y()), QPointF(area.right(), origin_.y()));
}

/// Over everything else, so that a line does not cross them out.
void RelativeView::draw_distances(QPainter& painter, const QRectF& area) const {
  painter.setFont(palette::font(11));
  const double step = ring_step();
  for (double r = step; r <= 3 * range_; r += step) {
    const QPointF at = origin_ + r * scale_ * QPointF(std::sin(1.2), -std::cos(1.2));
    if (!area.adjusted(0, 16, -44, 0).contains(at)) continue;
    const QRectF box(at.x() - 18, at.y() - 8, 36, 15);
    painter.fillRect(box, palette::faded(palette::kBackground, 0.75));
    painter.setPen(palette::kDim);
    painter.drawText(box, Qt::AlignCenter, QStringLiteral("%1 m").arg(r, 0, 'g', 3));
  }
}

void RelativeView::draw_seen(QPainter& painter) const {
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette::faded(palette::kFieldLine, 0.6));
  for (const Point2& p : data_.line_points) painter.drawEllipse(to_pixel(p), 1.3, 1.3);
  painter.setPen(QPen(palette::kFieldLine, 2));
  painter.setBrush(Qt::NoBrush);
  for (const Segment2& s : data_.lines) painter.drawLine(to_pixel(s.from), to_pixel(s.to));
  for (const Point2& p : data_.crossings) {
    const QPointF c = to_pixel(p);
    painter.drawRect(QRectF(c.x() - 4, c.y() - 4, 8, 8));
  }
  painter.setPen(QPen(palette::kBackground, 1));
  painter.setBrush(palette::kPath);
  for (const Point2& p : data_.posts) {
    const QPointF c = to_pixel(p);
    painter.drawRect(QRectF(c.x() - 5, c.y() - 5, 10, 10));
  }
  painter.setBrush(Qt::NoBrush);
  for (const SeenThing& thing : data_.obstacles) {
    painter.setPen(QPen(color_of(thing.side), 2));
    const double r = std::max(5.0, (thing.width > 0 ? thing.width / 2 : 0.12) * scale_);
    painter.drawEllipse(to_pixel(thing.at), r, r);
  }
  if (data_.ball) {
    painter.setPen(QPen(palette::kBall, 2.4));
    painter.drawEllipse(to_pixel(*data_.ball), 9, 9);
  }
}

void RelativeView::draw_model(QPainter& painter) const {
  painter.setFont(palette::font(11, true));
  for (const BelievedRobot& robot : data_.model_robots) {
    const QPointF c = to_pixel({robot.x, robot.y});
    const double r = std::max(8.0, 0.13 * scale_);
    painter.setPen(QPen(palette::kBackground, 1));
    painter.setBrush(palette::faded(color_of(robot.side), std::clamp(1.0 - robot.age / 10.0, 0.3, 0.9)));
    painter.drawEllipse(c, r, r);
    if (robot.number > 0) {
      painter.setPen(palette::kBackground);
      painter.drawText(QRectF(c.x() - r, c.y() - r, 2 * r, 2 * r), Qt::AlignCenter, QString::number(robot.number));
    }
  }
  if (!data_.model_ball) return;
  const BelievedBall& ball = *data_.model_ball;
  const QPointF c = to_pixel({ball.x, ball.y});
  const double speed = std::hypot(ball.vx, ball.vy);
  if (speed > 0.05) {
    painter.setPen(QPen(palette::kBall, 2));
    painter.drawLine(c, to_pixel({ball.x + ball.vx, ball.y + ball.vy}));
  }
  painter.setPen(QPen(palette::kBackground, 1));
  painter.setBrush(palette::faded(palette::kBall, std::clamp(1.0 - ball.age / 10.0, 0.3, 1.0)));
  painter.drawEllipse(c, 6, 6);
  painter.setPen(palette::kBall);
  painter.setFont(palette::font(11));
  painter.drawText(QRectF(c.x() + 12, c.y() - 8, 160, 16), Qt::AlignLeft | Qt::AlignVCenter,
                   QStringLiteral("%1 m  %2 m/s").arg(std::hypot(ball.x, ball.y), 0, 'f', 2).arg(speed, 0, 'f', 1));
}

}  // namespace hl_visualization
