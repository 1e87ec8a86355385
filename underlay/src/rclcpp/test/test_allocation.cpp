// SPDX-License-Identifier: Apache-2.0
// Counts allocations of the whole process while messages of a fixed size flow. Cyclone's own are counted too.
#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <thread>

#include "fixture.hpp"
#include "geometry_msgs/msg/twist.hpp"

using geometry_msgs::msg::Twist;
using hl_testing::Process;

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0};

void note() {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);

void* malloc(std::size_t size) {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  note();
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  note();
  return __libc_realloc(memory, size);
}
}

class Allocation : public WithRos {
 protected:
  /// Allocations per message, after a while.
  template <class Publish>
  double measure(Publish publish, const std::function<int()>& received) {
    const auto run = [&](int count) {
      for (int i = 0; i < count; ++i) {
        const int before = received();
        publish();
        if (!spin_until([&] { return received() > before; })) return false;
      }
      return true;
    };
    EXPECT_TRUE(run(300));
    allocations = 0;
    counting = true;
    EXPECT_TRUE(run(1000));
    counting = false;
    return allocations / 1000.0;
  }
};

TEST_F(Allocation, NonePerMessageWithinOneProcess) {
  auto node = make_node("inside");
  auto publisher = node->create_publisher<Twist>("twist", 10);
  int received = 0;
  auto reference = node->create_subscription<Twist>("twist", 10, [&](const Twist&) { ++received; });
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 1; }));
  Twist message;
  EXPECT_LT(measure([&] { publisher->publish(message); }, [&] { return received; }), 0.05);
  reference.reset();
  auto pointer = node->create_subscription<Twist>("twist", 10, [&](Twist::ConstSharedPtr) { ++received; });
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 1; }));
  EXPECT_LT(measure([&] { publisher->publish(message); }, [&] { return received; }), 0.05);
}

TEST_F(Allocation, NonePerMessageBetweenProcesses) {
  auto node = make_node("outside");
  auto publisher = node->create_publisher<Twist>("there", 10);
  int received = 0;
  auto subscription = node->create_subscription<Twist>("back", 10, [&](const Twist&) { ++received; });
  Process mirror({PEER, "mirror"});
  ASSERT_TRUE(
      spin_until([&] { return publisher->get_subscription_count() == 1 && subscription->get_publisher_count() == 1; }));
  ASSERT_TRUE(mirror.wait_for_output("matched"));
  Twist message;
  EXPECT_LT(measure([&] { publisher->publish(message); }, [&] { return received; }), 0.05);
}

RCLCPP_TEST_MAIN
