// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "underlay_dds/reader.hpp"
#include "underlay_dds/writer.hpp"

namespace underlay_dds {

/// Where a service end says what a person should know, e.g. that a peer speaks another dialect.
using Warn = std::function<void(const std::string&)>;

/// Serving end of a ROS 2 service. `name` is the ROS name with leading slash; `request` and `response` may be raw.
class ServiceServer {
 public:
  ServiceServer(const std::shared_ptr<Participant>& participant, const std::string& name, const Type& request,
                const Type& response, const Qos& qos, std::function<void()> data_available, Warn warn);

  /// The next request of a client that speaks the Cyclone dialect; others are refused with a warning.
  bool take(Sample& request, ServiceHeader& header);
  /// Waits up to 100 ms for the client's reply reader to be discovered, as rmw_cyclonedds does: a reply that is
  /// written earlier is lost. False if the client is gone.
  bool wait_for_client(const ServiceHeader& header);
  void reply(const ServiceHeader& header, std::shared_ptr<const void> response);
  void reply_cdr(const ServiceHeader& header, const void* bytes, std::size_t size);

  /// See Reader::start.
  void start() { requests_.start(); }
  /// See Reader::has_data.
  bool has_data() { return requests_.has_data(); }
  const Reader& requests() const { return requests_; }
  const Writer& replies() const { return replies_; }

 private:
  struct Client {
    std::string id;          // of its user data
    bool reachable = false;  // its reply reader has been seen
  };
  bool accepts(std::uint64_t publication_handle);  // with mutex_ held
  void forget_the_gone();                          // with mutex_ held

  std::string user_data_;
  std::string name_;
  Warn warn_;
  Reader requests_;
  Writer replies_;
  std::mutex mutex_;
  std::map<std::uint64_t, Client> clients_;              // by publication handle
  std::map<std::uint64_t, std::uint64_t> publications_;  // header client -> publication handle
};

/// Calling end of a ROS 2 service.
class ServiceClient {
 public:
  ServiceClient(const std::shared_ptr<Participant>& participant, const std::string& name, const Type& request,
                const Type& response, const Qos& qos, std::function<void()> data_available, Warn warn);

  /// True if a server is there and both directions are matched.
  bool ready();
  /// A number for the next request: the caller notes it before it sends, as the reply may come at once.
  std::int64_t next_sequence() { return ++sequence_; }
  /// Sends, unless a server of a foreign dialect listens, which would misread it: then false, with a warning.
  bool send(std::int64_t sequence, std::shared_ptr<const void> request);
  bool send_cdr(std::int64_t sequence, const void* bytes, std::size_t size);
  /// The next reply that is meant for this client.
  bool take(Sample& reply, std::int64_t& sequence);

  /// See Reader::start.
  void start() { replies_.start(); }
  /// See Reader::has_data.
  bool has_data() { return replies_.has_data(); }
  const Reader& replies() const { return replies_; }
  const Writer& requests() const { return requests_; }

 private:
  bool foreign_server();

  std::string user_data_;
  std::string name_;
  Warn warn_;
  Writer requests_;
  Reader replies_;
  std::uint64_t id_;
  std::atomic<std::int64_t> sequence_{0};
};

}  // namespace underlay_dds
