// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// The messages of the Foxglove WebSocket protocol (foxglove.websocket.v1 and foxglove.sdk.v1): text frames are JSON
/// with an `op`, binary frames begin with an opcode; integers are little endian. What cannot be read becomes
/// `Malformed` with a reason, never an exception.
namespace hl_remote::foxglove {

struct Channel {
  std::uint32_t id = 0;
  std::string topic, encoding, schema_name, schema, schema_encoding;
};

struct Service {
  std::uint32_t id = 0;
  std::string name, type, request_schema, response_schema;
};

using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::uint8_t>,
                           std::vector<bool>, std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;

struct Parameter {
  std::string name;
  Value value;  // monostate: not set; in a request: delete it
};

using Names = std::map<std::string, std::vector<std::string>>;  // topic or service -> who

/// Who publishes, subscribes and serves what.
struct Graph {
  Names published, subscribed, services;
};

// --- from the client

struct Subscribe {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> subscriptions;  // id chosen by the client, channel
};
struct Unsubscribe {
  std::vector<std::uint32_t> subscriptions;
};
struct Advertise {
  std::vector<Channel> channels;
};
struct Unadvertise {
  std::vector<std::uint32_t> channels;
};
struct GetParameters {
  std::vector<std::string> names;  // empty: all
  std::optional<std::string> id;
};
struct SetParameters {
  std::vector<Parameter> parameters;
  std::optional<std::string> id;
};
struct WatchParameters {
  std::vector<std::string> names;  // empty: all
  bool on = true;
};
struct WatchGraph {
  bool on = true;
};
struct FetchAsset {
  std::string uri;
  std::uint32_t request = 0;
};
struct Publish {
  std::uint32_t channel = 0;
  std::string_view payload;  // into the frame
};
struct CallService {
  std::uint32_t service = 0, call = 0;
  std::string_view encoding, payload;  // into the frame
};
struct Malformed {
  std::string reason;
};

using Request = std::variant<Malformed, Subscribe, Unsubscribe, Advertise, Unadvertise, GetParameters, SetParameters,
                             WatchParameters, WatchGraph, FetchAsset, Publish, CallService>;

Request parse_text(std::string_view frame);
Request parse_binary(std::string_view frame);

// --- to the client; text frames

enum class Level { Info = 0, Warning = 1, Error = 2 };

struct ServerInfo {
  std::string name, session;
  std::vector<std::string> capabilities, encodings;
  std::map<std::string, std::string> metadata;
};

std::string server_info(const ServerInfo& info);
std::string status(Level level, const std::string& message, const std::string& id = {});
std::string remove_status(const std::string& id);
std::string advertise(const std::vector<Channel>& channels);
std::string unadvertise(const std::vector<std::uint32_t>& channels);
std::string advertise_services(const std::vector<Service>& services);
std::string unadvertise_services(const std::vector<std::uint32_t>& services);
std::string parameter_values(const std::vector<Parameter>& parameters, const std::optional<std::string>& id);
std::string service_failure(std::uint32_t service, std::uint32_t call, const std::string& message);
/// What changed from `before` to `now`; everything if `before` is empty. Empty text: nothing.
std::string graph_update(const Graph& before, const Graph& now);

// --- to the client; binary frames

std::string message_head(std::uint32_t subscription, std::uint64_t stamp_ns);  // the payload follows
std::string time(std::uint64_t stamp_ns);
std::string service_response(std::uint32_t service, std::uint32_t call, std::string_view payload);
std::string asset(std::uint32_t request, std::string_view content);
std::string asset_error(std::uint32_t request, std::string_view message);

}  // namespace hl_remote::foxglove
