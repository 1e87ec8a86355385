// SPDX-License-Identifier: Apache-2.0
// What the field view draws; what it does with the mouse is in field_view.cpp.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "hl_visualization/field_view.hpp"
#include "hl_visualization/palette.hpp"

namespace hl_visualization {
namespace {

constexpr double kRobotRadius = 0.16;  // m, as drawn
constexpr double kForgotten = 10.0;    // s: what was seen longer ago is hardly drawn
constexpr double kSigmas = 2.0;        // standard deviations of an ellipse, and to each side of a heading

double alpha_of(double age) {
  return std::clamp(1.0 - age / kForgotten, 0.25, 1.0);
}

QColor color_of(Side side) {
  return side == Side::Own ? palette::kMate : side == Side::Rival ? palette::kRival : palette::kUnknown;
}

}  // namespace

void FieldView::draw_turf(QPainter& painter) const {
  const hl_description::Field& f = data_.field;
  const auto box = [this](double length, double width, double x = 0.0) {
    return QRectF(to_pixel(x - length / 2, width / 2), to_pixel(x + length / 2, -width / 2));
  };
  painter.fillRect(box(f.length + 2 * f.border, f.width + 2 * f.border), palette::kTurfBorder);
  painter.fillRect(box(f.length, f.width), palette::kTurf);
  const QPen line(palette::faded(palette::kFieldLine, 0.85), std::max(1.0, pixels(f.line_width)), Qt::SolidLine,
                  Qt::SquareCap);
  painter.setPen(line);
  painter.setBrush(Qt::NoBrush);
  for (const auto& l : f.lines()) painter.drawLine(to_pixel(l.from.x(), l.from.y()), to_pixel(l.to.x(), l.to.y()));
  painter.drawEllipse(to_pixel(0, 0), pixels(f.circle_radius()), pixels(f.circle_radius()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette::kFieldLine);
  const double mark = std::max(1.5, pixels(f.line_width));
  const double mark_x = f.length / 2 - f.penalty_mark;
  for (const double x : {-mark_x, 0.0, mark_x}) painter.drawEllipse(to_pixel(x, 0), mark, mark);
  painter.setPen(QPen(palette::kFieldLine, std::max(1.5, pixels(0.04))));
  painter.setBrush(palette::faded(palette::kFieldLine, 0.12));
  for (const double sign : {-1.0, 1.0})
    painter.drawRect(box(f.goal_depth, f.goal_width, sign * (f.length + f.goal_depth) / 2));
}

void FieldView::draw_areas(QPainter& painter) const {
  for (const SetPlayArea& area : data_.areas) {
    const QColor color = area.ours ? palette::kMate : palette::kRival;
    painter.setPen(QPen(color, 1.5, Qt::DashLine));
    painter.setBrush(palette::faded(color, 0.18));
    if (area.shape == SetPlayArea::Shape::Circle) {
      painter.drawEllipse(to_pixel(area.x, area.y), pixels(area.radius), pixels(area.radius));
    } else {
      painter.drawRect(QRectF(to_pixel(area.x - area.length / 2, area.y + area.width / 2),
                              to_pixel(area.x + area.length / 2, area.y - area.width / 2)));
    }
  }
}

void FieldView::draw_robot(QPainter& painter, const FieldPose& pose, const QColor& color, const QString& number,
                           double alpha) const {
  const QPointF centre = at(pose);
  const double r = std::max(7.0, pixels(kRobotRadius));
  painter.save();
  painter.setOpacity(alpha);
  painter.setPen(QPen(palette::kBackground, 1));
  painter.setBrush(color);
  const QPointF ahead(std::cos(pose.yaw), -std::sin(pose.yaw)), left(ahead.y(), -ahead.x());
  painter.drawPolygon(QPolygonF({centre + ahead * r * 1.75, centre + left * r * 0.62 + ahead * r * 0.75,
                                 centre - left * r * 0.62 + ahead * r * 0.75}));
  painter.drawEllipse(centre, r, r);
  painter.setPen(palette::kBackground);
  painter.setFont(palette::font(static_cast<int>(std::clamp(r * 1.2, 9.0, 20.0)), true));
  painter.drawText(QRectF(centre.x() - 2 * r, centre.y() - r, 4 * r, 2 * r), Qt::AlignCenter, number);
  painter.restore();
}

void FieldView::draw_label(QPainter& painter, const QPointF& below, const QString& text, const QColor& color) const {
  painter.save();
  painter.setFont(palette::font(11));
  const QFontMetricsF metrics(painter.font());
  const double wide = metrics.horizontalAdvance(text) + 8;
  const QRectF box(below.x() - wide / 2, below.y(), wide, 15);
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette::faded(palette::kBackground, 0.65));
  painter.drawRoundedRect(box, 3, 3);
  painter.setPen(color);
  painter.drawText(box, Qt::AlignCenter, text);
  painter.restore();
}

void FieldView::draw_ellipse(QPainter& painter, const QPointF& centre, const std::array<double, 3>& covariance,
                             const QColor& color) const {
  const auto [xx, xy, yy] = covariance;
  const double mean = (xx + yy) / 2, spread = std::hypot((xx - yy) / 2, xy);
  const double major = std::sqrt(std::max(0.0, mean + spread)), minor = std::sqrt(std::max(0.0, mean - spread));
  if (!(major > 0.0) || major > 20.0) return;
  painter.save();
  painter.translate(centre);
  painter.rotate(-std::atan2(2 * xy, xx - yy) / 2 * 180.0 / M_PI);
  painter.setPen(QPen(color, 1.2));
  painter.setBrush(palette::faded(color, 0.15));
  painter.drawEllipse(QPointF(0, 0), pixels(kSigmas * major), pixels(kSigmas * minor));
  painter.restore();
}

/// The sector it may look into.
void FieldView::draw_heading(QPainter& painter, const FieldPose& pose, double deviation) const {
  if (!(deviation > 0.0)) return;
  const double half = std::min(kSigmas * deviation, M_PI) * 180.0 / M_PI, r = std::max(20.0, pixels(3 * kRobotRadius));
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette::faded(palette::kSelf, 0.3));
  constexpr double kSixteenths = 16.0;  // Qt's unit of angles is 1/16 degree
  painter.drawPie(QRectF(at(pose) - QPointF(r, r), QSizeF(2 * r, 2 * r)),
                  static_cast<int>(kSixteenths * (pose.yaw * 180.0 / M_PI - half)),
                  static_cast<int>(kSixteenths * 2 * half));
}

void FieldView::draw_ball(QPainter& painter, const BelievedBall& ball, double alpha) const {
  const QPointF centre = to_pixel(ball.x, ball.y);
  painter.save();
  painter.setOpacity(alpha);
  draw_ellipse(painter, centre, ball.covariance, palette::kBall);
  const double speed = std::hypot(ball.vx, ball.vy);
  if (speed > 0.05) {
    const QPointF tip = to_pixel(ball.x + ball.vx, ball.y + ball.vy);  // where it would be in a second
    painter.setPen(QPen(palette::kBall, 2));
    painter.drawLine(centre, tip);
    const double angle = std::atan2(tip.y() - centre.y(), tip.x() - centre.x());
    for (const double side : {2.6, -2.6})
      painter.drawLine(tip, tip + 8 * QPointF(std::cos(angle + side), std::sin(angle + side)));
  }
  const double r = std::max(4.5, pixels(data_.field.ball_radius));
  painter.setPen(QPen(palette::kBackground, 1));
  painter.setBrush(palette::kBall);
  painter.drawEllipse(centre, r, r);
  painter.restore();
}

void FieldView::draw_belief(QPainter& painter, const Belief& belief, bool selected) const {
  const Belief* chosen = data_.selected >= 0 && data_.selected < static_cast<int>(data_.robots.size())
                             ? &data_.robots[static_cast<std::size_t>(data_.selected)]
                             : nullptr;
  const bool rival = chosen != nullptr && chosen->team != 0 && belief.team != 0 && chosen->team != belief.team;
  const QColor color = selected ? palette::kSelf : rival ? palette::kRival : palette::kMate;
  if (selected) {
    painter.setPen(QPen(palette::faded(palette::kSelf, 0.55), 1));
    for (const FieldPose& p : belief.particles) {
      const QPointF tip(5 * std::cos(p.yaw), -5 * std::sin(p.yaw));
      painter.drawLine(at(p), at(p) + tip);
    }
    if (belief.path.size() > 1) {
      QPainterPath path(at(belief.path.front()));
      for (std::size_t i = 1; i < belief.path.size(); ++i) path.lineTo(at(belief.path[i]));
      painter.setPen(QPen(palette::kPath, 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawPath(path);
    }
    if (belief.goal) {
      const QPointF centre = at(*belief.goal);
      painter.setPen(QPen(palette::kGoalPose, 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(centre, 8, 8);
      painter.drawLine(centre, centre + 16 * QPointF(std::cos(belief.goal->yaw), -std::sin(belief.goal->yaw)));
    }
    for (const BelievedRobot& robot : belief.robots) {
      const QPointF centre = to_pixel(robot.x, robot.y);
      const double r = std::max(7.0, pixels(kRobotRadius));
      painter.setPen(QPen(palette::faded(color_of(robot.side), alpha_of(robot.age)), 2));
      painter.setBrush(palette::faded(color_of(robot.side), 0.35 * alpha_of(robot.age)));
      painter.drawEllipse(centre, r, r);
      if (robot.number > 0) {
        painter.setFont(palette::font(11, true));
        painter.setPen(palette::kText);
        painter.drawText(QRectF(centre.x() - r, centre.y() - r, 2 * r, 2 * r), Qt::AlignCenter,
                         QString::number(robot.number));
      }
    }
  }
  if (belief.ball) {
    draw_ball(painter, *belief.ball, selected ? alpha_of(belief.ball->age) : 0.35);
    if (selected) {
      const double speed = std::hypot(belief.ball->vx, belief.ball->vy);
      QString text = QStringLiteral("%1 s").arg(belief.ball->age, 0, 'f', 1);
      if (speed > 0.05) text += QStringLiteral("  %1 m/s").arg(speed, 0, 'f', 1);
      if (belief.ball->told_by > 0) text += QStringLiteral("  told by %1").arg(belief.ball->told_by);
      const double r = std::max(4.5, pixels(data_.field.ball_radius));
      draw_label(painter, to_pixel(belief.ball->x, belief.ball->y) + QPointF(0, r + 4), text, palette::kBall);
    }
  }
  if (!belief.pose) return;
  if (selected) {
    draw_ellipse(painter, at(*belief.pose), belief.covariance, palette::kSelf);
    draw_heading(painter, *belief.pose, belief.yaw_deviation);
  }
  const QString number = belief.number > 0 ? QString::number(belief.number) : QString();
  draw_robot(painter, *belief.pose, color, number, alpha_of(belief.age));
  QString label = QString::fromStdString(belief.role);
  if (selected && !belief.action.empty()) label += QStringLiteral(": ") + QString::fromStdString(belief.action);
  if (label.isEmpty()) label = QString::fromStdString(belief.name);
  const double r = std::max(7.0, pixels(kRobotRadius));
  if (!label.isEmpty()) draw_label(painter, at(*belief.pose) - QPointF(0, 2 * r + 17), label, color);
}

void FieldView::draw_mates(QPainter& painter) const {
  for (const ToldMate& mate : data_.mates) {
    if (mate.ball) {  // what it believes of the ball, tied to it by a thin line
      painter.setPen(QPen(palette::faded(palette::kMate, 0.6), 1, Qt::DashLine));
      painter.drawLine(at(mate.pose), at(*mate.ball));
      painter.setPen(QPen(palette::kMate, 1.6));
      painter.setBrush(palette::faded(palette::kBall, 0.5));
      painter.drawEllipse(at(*mate.ball), 5, 5);
    }
    painter.setPen(QPen(palette::kRival, 1.4, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    const double r = std::max(7.0, pixels(kRobotRadius));
    for (const FieldPose& rival : mate.rivals) painter.drawEllipse(at(rival), r, r);
    draw_robot(painter, mate.pose, palette::kMate, QString::number(mate.number), 0.9);
    draw_label(painter, at(mate.pose) - QPointF(0, 2 * r + 17), QString::fromStdString(mate.role), palette::kMate);
  }
}

void FieldView::draw_truth(QPainter& painter) const {
  if (!data_.truth) return;
  painter.setPen(QPen(palette::kTruth, 1.6, Qt::DotLine));
  painter.setBrush(Qt::NoBrush);
  const double r = std::max(7.0, pixels(kRobotRadius));
  for (const TrueRobot& robot : data_.truth->robots) {
    const QPointF centre = at(robot.pose);
    painter.drawEllipse(centre, r + 2, r + 2);
    painter.drawLine(centre, centre + (1.8 * r) * QPointF(std::cos(robot.pose.yaw), -std::sin(robot.pose.yaw)));
    for (const Belief& belief : data_.robots)
      if (belief.pose && belief.name == robot.name) painter.drawLine(centre, at(*belief.pose));
  }
  painter.drawEllipse(at(data_.truth->ball), std::max(6.0, pixels(data_.field.ball_radius) + 2),
                      std::max(6.0, pixels(data_.field.ball_radius) + 2));
}

}  // namespace hl_visualization
