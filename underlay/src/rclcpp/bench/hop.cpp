// SPDX-License-Identifier: Apache-2.0
#include "hop.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "hl_testing/process.hpp"

using hl_testing::Process;
using sensor_msgs::msg::CompressedImage;
using sensor_msgs::msg::Image;
using sensor_msgs::msg::Imu;
using namespace std::chrono_literals;

namespace bench {
namespace {

constexpr std::uint16_t udp_port = 38123;
bool waits_are_measured = false;

long preemptions() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

void print(const Result& result) {
  std::printf("result %f %f %f %f %f %f %zu\n", result.p50, result.p99, result.longest, result.receiver_cpu,
              result.preempted, result.waiting, result.count);
  std::fflush(stdout);
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

}  // namespace

void Record::add(std::int64_t sent) {
  last_ = now();
  if (messages_.empty()) {
    cpu_ = process_cpu();
    preempted_ = preemptions();
    if (SenderWaits::told()) threads_ = std::make_unique<ThreadWaits>(ThreadWaits::Of::AllThreads);
  }
  if (threads_) waited_ += threads_->since_last_call();
  messages_.push_back({sent, last_, waited_});
}

bool Record::over() const {
  return !messages_.empty() && now() - last_ > 500'000'000;
}

Result Record::result() const {
  Result result;
  result.count = messages_.size();
  if (messages_.empty()) return result;
  std::vector<double> sorted;
  sorted.reserve(messages_.size());
  for (const Message& message : messages_) sorted.push_back(message.latency());
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  result.p50 = sorted[sorted.size() / 2];
  result.p99 = sorted[sorted.size() * 99 / 100];
  result.longest = sorted.back();
  result.receiver_cpu = 1e6 * (process_cpu() - cpu_) / count;
  result.preempted = 1000.0 * static_cast<double>(preemptions() - preempted_) / count;
  if (threads_) result.waiting = waiting(result.p99);
  return result;
}

double Record::waiting(double slow) const {
  const auto sender = SenderWaits::read();
  double waited = 0, passed = 0;
  for (const Message& message : messages_) {
    if (message.latency() < slow) continue;
    const auto later = std::upper_bound(sender.begin(), sender.end(), message.sent,
                                        [](std::int64_t sent, const auto& entry) { return sent < entry.sent; });
    std::int64_t waits = later == sender.begin() ? 0 : std::prev(later)->waited;
    // Here: since what was last received when this one left; several may stand behind one that waits.
    const auto meanwhile =
        std::upper_bound(messages_.begin(), messages_.end(), message.sent,
                         [](std::int64_t sent, const Message& other) { return sent < other.received; });
    waits += message.waited - (meanwhile == messages_.begin() ? 0 : std::prev(meanwhile)->waited);
    waited += std::min(1e-3 * static_cast<double>(waits), message.latency());
    passed += message.latency();
  }
  return 100 * waited / passed;
}

builtin_interfaces::msg::Time stamp() {
  return rclcpp::Time(now());
}
std::int64_t sent_of(const std_msgs::msg::Header& header) {
  return rclcpp::Time(header.stamp).nanoseconds();
}

CompressedImage small_message() {
  CompressedImage message;
  message.data.resize(payload - 40);  // header and lengths make up the rest
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

int receive(const std::string& role) {
  Record record;
  const auto note = [&](const Stamped& message) { record.add(message.sent); };
  const auto keep = [&] { return !record.over(); };
  if (role == "udp") {
    udp_receive(udp_port, note, keep);
    print(record.result());
  } else if (role == "dds") {
    RawDds dds(RawDds::Side::Receiver);
    dds.receive(note, keep);
    print(record.result());
  } else if (role == "ros") {
    receive_ros<CompressedImage>(10);
  } else if (role == "imu") {
    receive_ros<Imu>(10);
  } else if (role == "image") {
    receive_ros<Image>(image_qos());
  } else {
    std::fprintf(stderr, "unknown role '%s'\n", role.c_str());
    return 2;
  }
  return 0;
}

double pace(std::size_t count, std::chrono::nanoseconds period, const std::function<void()>& send, SenderWaits* waits) {
  ThreadWaits own(ThreadWaits::Of::ThisThread);
  const double cpu = process_cpu();
  auto next = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    next += period;
    std::this_thread::sleep_until(next);
    if (waits == nullptr) {
      send();
    } else {
      own.since_last_call();
      const std::int64_t sent = now();
      send();
      waits->add({sent, own.since_last_call()});
    }
  }
  return 1e6 * (process_cpu() - cpu) / static_cast<double>(count);
}

void measure_waits() {
  waits_are_measured = true;
}

Result between_processes(const std::string& role, std::size_t count, std::chrono::nanoseconds period,
                         const std::function<bool()>& ready, const std::function<void()>& send) {
  const auto waits = waits_are_measured ? std::make_unique<SenderWaits>() : nullptr;
  Process receiver({std::filesystem::read_symlink("/proc/self/exe").string(), "--role", role});
  if (!hl_testing::wait_until(ready)) throw std::runtime_error("no receiver of '" + role + "'");
  std::this_thread::sleep_for(200ms);
  const double cpu = pace(count, period, send, waits.get());
  if (!receiver.wait_for_output("result")) throw std::runtime_error("no result of '" + role + "'");
  receiver.wait();
  const std::string output = receiver.output();
  std::istringstream text(output.substr(output.find("result") + 6));
  Result result;
  text >> result.p50 >> result.p99 >> result.longest >> result.receiver_cpu >> result.preempted >> result.waiting >>
      result.count;
  result.sender_cpu = cpu;
  return result;
}

Result udp_hop(std::size_t count, std::chrono::nanoseconds period) {
  const UdpSender sender(udp_port);
  Stamped message;
  return between_processes(
      "udp", count, period,
      [] {
        std::this_thread::sleep_for(300ms);
        return true;
      },
      [&] {
        message.sent = now();
        sender.send(message);
      });
}

Result dds_hop(std::size_t count, std::chrono::nanoseconds period) {
  const RawDds sender(RawDds::Side::Sender);
  Stamped message;
  return between_processes(
      "dds", count, period, [&] { return sender.matched(); },
      [&] {
        message.sent = now();
        sender.send(message);
      });
}

void show(const char* what, const Result& r) {
  std::fprintf(stderr,
               "%-22s %6zu messages  p50 %8.1f us  p99 %8.1f us  longest %8.1f us  CPU %6.1f + %6.1f us per message  "
               "preempted %.1f times per 1000, slowest of a hundred without a processor %.0f %%\n",
               what, r.count, r.p50, r.p99, r.longest, r.sender_cpu, r.receiver_cpu, r.preempted, r.waiting);
}

}  // namespace bench
