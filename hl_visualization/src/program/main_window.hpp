// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMainWindow>
#include <QSettings>
#include <QTimer>
#include <map>
#include <rclcpp/node.hpp>
#include <string>
#include <vector>

#include "../adapters/panel.hpp"

class QActionGroup;
class QComboBox;
class QDockWidget;

namespace hl_visualization {

constexpr const char* kPerspectives[] = {"match", "motion", "vision"};

/// All views as docks of one window. A perspective is which of them are shown and where; it is remembered.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `robot`: empty = the first that is found. `settings` outlives the window.
  MainWindow(rclcpp::Node::SharedPtr node, const QString& robot, QSettings& settings);
  ~MainWindow() override;

  void set_perspective(const QString& name);
  const QString& perspective() const { return perspective_; }
  Panel* panel(Kind kind) const { return panels_.at(kind); }
  const Target& target() const { return target_; }
  /// The name in `--perspective`, or a text with the choices.
  static QString check_perspective(const QString& name);

 protected:
  void closeEvent(QCloseEvent* event) override;

 private:
  void find_robots();
  void choose(const QString& robot);
  void arrange(const QString& name);
  void remember();

  rclcpp::Node::SharedPtr node_;
  QSettings& settings_;
  QString wanted_;  // the robot a person asked for; empty = whichever comes first
  Target target_;
  std::map<Kind, Panel*> panels_;
  std::map<Kind, QDockWidget*> docks_;
  QComboBox* robots_ = nullptr;
  QActionGroup* perspectives_ = nullptr;
  QString perspective_;
  QTimer search_;
};

}  // namespace hl_visualization
