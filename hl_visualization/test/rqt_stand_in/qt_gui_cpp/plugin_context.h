// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QVector>
#include <QWidget>

namespace qt_gui_cpp {

class PluginContext {
 public:
  PluginContext(int serial, const QStringList& arguments) : serial_(serial), arguments_(arguments) {}
  int serialNumber() const { return serial_; }
  const QStringList& argv() const { return arguments_; }
  void addWidget(QWidget* widget) { widgets.push_back(widget); }
  QVector<QWidget*> widgets;  // rqt owns and deletes them

 private:
  int serial_;
  QStringList arguments_;
};

}  // namespace qt_gui_cpp
