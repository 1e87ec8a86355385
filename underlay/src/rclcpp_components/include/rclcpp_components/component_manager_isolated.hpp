// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "rclcpp/executors.hpp"
#include "rclcpp_components/component_manager.hpp"

namespace rclcpp_components {

/// Every component gets an executor and a thread of its own.
template <class ExecutorT = rclcpp::executors::SingleThreadedExecutor>
class ComponentManagerIsolated : public ComponentManager {
 public:
  using ComponentManager::ComponentManager;

  ~ComponentManagerIsolated() override {
    while (!workers_.empty()) remove_node_from_executor(workers_.begin()->first);
    node_wrappers_.clear();  // they are in no executor that the base could remove them from
  }

 protected:
  void add_node_to_executor(uint64_t node_id) override {
    auto& worker = workers_[node_id];
    worker.executor = std::make_shared<ExecutorT>();
    worker.executor->add_node(node_wrappers_.at(node_id).get_node_base_interface());
    worker.thread = std::thread([executor = worker.executor] { executor->spin(); });
  }

  void remove_node_from_executor(uint64_t node_id) override {
    const auto found = workers_.find(node_id);
    if (found == workers_.end()) return;
    auto& worker = found->second;
    worker.executor->cancel();
    worker.thread.join();
    workers_.erase(found);
  }

 private:
  struct Worker {
    std::shared_ptr<ExecutorT> executor;
    std::thread thread;
  };
  std::map<uint64_t, Worker> workers_;
};

}  // namespace rclcpp_components
