// SPDX-License-Identifier: Apache-2.0
#include "main_window.hpp"

#include <QAction>
#include <QActionGroup>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

#include "../topics/robot_topics.hpp"
#include "hl_visualization/canvas.hpp"

namespace hl_visualization {
namespace {

const char* const kStyle = R"(
  QMainWindow, QToolBar, QMenu { background: #1e242c; color: #e8ebef; }
  QMainWindow::separator { background: #0d1014; width: 4px; height: 4px; }
  QDockWidget { color: #e8ebef; font-weight: bold; }
  QDockWidget::title { background: #2b333e; padding: 4px 8px; }
  QToolBar { border: none; spacing: 6px; padding: 4px; }
  QToolBar QLabel { color: #97a1af; }
  QToolBar QToolButton, QToolBar QComboBox { color: #e8ebef; background: #2b333e; border: 1px solid #3a4451;
    border-radius: 3px; padding: 3px 10px; }
  QToolBar QToolButton:checked { background: #3f6fa3; }
  QComboBox QAbstractItemView { color: #e8ebef; background: #2b333e; }
  QMenu::item:selected { background: #3f6fa3; }
  QTabBar::tab { color: #e8ebef; background: #2b333e; padding: 4px 10px; }
  QTabBar::tab:selected { background: #3f6fa3; }
)";
constexpr int kSearchPeriod = 1000;  // ms
constexpr int kStateVersion = 1;     // of the stored arrangements

QString shown_name(const std::string& robot) {
  return robot.empty() ? QStringLiteral("(no namespace)") : QString::fromStdString(robot);
}

}  // namespace

QString MainWindow::check_perspective(const QString& name) {
  for (const char* known : kPerspectives)
    if (name == QLatin1String(known)) return {};
  return QStringLiteral("there is no perspective '%1': match, motion or vision").arg(name);
}

MainWindow::MainWindow(rclcpp::Node::SharedPtr node, const QString& robot, QSettings& settings)
    : node_(std::move(node)), settings_(settings), wanted_(robot) {
  setWindowTitle(QStringLiteral("Humanoid League"));
  setStyleSheet(QString::fromLatin1(kStyle));
  setDockOptions(AllowNestedDocks | AllowTabbedDocks);
  resize(1500, 950);

  auto* bar = addToolBar(QStringLiteral("Robot and perspective"));
  bar->setObjectName(QStringLiteral("toolbar"));
  bar->setMovable(false);
  bar->addWidget(new QLabel(QStringLiteral(" Robot ")));
  robots_ = new QComboBox;
  robots_->setObjectName(QStringLiteral("robots"));
  robots_->setMinimumWidth(140);
  bar->addWidget(robots_);
  connect(robots_, QOverload<int>::of(&QComboBox::activated), this, [this](int index) {
    wanted_ = robots_->itemData(index).toString();
    choose(wanted_);
  });
  bar->addWidget(new QLabel(QStringLiteral("   Perspective ")));
  perspectives_ = new QActionGroup(this);
  for (const char* name : kPerspectives) {
    QAction* action = bar->addAction(QString::fromLatin1(name));
    action->setCheckable(true);
    perspectives_->addAction(action);
    connect(action, &QAction::triggered, this, [this, name] { set_perspective(QString::fromLatin1(name)); });
  }
  auto* views = new QToolButton;
  views->setText(QStringLiteral("Views"));
  views->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(views);
  views->setMenu(menu);
  bar->addWidget(new QLabel(QStringLiteral("   ")));
  bar->addWidget(views);

  for (const Kind kind : kKinds) {
    auto* panel = new Panel(node_, kind, this);
    auto* dock = new QDockWidget(QString::fromLatin1(title_of(kind)), this);
    dock->setObjectName(QString::fromLatin1(id_of(kind)));
    dock->setWidget(panel->view());
    addDockWidget(Qt::LeftDockWidgetArea, dock);
    dock->hide();
    menu->addAction(dock->toggleViewAction());
    panels_[kind] = panel;
    docks_[kind] = dock;
  }
  menu->addSeparator();
  connect(menu->addAction(QStringLiteral("Arrange anew")), &QAction::triggered, this,
          [this] { arrange(perspective_); });

  if (!robot.isEmpty()) choose(robot);
  find_robots();
  connect(&search_, &QTimer::timeout, this, &MainWindow::find_robots);
  search_.start(kSearchPeriod);
  set_perspective(settings_.value(QStringLiteral("perspective"), QStringLiteral("match")).toString());
}

MainWindow::~MainWindow() {
  for (auto& [kind, panel] : panels_) panel->stop();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  remember();
  for (auto& [kind, panel] : panels_) panel->stop();
  event->accept();
}

void MainWindow::remember() {
  if (perspective_.isEmpty()) return;
  settings_.setValue(QStringLiteral("perspective"), perspective_);
  settings_.setValue(QStringLiteral("arrangement/") + perspective_, saveState(kStateVersion));
  settings_.setValue(QStringLiteral("geometry"), saveGeometry());
}

void MainWindow::set_perspective(const QString& name) {
  if (!check_perspective(name).isEmpty()) return set_perspective(QStringLiteral("match"));
  if (perspective_.isEmpty()) {
    restoreGeometry(settings_.value(QStringLiteral("geometry")).toByteArray());
  } else {
    remember();
  }
  perspective_ = name;
  settings_.setValue(QStringLiteral("perspective"), perspective_);
  for (QAction* action : perspectives_->actions()) action->setChecked(action->text() == name);
  const QByteArray state = settings_.value(QStringLiteral("arrangement/") + name).toByteArray();
  if (state.isEmpty() || !restoreState(state, kStateVersion)) arrange(name);
}

void MainWindow::arrange(const QString& name) {
  for (auto& [kind, dock] : docks_) {
    dock->setFloating(false);
    removeDockWidget(dock);
    dock->hide();  // before the window is first shown, removing alone does not hide it
  }
  const auto show = [this](Kind kind) {
    docks_[kind]->show();
    return docks_[kind];
  };
  const auto first = [&](Kind kind) { addDockWidget(Qt::LeftDockWidgetArea, show(kind)); };
  const auto split = [&](Kind from, Kind kind, Qt::Orientation orientation) {
    addDockWidget(Qt::LeftDockWidgetArea, show(kind));
    splitDockWidget(docks_[from], docks_[kind], orientation);
  };
  if (name == QLatin1String("motion")) {
    first(Kind::Hcm);
    split(Kind::Hcm, Kind::Walk, Qt::Vertical);
    resizeDocks({docks_[Kind::Hcm], docks_[Kind::Walk]}, {height() / 2, height() / 2}, Qt::Vertical);
  } else if (name == QLatin1String("vision")) {
    first(Kind::Image);
    split(Kind::Image, Kind::Relative, Qt::Horizontal);
    split(Kind::Relative, Kind::Field, Qt::Vertical);
    resizeDocks({docks_[Kind::Image], docks_[Kind::Relative]}, {width() * 6 / 10, width() * 4 / 10}, Qt::Horizontal);
  } else {
    first(Kind::Field);
    split(Kind::Field, Kind::Behavior, Qt::Horizontal);
    split(Kind::Field, Kind::Relative, Qt::Vertical);
    split(Kind::Relative, Kind::TeamLink, Qt::Horizontal);
    split(Kind::Behavior, Kind::Hcm, Qt::Vertical);
    resizeDocks({docks_[Kind::Field], docks_[Kind::Behavior]}, {width() / 2, width() / 2}, Qt::Horizontal);
    resizeDocks({docks_[Kind::Field], docks_[Kind::Relative]}, {height() * 6 / 10, height() * 4 / 10}, Qt::Vertical);
    resizeDocks({docks_[Kind::Behavior], docks_[Kind::Hcm]}, {height() * 5 / 10, height() * 5 / 10}, Qt::Vertical);
  }
}

void MainWindow::find_robots() {
  std::vector<std::string> found = robots_of(*node_);
  // Who has gone stays in the list: the views say that it is silent, and it may come back.
  for (const std::string& robot : target_.all)
    if (std::find(found.begin(), found.end(), robot) == found.end()) found.push_back(robot);
  std::sort(found.begin(), found.end());
  if (found == target_.all && robots_->count() > 0) return;
  target_.all = found;
  robots_->clear();
  for (const std::string& robot : found) robots_->addItem(shown_name(robot), QString::fromStdString(robot));
  if (found.empty()) {
    robots_->addItem(QStringLiteral("no robot yet"));
    return;
  }
  const bool known = std::find(found.begin(), found.end(), target_.robot) != found.end();
  choose(!wanted_.isEmpty() ? wanted_
         : known            ? QString::fromStdString(target_.robot)
                            : QString::fromStdString(found.front()));
}

void MainWindow::choose(const QString& robot) {
  const bool changed = target_.robot != robot.toStdString() || target_.all.empty();
  target_.robot = robot.toStdString();
  if (std::find(target_.all.begin(), target_.all.end(), target_.robot) == target_.all.end()) {
    target_.all.push_back(target_.robot);
    std::sort(target_.all.begin(), target_.all.end());
  }
  int index = robots_->findData(robot);
  if (index < 0) {
    robots_->addItem(shown_name(target_.robot), robot);
    index = robots_->count() - 1;
  }
  robots_->setCurrentIndex(index);
  for (auto& [kind, panel] : panels_)
    if (changed || kind == Kind::Field) panel->set_target(target_);
}

}  // namespace hl_visualization
