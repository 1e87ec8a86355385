// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <qt_gui_cpp/plugin_context.h>
#include <qt_gui_cpp/settings.h>
#include <rqt_gui_cpp/plugin.h>

#include <QComboBox>
#include <QPointer>
#include <QTimer>
#include <memory>

#include "../adapters/panel.hpp"

namespace hl_visualization {

/// One of our views inside rqt. rqt gives all C++ plug-ins one node without namespace and spins it in a thread of its
/// own; so the robot is chosen here, and the adapter hands data over to the GUI thread as in our own window.
class PanelPlugin : public rqt_gui_cpp::Plugin {
 public:
  explicit PanelPlugin(Kind kind);
  void initPlugin(qt_gui_cpp::PluginContext& context) override;
  void shutdownPlugin() override;
  void saveSettings(qt_gui_cpp::Settings& plugin_settings, qt_gui_cpp::Settings& instance_settings) const override;
  void restoreSettings(const qt_gui_cpp::Settings& plugin_settings,
                       const qt_gui_cpp::Settings& instance_settings) override;

 private:
  void find_robots();
  void choose(const QString& robot);

  Kind kind_;
  std::unique_ptr<Panel> panel_;
  std::unique_ptr<QTimer> search_;
  QPointer<QComboBox> robots_;  // rqt owns the widget it sits in
  QString robot_;
  bool given_ = false;  // as an argument, which wins over what is stored
  Target target_;
};

struct FieldPlugin : PanelPlugin {
  FieldPlugin() : PanelPlugin(Kind::Field) {}
};
struct RelativePlugin : PanelPlugin {
  RelativePlugin() : PanelPlugin(Kind::Relative) {}
};
struct ImagePlugin : PanelPlugin {
  ImagePlugin() : PanelPlugin(Kind::Image) {}
};
struct HcmPlugin : PanelPlugin {
  HcmPlugin() : PanelPlugin(Kind::Hcm) {}
};
struct BehaviorPlugin : PanelPlugin {
  BehaviorPlugin() : PanelPlugin(Kind::Behavior) {}
};
struct WalkPlugin : PanelPlugin {
  WalkPlugin() : PanelPlugin(Kind::Walk) {}
};
struct TeamLinkPlugin : PanelPlugin {
  TeamLinkPlugin() : PanelPlugin(Kind::TeamLink) {}
};

}  // namespace hl_visualization
