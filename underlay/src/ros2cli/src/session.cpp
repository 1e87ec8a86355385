// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <map>

#include "hints.hpp"
#include "underlay_dds/service.hpp"

namespace ros2cli {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t stop_requested = 0;

void on_signal(int) {
  stop_requested = 1;
}

Clock::duration to_duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

underlay_dds::Type raw_type(const Description& type) {
  return underlay_dds::Type::raw(type.name, type.hash);
}

}  // namespace

bool interrupted() {
  return stop_requested != 0;
}

void Bell::ring() {
  {
    const std::lock_guard lock(mutex_);
    ++count_;
  }
  rung_.notify_all();
}

bool Bell::wait(const std::function<bool()>& condition, double seconds) {
  using namespace std::chrono_literals;
  // A signal handler cannot ring; and a wait of years overflows the clock.
  const auto slice = 50ms;
  const auto end = seconds < 0 || seconds > 1e8 ? Clock::time_point::max() : Clock::now() + to_duration(seconds);
  for (;;) {
    std::uint64_t seen = 0;
    {
      const std::lock_guard lock(mutex_);
      seen = count_;
    }
    if (condition()) return true;
    const auto now = Clock::now();
    if (interrupted() || now >= end) return false;
    std::unique_lock lock(mutex_);
    rung_.wait_until(lock, std::min(end, now + slice), [&] { return count_ != seen; });
  }
}

Session::Session(const std::string& node_name) : participant_(underlay_dds::Participant::get()) {
  struct sigaction action = {};
  action.sa_handler = &on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_DFL);  // `ros2 topic echo | head` ends with head
  node_ = graph().add_node("/", node_name.empty() ? "_ros2cli_" + std::to_string(getpid()) : node_name);
}

Session::~Session() {
  graph().remove_node(node_);
}

void Session::discover(double seconds) {
  using namespace std::chrono_literals;
  constexpr auto quiet = 300ms;
  constexpr auto patience = 5s;
  const auto start = Clock::now();
  graph().publications();  // starts watching
  auto seen = graph().version();
  auto last_change = start;
  for (;;) {
    const auto now = Clock::now();
    if (interrupted() || now - start > std::max<Clock::duration>(patience, to_duration(seconds))) return;
    if (now - start >= to_duration(seconds) && now - last_change >= quiet) return;
    if (graph().wait_for_change(seen, 50'000'000)) {
      seen = graph().version();
      last_change = Clock::now();
    }
  }
}

bool Session::wait_for_graph(const std::function<bool()>& found, double seconds) {
  const auto end = Clock::now() + to_duration(seconds);
  for (;;) {
    const auto seen = graph().version();
    if (found()) return true;
    if (interrupted() || Clock::now() >= end) return false;
    graph().wait_for_change(seen, 50'000'000);
  }
}

DynamicReader::DynamicReader(Session& session, const std::string& topic, const Description& type,
                             const underlay_dds::Qos& qos)
    : reader_(session.participant(), "rt" + topic, raw_type(type), qos, events()) {
  session.own(true, reader_.gid());
  reader_.start();
}

underlay_dds::ReaderEvents DynamicReader::events() {
  underlay_dds::ReaderEvents events;
  events.data_available = [this] { bell_.ring(); };
  events.matched = [this](const underlay_dds::EventStatus&) { bell_.ring(); };
  events.incompatible_qos = [this](const underlay_dds::EventStatus& status) {
    const std::lock_guard lock(mutex_);
    incompatible_ = underlay_dds::to_string(static_cast<underlay_dds::Policy>(status.policy));
  };
  return events;
}

std::string DynamicReader::incompatible() {
  const std::lock_guard lock(mutex_);
  return incompatible_;
}

std::optional<underlay_dds::Sample> DynamicReader::take(double seconds) {
  underlay_dds::Sample sample;
  if (!bell_.wait([&] { return reader_.take(sample); }, seconds)) return std::nullopt;
  return sample;
}

struct DynamicClient::Implementation {
  Implementation(Session& session, const std::string& service, const Description& request, const Description& response)
      : client(
            session.participant(), service, raw_type(request), raw_type(response), underlay_dds::Qos(),
            [this] { bell.ring(); }, [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }) {
    session.own(true, client.replies().gid());
    session.own(false, client.requests().gid());
    client.start();
  }
  Bell bell;
  std::map<std::int64_t, Message> replies;
  underlay_dds::ServiceClient client;
};

DynamicClient::DynamicClient(Session& session, const std::string& service, const std::string& type)
    : service_(service),
      request_type_(session.types().find(type + "_Request")),
      response_type_(session.types().find(type + "_Response")),
      implementation_(std::make_unique<Implementation>(session, service, request_type_, response_type_)) {}

DynamicClient::~DynamicClient() = default;

bool DynamicClient::wait_for_server(double seconds) {
  return implementation_->bell.wait([&] { return implementation_->client.ready(); }, seconds);
}

std::int64_t DynamicClient::send(const Message& request) {
  const auto bytes = encode(request);
  const auto sequence = implementation_->client.next_sequence();
  if (!implementation_->client.send_cdr(sequence, bytes.data(), bytes.size())) {
    throw CommandError("service '" + service_ + "' is served by another middleware");
  }
  return sequence;
}

std::optional<Message> DynamicClient::wait_for(std::int64_t sequence, double seconds) {
  auto& replies = implementation_->replies;
  const bool arrived = implementation_->bell.wait(
      [&] {
        underlay_dds::Sample sample;
        std::int64_t number = 0;
        while (implementation_->client.take(sample, number)) {
          const auto body = sample.body();
          replies.insert_or_assign(number, decode(response_type_, body.data, body.size, sample.foreign_byte_order()));
        }
        return replies.count(sequence) != 0;
      },
      seconds);
  if (!arrived) return std::nullopt;
  return std::move(replies.extract(sequence).mapped());
}

std::optional<Message> DynamicClient::call(const Message& request, double seconds) {
  return wait_for(send(request), seconds);
}

}  // namespace ros2cli
