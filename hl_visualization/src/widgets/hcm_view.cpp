// SPDX-License-Identifier: Apache-2.0
#include "hl_visualization/hcm_view.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "hl_visualization/palette.hpp"

namespace hl_visualization {
namespace {

const QColor kBefore(0xb3, 0x8c, 0xff), kAfter(0x52, 0xe0, 0xb0);

struct Owner {
  const char* name;
  QColor color;
};
const Owner kOwners[] = {{"nobody", palette::kGrid},        {"HCM", palette::kActive}, {"walking", palette::kGood},
                         {"animation", palette::kGoalPose}, {"kick", palette::kBad},   {"head", palette::kSelf},
                         {"record", palette::kPath}};
constexpr int kOwnerCount = 7;

const Owner& owner(int code) {
  return kOwners[code >= 0 && code < kOwnerCount ? code : 0];
}

}  // namespace

HcmView::HcmView(QWidget* parent) : Canvas(parent) {
  setObjectName(QStringLiteral("hcm"));
  setWindowTitle(QStringLiteral("Control manager"));
  setMouseTracking(true);
}

void HcmView::set_graph(const StateGraph& graph) {
  graph_ = graph;
  layout_ = hl_visualization::layout(graph_);
  boxes_.assign(graph_.states.size(), QRectF());
  hovered_ = -1;
  update();
}

void HcmView::set_data(const HcmData& data) {
  data_ = data;
  update();
}

QRectF HcmView::box_of(const std::string& state) const {
  const int i = graph_.index_of(state);
  return i < 0 ? QRectF() : boxes_[static_cast<std::size_t>(i)];
}

void HcmView::mouseMoveEvent(QMouseEvent* event) {
  int hovered = -1;
  for (std::size_t i = 0; i < boxes_.size(); ++i)
    if (boxes_[i].contains(event->localPos())) hovered = static_cast<int>(i);
  if (hovered == hovered_) return;
  hovered_ = hovered;
  update();
}

void HcmView::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

void HcmView::place(const QRectF& area) {
  const double column = area.width() / std::max(1, layout_.layers);
  const double wide = std::min(148.0, column * 0.84), high = std::min(28.0, area.height() / (layout_.rows + 1) * 0.6);
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const auto& place = layout_.places[i];
    const int length = layout_.length[static_cast<std::size_t>(place.layer)];
    // Every second layer is shifted by a little, so that edges do not run through boxes of the same row.
    const double shift = place.layer % 2 == 0 ? 0.0 : 0.22;
    const double x = area.left() + (place.layer + 0.5) * column;
    const double y = area.top() + (place.row + 0.5 + shift) * area.height() / (length + 0.25);
    boxes_[i] = QRectF(x - wide / 2, y - high / 2, wide, high);
  }
}

void HcmView::draw(QPainter& painter, const QRectF& area) {
  if (graph_.states.empty()) {
    draw_empty(painter, area, QStringLiteral("no table of states"));
    return;
  }
  const double side = std::clamp(area.width() * 0.33, 220.0, 420.0);
  const QRectF left = area.adjusted(6, 6, -side - 6, -6);
  const QRectF right(area.right() - side, area.top() + 6, side - 6, area.height() - 12);
  draw_graph(painter, left);
  const double joints =
      std::min(right.height() * 0.55, 46.0 + 19.0 * ((static_cast<double>(data_.joints.size()) + 1) / 2) + 44);
  draw_history(painter, right.adjusted(0, 0, 0, -joints - 6));
  draw_joints(painter, QRectF(right.left(), right.bottom() - joints, right.width(), joints));
}

void HcmView::draw_edge(QPainter& painter, std::size_t from, std::size_t to, const QColor& color, double width) const {
  const QRectF a = boxes_[from], b = boxes_[to];
  QPointF start, end, c1, c2;
  if (std::abs(a.center().x() - b.center().x()) < 1.0) {  // the same layer: a bow beside it
    const double side = a.center().y() < b.center().y() ? 1.0 : -1.0;
    start = QPointF(side > 0 ? a.right() : a.left(), a.center().y());
    end = QPointF(side > 0 ? b.right() : b.left(), b.center().y());
    c1 = start + QPointF(side * 26, 0);
    c2 = end + QPointF(side * 26, 0);
  } else {
    const double side = a.center().x() < b.center().x() ? 1.0 : -1.0;
    start = QPointF(side > 0 ? a.right() : a.left(), a.center().y() + side * 4);
    end = QPointF(side > 0 ? b.left() : b.right(), b.center().y() + side * 4);
    const double reach = std::max(24.0, std::abs(end.x() - start.x()) * 0.45);
    c1 = start + QPointF(side * reach, 0);
    c2 = end - QPointF(side * reach, 0);
  }
  QPainterPath path(start);
  path.cubicTo(c1, c2, end);
  painter.setPen(QPen(color, width));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
  const double angle = std::atan2(end.y() - c2.y(), end.x() - c2.x());
  painter.setBrush(color);
  painter.setPen(Qt::NoPen);
  painter.drawPolygon(QPolygonF({end, end - 7 * QPointF(std::cos(angle + 0.4), std::sin(angle + 0.4)),
                                 end - 7 * QPointF(std::cos(angle - 0.4), std::sin(angle - 0.4))}));
}

void HcmView::draw_graph(QPainter& painter, const QRectF& area) {
  const QRectF inside =
      draw_legend(painter, area,
                  {{palette::kActive, QStringLiteral("current state"), Key::Mark::Box},
                   {kBefore, QStringLiteral("leads to the state under the mouse"), Key::Mark::Box},
                   {kAfter, QStringLiteral("can follow it"), Key::Mark::Box},
                   {palette::kDim, QStringLiteral("double frame: from most states (edges on hover)"), Key::Mark::Ring}})
          .adjusted(0, 0, 0, -8);
  place(inside);
  const int now = current(), focus = hovered_;
  for (const auto& e : graph_.edges)
    if (!layout_.hub[e.to])
      draw_edge(painter, e.from, e.to, palette::faded(palette::kDim, focus < 0 ? 0.38 : 0.12), 1.0);
  if (focus < 0 && now >= 0) {
    for (const auto& e : graph_.edges)
      if (static_cast<int>(e.from) == now && !layout_.hub[e.to])
        draw_edge(painter, e.from, e.to, palette::faded(palette::kActive, 0.9), 1.6);
  }
  std::vector<QColor> fill(boxes_.size(), palette::kRaised);
  if (focus >= 0) {
    for (const auto& e : graph_.edges) {
      if (static_cast<int>(e.to) == focus) {
        draw_edge(painter, e.from, e.to, kBefore, 1.4);
        fill[e.from] = kBefore;
      }
    }
    for (const auto& e : graph_.edges) {
      if (static_cast<int>(e.from) == focus) {
        draw_edge(painter, e.from, e.to, kAfter, 1.6);
        fill[e.to] = kAfter;
      }
    }
  }
  if (now >= 0) fill[static_cast<std::size_t>(now)] = palette::kActive;
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const bool bright = fill[i] != palette::kRaised;
    painter.setBrush(fill[i]);
    painter.setPen(QPen(static_cast<int>(i) == focus ? palette::kText : palette::kGrid, 1.4));
    painter.drawRoundedRect(boxes_[i], 5, 5);
    if (layout_.hub[i]) {
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(boxes_[i].adjusted(-3, -3, 3, 3), 7, 7);
    }
    const QString text = QString::fromStdString(graph_.states[i]).replace(QLatin1Char('_'), QLatin1Char(' '));
    const QRectF inner = boxes_[i].adjusted(2, 0, -2, 0);
    const int flags = Qt::AlignCenter | Qt::TextWordWrap;
    int size = 11;
    const auto fits = [&] {
      const QRectF taken = QFontMetricsF(palette::font(size, true)).boundingRect(inner, flags, text);
      return taken.width() <= inner.width() && taken.height() <= inner.height();
    };
    while (size > 6 && !fits()) --size;
    painter.setFont(palette::font(size, true));
    painter.setPen(bright ? palette::kBackground : palette::kText);
    painter.drawText(inner, flags, text);
  }
}

void HcmView::draw_history(QPainter& painter, const QRectF& area) const {
  const QRectF inside = draw_box(painter, area, QStringLiteral("LAST STATES"));
  painter.setFont(palette::font(12, true));
  painter.setPen(palette::kActive);
  const QString state = data_.state.empty() ? QStringLiteral("not told") : QString::fromStdString(data_.state);
  const auto row = [&](double y, const QString& text) {
    draw_text(painter, QRectF(inside.left(), y, inside.width(), 18), Qt::AlignVCenter | Qt::AlignLeft, text);
  };
  row(inside.top(), state);
  painter.setFont(palette::font(11));
  painter.setPen(palette::kDim);
  QString figures = QStringLiteral("fall margin %1").arg(data_.fall_margin, 0, 'f', 2);
  if (data_.latency >= 0.0) figures += QStringLiteral("   sensors to goals %1 ms").arg(1e3 * data_.latency, 0, 'f', 2);
  row(inside.top() + 18, figures);
  double y = inside.top() + 40;
  if (!data_.refusal.empty()) {
    row(y - 4, QStringLiteral("last refusal: ") + QString::fromStdString(data_.refusal));
    y += 18;
  }
  for (const auto& t : data_.history) {
    if (y + 32 > inside.bottom()) break;
    painter.setFont(palette::font(11));
    painter.setPen(palette::kDim);
    painter.drawText(QRectF(inside.left(), y, 62, 15), Qt::AlignVCenter | Qt::AlignRight,
                     QStringLiteral("%1 s").arg(t.time, 0, 'f', 2));
    painter.setPen(palette::kText);
    draw_text(painter, QRectF(inside.left() + 70, y, inside.width() - 70, 15), Qt::AlignVCenter | Qt::AlignLeft,
              QString::fromStdString(t.from + " \u2192 " + t.to));
    painter.setPen(palette::kDim);
    draw_text(painter, QRectF(inside.left() + 70, y + 14, inside.width() - 70, 15), Qt::AlignVCenter | Qt::AlignLeft,
              QString::fromStdString(t.reason));
    y += 32;
  }
  if (data_.history.empty()) {
    painter.setPen(palette::kDim);
    painter.setFont(palette::font(11));
    draw_text(painter, QRectF(inside.left(), y, inside.width(), 15), Qt::AlignLeft, QStringLiteral("none yet"));
  }
}

void HcmView::draw_joints(QPainter& painter, const QRectF& area) const {
  const QRectF inside = draw_box(painter, area, QStringLiteral("WHO MOVES EACH JOINT"));
  // As many columns as it takes to keep the names legible.
  const int count = static_cast<int>(data_.joints.size());
  int columns = 2, rows = (count + 1) / 2;
  while (columns < 4 && (inside.height() - 36) / std::max(1, rows) < 12.0) {
    ++columns;
    rows = (count + columns - 1) / columns;
  }
  const double line = std::min(19.0, (inside.height() - 36) / std::max(1, rows)), wide = inside.width() / columns;
  for (int i = 0; i < count && line > 6.0; ++i) {
    const auto& joint = data_.joints[static_cast<std::size_t>(i)];
    const double x = inside.left() + wide * (i / rows), y = inside.top() + line * (i % rows);
    painter.setPen(Qt::NoPen);
    painter.setBrush(owner(joint.owner).color);
    painter.drawRoundedRect(QRectF(x, y + line / 2 - 5, 10, 10), 3, 3);
    painter.setPen(palette::kText);
    painter.setFont(palette::font(line < 15 ? 9 : 11));
    draw_text(painter, QRectF(x + 15, y, wide - 18, line), Qt::AlignVCenter | Qt::AlignLeft,
              QString::fromStdString(joint.name));
  }
  QVector<Key> keys;
  for (const Owner& o : kOwners) keys.push_back({o.color, QString::fromLatin1(o.name), Key::Mark::Box});
  draw_legend(painter, inside.adjusted(-8, 0, 8, 4), keys);
}

}  // namespace hl_visualization
