// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

#include <arpa/inet.h>
#include <dds/dds.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>

#include "underlay_dds/participant.hpp"

namespace bench {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int checked(int result, const char* what) {
  if (result < 0) throw std::runtime_error(std::string(what) + " failed with " + std::to_string(result));
  return result;
}

// What idlc would make of `struct Stamped { int64 sent; octet fill[992]; };`
const std::uint32_t stamped_ops[] = {DDS_OP_ADR | DDS_OP_TYPE_8BY | DDS_OP_FLAG_SGN,
                                     offsetof(Stamped, sent),
                                     DDS_OP_ADR | DDS_OP_TYPE_ARR | DDS_OP_SUBTYPE_1BY,
                                     offsetof(Stamped, fill),
                                     sizeof(Stamped::fill),
                                     DDS_OP_RTS};

const dds_topic_descriptor_t stamped_descriptor = {sizeof(Stamped),
                                                   alignof(Stamped),
                                                   DDS_TOPIC_FIXED_SIZE,
                                                   0,
                                                   "bench::Stamped",
                                                   nullptr,
                                                   3,
                                                   stamped_ops,
                                                   "",
                                                   {nullptr, 0},
                                                   {nullptr, 0},
                                                   0};

}  // namespace

std::int64_t now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double process_cpu() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void udp_receive(std::uint16_t port, const Received& received, const Keep& keep) {
  const int handle = checked(socket(AF_INET, SOCK_DGRAM, 0), "socket");
  const sockaddr_in address = loopback(port);
  checked(bind(handle, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), "bind");
  pollfd readable{handle, POLLIN, 0};
  Stamped message;
  while (keep()) {
    if (poll(&readable, 1, 100) == 1 && recv(handle, &message, sizeof(message), 0) == sizeof(message)) {
      received(message);
    }
  }
  close(handle);
}

UdpSender::UdpSender(std::uint16_t port) : handle_(checked(socket(AF_INET, SOCK_DGRAM, 0), "socket")), port_(port) {}
UdpSender::~UdpSender() {
  close(handle_);
}

void UdpSender::send(const Stamped& message) const {
  const sockaddr_in address = loopback(port_);
  sendto(handle_, &message, sizeof(message), 0, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
}

RawDds::RawDds(Side side) {
  // With the same transport settings as the client library, else the comparison says nothing.
  const auto domain = underlay_dds::domain_from_environment();
  const auto loopback = underlay_dds::loopback_has_multicast() ? underlay_dds::LoopbackDiscovery::Multicast
                                                               : underlay_dds::LoopbackDiscovery::Ports;
  dds_create_domain(domain, underlay_dds::default_configuration(domain, loopback).c_str());
  participant_ = checked(dds_create_participant(domain, nullptr, nullptr), "dds_create_participant");
  const auto topic =
      checked(dds_create_topic(participant_, &stamped_descriptor, "raw", nullptr, nullptr), "dds_create_topic");
  dds_qos_t* qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 10);
  endpoint_ = side == Side::Sender ? dds_create_writer(participant_, topic, qos, nullptr)
                                   : dds_create_reader(participant_, topic, qos, nullptr);
  dds_delete_qos(qos);
  checked(endpoint_, "dds_create_endpoint");
}

RawDds::~RawDds() {
  dds_delete(participant_);
}

bool RawDds::matched() const {
  dds_publication_matched_status_t status{};
  dds_get_publication_matched_status(endpoint_, &status);
  return status.current_count > 0;
}

void RawDds::send(const Stamped& message) const {
  dds_write(endpoint_, &message);
}

void RawDds::receive(const Received& received, const Keep& keep) {
  const auto waitset = checked(dds_create_waitset(participant_), "dds_create_waitset");
  dds_set_status_mask(endpoint_, DDS_DATA_AVAILABLE_STATUS);
  dds_waitset_attach(waitset, endpoint_, 0);
  Stamped message;
  void* samples[1] = {&message};
  dds_sample_info_t info;
  while (keep()) {
    dds_waitset_wait(waitset, nullptr, 0, DDS_MSECS(100));
    while (dds_take(endpoint_, samples, &info, 1, 1) == 1) {
      if (info.valid_data) received(message);
    }
  }
}

}  // namespace bench
