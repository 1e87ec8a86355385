// SPDX-License-Identifier: Apache-2.0
#include "hl_visualization/walk_view.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "hl_visualization/palette.hpp"
#include "hl_visualization/strip_chart.hpp"

namespace hl_visualization {
namespace {

constexpr double kSeconds = 5.0;  // of the curves

const char* support_name(WalkData::Support support) {
  switch (support) {
    case WalkData::Support::Left:
      return "left";
    case WalkData::Support::Right:
      return "right";
    case WalkData::Support::Double:
      return "both";
    case WalkData::Support::None:
      return "none";
    case WalkData::Support::Unknown:
      break;
  }
  return "unknown";
}

const QColor kLeft(0x5a, 0xb0, 0xff), kRight(0xff, 0xc2, 0x4b), kMeasured(0x6c, 0xcf, 0x70), kPlanned(0xe8, 0xeb, 0xef);

}  // namespace

WalkView::WalkView(QWidget* parent) : Canvas(parent) {
  setObjectName(QStringLiteral("walk"));
  setWindowTitle(QStringLiteral("Walk"));
}

void WalkView::set_data(const WalkData& data) {
  data_ = data;
  update();
}

void WalkView::draw(QPainter& painter, const QRectF& area) {
  if (!data_.known) {
    draw_empty(painter, area, QStringLiteral("the walk has told nothing yet\n(walking_debug)"));
    return;
  }
  const double left = std::clamp(area.width() * 0.42, 180.0, 460.0);
  draw_feet(painter, QRectF(area.left() + 6, area.top() + 6, left, area.height() - 12));
  const QRectF right(area.left() + left + 12, area.top() + 6, area.width() - left - 18, area.height() - 12);
  const double high = (right.height() - 18) / 4;
  const auto row = [&](int i) { return QRectF(right.left(), right.top() + i * (high + 6), right.width(), high); };
  const auto& h = data_.history;
  const QString seconds = QStringLiteral(", last %1 s").arg(kSeconds, 0, 'f', 0);
  draw_strip_chart(painter, row(0), QStringLiteral("ZMP ahead"), QStringLiteral("m"), h.time, kSeconds,
                   {{QStringLiteral("planned"), kPlanned, &h.zmp_x_planned, true},
                    {QStringLiteral("measured") + seconds, kMeasured, &h.zmp_x_measured}},
                   0.02F);
  draw_strip_chart(painter, row(1), QStringLiteral("ZMP left"), QStringLiteral("m"), h.time, kSeconds,
                   {{QStringLiteral("planned"), kPlanned, &h.zmp_y_planned, true},
                    {QStringLiteral("measured"), kMeasured, &h.zmp_y_measured}},
                   0.02F);
  draw_strip_chart(painter, row(2), QStringLiteral("tilt"), QStringLiteral("rad"), h.time, kSeconds,
                   {{QStringLiteral("roll"), kLeft, &h.roll}, {QStringLiteral("pitch"), kRight, &h.pitch}}, 0.05F);
  draw_strip_chart(painter, row(3), QStringLiteral("stability"), QStringLiteral("1"), h.time, kSeconds,
                   {{QStringLiteral("1 inside, 0 at the edge"), palette::kGoalPose, &h.stability}}, 0.5F);
}

void WalkView::draw_sole(QPainter& painter, const FieldPose& pose, const QColor& color, Qt::PenStyle style,
                         double fill) const {
  QPolygonF sole;
  const double c = std::cos(pose.yaw), s = std::sin(pose.yaw);
  const double l = data_.sole_length / 2, w = data_.sole_width / 2;
  for (const auto& [x, y] : {std::pair{l, w}, {l, -w}, {-l, -w}, {-l, w}})
    sole << to_pixel({pose.x + c * x - s * y, pose.y + s * x + c * y});
  painter.setPen(QPen(color, 1.6, style));
  painter.setBrush(palette::faded(color, fill));
  painter.drawPolygon(sole);
}

void WalkView::draw_feet(QPainter& painter, const QRectF& area) {
  const QRectF box =
      draw_box(painter, area,
               QStringLiteral("FEET   %1, support %2, phase %3")
                   .arg(QString::fromStdString(data_.engine), QString::fromLatin1(support_name(data_.support)))
                   .arg(data_.phase, 0, 'f', 2));
  painter.setFont(palette::font(11));
  painter.setPen(palette::kText);
  draw_text(painter, QRectF(box.left(), box.top() - 2, box.width(), 16), Qt::AlignLeft | Qt::AlignVCenter,
            QStringLiteral("commanded %1 m/s ahead  %2 m/s left  %3 rad/s   step %4")
                .arg(data_.vx, 0, 'f', 2)
                .arg(data_.vy, 0, 'f', 2)
                .arg(data_.vyaw, 0, 'f', 2)
                .arg(data_.steps));
  using Mark = Key::Mark;
  const QRectF inside = draw_legend(painter, box.adjusted(-4, 18, 4, 2),
                                    {{kLeft, QStringLiteral("left"), Mark::Box},
                                     {kRight, QStringLiteral("right"), Mark::Box},
                                     {palette::kDim, QStringLiteral("next step"), Mark::Dash},
                                     {kPlanned, QStringLiteral("ZMP planned"), Mark::Ring},
                                     {kMeasured, QStringLiteral("ZMP measured")},
                                     {palette::kBall, QStringLiteral("CoM")},
                                     {palette::kGoalPose, QStringLiteral("capture point"), Mark::Ring}});
  // The middle between the feet is the middle of the drawing.
  const double side = data_.left_frame ? -1.0 : 1.0;
  scale_ = std::min(inside.width() / 0.42, inside.height() / 0.6);
  origin_ = inside.center() + scale_ * QPointF(side * 0.05, 0.06);
  painter.save();
  painter.setClipRect(inside);
  painter.setPen(QPen(palette::kGrid, 0.7));
  for (int i = -10; i <= 10; ++i) {
    painter.drawLine(to_pixel({0.05 * i, -1}), to_pixel({0.05 * i, 1}));
    painter.drawLine(to_pixel({-1, 0.05 * i}), to_pixel({1, 0.05 * i}));
  }
  const auto color = [](bool left) { return left ? kLeft : kRight; };
  for (const auto& step : data_.footsteps)
    draw_sole(painter, step.pose, palette::faded(color(step.left), 0.5), Qt::SolidLine, 0.06);
  const bool both = data_.support == WalkData::Support::Double;
  if (data_.engine != "idle") draw_sole(painter, data_.next_step, palette::kDim, Qt::DotLine, 0.0);
  draw_sole(painter, data_.swing_foot, color(!data_.left_frame), both ? Qt::SolidLine : Qt::DashLine,
            both ? 0.42 : 0.18);
  draw_sole(painter, {}, color(data_.left_frame), Qt::SolidLine, 0.42);
  const auto dot = [&](const Point2& p, const QColor& c, bool ring) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return;
    painter.setPen(ring ? QPen(c, 2) : QPen(palette::kBackground, 1));
    painter.setBrush(ring ? Qt::NoBrush : QBrush(c));
    painter.drawEllipse(to_pixel(p), ring ? 7 : 5, ring ? 7 : 5);
  };
  dot(data_.com_measured, palette::kBall, false);
  dot(data_.capture_point, palette::kGoalPose, true);
  dot(data_.zmp_measured, kMeasured, false);
  dot(data_.zmp_planned, kPlanned, true);
  painter.restore();
  painter.setPen(palette::kDim);
  painter.setFont(palette::font(10));
  painter.drawText(inside.adjusted(4, 0, -4, -2), Qt::AlignRight | Qt::AlignBottom, QStringLiteral("grid 5 cm"));
}

}  // namespace hl_visualization
