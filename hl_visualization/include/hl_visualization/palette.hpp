// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QFont>

/// One palette for all views, so that a colour means the same everywhere.
namespace hl_visualization::palette {

inline const QColor kBackground(0x15, 0x19, 0x1f);
inline const QColor kPanel(0x1e, 0x24, 0x2c);
inline const QColor kRaised(0x2b, 0x33, 0x3e);
inline const QColor kGrid(0x3a, 0x44, 0x51);
inline const QColor kText(0xe8, 0xeb, 0xef);
inline const QColor kDim(0x97, 0xa1, 0xaf);
inline const QColor kTurf(0x1f, 0x5a, 0x33);
inline const QColor kTurfBorder(0x19, 0x49, 0x2a);
inline const QColor kFieldLine(0xe8, 0xf1, 0xea);
inline const QColor kSelf(0x5a, 0xb0, 0xff);
inline const QColor kMate(0x2f, 0xd0, 0xc0);
inline const QColor kRival(0xff, 0x6d, 0x8a);
inline const QColor kUnknown(0xb9, 0xc0, 0xc9);
inline const QColor kBall(0xff, 0x9a, 0x3c);
inline const QColor kGoalPose(0xc7, 0x92, 0xea);
inline const QColor kPath(0xff, 0xe0, 0x66);
inline const QColor kTruth(0xff, 0xff, 0xff);
inline const QColor kGood(0x6c, 0xcf, 0x70);
inline const QColor kWarn(0xff, 0xc2, 0x4b);
inline const QColor kBad(0xff, 0x5f, 0x5f);
inline const QColor kActive(0xff, 0x98, 0x00);  // the current state

inline QColor faded(QColor color, double alpha) {
  color.setAlphaF(alpha);
  return color;
}

inline QFont font(int pixels, bool bold = false) {
  QFont f(QStringLiteral("DejaVu Sans"));
  f.setPixelSize(pixels);
  f.setBold(bold);
  return f;
}

}  // namespace hl_visualization::palette
