// SPDX-License-Identifier: Apache-2.0
#include "hl_visualization/image_view.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "hl_visualization/palette.hpp"

namespace hl_visualization {
namespace {

const char* const kCaptions[kMarkingKinds] = {"ball", "candidates", "obstacles", "goal parts",
                                              "goal", "lines",      "regions"};
const QColor kLineMark(0x52, 0xe0, 0xff);
const QColor kCandidate(0xff, 0xe0, 0x66);

QColor box_color(std::uint8_t color) {
  switch (color) {
    case 2:
      return QColor(0xff, 0x4d, 0xd2);  // magenta
    case 3:
      return QColor(0x4d, 0xd2, 0xff);  // cyan
    case 4:
      return palette::kWarn;  // human
    default:
      return palette::kUnknown;
  }
}

}  // namespace

ImageView::ImageView(QWidget* parent) : Canvas(parent) {
  setObjectName(QStringLiteral("image"));
  setWindowTitle(QStringLiteral("Camera"));
  for (std::size_t i = 0; i < kMarkingKinds; ++i) {
    boxes_[i] = new QCheckBox(QString::fromLatin1(kCaptions[i]), this);
    boxes_[i]->setChecked(true);
    bar()->addWidget(boxes_[i]);
    connect(boxes_[i], &QCheckBox::toggled, this, [this, i](bool on) {
      shown_[i] = on;
      update();
      Q_EMIT shown_changed();
    });
  }
  bar()->addStretch(1);
}

void ImageView::set_data(const ImageData& data) {
  data_ = data;
  update();
}

void ImageView::set_shown(MarkingKind kind, bool shown) {
  boxes_[static_cast<std::size_t>(kind)]->setChecked(shown);
}

void ImageView::mousePressEvent(QMouseEvent* event) {
  if (data_.image.isNull()) return;
  const QPointF p = (event->localPos() - corner_) / scale_;
  const bool inside = p.x() >= 0 && p.y() >= 0 && p.x() < data_.image.width() && p.y() < data_.image.height();
  clicked_ = inside ? std::optional<QPointF>(p) : std::nullopt;
  update();
}

QString ImageView::answer() const {
  if (!clicked_ || data_.image.isNull()) return {};
  const QPoint p(static_cast<int>(clicked_->x()), static_cast<int>(clicked_->y()));
  if (!data_.image.rect().contains(p)) return {};
  const QColor c = data_.image.pixelColor(p);
  QString text = QStringLiteral("pixel (%1, %2)   R %3 G %4 B %5   ")
                     .arg(p.x())
                     .arg(p.y())
                     .arg(c.red())
                     .arg(c.green())
                     .arg(c.blue());
  if (!data_.to_ground) return text + QStringLiteral("the camera's place is not known");
  const auto ground = data_.to_ground(clicked_->x(), clicked_->y());
  if (!ground) return text + QStringLiteral("not on the ground (at or above the horizon)");
  return text + QStringLiteral("ground %1 m ahead, %2 m left").arg(ground->x, 0, 'f', 2).arg(ground->y, 0, 'f', 2);
}

void ImageView::draw(QPainter& painter, const QRectF& area) {
  if (data_.image.isNull()) {
    draw_empty(painter, area, QStringLiteral("no picture yet\n(camera/image_raw)"));
    return;
  }
  const QRectF footer(area.left(), area.bottom() - 22, area.width(), 22);
  const QRectF inside = area.adjusted(0, 0, 0, -22);
  scale_ = std::min(inside.width() / data_.image.width(), inside.height() / data_.image.height());
  const QSizeF size = scale_ * QSizeF(data_.image.size());
  corner_ = inside.center() - QPointF(size.width() / 2, size.height() / 2);
  const QRectF frame(corner_, size);
  painter.drawImage(frame, data_.image);
  painter.save();
  painter.setClipRect(frame);
  if (shows(MarkingKind::Lines)) draw_lines(painter);
  draw_goals(painter);
  draw_boxes(painter);
  draw_balls(painter);
  if (clicked_) {
    const QPointF c = to_window({clicked_->x(), clicked_->y()});
    painter.setPen(QPen(Qt::white, 1));
    painter.drawLine(c - QPointF(9, 0), c + QPointF(9, 0));
    painter.drawLine(c - QPointF(0, 9), c + QPointF(0, 9));
  }
  painter.restore();
  painter.fillRect(footer, palette::kPanel);
  painter.setFont(palette::font(12));
  painter.setPen(data_.marked ? palette::kText : palette::kWarn);
  QString text = answer();
  if (text.isEmpty()) {
    text = QStringLiteral("%1 x %2   %3")
               .arg(data_.image.width())
               .arg(data_.image.height())
               .arg(data_.marked ? QString() : QStringLiteral("no markings of this picture"));
    if (data_.marked && data_.detection >= 0)
      text += QStringLiteral("markings after %1 ms").arg(1e3 * data_.detection, 0, 'f', 0);
    text += QStringLiteral("   click: pixel, colour, place on the ground");
  }
  draw_text(painter, footer.adjusted(8, 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
}

void ImageView::draw_tag(QPainter& painter, const QPointF& at, const QString& text, const QColor& color) const {
  painter.setFont(palette::font(11, true));
  const QRectF box(at, QSizeF(QFontMetricsF(painter.font()).horizontalAdvance(text) + 8, 15));
  painter.fillRect(box, palette::faded(palette::kBackground, 0.7));
  painter.setPen(color);
  painter.drawText(box, Qt::AlignCenter, text);
}

void ImageView::draw_lines(QPainter& painter) const {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(kLineMark, 2));
  for (const LineMark& line : data_.markings.lines) painter.drawLine(to_window(line.from), to_window(line.to));
  for (const ArcMark& arc : data_.markings.arcs) {
    const QPointF a = to_window(arc.left), m = to_window(arc.middle), b = to_window(arc.right);
    QPainterPath path(a);
    path.quadTo(2 * m - (a + b) / 2, b);  // passes through the middle
    painter.drawPath(path);
  }
  for (const CrossingMark& crossing : data_.markings.crossings) {
    const QPointF c = to_window(crossing.at);
    painter.setPen(QPen(kLineMark, 2));
    painter.drawRect(QRectF(c.x() - 5, c.y() - 5, 10, 10));
    draw_tag(painter, c + QPointF(7, 4), QString(QLatin1Char(crossing.type)), kLineMark);
  }
}

void ImageView::draw_goals(QPainter& painter) const {
  const Markings& m = data_.markings;
  const auto beam = [&](const LineMark& line, const QColor& color, Qt::PenStyle style) {
    painter.setPen(QPen(color, 2, style));
    painter.setBrush(Qt::NoBrush);
    const QPointF a = to_window(line.from), b = to_window(line.to);
    const QPointF d = b - a;
    const double length = std::max(1e-9, std::hypot(d.x(), d.y()));
    const QPointF n = scale_ * line.width / 2 / length * QPointF(-d.y(), d.x());
    painter.drawPolygon(QPolygonF({a + n, b + n, b - n, a - n}));
  };
  if (shows(MarkingKind::GoalParts)) {
    for (const LineMark& post : m.posts) beam(post, palette::kPath, Qt::SolidLine);
    for (const LineMark& bar : m.bars) beam(bar, palette::kPath, Qt::SolidLine);
  }
  if (shows(MarkingKind::Goal)) {
    for (const LineMark& post : m.goal_posts) beam(post, palette::kGoalPose, Qt::DashLine);
    for (const Pixel& centre : m.goal_centre) {
      painter.setPen(QPen(palette::kGoalPose, 2));
      const QPointF c = to_window(centre);
      painter.drawLine(c - QPointF(7, 7), c + QPointF(7, 7));
      painter.drawLine(c - QPointF(7, -7), c + QPointF(7, -7));
    }
  }
}

void ImageView::draw_boxes(QPainter& painter) const {
  const auto frame = [&](const BoxMark& box, const QColor& color, const QString& tag, Qt::PenStyle style) {
    const QRectF r(to_window(box.top_left), scale_ * QSizeF(box.width, box.height));
    painter.setPen(QPen(color, 2, style));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(r);
    if (!tag.isEmpty()) draw_tag(painter, r.bottomLeft() + QPointF(0, 2), tag, color);
  };
  if (shows(MarkingKind::Regions))
    for (const BoxMark& box : data_.markings.regions) frame(box, palette::kDim, {}, Qt::DotLine);
  if (!shows(MarkingKind::Obstacles)) return;
  for (const BoxMark& box : data_.markings.obstacles) {
    QString tag = QStringLiteral("%1 %").arg(100 * box.confidence, 0, 'f', 0);
    if (box.number > 0) tag.prepend(QStringLiteral("#%1  ").arg(box.number));
    frame(box, box_color(box.color), tag, Qt::SolidLine);
  }
}

void ImageView::draw_balls(QPainter& painter) const {
  const auto ring = [&](const CircleMark& ball, const QPen& pen) {
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(to_window(ball.centre), scale_ * ball.diameter / 2, scale_ * ball.diameter / 2);
  };
  if (shows(MarkingKind::Candidates))
    for (const CircleMark& ball : data_.markings.candidates) ring(ball, QPen(kCandidate, 1.5, Qt::DashLine));
  if (!shows(MarkingKind::Ball)) return;
  for (const CircleMark& ball : data_.markings.balls) {
    ring(ball, QPen(palette::kBall, 2.6));
    draw_tag(painter, to_window(ball.centre) + QPointF(scale_ * ball.diameter / 2 + 4, -8),
             QStringLiteral("ball %1 %").arg(100 * ball.confidence, 0, 'f', 0), palette::kBall);
  }
}

}  // namespace hl_visualization
