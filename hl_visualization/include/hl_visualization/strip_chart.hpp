// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <QVector>
#include <vector>

class QPainter;

namespace hl_visualization {

/// One curve over time; NaN leaves a gap.
struct Curve {
  QString name;
  QColor color;
  const std::vector<float>* values = nullptr;
  bool dashed = false;
};

/// Curves over the last seconds: one polyline each, with the smallest and largest value of each pixel column, so that a
/// long history costs no more than the width of the chart.
void draw_strip_chart(QPainter& painter, const QRectF& area, const QString& title, const QString& unit,
                      const std::vector<double>& times, double seconds, const QVector<Curve>& curves,
                      float smallest_span);

}  // namespace hl_visualization
