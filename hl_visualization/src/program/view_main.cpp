// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <QApplication>
#include <QPointer>
#include <QSettings>
#include <QTimer>
#include <cstdio>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <thread>
#include <vector>

#include "main_window.hpp"

namespace {

struct Options {
  std::string robot, perspective, picture;
  double after = 3.0;  // s
};

std::string trimmed(std::string name) {
  while (!name.empty() && name.front() == '/') name.erase(0, 1);
  while (!name.empty() && name.back() == '/') name.pop_back();
  return name;
}

}  // namespace

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  std::vector<std::string> rest = rclcpp::remove_ros_arguments(argc, argv);

  Options options;
  CLI::App cli(
      "Shows what the robots think: field, surroundings, camera, control manager, behaviour, walk, team link.");
  cli.add_option("--robot", options.robot, "namespace of the robot that is shown in detail; without: the first found");
  cli.add_option("--perspective", options.perspective, "match, motion or vision; without: the last one");
  cli.add_option("--picture", options.picture, "writes the window to this PNG file and ends");
  cli.add_option("--after", options.after, "s to wait before the picture")->check(CLI::Range(0.0, 3600.0));
  try {
    std::vector<std::string> reversed(rest.rbegin(), rest.rend() - 1);
    cli.parse(reversed);
  } catch (const CLI::ParseError& error) {
    const int code = cli.exit(error);
    rclcpp::shutdown();
    return code;
  }
  const QString perspective = QString::fromStdString(options.perspective);
  if (!perspective.isEmpty()) {
    if (const QString fault = hl_visualization::MainWindow::check_perspective(perspective); !fault.isEmpty()) {
      std::fprintf(stderr, "view: %s\n", fault.toUtf8().constData());
      rclcpp::shutdown();
      return 2;
    }
  }
  if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
      qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
    std::fprintf(stderr, "view: there is no display; set DISPLAY, or QT_QPA_PLATFORM=offscreen for --picture\n");
    rclcpp::shutdown();
    return 2;
  }

  std::vector<char*> pointers;
  for (std::string& argument : rest) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  QApplication application(count, pointers.data());
  QCoreApplication::setOrganizationName(QStringLiteral("humanoid_league"));
  QCoreApplication::setApplicationName(QStringLiteral("view"));

  const auto node = std::make_shared<rclcpp::Node>("view");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  std::thread spinner([&executor] { executor.spin(); });
  rclcpp::on_shutdown([] { QMetaObject::invokeMethod(qApp, &QCoreApplication::quit, Qt::QueuedConnection); });

  int result = 0;
  {
    QSettings settings;
    hl_visualization::MainWindow window(node, QString::fromStdString(trimmed(options.robot)), settings);
    if (!perspective.isEmpty()) window.set_perspective(perspective);
    window.show();
    if (!options.picture.empty()) {
      QTimer::singleShot(static_cast<int>(1e3 * options.after), &window, [&] {
        if (!window.grab().save(QString::fromStdString(options.picture))) {
          std::fprintf(stderr, "view: cannot write %s\n", options.picture.c_str());
          QCoreApplication::exit(1);
        } else {
          QCoreApplication::quit();
        }
      });
    }
    result = QApplication::exec();
    window.close();
  }
  executor.cancel();
  spinner.join();
  if (rclcpp::ok()) rclcpp::shutdown();
  return result;
}
