// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hl_visualization/canvas.hpp"

namespace hl_visualization {

/// State of the team communication. Negative = unknown.
struct TeamLinkData {
  enum class State { Disconnected, Connecting, Connected };
  struct Mate {
    int number = 0;
    State state = State::Disconnected;
    double age = -1.0;    // s
    double loss = -1.0;   // 0..1
    double delay = -1.0;  // s
    double rate = 0.0;    // Hz
  };
  bool known = false;
  std::vector<Mate> mates;
  int budget = -1;         // messages left; -1 = no budget
  double send_rate = 0.0;  // Hz
};

/// One row per team mate.
class TeamLinkView : public Canvas {
  Q_OBJECT

 public:
  explicit TeamLinkView(QWidget* parent = nullptr);
  void set_data(const TeamLinkData& data);
  const TeamLinkData& data() const { return data_; }
  /// The coloured chip of the state in row `i`.
  QRectF chip(std::size_t i) const;

 protected:
  void draw(QPainter& painter, const QRectF& area) override;

 private:
  TeamLinkData data_;
  QRectF table_;
};

}  // namespace hl_visualization
