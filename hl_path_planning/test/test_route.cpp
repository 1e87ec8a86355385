// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <queue>
#include <random>

#include "hl_path_planning/route.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_path_planning;

namespace {

Obstacle disc(double x, double y, double radius, int id = 0) {
  return {Vector2d(x, y), Vector2d(x, y), radius, Obstacle::Kind::Robot, id};
}

Obstacle wall(const Vector2d& a, const Vector2d& b, double radius, int id = 0) {
  return {a, b, radius, Obstacle::Kind::Net, id};
}

World field_of(std::vector<Obstacle> obstacles) {
  World world;
  world.obstacles = std::move(obstacles);
  world.box.low = Vector2d(-5.0, -3.5);
  world.box.high = Vector2d(5.0, 3.5);
  return world;
}

Way way_in(const World& world, const Vector2d& start, const Vector2d& goal, const Sides& sides = {}) {
  RouteFinder finder;
  Way way;
  finder.find(world, start, goal, sides, 0.4, way);
  return way;
}

/// How deep the way goes into an obstacle; chords of an arc cut off 0.5 % of the radius.
double deepest(const World& world, const Way& way) {
  double depth = 0.0;
  for (const Obstacle& o : world.obstacles) {
    for (std::size_t i = 1; i < way.points.size(); ++i)
      depth = std::max(depth, 0.994 * o.radius - segment_distance(way.points[i - 1], way.points[i], o.a, o.b));
  }
  return depth;
}

World random_world(std::mt19937& random, int most) {
  std::uniform_real_distribution<double> x(-4.5, 4.5), y(-3.0, 3.0), radius(0.1, 0.8), part(0.0, 1.0), reach(-1.5, 1.5);
  World world = field_of({});
  const int count = std::uniform_int_distribution<int>(0, most)(random);
  for (int i = 0; i < count; ++i) {
    const Vector2d a(x(random), y(random));
    const bool long_one = part(random) < 0.3;
    const Vector2d b = long_one ? Vector2d(a + Vector2d(reach(random), reach(random))) : a;
    world.obstacles.push_back({a, b, radius(random), Obstacle::Kind::Robot, i});
  }
  return world;
}

/// Length of the way over a grid of 8 neighbours, or nothing.
std::optional<double> grid_way(const World& world, const Vector2d& start, const Vector2d& goal) {
  constexpr double kCell = 0.05;
  constexpr int kColumns = 201, kRows = 141;
  const auto place = [&](int c, int r) { return Vector2d(-5.0 + kCell * c, -3.5 + kCell * r); };
  const auto cell = [&](const Vector2d& p) {
    return std::pair<int, int>(static_cast<int>(std::lround((p.x() + 5.0) / kCell)),
                               static_cast<int>(std::lround((p.y() + 3.5) / kCell)));
  };
  std::vector<double> cost(kColumns * kRows, 1e9);
  using Entry = std::pair<double, std::pair<int, int>>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto first = cell(start), last = cell(goal);
  if (!is_free(world, place(first.first, first.second)) || !is_free(world, place(last.first, last.second))) return {};
  open.push({0.0, first});
  cost[static_cast<std::size_t>(first.second * kColumns + first.first)] = 0.0;
  while (!open.empty()) {
    const auto [g, at] = open.top();
    open.pop();
    if (at == last) return g;
    if (g > cost[static_cast<std::size_t>(at.second * kColumns + at.first)]) continue;
    for (int dc = -1; dc <= 1; ++dc) {
      for (int dr = -1; dr <= 1; ++dr) {
        const int c = at.first + dc, r = at.second + dr;
        if ((dc == 0 && dr == 0) || c < 0 || r < 0 || c >= kColumns || r >= kRows) continue;
        const Vector2d from = place(at.first, at.second), to = place(c, r);
        double& best = cost[static_cast<std::size_t>(r * kColumns + c)];
        const double next = g + (to - from).norm();
        if (next >= best) continue;
        const bool blocked = std::any_of(world.obstacles.begin(), world.obstacles.end(), [&](const Obstacle& o) {
          return segment_distance(from, to, o.a, o.b) < o.radius;
        });
        if (blocked) continue;
        best = next;
        open.push({next, {c, r}});
      }
    }
  }
  return {};
}

}  // namespace

TEST(Route, IsStraightWhereNothingStandsInTheWay) {
  const Way way = way_in(field_of({disc(0.0, 2.0, 0.5)}), {-2.0, 0.0}, {2.0, 0.0});
  EXPECT_TRUE(way.complete);
  EXPECT_EQ(way.points.size(), 2u);
  EXPECT_DOUBLE_EQ(way.length, 4.0);
}

TEST(Route, RoundADiscIsTwoTangentsAndAnArc) {
  const Way way = way_in(field_of({disc(0.0, 0.0, 0.5)}), {-2.0, 0.0}, {2.0, 0.0});
  ASSERT_TRUE(way.complete);
  const double tangent = std::sqrt(4.0 - 0.25), arc = 0.5 * (M_PI - 2.0 * std::acos(0.25));
  EXPECT_NEAR(way.length, 2.0 * tangent + arc, 0.005);
  ASSERT_EQ(way.touched.size(), 1u);
}

TEST(Route, GoesRoundTheEndOfAWallNotThroughIt) {
  const World world = field_of({wall({0.0, -1.0}, {0.0, 3.0}, 0.2)});
  const Way way = way_in(world, {-1.0, 0.5}, {1.0, 0.5});
  ASSERT_TRUE(way.complete);
  EXPECT_LE(deepest(world, way), 1e-3);
  EXPECT_TRUE(std::any_of(way.points.begin(), way.points.end(), [](const Vector2d& p) { return p.y() < -1.1; }));
}

TEST(Route, DoesNotLeaveTheBoxToGoRoundSomething) {
  const World world = field_of({wall({0.0, -3.4}, {0.0, 1.0}, 0.2)});
  const Way way = way_in(world, {-1.0, -3.0}, {1.0, -3.0});
  ASSERT_TRUE(way.complete);
  for (const Vector2d& p : way.points) EXPECT_TRUE(world.box.contains(p, 1e-3));
  EXPECT_GT(way.length, 8.0);
}

TEST(Route, WithoutAWayEndsAsNearAsPossible) {
  const World world = field_of({wall({0.0, -4.0}, {0.0, 4.0}, 0.2)});
  const Way way = way_in(world, {-2.0, 0.0}, {2.0, 0.0});
  EXPECT_FALSE(way.complete);
  EXPECT_EQ(way.blocked_by, 1);
}

TEST(Route, OtherSideMustBeClearlyShorterToBeTaken) {
  const Vector2d start(-2.0, 0.0), goal(2.0, 0.0);
  const World world = field_of({disc(0.0, 0.1, 0.5, 7)});  // a little shorter below: it stays to the left
  EXPECT_EQ(way_in(world, start, goal).touched.at(0).second, 1);
  EXPECT_EQ(way_in(world, start, goal, {{7, -1}}).touched.at(0).second, -1);
  const World far = field_of({disc(0.0, 0.45, 0.5, 7)});
  EXPECT_EQ(way_in(far, start, goal, {{7, -1}}).touched.at(0).second, 1);
}

TEST(Route, NeverCrossesWhatItCouldAvoid) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> x(-4.9, 4.9), y(-3.4, 3.4);
  RouteFinder finder;
  Way way;
  int complete = 0;
  for (int run = 0; run < 10'000; ++run) {
    const World world = random_world(random, 14);
    const Vector2d start(x(random), y(random)), goal(x(random), y(random));
    if (!is_free(world, start) || !is_free(world, goal)) continue;
    finder.find(world, start, goal, {}, 0.4, way);
    ASSERT_LE(finder.effort(), RouteFinder::kMostPlaces);
    ASSERT_GE(way.points.size(), 2u);
    for (const Vector2d& p : way.points) ASSERT_TRUE(finite(p) && world.box.contains(p, 2e-3)) << run;
    ASSERT_LE(deepest(world, way), 2e-3) << "run " << run;
    ASSERT_EQ(way.points.front(), start);
    if (!way.complete) continue;
    ++complete;
    ASSERT_EQ(way.points.back(), goal);
    ASSERT_GE(way.length, (goal - start).norm() - 1e-9);
  }
  EXPECT_GT(complete, 3000);
}

TEST(Route, IsNeverLongerThanAWayOverAGridAndFoundWheneverThatIs) {
  std::mt19937 random(12);
  std::uniform_real_distribution<double> x(-4.9, 4.9), y(-3.4, 3.4);
  int compared = 0;
  for (std::size_t run = 0; run < hl_testing::count(150, 2000); ++run) {
    const World world = random_world(random, 12);
    const Vector2d start(x(random), y(random)), goal(x(random), y(random));
    if (!is_free(world, start) || !is_free(world, goal)) continue;
    const auto reference = grid_way(world, start, goal);
    if (!reference) continue;
    const Way way = way_in(world, start, goal);
    ASSERT_TRUE(way.complete) << "run " << run;
    ASSERT_LE(way.length, *reference + 0.12) << "run " << run;  // start and goal are moved to cells: 2 x 0.035 m
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

TEST(NearestFree, IsFreeAndNotFartherThanAnySample) {
  std::mt19937 random(13);
  std::uniform_real_distribution<double> x(-4.9, 4.9), y(-3.4, 3.4);
  for (int run = 0; run < 500; ++run) {
    const World world = random_world(random, 12);
    const Vector2d wanted(x(random), y(random)), from(x(random), y(random));
    Vector2d free;
    if (!nearest_free(world, wanted, from, free)) continue;
    ASSERT_TRUE(is_free(world, free));
    const double distance = (free - wanted).norm();
    for (int k = 0; k < 200; ++k) {
      const Vector2d p(x(random), y(random));
      if (!is_free(world, p)) continue;
      ASSERT_LE(distance, (p - wanted).norm() + 0.6) << run;
    }
  }
}

TEST(NearestFree, OutOfADiscIsTheShortestWay) {
  const World world = field_of({disc(0.0, 0.0, 0.5)});
  Vector2d free;
  ASSERT_TRUE(nearest_free(world, {0.3, 0.0}, {-3.0, 0.0}, free));
  EXPECT_NEAR(free.x(), 0.5, 0.01);
  EXPECT_NEAR(free.y(), 0.0, 0.01);
}

TEST(NearestFree, SaysIfAllIsTaken) {
  Vector2d free;
  EXPECT_FALSE(nearest_free(field_of({disc(0.0, 0.0, 20.0)}), {0.0, 0.0}, {1.0, 0.0}, free));
}
