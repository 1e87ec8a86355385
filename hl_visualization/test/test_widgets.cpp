// SPDX-License-Identifier: Apache-2.0
// Feeds each view and looks at what it drew. HL_PICTURES=FOLDER writes the pictures of the README.
#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QWheelEvent>
#include <cmath>
#include <limits>

#include "example_data.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "hl_visualization/palette.hpp"

namespace {

using namespace hl_visualization;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The window as a person sees it; also written for the README if asked.
QImage look(Canvas& view, const QSize& size, const char* name = nullptr) {
  view.resize(size);
  const QImage image = view.grab().toImage().convertToFormat(QImage::Format_RGB32);
  const QString folder = qEnvironmentVariable("HL_PICTURES");
  if (name != nullptr && !folder.isEmpty()) {
    EXPECT_TRUE(image.save(folder + QLatin1Char('/') + QString::fromLatin1(name) + QStringLiteral(".png")));
  }
  return image;
}

bool close(const QColor& a, const QColor& b, int tolerance = 40) {
  return std::abs(a.red() - b.red()) <= tolerance && std::abs(a.green() - b.green()) <= tolerance &&
         std::abs(a.blue() - b.blue()) <= tolerance;
}

/// True if a pixel of this colour is within `reach` of `at`.
bool has(const QImage& image, const QPointF& at, const QColor& color, int reach = 6) {
  for (int y = static_cast<int>(at.y()) - reach; y <= at.y() + reach; ++y)
    for (int x = static_cast<int>(at.x()) - reach; x <= at.x() + reach; ++x)
      if (image.rect().contains(x, y) && close(image.pixelColor(x, y), color)) return true;
  return false;
}

int count(const QImage& image, const QColor& color, int tolerance = 8) {
  int n = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) n += close(image.pixelColor(x, y), color, tolerance) ? 1 : 0;
  return n;
}

void click(QWidget& widget, const QPointF& from, const QPointF& to) {
  QMouseEvent press(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&widget, &press);
  QMouseEvent move(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&widget, &move);
  QMouseEvent release(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton, Qt::NoModifier);
  QApplication::sendEvent(&widget, &release);
}

TEST(FieldView, DrawsWhatIsBelievedWhereItIsBelieved) {
  FieldView view;
  view.set_data(example::field());
  const QImage image = look(view, {960, 720}, "field");
  EXPECT_TRUE(has(image, view.to_pixel(-4.1, 0.1) + QPointF(-12, 0), palette::kMate, 4));
  EXPECT_TRUE(has(image, view.to_pixel(1.6, 1.3), palette::kBall, 3));
  EXPECT_TRUE(has(image, view.to_pixel(1.3, 1.5), palette::kGoalPose, 12));
  EXPECT_TRUE(has(image, view.to_pixel(2.6, -0.4), palette::kRival, 20));
  EXPECT_TRUE(has(image, view.to_pixel(-0.8, 0.6) + QPointF(10, 6), palette::kSelf, 8));
  EXPECT_TRUE(has(image, view.to_pixel(3.0, -2.4), palette::kTurf, 2)) << "turf where nothing is";

  FieldData lost = example::field();
  const QPointF ahead = view.to_pixel(-0.8 + 0.45 * std::cos(0.35), 0.6 + 0.45 * std::sin(0.35));
  lost.robots[0].particles.clear();
  lost.truth.reset();
  lost.robots[0].yaw_deviation = 0.0;
  view.set_data(lost);
  const QImage sure = look(view, {960, 720});
  lost.robots[0].yaw_deviation = 0.12;
  view.set_data(lost);
  EXPECT_NE(look(view, {960, 720}).pixelColor(ahead.toPoint()), sure.pixelColor(ahead.toPoint())) << "its heading";
}

TEST(FieldView, EmptyOrWildDataDrawNothingAndDoNotHurt) {
  FieldView view;
  view.set_data(FieldData());
  const QImage empty = look(view, {640, 480});
  FieldData wild = example::field();
  wild.selected = 7;  // of one robot
  wild.robots[0].covariance = {1e9, 0, 1e9};
  wild.robots[0].ball->covariance = {kNaN, kNaN, kNaN};
  view.set_data(wild);
  EXPECT_FALSE(look(view, {640, 480}).isNull());
  EXPECT_GT(count(empty, palette::kTurf), 50'000);
}

TEST(FieldView, PressAndDragGiveAGoalWithADirection) {
  FieldView view;
  view.set_data(example::field());
  look(view, {960, 720});
  double x = kNaN, y = kNaN, yaw = kNaN;
  int poses = 0;
  QObject::connect(&view, &FieldView::goal_chosen, [&](double a, double b, double c) { x = a, y = b, yaw = c; });
  QObject::connect(&view, &FieldView::pose_chosen, [&](double, double, double) { ++poses; });
  click(view, view.to_pixel(1.0, -1.0), view.to_pixel(1.0, 1.0));
  EXPECT_TRUE(std::isnan(x)) << "looking sets no goal";
  look(view, {960, 720});
  view.set_tool(FieldView::Tool::Goal);
  click(view, view.to_pixel(1.0, -1.0), view.to_pixel(1.0, 1.0));
  EXPECT_NEAR(x, 1.0, 0.02);
  EXPECT_NEAR(y, -1.0, 0.02);
  EXPECT_NEAR(yaw, M_PI / 2, 0.02);
  view.set_tool(FieldView::Tool::Pose);
  click(view, view.to_pixel(1.0, -1.0), view.to_pixel(1.0, -1.0));
  EXPECT_EQ(poses, 1);
}

TEST(FieldView, TheWheelZoomsAroundTheMouse) {
  FieldView view;
  view.set_data(example::field());
  look(view, {960, 720});
  const QPointF at = view.to_pixel(2.0, 1.0);
  QWheelEvent wheel(at, at, QPoint(), QPoint(0, 600), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&view, &wheel);
  const double before = view.to_pixel(1, 0).x() - view.to_pixel(0, 0).x();
  look(view, {960, 720});
  EXPECT_GT(view.to_pixel(1, 0).x() - view.to_pixel(0, 0).x(), 1.5 * before);
  EXPECT_NEAR((view.to_pixel(2.0, 1.0) - at).manhattanLength(), 0.0, 30.0);
}

TEST(FieldView, SavesPngAndSvgAndSaysWhatItCannot) {
  hl_testing::TemporaryFolder folder;
  FieldView view;
  view.set_data(example::field());
  view.resize(640, 480);
  const QString base = QString::fromStdString((folder.path() / "field").string());
  EXPECT_EQ(view.save(base + QStringLiteral(".png")).toStdString(), "");
  EXPECT_FALSE(QImage(base + QStringLiteral(".png")).isNull());
#ifdef HL_WITH_SVG
  EXPECT_EQ(view.save(base + QStringLiteral(".svg")).toStdString(), "");
  QFile svg(base + QStringLiteral(".svg"));
  ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
  EXPECT_TRUE(svg.readAll().contains("striker"));
#endif
  EXPECT_NE(view.save(base + QStringLiteral(".gif")).toStdString(), "");
  EXPECT_NE(view.save(QStringLiteral("/nowhere/at/all.png")).toStdString(), "");
}

TEST(RelativeView, AheadIsUpAndLeftIsLeft) {
  RelativeView view;
  view.set_data(example::relative());
  const QImage image = look(view, {520, 560}, "relative");
  const QPointF ball = view.to_pixel({2.25, 0.3}), robot = view.to_pixel({0, 0});
  EXPECT_LT(ball.y(), robot.y());
  EXPECT_LT(ball.x(), robot.x());
  EXPECT_TRUE(has(image, ball, palette::kBall, 4));
  EXPECT_TRUE(has(image, view.to_pixel({3.7, 0.9}), palette::kPath, 3));
  EXPECT_TRUE(has(image, view.to_pixel({1.55, -0.75}) + QPointF(8, 0), palette::kRival, 5));
  EXPECT_TRUE(has(image, robot, palette::kSelf, 3));
}

TEST(ImageView, EachKindOfMarkingIsSwitchedByItself) {
  ImageView view;
  view.set_data(example::image());
  const QImage all = look(view, {760, 560}, "image");
  const QPointF ring = view.to_window({210 + 35, 360});
  EXPECT_TRUE(has(all, ring, palette::kBall, 3));
  view.set_shown(MarkingKind::Ball, false);
  EXPECT_FALSE(has(look(view, {760, 560}), ring, palette::kBall, 3));
  view.set_shown(MarkingKind::Obstacles, false);
  const QPointF side = view.to_window({436, 180});
  EXPECT_TRUE(has(all, side, QColor(0xff, 0x4d, 0xd2), 3));
  EXPECT_FALSE(has(look(view, {760, 560}), side, QColor(0xff, 0x4d, 0xd2), 3));
}

TEST(ImageView, AClickNamesPixelColourAndPlace) {
  ImageView view;
  EXPECT_EQ(view.answer().toStdString(), "");
  view.set_data(example::image());
  look(view, {760, 560});
  click(view, view.to_window({60.5, 460.5}), view.to_window({60.5, 460.5}));
  EXPECT_NE(view.answer().indexOf(QStringLiteral("pixel (60, 460)")), -1) << view.answer().toStdString();
  EXPECT_NE(view.answer().indexOf(QStringLiteral("R 48 G 120 B 62")), -1) << view.answer().toStdString();
  EXPECT_NE(view.answer().indexOf(QStringLiteral("ground 0.90 m ahead")), -1) << view.answer().toStdString();
  click(view, view.to_window({300.5, 20.5}), view.to_window({300.5, 20.5}));
  EXPECT_NE(view.answer().indexOf(QStringLiteral("horizon")), -1);
}

TEST(HcmView, TheCurrentStateIsOrangeAndHoveringColoursItsNeighbours) {
  HcmView view;
  view.set_graph(example::graph());
  view.set_data(example::hcm());
  look(view, {1180, 560});
  QImage image = look(view, {1180, 560}, "hcm");
  const auto corner = [&](const char* state) { return view.box_of(state).topLeft() + QPointF(8, 4); };
  EXPECT_TRUE(has(image, corner("WALKING"), palette::kActive, 1));
  EXPECT_TRUE(has(image, corner("CONTROLLABLE"), palette::kRaised, 1));
  QMouseEvent move(QEvent::MouseMove, view.box_of("FALLEN").center(), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
  QApplication::sendEvent(&view, &move);
  image = look(view, {1180, 560}, "hcm_hover");
  EXPECT_TRUE(has(image, corner("FALLING"), QColor(0xb3, 0x8c, 0xff), 1)) << "leads to FALLEN";
  EXPECT_TRUE(has(image, corner("GETTING_UP"), QColor(0x52, 0xe0, 0xb0), 1)) << "can follow FALLEN";
}

TEST(HcmView, EveryStateOfTheTableHasAPlaceOfItsOwn) {
  const StateGraph graph = example::graph();
  HcmView view;
  view.set_graph(graph);
  look(view, {1180, 560});
  for (std::size_t i = 0; i < graph.states.size(); ++i) {
    EXPECT_FALSE(view.box_of(graph.states[i]).isEmpty()) << graph.states[i];
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(view.box_of(graph.states[i]).intersects(view.box_of(graph.states[j])))
          << graph.states[i] << " and " << graph.states[j];
  }
  EXPECT_TRUE(view.box_of("NO_SUCH_STATE").isEmpty());
}

TEST(HcmView, NamesFitTheirBoxesInANarrowDock) {
  HcmView view;
  view.set_graph(example::graph());
  view.set_data(HcmData());
  const QImage image = look(view, {560, 420});
  for (const std::string& state : example::graph().states) {
    const QRectF box = view.box_of(state);
    int outside = 0;  // letters beyond the frame
    for (const double x : {box.left() - 1.5, box.right() + 1.5})
      for (double y = box.top() + 6; y < box.bottom() - 6; ++y)
        outside += close(image.pixelColor(QPointF(x, y).toPoint()), palette::kText, 60) ? 1 : 0;
    EXPECT_EQ(outside, 0) << state;
  }
}

TEST(HcmView, AnUnknownStateIsNamedAndColoursNothing) {
  HcmView view;
  view.set_graph(example::graph());
  HcmData data = example::hcm();
  data.state = "DANCING";
  view.set_data(data);
  const QImage image = look(view, {1180, 560});
  for (const std::string& state : example::graph().states)
    EXPECT_FALSE(has(image, view.box_of(state).topLeft() + QPointF(8, 4), palette::kActive, 1)) << state;
}

TEST(BehaviorView, MarksTheActiveStatementsInTheText) {
  BehaviorView view;
  view.editor()->setPlainText(QString::fromLatin1(example::kTask));
  view.set_data(example::behavior());
  look(view, {820, 520}, "behavior");
  EXPECT_EQ(view.marked_lines(), (std::vector<int>{4, 6}));
  BehaviorData data = example::behavior();
  data.statements = {"7:5 dribble(target)", "no line at all", "99:1 beyond the end", ":",
                     "5:5 wait(2)",         "5:900000 wait"};
  view.set_data(data);
  EXPECT_EQ(view.marked_lines(), (std::vector<int>{7})) << "a statement of another file is not here";
}

TEST(BehaviorView, ShowsTheTextOfAnInstalledTaskAndLeavesWhatAPersonWrites) {
  BehaviorView view;
  BehaviorData data = example::behavior();
  data.text = example::kTask;
  view.set_data(data);
  EXPECT_EQ(view.editor()->toPlainText().toStdString(), example::kTask);
  EXPECT_EQ(view.marked_lines(), (std::vector<int>{4, 6}));
  QString ordered = QStringLiteral("?");
  QObject::connect(&view, &BehaviorView::run_chosen,
                   [&](const QString&, const QStringList&, const QString& text) { ordered = text; });
  view.findChild<QPushButton*>(QStringLiteral("run"))->click();
  EXPECT_EQ(ordered.toStdString(), "") << "it is ordered by its name";
  data.text.clear();
  view.set_data(data);
  EXPECT_EQ(view.editor()->toPlainText().toStdString(), "") << "the task has ended";
  view.editor()->setPlainText(QStringLiteral("task mine() {}"));
  data.text = example::kTask;
  view.set_data(data);
  EXPECT_EQ(view.editor()->toPlainText().toStdString(), "task mine() {}");
}

TEST(BehaviorView, OrdersLeaveAsSignals) {
  BehaviorView view;
  view.set_data(example::behavior());
  int role = -2;
  QString name, text;
  QStringList arguments;
  bool cancelled = false;
  QObject::connect(&view, &BehaviorView::role_chosen, [&](int r) { role = r; });
  QObject::connect(&view, &BehaviorView::run_chosen, [&](const QString& n, const QStringList& a, const QString& t) {
    name = n, arguments = a, text = t;
  });
  QObject::connect(&view, &BehaviorView::cancel_chosen, [&] { cancelled = true; });
  view.findChild<QComboBox*>(QStringLiteral("role"))->setCurrentText(QStringLiteral("goalie"));
  view.findChild<QPushButton*>(QStringLiteral("set_role"))->click();
  EXPECT_EQ(role, 5);
  view.findChild<QComboBox*>(QStringLiteral("task"))->setCurrentText(QStringLiteral("fetch(0.2, ball)"));
  view.editor()->setPlainText(QStringLiteral("task fetch() {}"));
  view.findChild<QPushButton*>(QStringLiteral("run"))->click();
  EXPECT_EQ(name, QStringLiteral("fetch"));
  EXPECT_EQ(arguments, QStringList({QStringLiteral("0.2"), QStringLiteral("ball")}));
  EXPECT_EQ(text, QStringLiteral("task fetch() {}"));
  view.findChild<QPushButton*>(QStringLiteral("cancel"))->click();
  EXPECT_TRUE(cancelled);
}

TEST(WalkView, DrawsZmpWhereItIsAndLeavesOutWhatIsUnknown) {
  WalkView view;
  WalkData data = example::walk();
  view.set_data(data);
  QImage image = look(view, {980, 560}, "walk");
  EXPECT_TRUE(has(image, view.to_pixel(data.com_measured), palette::kBall, 3));
  data.com_measured = {kNaN, kNaN};
  view.set_data(data);
  image = look(view, {980, 560});
  EXPECT_FALSE(has(image, view.to_pixel({0.015, -0.045}), palette::kBall, 3));
}

TEST(TeamLinkView, ColoursTheStateOfEachMate) {
  TeamLinkView view;
  view.set_data(example::team_link());
  const QImage image = look(view, {560, 220}, "team_link");
  const auto edge = [&](std::size_t i) { return view.chip(i).center() - QPointF(view.chip(i).width() / 2 - 6, 0); };
  EXPECT_TRUE(has(image, edge(0), palette::kGood, 2));
  EXPECT_TRUE(has(image, edge(1), palette::kWarn, 2));
  EXPECT_TRUE(has(image, edge(3), palette::kBad, 2));
}

TEST(Canvas, SaysWhatIsWrongWithTheData) {
  TeamLinkView view;
  view.set_data(example::team_link());
  const int before = count(look(view, {560, 260}), QColor(0x4a, 0x30, 0x12), 4);
  view.set_notices({QStringLiteral("/robot1/team_link is silent for 3 s")});
  const int after = count(look(view, {560, 260}), QColor(0x4a, 0x30, 0x12), 4);
  EXPECT_EQ(before, 0);
  EXPECT_GT(after, 5'000);
}

TEST(AllViews, DrawBeforeAnythingWasTold) {
  FieldView field;
  RelativeView relative;
  ImageView image;
  HcmView hcm;
  BehaviorView behavior;
  WalkView walk;
  TeamLinkView team_link;
  for (Canvas* view : std::initializer_list<Canvas*>{&field, &relative, &image, &hcm, &behavior, &walk, &team_link}) {
    EXPECT_FALSE(look(*view, {400, 300}).isNull());
    EXPECT_FALSE(look(*view, {60, 40}).isNull()) << "also when it is far too small";
  }
}

TEST(StateGraph, JoinsReasonsOfTheSameWayAndFindsHubs) {
  StateGraph graph;
  for (const char* state : {"a", "b", "c", "d", "e", "f"}) graph.add_edge(state, "stop", "emergency");
  graph.add_edge("a", "b", "x");
  graph.add_edge("a", "b", "y");
  graph.add_edge("b", "c", "z");
  EXPECT_EQ(
      graph.edge(static_cast<std::size_t>(graph.index_of("a")), static_cast<std::size_t>(graph.index_of("b")))->reason,
      "x / y");
  const GraphLayout place = layout(graph);
  EXPECT_TRUE(place.hub[static_cast<std::size_t>(graph.index_of("stop"))]);
  EXPECT_LT(place.places[static_cast<std::size_t>(graph.index_of("a"))].layer,
            place.places[static_cast<std::size_t>(graph.index_of("b"))].layer);
}

}  // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
