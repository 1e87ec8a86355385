// SPDX-License-Identifier: Apache-2.0
// Timers that are made, cancelled and reset from callbacks, while one that nobody touches must go on ticking.
#include <atomic>
#include <random>
#include <thread>

#include "fixture.hpp"
#include "rclcpp/detail/executable.hpp"

using rclcpp::CallbackGroupType;

class TimerStress : public WithRos {
 protected:
  /// Spins until `done`, in a thread of the executor's own.
  template <class Done>
  bool runs_until(rclcpp::Executor& executor, Done done) {
    std::thread spinner([&] { executor.spin(); });
    const bool reached = hl_testing::wait_until(done);
    executor.cancel();
    spinner.join();
    return reached;
  }
};

// Nothing else wakes this executor: a deadline that is overlooked once is overlooked for ever.
TEST_F(TimerStress, LonelyTimerWithWorkOfChangingLengthGoesOn) {
  auto node = std::make_shared<rclcpp::Node>(
      "lonely", rclcpp::NodeOptions().start_parameter_services(false).start_parameter_event_publisher(false));
  std::atomic<std::size_t> ticks{0};
  std::mt19937 random(1);
  auto timer = node->create_wall_timer(200us, [&] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(random() % 250'000);
    while (std::chrono::steady_clock::now() < end) {
    }
    ++ticks;
  });
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  EXPECT_TRUE(runs_until(executor, [&] { return ticks >= hl_testing::count(5'000, 200'000); })) << ticks;
}

class TimersFromCallbacks : public TimerStress, public testing::WithParamInterface<std::size_t> {};

TEST_P(TimersFromCallbacks, TheUntouchedOneTicksOn) {
  auto node = std::make_shared<rclcpp::Node>("churn");
  auto exclusive = node->create_callback_group(CallbackGroupType::MutuallyExclusive);
  auto reentrant = node->create_callback_group(CallbackGroupType::Reentrant);
  std::atomic<std::size_t> untouched{0}, changed{0};
  std::mutex mutex;
  std::vector<rclcpp::TimerBase::SharedPtr> timers(12);
  std::mt19937 random(7);

  auto steady = node->create_wall_timer(300us, [&] { ++untouched; });
  auto changing = node->create_wall_timer(
      200us,
      [&] {
        rclcpp::TimerBase::SharedPtr old;  // destroyed without the lock
        const std::lock_guard<std::mutex> lock(mutex);
        auto& timer = timers[random() % timers.size()];
        switch (timer ? random() % 4 : 0) {
          case 0:
            old = std::move(timer);
            timer = node->create_wall_timer(
                std::chrono::microseconds(random() % 2000),
                [&, self = random() % 3](rclcpp::TimerBase& me) {
                  if (self == 0) me.cancel();
                  if (self == 1) me.reset();
                },
                random() % 2 == 0 ? exclusive : reentrant);
            break;
          case 1:
            timer->cancel();
            break;
          default:
            timer->reset();
        }
        ++changed;
      },
      exclusive);
  rclcpp::executors::SingleThreadedExecutor single;
  rclcpp::executors::MultiThreadedExecutor several(rclcpp::ExecutorOptions(), GetParam());
  rclcpp::Executor& executor =
      GetParam() == 1 ? static_cast<rclcpp::Executor&>(single) : static_cast<rclcpp::Executor&>(several);
  executor.add_node(node);
  const std::size_t rounds = hl_testing::count(2'000, 100'000);
  EXPECT_TRUE(runs_until(executor, [&] { return untouched >= rounds && changed >= rounds; }))
      << untouched << " ticks, " << changed << " changes";
  executor.remove_node(node);
}

INSTANTIATE_TEST_SUITE_P(Threads, TimersFromCallbacks, testing::Values(1, 2, 4));

RCLCPP_TEST_MAIN
