// SPDX-License-Identifier: Apache-2.0
#include "hl_visualization/strip_chart.hpp"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>

#include "hl_visualization/palette.hpp"

namespace hl_visualization {
namespace {

/// 1, 2 or 5 times a power of ten, so that about `lines` of them fit into `span`.
double tick(double span, int lines) {
  const double raw = span / lines, power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return factor * power;
  return 10.0 * power;
}

}  // namespace

void draw_strip_chart(QPainter& painter, const QRectF& area, const QString& title, const QString& unit,
                      const std::vector<double>& times, double seconds, const QVector<Curve>& curves,
                      float smallest_span) {
  painter.save();
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette::kPanel);
  painter.drawRoundedRect(area, 4, 4);
  painter.setFont(palette::font(11, true));
  painter.setPen(palette::kDim);
  const QString head = title + QStringLiteral(" [") + unit + QLatin1Char(']');
  painter.drawText(QRectF(area.left() + 10, area.top() + 3, area.width(), 16), Qt::AlignLeft | Qt::AlignVCenter, head);
  double legend_x = area.left() + 22 + QFontMetricsF(painter.font()).horizontalAdvance(head);
  painter.setFont(palette::font(11));
  for (const Curve& curve : curves) {
    painter.setPen(QPen(curve.color, 2, curve.dashed ? Qt::DotLine : Qt::SolidLine));
    painter.drawLine(QPointF(legend_x, area.top() + 11), QPointF(legend_x + 14, area.top() + 11));
    painter.setPen(palette::kText);
    painter.drawText(QRectF(legend_x + 18, area.top() + 3, 200, 16), Qt::AlignLeft | Qt::AlignVCenter, curve.name);
    legend_x += 30 + QFontMetricsF(painter.font()).horizontalAdvance(curve.name);
  }
  const QRectF plot = area.adjusted(52, 23, -8, -6);
  if (plot.height() < 16 || plot.width() < 16) {  // no room for a curve
    painter.restore();
    return;
  }
  float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
  const double end = times.empty() ? 0.0 : times.back(), begin = end - seconds;
  for (const Curve& curve : curves) {
    for (std::size_t i = 0; i < curve.values->size(); ++i) {
      if (times[i] < begin || !std::isfinite((*curve.values)[i])) continue;
      low = std::min(low, (*curve.values)[i]);
      high = std::max(high, (*curve.values)[i]);
    }
  }
  if (low > high) low = -smallest_span / 2, high = smallest_span / 2;
  if (high - low < smallest_span) {
    const float middle = (low + high) / 2;
    low = middle - smallest_span / 2;
    high = middle + smallest_span / 2;
  }
  const float margin = 0.06F * (high - low);
  low -= margin;
  high += margin;
  const auto y_of = [&](double v) { return plot.bottom() - (v - low) / (high - low) * plot.height(); };
  const double step = tick(high - low, std::max(1, static_cast<int>(plot.height() / 24) + 1));
  for (double v = std::ceil(low / step) * step; v <= high; v += step) {
    if (std::abs(v) < 1e-9) v = 0.0;
    painter.setPen(QPen(palette::kGrid, v == 0.0 ? 1.4 : 0.7));
    painter.drawLine(QPointF(plot.left(), y_of(v)), QPointF(plot.right(), y_of(v)));
    painter.setPen(palette::kDim);
    painter.drawText(QRectF(area.left(), y_of(v) - 8, 46, 16), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(v, 'g', 4));
  }
  painter.setClipRect(plot);
  const int columns = std::max(1, static_cast<int>(plot.width()));
  for (const Curve& curve : curves) {
    painter.setPen(QPen(curve.color, 1.6, curve.dashed ? Qt::DotLine : Qt::SolidLine));
    QPolygonF line;
    const auto flush = [&] {
      if (line.size() > 1) painter.drawPolyline(line);
      line.clear();
    };
    int column = -1;
    float least = 0, most = 0;
    const auto emit_column = [&] {
      if (column < 0) return;
      const double x = plot.left() + column;
      line << QPointF(x, y_of(least));
      if (most != least) line << QPointF(x, y_of(most));
    };
    for (std::size_t i = 0; i < curve.values->size(); ++i) {
      const float v = (*curve.values)[i];
      if (times[i] < begin) continue;
      if (!std::isfinite(v)) {
        emit_column();
        flush();
        column = -1;
        continue;
      }
      const int c = static_cast<int>((times[i] - begin) / seconds * columns);
      if (c != column) {
        emit_column();
        column = c;
        least = most = v;
      } else {
        least = std::min(least, v);
        most = std::max(most, v);
      }
    }
    emit_column();
    flush();
  }
  painter.restore();
}

}  // namespace hl_visualization
