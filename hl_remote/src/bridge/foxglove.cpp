// SPDX-License-Identifier: Apache-2.0
#include "hl_remote/foxglove.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base64.hpp"

namespace hl_remote::foxglove {
namespace {

using Json = nlohmann::json;

/// Thrown while a frame is read, caught in `parse_text`.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const Json& member(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) throw Unreadable(std::string("'") + name + "' is missing");
  return *found;
}

const Json& list(const Json& object, const char* name) {
  const Json& value = member(object, name);
  if (!value.is_array()) throw Unreadable(std::string("'") + name + "' must be a list");
  return value;
}

std::string text(const Json& value, const char* name) {
  if (!value.is_string()) throw Unreadable(std::string("'") + name + "' must be a text");
  return value.get<std::string>();
}

std::string text_or_empty(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? std::string{} : text(*found, name);
}

std::optional<std::string> optional_text(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return std::nullopt;
  return text(*found, name);
}

std::uint32_t number(const Json& value, const char* name) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > UINT32_MAX)
    throw Unreadable(std::string("'") + name + "' must be a whole number from 0 to 4294967295");
  return value.get<std::uint32_t>();
}

std::vector<std::uint32_t> numbers(const Json& object, const char* name) {
  std::vector<std::uint32_t> result;
  for (const Json& value : list(object, name)) result.push_back(number(value, name));
  return result;
}

std::vector<std::string> texts(const Json& object, const char* name) {
  std::vector<std::string> result;
  for (const Json& value : list(object, name)) result.push_back(text(value, name));
  return result;
}

template <class T>
bool every(const Json& array, T is) {
  for (const Json& value : array)
    if (!is(value)) return false;
  return true;
}

Value list_value(const Json& array, const std::string& type) {
  if (every(array, [](const Json& v) { return v.is_boolean(); }) && !array.empty())
    return array.get<std::vector<bool>>();
  if (every(array, [](const Json& v) { return v.is_string(); }) && !array.empty())
    return array.get<std::vector<std::string>>();
  const bool whole = every(array, [](const Json& v) { return v.is_number_integer(); });
  if (whole && type != "float64_array") return array.get<std::vector<std::int64_t>>();
  if (every(array, [](const Json& v) { return v.is_number(); })) return array.get<std::vector<double>>();
  throw Unreadable("a list must hold values of one kind: numbers, texts or true / false");
}

Value value_of(const Json& parameter) {
  const auto found = parameter.find("value");
  if (found == parameter.end() || found->is_null()) return {};
  const std::string type = text_or_empty(parameter, "type");
  const Json& value = *found;
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer() && type != "float64") return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_array()) return list_value(value, type);
  if (!value.is_string()) throw Unreadable("a parameter must be a number, a text, true / false or a list");
  if (type != "byte_array") return value.get<std::string>();
  const auto bytes = from_base64(value.get<std::string>());
  if (!bytes) throw Unreadable("a byte_array must be base64");
  return *bytes;
}

std::vector<Parameter> parameters_of(const Json& message) {
  std::vector<Parameter> result;
  for (const Json& parameter : list(message, "parameters"))
    result.push_back({text(member(parameter, "name"), "name"), value_of(parameter)});
  return result;
}

std::vector<Channel> channels_of(const Json& message) {
  std::vector<Channel> result;
  for (const Json& channel : list(message, "channels"))
    result.push_back({number(member(channel, "id"), "id"), text(member(channel, "topic"), "topic"),
                      text(member(channel, "encoding"), "encoding"), text(member(channel, "schemaName"), "schemaName"),
                      text_or_empty(channel, "schema"), text_or_empty(channel, "schemaEncoding")});
  return result;
}

Request request_of(const Json& message) {
  if (!message.is_object()) throw Unreadable("a text frame must be a JSON object");
  const std::string op = text(member(message, "op"), "op");
  if (op == "subscribe") {
    Subscribe request;
    for (const Json& entry : list(message, "subscriptions"))
      request.subscriptions.emplace_back(number(member(entry, "id"), "id"),
                                         number(member(entry, "channelId"), "channelId"));
    return request;
  }
  if (op == "unsubscribe") return Unsubscribe{numbers(message, "subscriptionIds")};
  if (op == "advertise") return Advertise{channels_of(message)};
  if (op == "unadvertise") return Unadvertise{numbers(message, "channelIds")};
  if (op == "getParameters") return GetParameters{texts(message, "parameterNames"), optional_text(message, "id")};
  if (op == "setParameters") return SetParameters{parameters_of(message), optional_text(message, "id")};
  if (op == "subscribeParameterUpdates") return WatchParameters{texts(message, "parameterNames"), true};
  if (op == "unsubscribeParameterUpdates") return WatchParameters{texts(message, "parameterNames"), false};
  if (op == "subscribeConnectionGraph") return WatchGraph{true};
  if (op == "unsubscribeConnectionGraph") return WatchGraph{false};
  if (op == "fetchAsset")
    return FetchAsset{text(member(message, "uri"), "uri"), number(member(message, "requestId"), "requestId")};
  throw Unreadable("unknown op '" + op.substr(0, 40) + "'");
}

Json json_of(const Channel& channel) {
  return {{"id", channel.id},
          {"topic", channel.topic},
          {"encoding", channel.encoding},
          {"schemaName", channel.schema_name},
          {"schema", channel.schema},
          {"schemaEncoding", channel.schema_encoding}};
}

Json json_of(const Service& service) {
  const auto half = [&](const char* suffix, const std::string& schema) -> Json {
    return {
        {"encoding", "cdr"}, {"schemaName", service.type + suffix}, {"schemaEncoding", "ros2msg"}, {"schema", schema}};
  };
  return {{"id", service.id},
          {"name", service.name},
          {"type", service.type},
          {"request", half("_Request", service.request_schema)},
          {"response", half("_Response", service.response_schema)}};
}

Json json_of(const Parameter& parameter) {
  Json result = {{"name", parameter.name}};
  std::visit(
      [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::vector<std::uint8_t>>) {
          result["value"] = to_base64(value);
          result["type"] = "byte_array";
        } else if constexpr (!std::is_same_v<T, std::monostate>) {
          result["value"] = value;
          if constexpr (std::is_same_v<T, double>) result["type"] = "float64";
          if constexpr (std::is_same_v<T, std::vector<double>>) result["type"] = "float64_array";
        }
      },
      parameter.value);
  return result;
}

template <class Items>
Json json_list(const Items& items) {
  Json result = Json::array();
  for (const auto& item : items) result.push_back(json_of(item));
  return result;
}

/// Never throws: names from the network need not be UTF-8.
std::string dump(const Json& message) {
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Entries that are new or different, and the names that are gone.
Json changes(const Names& before, const Names& now, const char* ids, Json& removed) {
  Json result = Json::array();
  for (const auto& [name, who] : now) {
    const auto old = before.find(name);
    if (old == before.end() || old->second != who) result.push_back({{"name", name}, {ids, who}});
  }
  for (const auto& [name, who] : before)
    if (now.find(name) == now.end()) removed.push_back(name);
  return result;
}

template <class T>
void append(std::string& frame, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    frame.push_back(static_cast<char>((static_cast<std::uint64_t>(value) >> (8 * i)) & 0xff));
}

std::uint32_t read_u32(std::string_view frame, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(frame[at + i])) << (8 * i);
  return value;
}

std::string opcode(std::uint8_t code) {
  return std::string(1, static_cast<char>(code));
}

}  // namespace

Request parse_text(std::string_view frame) {
  try {
    return request_of(Json::parse(frame));
  } catch (const Json::exception&) {
    return Malformed{"the frame is not JSON"};
  } catch (const Unreadable& error) {
    return Malformed{error.what()};
  }
}

Request parse_binary(std::string_view frame) {
  if (frame.empty()) return Malformed{"an empty binary frame"};
  switch (frame[0]) {
    case 1:
      if (frame.size() < 5) return Malformed{"message data of less than 5 bytes"};
      return Publish{read_u32(frame, 1), frame.substr(5)};
    case 2: {
      if (frame.size() < 13) return Malformed{"a service request of less than 13 bytes"};
      const std::size_t length = read_u32(frame, 9);
      if (length > frame.size() - 13) return Malformed{"a service request that ends within its encoding"};
      return CallService{read_u32(frame, 1), read_u32(frame, 5), frame.substr(13, length), frame.substr(13 + length)};
    }
    default:
      return Malformed{"unknown binary opcode " + std::to_string(static_cast<unsigned char>(frame[0]))};
  }
}

std::string server_info(const ServerInfo& info) {
  return dump({{"op", "serverInfo"},
               {"name", info.name},
               {"capabilities", info.capabilities},
               {"supportedEncodings", info.encodings},
               {"metadata", info.metadata},
               {"sessionId", info.session}});
}

std::string status(Level level, const std::string& message, const std::string& id) {
  Json result = {{"op", "status"}, {"level", static_cast<int>(level)}, {"message", message}};
  if (!id.empty()) result["id"] = id;
  return dump(result);
}

std::string remove_status(const std::string& id) {
  return dump({{"op", "removeStatus"}, {"statusIds", Json::array({id})}});
}

std::string advertise(const std::vector<Channel>& channels) {
  return dump({{"op", "advertise"}, {"channels", json_list(channels)}});
}

std::string unadvertise(const std::vector<std::uint32_t>& channels) {
  return dump({{"op", "unadvertise"}, {"channelIds", channels}});
}

std::string advertise_services(const std::vector<Service>& services) {
  return dump({{"op", "advertiseServices"}, {"services", json_list(services)}});
}

std::string unadvertise_services(const std::vector<std::uint32_t>& services) {
  return dump({{"op", "unadvertiseServices"}, {"serviceIds", services}});
}

std::string parameter_values(const std::vector<Parameter>& parameters, const std::optional<std::string>& id) {
  Json result = {{"op", "parameterValues"}, {"parameters", json_list(parameters)}};
  if (id) result["id"] = *id;
  return dump(result);
}

std::string service_failure(std::uint32_t service, std::uint32_t call, const std::string& message) {
  return dump({{"op", "serviceCallFailure"}, {"serviceId", service}, {"callId", call}, {"message", message}});
}

std::string graph_update(const Graph& before, const Graph& now) {
  Json gone_published = Json::array(), gone_subscribed = Json::array(), gone_services = Json::array();
  Json result = {{"op", "connectionGraphUpdate"}};
  result["publishedTopics"] = changes(before.published, now.published, "publisherIds", gone_published);
  result["subscribedTopics"] = changes(before.subscribed, now.subscribed, "subscriberIds", gone_subscribed);
  result["advertisedServices"] = changes(before.services, now.services, "providerIds", gone_services);
  // A topic is removed when it is neither published nor subscribed to; one that lost only one side is told empty.
  Json removed = Json::array();
  for (const Json& name : gone_published) {
    if (now.subscribed.count(name.get<std::string>()) == 0)
      removed.push_back(name);
    else
      result["publishedTopics"].push_back({{"name", name}, {"publisherIds", Json::array()}});
  }
  for (const Json& name : gone_subscribed) {
    if (now.published.count(name.get<std::string>()) != 0)
      result["subscribedTopics"].push_back({{"name", name}, {"subscriberIds", Json::array()}});
    else if (before.published.count(name.get<std::string>()) == 0)
      removed.push_back(name);
  }
  result["removedTopics"] = removed;
  result["removedServices"] = gone_services;
  for (const char* part :
       {"publishedTopics", "subscribedTopics", "advertisedServices", "removedTopics", "removedServices"})
    if (!result[part].empty()) return dump(result);
  return {};
}

std::string message_head(std::uint32_t subscription, std::uint64_t stamp_ns) {
  std::string frame = opcode(1);
  append(frame, subscription);
  append(frame, stamp_ns);
  return frame;
}

std::string time(std::uint64_t stamp_ns) {
  std::string frame = opcode(2);
  append(frame, stamp_ns);
  return frame;
}

std::string service_response(std::uint32_t service, std::uint32_t call, std::string_view payload) {
  constexpr std::string_view kEncoding = "cdr";
  std::string frame = opcode(3);
  append(frame, service);
  append(frame, call);
  append(frame, static_cast<std::uint32_t>(kEncoding.size()));
  frame.append(kEncoding).append(payload);
  return frame;
}

std::string asset(std::uint32_t request, std::string_view content) {
  std::string frame = opcode(4);
  append(frame, request);
  append(frame, std::uint8_t{0});
  append(frame, std::uint32_t{0});
  frame.append(content);
  return frame;
}

std::string asset_error(std::uint32_t request, std::string_view message) {
  std::string frame = opcode(4);
  append(frame, request);
  append(frame, std::uint8_t{1});
  append(frame, static_cast<std::uint32_t>(message.size()));
  frame.append(message);
  return frame;
}

}  // namespace hl_remote::foxglove
