// SPDX-License-Identifier: Apache-2.0
// One hop between two processes and within one, beside a bare UDP datagram and Cyclone DDS alone in the same run.
#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>

#include "hl_testing/bench_report.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hop.hpp"

using bench::Record;
using bench::Result;
using hl_testing::Better;
using namespace std::chrono_literals;

namespace {

/// Of several runs of one kind the least disturbed figures: whatever else runs on the machine only ever adds to them.
class Least {
 public:
  void add(const Result& run) {
    const bool first = runs_++ == 0;
    const auto keep = [&](double Result::*figure) {
      if (first || run.*figure < least_.*figure) least_.*figure = run.*figure;
    };
    keep(&Result::p50);
    keep(&Result::p99);
    keep(&Result::longest);
    keep(&Result::preempted);
    keep(&Result::receiver_cpu);
    keep(&Result::sender_cpu);
    least_.count += run.count;
  }
  const Result& result() const { return least_; }

 private:
  Result least_;
  int runs_ = 0;
};

enum class Receiver { SameExecutor, OtherThread };

/// Publisher and subscription in one process, as components are: the message goes by pointer. In the same executor a
/// timer publishes, as a node in a container does; else another thread, which has to wake the executor.
template <class MessageT>
Result composed(Receiver receiver, std::size_t count, std::chrono::nanoseconds period, const rclcpp::QoS& qos,
                const MessageT& message) {
  rclcpp::init(0, nullptr);
  Result result;
  {
    auto node = std::make_shared<rclcpp::Node>("composed", rclcpp::NodeOptions().use_intra_process_comms(true));
    auto publisher = node->create_publisher<MessageT>("hop", qos);
    Record record;
    auto subscription = node->create_subscription<MessageT>(
        "hop", qos, [&](typename MessageT::UniquePtr received) { record.add(bench::sent_of(received->header)); });
    rclcpp::executors::SingleThreadedExecutor executor;
    executor.add_node(node);
    hl_testing::wait_until([&] { return publisher->get_subscription_count() == 1; });
    auto next = std::make_unique<MessageT>(message);
    std::size_t sent = 0;
    const auto send = [&] {
      next->header.stamp = bench::stamp();
      publisher->publish(std::move(next));
      next = std::make_unique<MessageT>(message);
      ++sent;
    };
    const double cpu = bench::process_cpu();
    if (receiver == Receiver::SameExecutor) {
      auto timer = node->create_wall_timer(period, send);
      while (sent < count) executor.spin_once();
      timer->cancel();
      executor.spin_all(1s);
    } else {
      std::thread spinner([&] { executor.spin(); });
      bench::pace(count, period, send);
      std::this_thread::sleep_for(50ms);
      executor.cancel();
      spinner.join();
    }
    result = record.result();
    result.sender_cpu = 1e6 * (bench::process_cpu() - cpu) / static_cast<double>(count);
    result.receiver_cpu = 0;  // the same process
  }
  rclcpp::shutdown();
  return result;
}

void report(const std::string& name, double value, const std::string& unit, std::optional<double> budget) {
  hl_testing::report({"rclcpp", name, value, unit, budget, Better::Lower});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--role") == 0) return bench::receive(argv[2]);
  hl_testing::isolate();
  const bool quick = hl_testing::quick(argc, argv);
  const std::size_t messages = quick ? 1000 : 5000;
  const std::size_t images = quick ? 30 : 150;
  constexpr auto image_period = std::chrono::nanoseconds(1'000'000'000 / 30);

  const int rounds = quick ? 1 : 5;
  Least udp_runs, dds_runs, ros_runs;  // by turns: a disturbance that lasts meets all of them
  for (int i = 0; i < rounds; ++i) {
    udp_runs.add(bench::udp_hop(messages, 1ms));
    dds_runs.add(bench::dds_hop(messages, 1ms));
    ros_runs.add(bench::ros_hop("ros", messages, 1ms, 10, bench::small_message()));
  }
  const Result& udp = udp_runs.result();
  const Result& dds = dds_runs.result();
  const Result& ros = ros_runs.result();
  const Result inside = composed(Receiver::SameExecutor, messages, 1ms, 10, bench::small_message());
  const Result thread = composed(Receiver::OtherThread, messages, 1ms, 10, bench::small_message());
  const Result image = bench::ros_hop("image", images, image_period, bench::image_qos(), bench::picture());
  const Result image_inside =
      composed(Receiver::SameExecutor, images, image_period, bench::image_qos(), bench::picture());
  bench::show("UDP datagram", udp);
  bench::show("Cyclone DDS alone", dds);
  bench::show("rclcpp", ros);
  bench::show("rclcpp composed", inside);
  bench::show("to another thread", thread);
  bench::show("image", image);
  bench::show("image composed", image_inside);

  constexpr double humble = 103;  // us, mean of the real client library for this load
  report("hop between processes, 1 kB at 1000 Hz, p50", ros.p50, "us", std::min(5 * udp.p50, humble));
  report("the same over a bare UDP datagram", ros.p50 / udp.p50, "x", 5.0);
  report("CPU of that hop over Cyclone DDS alone", ros.cpu() / dds.cpu(), "x", 1.3);
  report("hop between processes, p99", ros.p99, "us", std::nullopt);
  report("hop when composed, p50", inside.p50, "us", 10.0);
  report("hop when composed, to another thread, p50", thread.p50, "us", std::nullopt);
  report("image 640x480 at 30 Hz between processes, p50", image.p50, "us", std::nullopt);
  report("image 640x480 at 30 Hz, CPU per image", image.cpu(), "us", std::nullopt);
  report("image 640x480 at 30 Hz, lost", 100.0 * (1.0 - static_cast<double>(image.count) / static_cast<double>(images)),
         "%", 0.0);
  report("image when composed, p50", image_inside.p50, "us", std::nullopt);
  return 0;
}
