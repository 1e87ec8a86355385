// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "rclcpp/context.hpp"
#include "rclcpp/detail/node_names.hpp"
#include "underlay_dds/types.hpp"

namespace rclcpp {
namespace detail {

/// A node's entry in the graph, and what its names mean. Every endpoint of the node holds it.
struct NodeIdentity {
  NodeIdentity(Context::SharedPtr context, NodeNames names);
  ~NodeIdentity();
  NodeIdentity(const NodeIdentity&) = delete;
  NodeIdentity& operator=(const NodeIdentity&) = delete;

  const Context::SharedPtr context;
  const std::shared_ptr<underlay_dds::Participant> participant;
  const NodeNames names;
  const std::string full_name;
  const std::string logger_name;
  const std::uint64_t graph_id;
};

/// An endpoint's line in the entry of its node, as long as the object lives.
class GraphEntry {
 public:
  enum class Kind { Reader, Writer };
  GraphEntry(std::shared_ptr<NodeIdentity> node, Kind kind, const underlay_dds::Gid& gid);
  ~GraphEntry();
  GraphEntry(const GraphEntry&) = delete;
  GraphEntry& operator=(const GraphEntry&) = delete;

  NodeIdentity& node() const { return *node_; }

 private:
  std::shared_ptr<NodeIdentity> node_;
  Kind kind_;
  underlay_dds::Gid gid_;
};

}  // namespace detail
}  // namespace rclcpp
