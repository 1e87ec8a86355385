// SPDX-License-Identifier: Apache-2.0
// The public signatures of rqt's base class, for machines without rqt: our plug-ins are compiled and driven against
// them.
#pragma once

#include <qt_gui_cpp/plugin_context.h>
#include <qt_gui_cpp/settings.h>

#include <QObject>
#include <memory>
#include <rclcpp/node.hpp>

namespace qt_gui_cpp {

class Plugin : public QObject {
 public:
  virtual void initPlugin(PluginContext&) {}
  virtual void shutdownPlugin() {}
  virtual void saveSettings(Settings&, Settings&) const {}
  virtual void restoreSettings(const Settings&, const Settings&) {}
  virtual bool hasConfiguration() const { return false; }
  virtual void triggerConfiguration() {}
};

}  // namespace qt_gui_cpp

namespace rqt_gui_cpp {

class Plugin : public qt_gui_cpp::Plugin {
 public:
  virtual void passInNode(std::shared_ptr<rclcpp::Node> node) { node_ = std::move(node); }

 protected:
  rclcpp::Node::SharedPtr node_;
};

}  // namespace rqt_gui_cpp
