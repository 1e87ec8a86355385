// SPDX-License-Identifier: Apache-2.0
#include "panel_plugin.hpp"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <pluginlib/class_list_macros.hpp>

#include "../topics/robot_topics.hpp"
#include "hl_visualization/canvas.hpp"

namespace hl_visualization {

PanelPlugin::PanelPlugin(Kind kind) : kind_(kind) {
  setObjectName(QString::fromLatin1(id_of(kind)));
}

void PanelPlugin::initPlugin(qt_gui_cpp::PluginContext& context) {
  const QStringList arguments = context.argv();
  if (const int at = arguments.indexOf(QStringLiteral("--robot")); at >= 0 && at + 1 < arguments.size()) {
    robot_ = arguments[at + 1];
    given_ = true;
  }
  auto* widget = new QWidget;
  widget->setObjectName(QStringLiteral("hl_") + QString::fromLatin1(id_of(kind_)));
  QString title = QString::fromLatin1(title_of(kind_));
  if (context.serialNumber() > 1) title += QStringLiteral(" (%1)").arg(context.serialNumber());
  widget->setWindowTitle(title);
  auto* column = new QVBoxLayout(widget);
  column->setContentsMargins(0, 0, 0, 0);
  robots_ = new QComboBox;
  robots_->setToolTip(QStringLiteral("the robot that is shown"));
  column->addWidget(robots_);
  panel_ = std::make_unique<Panel>(node_, kind_);
  column->addWidget(panel_->view(), 1);
  context.addWidget(widget);

  QObject::connect(robots_.data(), QOverload<int>::of(&QComboBox::activated), this,
                   [this](int index) { choose(robots_->itemData(index).toString()); });
  search_ = std::make_unique<QTimer>();
  QObject::connect(search_.get(), &QTimer::timeout, this, [this] { find_robots(); });
  search_->start(1000);
  if (given_) choose(robot_);
  find_robots();
}

void PanelPlugin::shutdownPlugin() {
  search_.reset();
  if (panel_) panel_->stop();
  panel_.reset();
}

void PanelPlugin::saveSettings(qt_gui_cpp::Settings&, qt_gui_cpp::Settings& instance_settings) const {
  instance_settings.setValue(QStringLiteral("robot"), robot_);
}

void PanelPlugin::restoreSettings(const qt_gui_cpp::Settings&, const qt_gui_cpp::Settings& instance_settings) {
  if (given_ || !instance_settings.contains(QStringLiteral("robot"))) return;
  choose(instance_settings.value(QStringLiteral("robot"), QString()).toString());
}

void PanelPlugin::find_robots() {
  if (!robots_ || !panel_) return;
  std::vector<std::string> found = robots_of(*node_);
  for (const std::string& robot : target_.all)
    if (std::find(found.begin(), found.end(), robot) == found.end()) found.push_back(robot);
  std::sort(found.begin(), found.end());
  if (found == target_.all) return;
  const bool first = target_.all.empty();
  target_.all = found;
  robots_->clear();
  for (const std::string& robot : found) {
    const QString name = QString::fromStdString(robot);
    robots_->addItem(name.isEmpty() ? QStringLiteral("(no namespace)") : name, name);
  }
  choose(first && robot_.isEmpty() ? QString::fromStdString(found.front()) : robot_);
}

void PanelPlugin::choose(const QString& robot) {
  robot_ = robot;
  target_.robot = robot.toStdString();
  if (std::find(target_.all.begin(), target_.all.end(), target_.robot) == target_.all.end())
    target_.all.push_back(target_.robot);
  if (robots_) {
    if (robots_->findData(robot) < 0) robots_->addItem(robot, robot);
    robots_->setCurrentIndex(robots_->findData(robot));
  }
  if (panel_) panel_->set_target(target_);
}

}  // namespace hl_visualization

PLUGINLIB_EXPORT_CLASS(hl_visualization::FieldPlugin, rqt_gui_cpp::Plugin)
PLUGINLIB_EXPORT_CLASS(hl_visualization::RelativePlugin, rqt_gui_cpp::Plugin)
PLUGINLIB_EXPORT_CLASS(hl_visualization::ImagePlugin, rqt_gui_cpp::Plugin)
PLUGINLIB_EXPORT_CLASS(hl_visualization::HcmPlugin, rqt_gui_cpp::Plugin)
PLUGINLIB_EXPORT_CLASS(hl_visualization::BehaviorPlugin, rqt_gui_cpp::Plugin)
PLUGINLIB_EXPORT_CLASS(hl_visualization::WalkPlugin, rqt_gui_cpp::Plugin)
PLUGINLIB_EXPORT_CLASS(hl_visualization::TeamLinkPlugin, rqt_gui_cpp::Plugin)
