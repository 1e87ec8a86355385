// SPDX-License-Identifier: Apache-2.0
// joint_state_publisher with a slider for every joint.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <opencv2/highgui.hpp>

#include "joint_state_publisher/joint_state_publisher.hpp"
#include "slider_panel.hpp"

using joint_state_publisher::JointPositions;
using joint_state_publisher::JointStatePublisher;
using joint_state_publisher_gui::SliderPanel;

namespace {

constexpr const char* kWindow = "joint_state_publisher_gui";
constexpr int kEscape = 27;
constexpr int kLookEvery = 15;  // ms between two looks at window and node; joint_states come at most this late

/// The window library ends the whole process if there is no display, so a child tries it.
bool display_works() {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return false;
  const pid_t child = fork();
  if (child == 0) {
    std::freopen("/dev/null", "w", stderr);
    cv::namedWindow(kWindow);
    _exit(0);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct Hand {
  SliderPanel* panel;
  JointPositions* joints;
};

void on_mouse(int event, int x, int y, int flags, void* data) {
  auto& [panel, joints] = *static_cast<Hand*>(data);
  if (event == cv::EVENT_LBUTTONDOWN) panel->press({x, y}, *joints);
  if (event == cv::EVENT_LBUTTONUP || (flags & cv::EVENT_FLAG_LBUTTON) == 0) panel->release();
  if (event == cv::EVENT_MOUSEMOVE) panel->move({x, y}, *joints);
}

void show(const std::shared_ptr<JointStatePublisher>& node) {
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  int model = node->models();
  SliderPanel panel(node->joints());
  Hand hand{&panel, &node->joints()};
  cv::namedWindow(kWindow, cv::WINDOW_AUTOSIZE | cv::WINDOW_GUI_NORMAL);
  cv::setMouseCallback(kWindow, on_mouse, &hand);
  while (rclcpp::ok()) {
    executor.spin_some();
    if (node->models() != model) {
      model = node->models();
      panel = SliderPanel(node->joints());
    }
    cv::imshow(kWindow, panel.draw(node->joints()));
    const int key = cv::waitKey(kLookEvery);
    if (key == kEscape || key == 'q' || cv::getWindowProperty(kWindow, cv::WND_PROP_VISIBLE) < 1) break;
    panel.key(key, node->joints());
  }
  cv::destroyAllWindows();
}

}  // namespace

int main(int argc, char** argv) {
  if (!display_works()) {
    std::fprintf(
        stderr,
        "joint_state_publisher_gui: there is no display to show sliders on (DISPLAY is %s).\n"
        "Use 'ros2 run joint_state_publisher joint_state_publisher' and 'ros2 param set /joint_state_publisher "
        "zeros.JOINT VALUE' instead, or log in with 'ssh -X'.\n",
        std::getenv("DISPLAY") ? std::getenv("DISPLAY") : "not set");
    return 1;
  }
  return joint_state_publisher::run(argc, argv, show);
}
