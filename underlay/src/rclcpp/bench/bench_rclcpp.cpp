// SPDX-License-Identifier: Apache-2.0
// One hop between two processes and within one, beside a bare UDP datagram and Cyclone DDS alone in the same run.
// Started with a role it is the receiving process; it prints its results when no message has come for a while.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include "hl_testing/bench_report.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "raw.hpp"
#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/compressed_image.hpp"
#include "sensor_msgs/msg/image.hpp"

using bench::Stamped;
using hl_testing::Better;
using hl_testing::Process;
using sensor_msgs::msg::CompressedImage;
using sensor_msgs::msg::Image;
using namespace std::chrono_literals;

namespace {

constexpr std::uint16_t udp_port = 38123;

struct Result {
  double p50 = 0;           // us
  double p99 = 0;           // us
  double receiver_cpu = 0;  // us per message
  double sender_cpu = 0;    // us per message
  std::size_t count = 0;
  double cpu() const { return receiver_cpu + sender_cpu; }
};

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
    keep(&Result::receiver_cpu);
    keep(&Result::sender_cpu);
    least_.count += run.count;
  }
  const Result& result() const { return least_; }

 private:
  Result least_;
  int runs_ = 0;
};

/// Latencies of the receiving side, and when to stop.
class Record {
 public:
  void add(std::int64_t sent) {
    last_ = bench::now();
    if (latencies_.empty()) cpu_ = bench::process_cpu();
    latencies_.push_back(1e-3 * static_cast<double>(last_ - sent));
  }
  bool over() const { return !latencies_.empty() && bench::now() - last_ > 500'000'000; }
  Result result() const {
    Result result;
    result.count = latencies_.size();
    if (latencies_.empty()) return result;
    auto sorted = latencies_;
    std::sort(sorted.begin(), sorted.end());
    result.p50 = sorted[sorted.size() / 2];
    result.p99 = sorted[sorted.size() * 99 / 100];
    result.receiver_cpu = 1e6 * (bench::process_cpu() - cpu_) / static_cast<double>(sorted.size());
    return result;
  }

 private:
  std::vector<double> latencies_;
  std::int64_t last_ = 0;
  double cpu_ = 0;
};

void print(const Result& result) {
  std::printf("result %f %f %f %zu\n", result.p50, result.p99, result.receiver_cpu, result.count);
  std::fflush(stdout);
}

builtin_interfaces::msg::Time stamp() {
  return rclcpp::Time(bench::now());
}
std::int64_t sent_of(const std_msgs::msg::Header& header) {
  return rclcpp::Time(header.stamp).nanoseconds();
}

CompressedImage small_message() {
  CompressedImage message;
  message.data.resize(bench::payload - 40);  // header and lengths make up the rest
  return message;
}

Image picture() {
  Image image;
  image.width = 640;
  image.height = 480;
  image.encoding = "bgr8";
  image.step = 3 * image.width;
  image.data.resize(static_cast<std::size_t>(image.step) * image.height);
  return image;
}

rclcpp::QoS image_qos() {
  return rclcpp::QoS(2).best_effort();
}

template <class MessageT>
void receive_ros(const rclcpp::QoS& qos) {
  rclcpp::init(0, nullptr);
  auto node = std::make_shared<rclcpp::Node>("receiver");
  Record record;
  auto subscription = node->create_subscription<MessageT>(
      "hop", qos, [&](const MessageT& message) { record.add(sent_of(message.header)); });
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  while (!record.over()) executor.spin_once(100ms);
  print(record.result());
  rclcpp::shutdown();
}

int receive(const std::string& role) {
  Record record;
  const auto note = [&](const Stamped& message) { record.add(message.sent); };
  const auto keep = [&] { return !record.over(); };
  if (role == "udp") {
    bench::udp_receive(udp_port, note, keep);
    print(record.result());
  } else if (role == "dds") {
    bench::RawDds dds(bench::RawDds::Side::Receiver);
    dds.receive(note, keep);
    print(record.result());
  } else if (role == "ros") {
    receive_ros<CompressedImage>(10);
  } else if (role == "image") {
    receive_ros<Image>(image_qos());
  } else {
    std::fprintf(stderr, "unknown role '%s'\n", role.c_str());
    return 2;
  }
  return 0;
}

/// Calls `send` at the given rate; CPU of this process per call, in us.
template <class Send>
double pace(std::size_t count, std::chrono::nanoseconds period, Send send) {
  const double cpu = bench::process_cpu();
  auto next = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    next += period;
    std::this_thread::sleep_until(next);
    send();
  }
  return 1e6 * (bench::process_cpu() - cpu) / static_cast<double>(count);
}

/// This process sends, one with the role receives.
template <class Ready, class Send>
Result between_processes(const std::string& role, std::size_t count, std::chrono::nanoseconds period, Ready ready,
                         Send send) {
  Process receiver({std::filesystem::read_symlink("/proc/self/exe").string(), "--role", role});
  if (!hl_testing::wait_until(ready)) throw std::runtime_error("no receiver of '" + role + "'");
  std::this_thread::sleep_for(200ms);
  const double cpu = pace(count, period, send);
  if (!receiver.wait_for_output("result")) throw std::runtime_error("no result of '" + role + "'");
  receiver.wait();
  const std::string output = receiver.output();
  std::istringstream text(output.substr(output.find("result") + 6));
  Result result;
  text >> result.p50 >> result.p99 >> result.receiver_cpu >> result.count;
  result.sender_cpu = cpu;
  return result;
}

Result udp_hop(std::size_t count) {
  const bench::UdpSender sender(udp_port);
  Stamped message;
  return between_processes(
      "udp", count, 1ms,
      [] {
        std::this_thread::sleep_for(300ms);
        return true;
      },
      [&] {
        message.sent = bench::now();
        sender.send(message);
      });
}

Result dds_hop(std::size_t count) {
  const bench::RawDds sender(bench::RawDds::Side::Sender);
  Stamped message;
  return between_processes(
      "dds", count, 1ms, [&] { return sender.matched(); },
      [&] {
        message.sent = bench::now();
        sender.send(message);
      });
}

template <class MessageT>
Result ros_hop(const std::string& role, std::size_t count, std::chrono::nanoseconds period, const rclcpp::QoS& qos,
               MessageT message) {
  rclcpp::init(0, nullptr);
  Result result;
  {
    auto node = std::make_shared<rclcpp::Node>("sender");
    auto publisher = node->create_publisher<MessageT>("hop", qos);
    result = between_processes(
        role, count, period, [&] { return publisher->get_subscription_count() > 0; },
        [&] {
          message.header.stamp = stamp();
          publisher->publish(message);
        });
  }
  rclcpp::shutdown();
  return result;
}

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
        "hop", qos, [&](typename MessageT::UniquePtr received) { record.add(sent_of(received->header)); });
    rclcpp::executors::SingleThreadedExecutor executor;
    executor.add_node(node);
    hl_testing::wait_until([&] { return publisher->get_subscription_count() == 1; });
    auto next = std::make_unique<MessageT>(message);
    std::size_t sent = 0;
    const auto send = [&] {
      next->header.stamp = stamp();
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
      pace(count, period, send);
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

void show(const char* what, const Result& r) {
  std::fprintf(stderr, "%-22s %6zu messages  p50 %8.1f us  p99 %8.1f us  CPU %6.1f + %6.1f us per message\n", what,
               r.count, r.p50, r.p99, r.sender_cpu, r.receiver_cpu);
}

void report(const std::string& name, double value, const std::string& unit, std::optional<double> budget) {
  hl_testing::report({"rclcpp", name, value, unit, budget, Better::Lower});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--role") == 0) return receive(argv[2]);
  hl_testing::isolate();
  const bool quick = hl_testing::quick(argc, argv);
  const std::size_t messages = quick ? 1000 : 5000;
  const std::size_t images = quick ? 30 : 150;
  constexpr auto image_period = std::chrono::nanoseconds(1'000'000'000 / 30);

  const int rounds = quick ? 1 : 5;
  Least udp_runs, dds_runs, ros_runs;  // by turns: a disturbance that lasts meets all of them
  for (int i = 0; i < rounds; ++i) {
    udp_runs.add(udp_hop(messages));
    dds_runs.add(dds_hop(messages));
    ros_runs.add(ros_hop("ros", messages, 1ms, 10, small_message()));
  }
  const Result& udp = udp_runs.result();
  const Result& dds = dds_runs.result();
  const Result& ros = ros_runs.result();
  const Result inside = composed(Receiver::SameExecutor, messages, 1ms, 10, small_message());
  const Result thread = composed(Receiver::OtherThread, messages, 1ms, 10, small_message());
  const Result image = ros_hop("image", images, image_period, image_qos(), picture());
  const Result image_inside = composed(Receiver::SameExecutor, images, image_period, image_qos(), picture());
  show("UDP datagram", udp);
  show("Cyclone DDS alone", dds);
  show("rclcpp", ros);
  show("rclcpp composed", inside);
  show("to another thread", thread);
  show("image", image);
  show("image composed", image_inside);

  constexpr double humble = 103;  // us, mean of the real client library for this load
  report("hop between processes, 1 kB at 1000 Hz, p50", ros.p50, "us", std::min(5 * udp.p50, humble));
  report("the same over a bare UDP datagram", ros.p50 / udp.p50, "x", 5.0);
  report("CPU of that hop over Cyclone DDS alone", ros.cpu() / dds.cpu(), "x", 1.3);
  report("hop between processes, p99", ros.p99, "us", std::nullopt);
  report("p99 of that hop over that of a bare UDP datagram", ros.p99 / udp.p99, "x", std::nullopt);
  report("p99 of Cyclone DDS alone over that of a bare UDP datagram", dds.p99 / udp.p99, "x", std::nullopt);
  report("p99 of that hop over that of Cyclone DDS alone", ros.p99 / dds.p99, "x", std::nullopt);
  report("hop when composed, p50", inside.p50, "us", 10.0);
  report("hop when composed, to another thread, p50", thread.p50, "us", std::nullopt);
  report("image 640x480 at 30 Hz between processes, p50", image.p50, "us", std::nullopt);
  report("image 640x480 at 30 Hz, CPU per image", image.cpu(), "us", std::nullopt);
  report("image 640x480 at 30 Hz, lost", 100.0 * (1.0 - static_cast<double>(image.count) / static_cast<double>(images)),
         "%", 0.0);
  report("image when composed, p50", image_inside.p50, "us", std::nullopt);
  return 0;
}
