// SPDX-License-Identifier: Apache-2.0
// Our rqt plug-ins against the signatures of rqt's base classes; loading in a real rqt is not shown here.
#include <QComboBox>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/team_link.hpp>

#include "../src/rqt/panel_plugin.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_visualization/team_link_view.hpp"
#include "ros_gui_main.hpp"

namespace {

using namespace hl_visualization;

TEST(RqtPlugin, ShowsTheRobotItWasGivenAndLetsGoAtTheEnd) {
  ros_gui::SpinningNode host("rqt_gui_cpp_node_1"), robot("robot");
  const auto link =
      robot.node()->create_publisher<humanoid_league_msgs::msg::TeamLink>("/robot7/team_link", rclcpp::QoS(10));
  qt_gui_cpp::PluginContext context(2, {QStringLiteral("--robot"), QStringLiteral("robot7")});
  TeamLinkPlugin plugin;
  plugin.passInNode(host.node());
  plugin.initPlugin(context);
  ASSERT_EQ(context.widgets.size(), 1);
  QWidget* widget = context.widgets.front();
  EXPECT_FALSE(widget->objectName().isEmpty()) << "rqt stores the dock by it";
  EXPECT_EQ(widget->windowTitle(), QStringLiteral("Team link (2)"));
  widget->show();
  auto* view = widget->findChild<TeamLinkView*>();
  ASSERT_NE(view, nullptr);
  EXPECT_TRUE(ros_gui::gui_until([&] { return view->data().known; },
                                 [&] { link->publish(humanoid_league_msgs::msg::TeamLink()); }));

  qt_gui_cpp::Settings common, own, restored;
  plugin.saveSettings(common, own);
  EXPECT_EQ(own.value(QStringLiteral("robot")).toString(), QStringLiteral("robot7"));
  restored.setValue(QStringLiteral("robot"), QStringLiteral("robot9"));
  plugin.restoreSettings(common, restored);
  plugin.saveSettings(common, own);
  EXPECT_EQ(own.value(QStringLiteral("robot")).toString(), QStringLiteral("robot7")) << "an argument wins";

  plugin.shutdownPlugin();
  EXPECT_EQ(host.node()->count_subscribers("/robot7/team_link"), 0U);
  delete widget;  // as rqt does it afterwards
}

TEST(RqtPlugin, RestoresTheRobotOfLastTime) {
  ros_gui::SpinningNode host("rqt_gui_cpp_node_2");
  qt_gui_cpp::PluginContext context(1, {});
  HcmPlugin plugin;
  plugin.passInNode(host.node());
  plugin.initPlugin(context);
  qt_gui_cpp::Settings common, own;
  own.setValue(QStringLiteral("robot"), QStringLiteral("robot3"));
  plugin.restoreSettings(common, own);
  EXPECT_EQ(context.widgets.front()->findChild<QComboBox*>()->currentText(), QStringLiteral("robot3"));
  plugin.shutdownPlugin();
  delete context.widgets.front();
}

}  // namespace

int main(int argc, char** argv) {
  return ros_gui::run(argc, argv);
}
