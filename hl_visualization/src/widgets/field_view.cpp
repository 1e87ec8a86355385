// SPDX-License-Identifier: Apache-2.0
#include "hl_visualization/field_view.hpp"

#include <QButtonGroup>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "hl_visualization/palette.hpp"

namespace hl_visualization {

FieldView::FieldView(QWidget* parent) : Canvas(parent), tools_(new QButtonGroup(this)) {
  setObjectName(QStringLiteral("field"));
  setWindowTitle(QStringLiteral("Field"));
  const struct {
    Tool tool;
    const char* name;
    const char* tip;
  } buttons[] = {{Tool::Look, "Look", "drag moves the field, the wheel zooms, a double click shows all of it"},
                 {Tool::Goal, "Goal", "press and drag: where the robot shall go (goal_pose)"},
                 {Tool::Pose, "Pose", "press and drag: where the robot stands (initialpose)"}};
  for (const auto& button : buttons) {
    auto* b = new QToolButton(this);
    b->setText(QString::fromLatin1(button.name));
    b->setToolTip(QString::fromLatin1(button.tip));
    b->setCheckable(true);
    tools_->addButton(b, static_cast<int>(button.tool));
    bar()->addWidget(b);
  }
  tools_->button(static_cast<int>(Tool::Look))->setChecked(true);
  connect(tools_, &QButtonGroup::idClicked, this, [this](int id) { tool_ = static_cast<Tool>(id); });
  bar()->addStretch(1);
  auto* save_button = new QToolButton(this);
  save_button->setText(QStringLiteral("Save"));
  save_button->setToolTip(QStringLiteral("writes the picture as PNG or SVG"));
  bar()->addWidget(save_button);
  connect(save_button, &QToolButton::clicked, this, [this] {
    const QString path = QFileDialog::getSaveFileName(this, QStringLiteral("Save the field"),
                                                      QStringLiteral("field.png"), QStringLiteral("*.png *.svg"));
    if (path.isEmpty()) return;
    if (const QString error = save(path); !error.isEmpty()) QMessageBox::warning(this, QStringLiteral("Save"), error);
  });
}

void FieldView::set_data(const FieldData& data) {
  data_ = data;
  update();
}

void FieldView::set_tool(Tool tool) {
  tool_ = tool;
  tools_->button(static_cast<int>(tool))->setChecked(true);
}

QPointF FieldView::to_pixel(double x, double y) const {
  return to_pixel_.map(QPointF(x, y));
}

QPointF FieldView::to_map(const QPointF& pixel) const {
  return to_pixel_.inverted().map(pixel);
}

void FieldView::wheelEvent(QWheelEvent* event) {
  const double factor = std::pow(1.0015, event->angleDelta().y());
  const double zoom = std::clamp(zoom_ * factor, 0.5, 20.0);
  const QPointF from_middle = event->position() - drawing_area().center();
  shift_ = from_middle - (from_middle - shift_) * (zoom / zoom_);  // what is under the mouse stays there
  zoom_ = zoom;
  update();
}

void FieldView::mousePressEvent(QMouseEvent* event) {
  pressed_ = dragged_ = event->localPos();
}

void FieldView::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_) return;
  if (tool_ == Tool::Look) shift_ += event->localPos() - *dragged_;
  dragged_ = event->localPos();
  update();
}

void FieldView::mouseReleaseEvent(QMouseEvent* event) {
  if (!pressed_) return;
  const QPointF from = to_map(*pressed_), to = to_map(event->localPos());
  const bool turned = (event->localPos() - *pressed_).manhattanLength() > 8;
  const double yaw = turned ? std::atan2(to.y() - from.y(), to.x() - from.x()) : 0.0;
  pressed_.reset();
  dragged_.reset();
  update();
  if (tool_ == Tool::Goal) Q_EMIT goal_chosen(from.x(), from.y(), yaw);
  if (tool_ == Tool::Pose) Q_EMIT pose_chosen(from.x(), from.y(), yaw);
}

void FieldView::mouseDoubleClickEvent(QMouseEvent*) {
  if (tool_ != Tool::Look) return;
  zoom_ = 1.0;
  shift_ = QPointF();
  update();
}

void FieldView::place(const QRectF& area) {
  const hl_description::Field& f = data_.field;
  const double margin = f.border * 0.7;
  scale_ = zoom_ * std::min(area.width() / (f.length + 2 * margin), area.height() / (f.width + 2 * margin));
  const QPointF middle = area.center() + shift_;
  to_pixel_ = QTransform(scale_, 0, 0, -scale_, middle.x(), middle.y());
}

void FieldView::draw(QPainter& painter, const QRectF& area) {
  using Mark = Key::Mark;
  QRectF inside = draw_legend(painter, area,
                              {{palette::kSelf, QStringLiteral("selected robot")},
                               {palette::kMate, QStringLiteral("team mate")},
                               {palette::kRival, QStringLiteral("opponent")},
                               {palette::kUnknown, QStringLiteral("robot of unknown team")},
                               {palette::kBall, QStringLiteral("ball, s since seen, m/s")},
                               {palette::kPath, QStringLiteral("path"), Mark::Line},
                               {palette::kGoalPose, QStringLiteral("goal"), Mark::Ring},
                               {palette::faded(palette::kSelf, 0.6), QStringLiteral("particles"), Mark::Line},
                               {palette::kTruth, QStringLiteral("truth"), Mark::Dash}});
  const QRectF title(inside.left(), inside.top(), inside.width(), 24);
  inside.setTop(title.bottom());
  painter.save();
  painter.setClipRect(inside);
  place(inside);
  draw_turf(painter);
  draw_areas(painter);
  const int count = static_cast<int>(data_.robots.size());
  for (int i = 0; i < count; ++i)
    if (i != data_.selected) draw_belief(painter, data_.robots[static_cast<std::size_t>(i)], false);
  draw_mates(painter);
  if (data_.selected >= 0 && data_.selected < count)
    draw_belief(painter, data_.robots[static_cast<std::size_t>(data_.selected)], true);
  draw_truth(painter);
  draw_chosen_place(painter);
  painter.restore();

  painter.fillRect(title, palette::kPanel);
  painter.setFont(palette::font(13, true));
  painter.setPen(palette::kText);
  const QString game = QString::fromStdString(data_.game.empty() ? "no game state" : data_.game);
  draw_text(painter, title.adjusted(8, 0, -title.width() / 2, 0), Qt::AlignVCenter | Qt::AlignLeft, game);
  painter.setPen(palette::kWarn);
  draw_text(painter, title.adjusted(title.width() / 2, 0, -8, 0), Qt::AlignVCenter | Qt::AlignRight,
            QString::fromStdString(data_.set_play));
}

void FieldView::draw_chosen_place(QPainter& painter) const {
  if (!pressed_ || tool_ == Tool::Look) return;
  painter.setPen(QPen(tool_ == Tool::Goal ? palette::kGoalPose : palette::kSelf, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(*pressed_, 8, 8);
  painter.drawLine(*pressed_, *dragged_);
}

}  // namespace hl_visualization
