// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QPointF>
#include <array>
#include <functional>
#include <optional>

#include "hl_visualization/canvas.hpp"
#include "hl_visualization/markings.hpp"

class QCheckBox;

namespace hl_visualization {

struct GroundPoint {
  double x = 0.0, y = 0.0;  // m, base_footprint
};

/// The picture and what was found in it.
struct ImageData {
  QImage image;
  Markings markings;
  bool marked = false;      // the markings belong to this very picture
  double age = 0.0;         // s
  double detection = -1.0;  // s from the picture to its markings; -1 = unknown
  /// Where a pixel meets the ground; empty function = the camera's place is not known.
  std::function<std::optional<GroundPoint>(double x, double y)> to_ground;
};

/// The camera's picture with markings. A click names pixel, colour and place on the ground.
class ImageView : public Canvas {
  Q_OBJECT

 public:
  explicit ImageView(QWidget* parent = nullptr);
  void set_data(const ImageData& data);
  const ImageData& data() const { return data_; }
  void set_shown(MarkingKind kind, bool shown);
  const MarkingSwitches& shown() const { return shown_; }

  /// Window pixel of a pixel of the picture, and back.
  QPointF to_window(const Pixel& p) const { return corner_ + scale_ * QPointF(p.x, p.y); }
  /// What is said about the pixel that was clicked; empty = none was.
  QString answer() const;

 Q_SIGNALS:
  void shown_changed();

 protected:
  void draw(QPainter& painter, const QRectF& area) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  bool shows(MarkingKind kind) const { return shown_[static_cast<std::size_t>(kind)]; }
  void draw_lines(QPainter& painter) const;
  void draw_goals(QPainter& painter) const;
  void draw_boxes(QPainter& painter) const;
  void draw_balls(QPainter& painter) const;
  void draw_tag(QPainter& painter, const QPointF& at, const QString& text, const QColor& color) const;

  ImageData data_;
  MarkingSwitches shown_ = kAllMarkings;
  std::array<QCheckBox*, kMarkingKinds> boxes_{};
  QPointF corner_;
  double scale_ = 1.0;
  std::optional<QPointF> clicked_;  // px of the picture
};

}  // namespace hl_visualization
