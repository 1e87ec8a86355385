// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QImage>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <QVector>
#include <QWidget>

class QHBoxLayout;
class QPainter;

namespace hl_visualization {

/// A view that paints itself from plain data. Controls sit in a row above the drawing, what is wrong with the data
/// stands in a strip below it. Only for the GUI thread.
class Canvas : public QWidget {
  Q_OBJECT

 public:
  explicit Canvas(QWidget* parent = nullptr);

  /// What a person must know about the data: silent, not a number, of a wrong type. Empty = all is well.
  void set_notices(const QStringList& notices);
  const QStringList& notices() const { return notices_; }

  /// The drawing without the controls.
  QImage picture(const QSize& size);
  /// Writes .png or .svg; what went wrong, in words, or an empty text.
  QString save(const QString& path);

 protected:
  struct Key {
    enum class Mark { Dot, Ring, Line, Dash, Box };
    QColor color;
    QString text;
    Mark mark = Mark::Dot;
  };

  virtual void draw(QPainter& painter, const QRectF& area) = 0;
  void paintEvent(QPaintEvent* event) override;

  /// The row of controls; made at the first call.
  QHBoxLayout* bar();
  /// Where `draw` draws in the window.
  QRectF drawing_area() const;

  /// A legend in rows at the bottom of `area`; returns what is left above it.
  static QRectF draw_legend(QPainter& painter, const QRectF& area, const QVector<Key>& keys);
  /// A caption and a box around a part of a view; returns the inside.
  static QRectF draw_box(QPainter& painter, const QRectF& area, const QString& caption);
  /// Text that is shortened with dots where it does not fit.
  static void draw_text(QPainter& painter, const QRectF& area, int flags, const QString& text);
  /// "nothing yet" in the middle.
  static void draw_empty(QPainter& painter, const QRectF& area, const QString& text);

 private:
  void paint(QPainter& painter, QRectF area);

  QStringList notices_;
  QWidget* controls_ = nullptr;
};

}  // namespace hl_visualization
