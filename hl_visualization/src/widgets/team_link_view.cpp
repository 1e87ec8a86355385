// SPDX-License-Identifier: Apache-2.0
#include "hl_visualization/team_link_view.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "hl_visualization/palette.hpp"

namespace hl_visualization {
namespace {

constexpr double kRow = 28.0, kChip = 104.0;
constexpr double kManyLost = 0.3, kSlow = 0.2;  // share, s: then the value is coloured as a warning

QString number(double value, int digits, const char* unit) {
  return value < 0 || !std::isfinite(value) ? QStringLiteral("-")
                                            : QString::number(value, 'f', digits) + QString::fromLatin1(unit);
}

}  // namespace

TeamLinkView::TeamLinkView(QWidget* parent) : Canvas(parent) {
  setObjectName(QStringLiteral("team_link"));
  setWindowTitle(QStringLiteral("Team link"));
}

void TeamLinkView::set_data(const TeamLinkData& data) {
  data_ = data;
  update();
}

QRectF TeamLinkView::chip(std::size_t i) const {
  return QRectF(table_.left() + 40, table_.top() + kRow * (static_cast<double>(i) + 1) + 4,
                std::min(kChip, table_.width() * 0.27), kRow - 8);
}

void TeamLinkView::draw(QPainter& painter, const QRectF& area) {
  if (!data_.known) {
    draw_empty(painter, area, QStringLiteral("nothing about the team link yet\n(team_link)"));
    return;
  }
  const QString budget =
      data_.budget < 0 ? QStringLiteral("no budget") : QStringLiteral("%1 messages left").arg(data_.budget);
  table_ = draw_box(painter, area.adjusted(6, 6, -6, -6),
                    QStringLiteral("OWN MESSAGES %1 Hz   BUDGET %2").arg(data_.send_rate, 0, 'f', 1).arg(budget));
  const double chip_end = 40 + std::min(kChip, table_.width() * 0.27) + 10;
  const double column = (table_.width() - chip_end) / 4;
  const char* const heads[] = {"age", "loss", "delay", "rate"};
  painter.setFont(palette::font(11));
  painter.setPen(palette::kDim);
  painter.drawText(QRectF(table_.left(), table_.top(), 40, kRow), Qt::AlignVCenter | Qt::AlignLeft,
                   QStringLiteral("mate"));
  painter.drawText(QRectF(table_.left() + 40, table_.top(), 90, kRow), Qt::AlignVCenter | Qt::AlignLeft,
                   QStringLiteral("state"));
  for (int i = 0; i < 4; ++i)
    painter.drawText(QRectF(table_.left() + chip_end + i * column, table_.top(), column - 8, kRow),
                     Qt::AlignVCenter | Qt::AlignRight, QString::fromLatin1(heads[i]));
  for (std::size_t m = 0; m < data_.mates.size(); ++m) {
    const auto& mate = data_.mates[m];
    const double y = table_.top() + kRow * (static_cast<double>(m) + 1);
    if (y + kRow > table_.bottom() + 6) break;
    painter.setPen(QPen(palette::kGrid, 0.7));
    painter.drawLine(QPointF(table_.left(), y), QPointF(table_.right(), y));
    painter.setFont(palette::font(13, true));
    painter.setPen(palette::kText);
    painter.drawText(QRectF(table_.left(), y, 36, kRow), Qt::AlignVCenter | Qt::AlignHCenter,
                     QString::number(mate.number));
    const bool connected = mate.state == TeamLinkData::State::Connected;
    const bool connecting = mate.state == TeamLinkData::State::Connecting;
    painter.setPen(Qt::NoPen);
    painter.setBrush(connected ? palette::kGood : connecting ? palette::kWarn : palette::kBad);
    painter.drawRoundedRect(chip(m), 9, 9);
    painter.setPen(palette::kBackground);
    painter.setFont(palette::font(chip(m).width() < 90 ? 9 : 11, true));
    draw_text(painter, chip(m).adjusted(3, 0, -3, 0), Qt::AlignCenter,
              QString::fromLatin1(connected    ? "connected"
                                  : connecting ? "connecting"
                                               : "disconnected"));
    painter.setFont(palette::font(12));
    const struct {
      QString text;
      bool warn;
    } cells[] = {{number(mate.age, 1, " s"), !connected},
                 {number(100 * mate.loss, 0, " %"), mate.loss > kManyLost},
                 {number(mate.delay < 0 ? -1.0 : 1e3 * mate.delay, 0, " ms"), mate.delay > kSlow},
                 {number(mate.rate, 1, " Hz"), false}};
    for (int i = 0; i < 4; ++i) {
      painter.setPen(cells[i].warn ? palette::kWarn : palette::kText);
      painter.drawText(QRectF(table_.left() + chip_end + i * column, y, column - 8, kRow),
                       Qt::AlignVCenter | Qt::AlignRight, cells[i].text);
    }
  }
  if (data_.mates.empty())
    draw_empty(painter, table_.adjusted(0, kRow, 0, 0), QStringLiteral("no team mate has been heard yet"));
}

}  // namespace hl_visualization
