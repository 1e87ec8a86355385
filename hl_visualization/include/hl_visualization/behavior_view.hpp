// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hl_visualization/canvas.hpp"

class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace hl_visualization {

/// What the behaviour decided and why.
struct BehaviorData {
  struct Slot {
    std::string skill, state;  // empty = none
  };
  struct Event {
    double time = 0.0;  // s, clock of the robot
    int kind = 0;       // of SkillEvent: started, completed, failed, aborted
    std::string skill, reason;
  };
  bool known = false;  // a decision was told
  std::string role, action, situation;
  Slot move, head, kick;
  std::vector<std::pair<std::string, std::string>> reasons;
  std::vector<Event> events;  // newest first
  std::string task;
  std::vector<std::string> statements;  // "line:column text"
  std::string text;                     // of the task that runs, if it is installed here, too
  std::vector<std::string> tasks;       // installed on the robot
  std::string answer;                   // of the last order given here
};

/// Role, action, slots, reasons, and the task with its active statement marked. Sets the role, runs and cancels tasks.
class BehaviorView : public Canvas {
  Q_OBJECT

 public:
  explicit BehaviorView(QWidget* parent = nullptr);
  void set_data(const BehaviorData& data);
  const BehaviorData& data() const { return data_; }
  /// The text of a task: what a person writes, or that of the installed task that runs.
  QPlainTextEdit* editor() const { return editor_; }
  /// Lines of the editor that are marked as active, from 1.
  std::vector<int> marked_lines() const;

 Q_SIGNALS:
  void role_chosen(int role);  // Strategy/ROLE_*; -1 = the tactics choose
  void run_chosen(const QString& name, const QStringList& arguments, const QString& text);
  void cancel_chosen();

 protected:
  void draw(QPainter& painter, const QRectF& area) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QRectF editor_area() const;
  void mark_statements();
  void draw_decision(QPainter& painter, const QRectF& area) const;
  void draw_slots(QPainter& painter, const QRectF& area) const;
  void draw_reasons(QPainter& painter, const QRectF& area) const;
  void draw_events(QPainter& painter, const QRectF& area) const;

  BehaviorData data_;
  QComboBox* roles_ = nullptr;
  QComboBox* task_ = nullptr;
  QPlainTextEdit* editor_ = nullptr;
  QString installed_;  // text that was put into the editor by us
};

/// Words for the codes of Strategy.
std::string role_name(int role);
std::string action_name(int action);

}  // namespace hl_visualization
