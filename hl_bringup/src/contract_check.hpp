// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "contract.hpp"

namespace hl_bringup {

/// One publisher or subscription in a running system.
struct Endpoint {
  std::string node;  // name without namespace
  std::string type;
  bool reliable = true;
  bool transient_local = false;
};

struct TopicView {
  std::vector<Endpoint> publishers, subscribers;
};

/// One server or client of a service or action.
struct Party {
  std::string node;  // name without namespace
  std::string type;
};

struct ServiceView {
  std::vector<Party> servers, clients;
};

/// A running system as seen from one robot's namespace: topics by their name in the contract (relative, or absolute).
struct GraphView {
  std::map<std::string, TopicView> topics;
  std::map<std::string, ServiceView> services, actions;
  std::vector<std::string> nodes;  // names without namespace
};

struct ContractReport {
  std::vector<std::string> failures;  // the contract is broken
  std::vector<std::string> extras;    // topics that the contract does not know
  std::vector<std::string> absent;    // optional topics that nobody publishes
  std::size_t checked = 0;            // topics that are there and as they should be
  std::size_t served = 0;             // services and actions that are there and as they should be
};

/// Compares what is agreed with what runs. Whoever publishes or serves must be named in the contract; who subscribes or
/// calls must be named only if the contract knows that node at all: a recorder or a viewer may listen to everything.
ContractReport check(const Contract& contract, const GraphView& graph);

}  // namespace hl_bringup
