// SPDX-License-Identifier: Apache-2.0
// The window with eight robots at full rates (delay, memory) and with one (processor time), without a display.
#include <sys/resource.h>
#include <unistd.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <thread>

#include "../src/program/main_window.hpp"
#include "hl_testing/bench_report.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_visualization/field_view.hpp"
#include "synthetic_robots.hpp"

namespace {

using namespace hl_visualization;

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto s = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return s(usage.ru_utime) + s(usage.ru_stime);
}

double resident_mb() {
  std::ifstream file("/proc/self/statm");
  long pages = 0, resident = 0;
  file >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

/// Notes after each painting of the field how old the newest pose of each robot is that it shows for the first time.
class PaintWatch : public QObject {
 public:
  explicit PaintWatch(FieldView* view) : view_(view) { view_->installEventFilter(this); }
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Paint) QTimer::singleShot(0, this, [this] { painted(); });
    return false;
  }
  std::vector<double> delays;
  std::size_t paintings = 0;

 private:
  void painted() {
    ++paintings;
    for (const Belief& belief : view_->data().robots) {
      if (!belief.pose) continue;
      double& last = shown_[belief.name];
      const double sent = std::abs(belief.pose->x);
      if (sent == last) continue;
      last = sent;
      delays.push_back(steady_seconds() - sent);
    }
  }
  FieldView* view_;
  std::map<std::string, double> shown_;
};

struct Result {
  double p50 = 0, p99 = 0, cpu = 0, grown = 0, fps = 0;
  std::size_t robots = 0;
};

Result watch(const rclcpp::Node::SharedPtr& node, const std::string& self, int robots, double seconds) {
  hl_testing::Process publisher({self, "--robots", std::to_string(robots)});
  QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("view.ini")), QSettings::IniFormat);
  MainWindow window(node, QStringLiteral("robot1"), settings);
  window.set_perspective(QStringLiteral("match"));
  window.show();
  auto* field = static_cast<FieldView*>(window.panel(Kind::Field)->view());
  const auto run = [](double s) {
    QElapsedTimer timer;
    timer.start();
    QEventLoop loop;
    QTimer::singleShot(static_cast<int>(1e3 * s), &loop, &QEventLoop::quit);
    loop.exec();
    return 1e-3 * static_cast<double>(timer.elapsed());
  };
  run(5.0);  // found, and everything has been painted once
  PaintWatch paint(field);
  const double memory = resident_mb(), cpu = cpu_seconds();
  const double took = run(seconds);
  Result result;
  result.cpu = 100 * (cpu_seconds() - cpu) / took;
  result.grown = resident_mb() - memory;
  result.fps = static_cast<double>(paint.paintings) / took;
  result.robots = window.target().all.size();
  std::sort(paint.delays.begin(), paint.delays.end());
  if (!paint.delays.empty()) {
    result.p50 = 1e3 * paint.delays[paint.delays.size() / 2];
    result.p99 = 1e3 * paint.delays[paint.delays.size() * 99 / 100];
  } else {
    result.p50 = result.p99 = std::nan("");
  }
  window.close();
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--robots") {
    rclcpp::init(argc, argv);
    return run_synthetic_robots(std::atoi(argv[2]));
  }
  const double seconds = hl_testing::quick(argc, argv) ? 10.0 : 60.0;
  qputenv("QT_QPA_PLATFORM", "offscreen");
  hl_testing::isolate();
  rclcpp::init(argc, argv);
  QApplication application(argc, argv);
  Result eight, one;
  {
    const auto node = std::make_shared<rclcpp::Node>("view");
    rclcpp::executors::SingleThreadedExecutor executor;
    executor.add_node(node);
    std::thread spinner([&executor] { executor.spin(); });
    eight = watch(node, argv[0], 8, seconds);
    one = watch(node, argv[0], 1, seconds);
    executor.cancel();
    spinner.join();
  }
  rclcpp::shutdown();
  std::fprintf(stderr, "eight robots: %zu found, %.1f fps, %.0f %% of a core; one robot: %.1f fps\n", eight.robots,
               eight.fps, eight.cpu, one.fps);
  using hl_testing::Better;
  const auto figure = [](const char* name, double value, const char* unit, std::optional<double> budget,
                         Better better) {
    hl_testing::report({"hl_visualization", name, value, unit, budget, better});
  };
  figure("eight robots: message to painted, median", eight.p50, "ms", std::nullopt, Better::Lower);
  figure("eight robots: message to painted, p99", eight.p99, "ms", 100.0, Better::Lower);
  figure("eight robots: memory grown while watching", eight.grown, "MB", 10.0, Better::Lower);
  figure("one robot, match perspective: processor", one.cpu, "% of a core", 25.0, Better::Lower);
  figure("one robot, match perspective: pictures per second", one.fps, "1/s", 18.0, Better::Higher);
  return 0;
}
