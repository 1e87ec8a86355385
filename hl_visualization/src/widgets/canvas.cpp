// SPDX-License-Identifier: Apache-2.0
#include "hl_visualization/canvas.hpp"

#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>
#ifdef HL_WITH_SVG
#include <QSvgGenerator>
#endif

#include "hl_visualization/palette.hpp"

namespace hl_visualization {
namespace {

// For the controls of a view only: a plug-in must not change the style of its host.
const char* const kStyle = R"(
  QWidget#controls { background: #1e242c; }
  QWidget#controls * { font-size: 12px; }
  QWidget#controls QLabel { color: #97a1af; }
  QWidget#controls QToolButton, QWidget#controls QPushButton, QWidget#controls QComboBox, QWidget#controls QLineEdit {
    color: #e8ebef; background: #2b333e; border: 1px solid #3a4451; border-radius: 3px; padding: 2px 7px; }
  QWidget#controls QToolButton:checked { background: #3f6fa3; }
  QWidget#controls QToolButton:disabled, QWidget#controls QPushButton:disabled { color: #66707d; }
  QWidget#controls QComboBox QAbstractItemView { color: #e8ebef; background: #2b333e; }
  QWidget#controls QCheckBox { color: #e8ebef; }
  QWidget#controls QCheckBox::indicator { width: 11px; height: 11px; border: 1px solid #97a1af; background: #15191f; }
  QWidget#controls QCheckBox::indicator:checked { background: #5ab0ff; }
)";

}  // namespace

Canvas::Canvas(QWidget* parent) : QWidget(parent) {
  setMinimumSize(160, 120);
  setAttribute(Qt::WA_OpaquePaintEvent);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addStretch(1);
}

void Canvas::set_notices(const QStringList& notices) {
  if (notices == notices_) return;
  notices_ = notices;
  update();
}

QHBoxLayout* Canvas::bar() {
  if (controls_ == nullptr) {
    controls_ = new QWidget(this);
    controls_->setObjectName(QStringLiteral("controls"));
    controls_->setStyleSheet(QString::fromLatin1(kStyle));
    controls_->setFont(palette::font(12));
    auto* row = new QHBoxLayout(controls_);
    row->setContentsMargins(6, 3, 6, 3);
    row->setSpacing(5);
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, controls_);
  }
  return static_cast<QHBoxLayout*>(controls_->layout());
}

QRectF Canvas::drawing_area() const {
  const int top = controls_ != nullptr ? controls_->geometry().bottom() + 1 : 0;
  return QRectF(0, top, width(), height() - top);
}

void Canvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette::kBackground);
  paint(painter, drawing_area());
}

void Canvas::paint(QPainter& painter, QRectF area) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(palette::font(12));
  if (!notices_.isEmpty()) {
    const double line = 17.0;
    const QRectF strip(area.left(), area.bottom() - line * notices_.size() - 4, area.width(),
                       line * notices_.size() + 4);
    painter.fillRect(strip, QColor(0x4a, 0x30, 0x12));
    painter.setPen(palette::kWarn);
    for (int i = 0; i < notices_.size(); ++i) {
      draw_text(painter, QRectF(strip.left() + 8, strip.top() + 2 + line * i, strip.width() - 16, line),
                Qt::AlignVCenter | Qt::AlignLeft, QStringLiteral("!  ") + notices_[i]);
    }
    area.setBottom(strip.top());
  }
  if (area.width() < 40 || area.height() < 40) return;
  painter.save();
  painter.setClipRect(area);
  draw(painter, area);
  painter.restore();
}

QImage Canvas::picture(const QSize& size) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  image.fill(palette::kBackground);
  QPainter painter(&image);
  paint(painter, QRectF(QPointF(0, 0), QSizeF(size)));
  return image;
}

QString Canvas::save(const QString& path) {
  const QSize size = drawing_area().size().toSize();
  if (path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
    return picture(size).save(path) ? QString() : QStringLiteral("cannot write ") + path;
  }
  if (!path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
    return path + QStringLiteral(": the name must end in .png or .svg");
  }
#ifdef HL_WITH_SVG
  QSvgGenerator file;
  file.setFileName(path);
  file.setSize(size);
  file.setViewBox(QRect(QPoint(0, 0), size));
  QPainter painter;
  if (!painter.begin(&file)) return QStringLiteral("cannot write ") + path;
  painter.fillRect(QRect(QPoint(0, 0), size), palette::kBackground);
  paint(painter, QRectF(QPointF(0, 0), QSizeF(size)));
  painter.end();
  return QString();
#else
  return QStringLiteral("built without Qt 5 Svg (libqt5svg5-dev); write a .png");
#endif
}

QRectF Canvas::draw_legend(QPainter& painter, const QRectF& area, const QVector<Key>& keys) {
  painter.save();
  painter.setFont(palette::font(11));
  const QFontMetricsF metrics(painter.font());
  const double row = 17.0, mark = 20.0, gap = 14.0;
  struct Place {
    double x;
    int line;
  };
  QVector<Place> places;
  double x = 0.0;
  int line = 0;
  for (const Key& key : keys) {
    const double wide = mark + metrics.horizontalAdvance(key.text) + gap;
    if (x > 0.0 && x + wide > area.width() - 12) {
      x = 0.0;
      ++line;
    }
    places.push_back({x, line});
    x += wide;
  }
  const double height = keys.isEmpty() ? 0.0 : (line + 1) * row + 6;
  const QRectF strip(area.left(), area.bottom() - height, area.width(), height);
  painter.fillRect(strip, palette::kPanel);
  for (int i = 0; i < keys.size(); ++i) {
    const QPointF at(strip.left() + 8 + places[i].x, strip.top() + 3 + row * places[i].line + row / 2);
    const QPointF middle = at + QPointF(7, 0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Qt::NoBrush);
    switch (keys[i].mark) {
      case Key::Mark::Dot:
        painter.setBrush(keys[i].color);
        painter.drawEllipse(middle, 4.5, 4.5);
        break;
      case Key::Mark::Ring:
        painter.setPen(QPen(keys[i].color, 1.6));
        painter.drawEllipse(middle, 4.5, 4.5);
        break;
      case Key::Mark::Box:
        painter.setBrush(keys[i].color);
        painter.drawRect(QRectF(at.x(), at.y() - 5, 14, 10));
        break;
      case Key::Mark::Line:
      case Key::Mark::Dash:
        painter.setPen(QPen(keys[i].color, 2, keys[i].mark == Key::Mark::Dash ? Qt::DotLine : Qt::SolidLine));
        painter.drawLine(at, at + QPointF(14, 0));
        break;
    }
    painter.setPen(palette::kText);
    painter.drawText(QRectF(at.x() + mark, at.y() - row / 2, 400, row), Qt::AlignVCenter | Qt::AlignLeft, keys[i].text);
  }
  painter.restore();
  return QRectF(area.left(), area.top(), area.width(), area.height() - height);
}

QRectF Canvas::draw_box(QPainter& painter, const QRectF& area, const QString& caption) {
  painter.save();
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette::kPanel);
  painter.drawRoundedRect(area, 4, 4);
  painter.setFont(palette::font(11, true));
  painter.setPen(palette::kDim);
  draw_text(painter, QRectF(area.left() + 10, area.top() + 5, area.width() - 20, 16), Qt::AlignVCenter | Qt::AlignLeft,
            caption);
  painter.restore();
  return area.adjusted(10, 25, -10, -8);
}

void Canvas::draw_text(QPainter& painter, const QRectF& area, int flags, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  painter.drawText(area, flags, metrics.elidedText(text, Qt::ElideRight, area.width()));
}

void Canvas::draw_empty(QPainter& painter, const QRectF& area, const QString& text) {
  painter.save();
  painter.setPen(palette::kDim);
  painter.setFont(palette::font(14));
  painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, text);
  painter.restore();
}

}  // namespace hl_visualization
