// SPDX-License-Identifier: Apache-2.0
#include "underlay_dds/graph.hpp"

#include <dds/dds.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <set>

#include "qos.hpp"
#include "underlay_cdr/cdr.hpp"
#include "underlay_dds/participant.hpp"
#include "underlay_dds/reader.hpp"
#include "underlay_dds/writer.hpp"

namespace underlay_dds {
namespace {

Type announcement_type() {
  return Type::raw("rmw_dds_common/msg/ParticipantEntitiesInfo",
                   "RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e");
}

Qos announcement_qos(History history) {
  Qos qos;
  qos.history = history;
  qos.depth = 1;
  qos.durability = Durability::TransientLocal;
  return qos;
}

template <class Stream>
void put_gid(Stream& stream, const Gid& gid, std::size_t length) {
  static constexpr std::uint8_t zeros[8] = {};
  stream.template block<std::uint8_t>(gid.data(), gid.size());
  stream.template block<std::uint8_t>(zeros, length - gid.size());
}

template <class Stream>
void put(Stream& stream, const Graph::Announcement& announcement, std::size_t length) {
  put_gid(stream, announcement.participant, length);
  stream.scalar(static_cast<std::uint32_t>(announcement.nodes.size()));
  for (const auto& node : announcement.nodes) {
    stream.string(node.namespace_, "node_namespace");
    stream.string(node.name, "node_name");
    for (const auto* gids : {&node.readers, &node.writers}) {
      stream.scalar(static_cast<std::uint32_t>(gids->size()));
      for (const auto& gid : *gids) put_gid(stream, gid, length);
    }
  }
}

Gid get_gid(underlay_cdr::Reader& reader, std::size_t length) {
  Gid gid;
  std::uint8_t rest[8];
  reader.block<std::uint8_t>(gid.data(), gid.size());
  reader.block<std::uint8_t>(rest, length - gid.size());
  return gid;
}

/// What is alive in a built-in topic, lent by Cyclone until this dies.
class Loan {
 public:
  /// `room`: how many samples the last read made room for. It must never shrink, because Cyclone keeps the memory of
  /// the largest loan and fills in as many pointers.
  Loan(dds_entity_t reader, std::size_t& room) : reader_(reader), room_(room) {}
  ~Loan() {
    if (count_ > 0) dds_return_loan(reader_, samples_.data(), count_);
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  const std::vector<void*>& read() {
    for (room_ = std::max<std::size_t>(room_, 256);; room_ *= 4) {
      samples_.assign(room_, nullptr);
      infos_.resize(room_);
      const auto mask = DDS_ANY_SAMPLE_STATE | DDS_ANY_VIEW_STATE | DDS_ALIVE_INSTANCE_STATE;
      count_ = dds_read_mask(reader_, samples_.data(), infos_.data(), room_, static_cast<std::uint32_t>(room_), mask);
      if (count_ < static_cast<dds_return_t>(room_)) break;
      dds_return_loan(reader_, samples_.data(), count_);
    }
    for (dds_return_t i = 0; i < count_; ++i) {
      if (infos_[static_cast<std::size_t>(i)].valid_data) valid_.push_back(samples_[static_cast<std::size_t>(i)]);
    }
    return valid_;
  }

 private:
  dds_entity_t reader_;
  std::size_t& room_;
  dds_return_t count_ = 0;
  std::vector<void*> samples_;
  std::vector<void*> valid_;
  std::vector<dds_sample_info_t> infos_;
};

}  // namespace

std::size_t Graph::gid_length() {
  const char* distribution = std::getenv("ROS_DISTRO");
  return distribution == nullptr || *distribution == '\0' || std::strcmp(distribution, "humble") == 0 ? 24 : 16;
}

std::vector<std::uint8_t> Graph::encode(const Announcement& announcement, std::size_t gid_length) {
  underlay_cdr::Sizer sizer;
  put(sizer, announcement, gid_length);
  std::vector<std::uint8_t> bytes(sizer.offset());
  underlay_cdr::Writer writer(bytes.data());
  put(writer, announcement, gid_length);
  return bytes;
}

bool Graph::decode(const std::uint8_t* data, std::size_t size, std::size_t gid_length, Announcement& announcement) {
  try {
    underlay_cdr::Reader reader(data, size, false);
    announcement.participant = get_gid(reader, gid_length);
    announcement.nodes.resize(reader.length("node_entities_info_seq", 16));
    for (auto& node : announcement.nodes) {
      reader.string(node.namespace_, "node_namespace");
      reader.string(node.name, "node_name");
      for (auto* gids : {&node.readers, &node.writers}) {
        gids->resize(reader.length("gid_seq", gid_length));
        for (auto& gid : *gids) gid = get_gid(reader, gid_length);
      }
    }
  } catch (const underlay_cdr::CdrError&) {
    return false;
  }
  // With the wrong length of Gid the content is nonsense and rarely ends where the data ends.
  underlay_cdr::Sizer sizer;
  put(sizer, announcement, gid_length);
  return sizer.offset() <= size && size - sizer.offset() < 4;
}

Graph::Graph(Participant& participant) : participant_(participant) {
  // Endpoints hold the participant; these two are its own and must not keep it alive.
  const std::shared_ptr<Participant> borrowed(&participant, [](Participant*) {});
  writer_ = std::make_unique<Writer>(borrowed, "ros_discovery_info", announcement_type(),
                                     announcement_qos(History::KeepLast));
  ReaderEvents events;
  events.data_available = [this] { receive(); };
  reader_ = std::make_unique<Reader>(borrowed, "ros_discovery_info", announcement_type(),
                                     announcement_qos(History::KeepAll), std::move(events));
  reader_->start();
}

Graph::~Graph() {
  for (const auto reader : {publications_, subscriptions_, participants_}) {
    if (reader > 0) {
      dds_set_listener(reader, nullptr);
      dds_delete(reader);
    }
  }
  reader_->stop();
  reader_.reset();
  writer_.reset();
}

Graph::NodeId Graph::add_node(const std::string& namespace_, const std::string& name) {
  NodeId id = 0;
  {
    const std::lock_guard lock(mutex_);
    id = ++last_node_;
    own_[id] = NodeEntry{namespace_, name, {}, {}};
    dirty_ = true;
  }
  announce();
  return id;
}

void Graph::remove_node(NodeId node) {
  {
    const std::lock_guard lock(mutex_);
    own_.erase(node);
    dirty_ = true;
  }
  announce();
}

void Graph::add_endpoint(NodeId node, bool reader, const Gid& gid) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = own_.find(node);
    if (found == own_.end()) return;
    (reader ? found->second.readers : found->second.writers).push_back(gid);
    dirty_ = true;
  }
  announce();
}

void Graph::remove_endpoint(NodeId node, bool reader, const Gid& gid) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = own_.find(node);
    if (found == own_.end()) return;
    auto& gids = reader ? found->second.readers : found->second.writers;
    gids.erase(std::remove(gids.begin(), gids.end(), gid), gids.end());
    dirty_ = true;
  }
  announce();
}

void Graph::announce() {
  {
    const std::lock_guard order(announce_mutex_);
    Announcement announcement;
    {
      const std::lock_guard lock(mutex_);
      if (!dirty_ || batches_ > 0) return;
      dirty_ = false;
      announcement.participant = participant_.gid();
      for (const auto& [id, node] : own_) announcement.nodes.push_back(node);
    }
    std::vector<std::uint8_t> bytes{0, 1, 0, 0};
    const auto body = encode(announcement, gid_length());
    bytes.insert(bytes.end(), body.begin(), body.end());
    writer_->write_cdr(bytes.data(), bytes.size());
  }
  changed();
}

Graph::Batch::Batch(Graph& graph) : graph_(graph) {
  const std::lock_guard lock(graph_.mutex_);
  ++graph_.batches_;
}

Graph::Batch::~Batch() {
  {
    const std::lock_guard lock(graph_.mutex_);
    --graph_.batches_;
  }
  graph_.announce();
}

void Graph::receive() {
  Sample sample;
  bool news = false;
  while (reader_->take(sample)) {
    if (sample.foreign_byte_order()) continue;
    const auto body = sample.body();
    Announcement announcement;
    // A Humble and a Jazzy peer may be in one domain: read both forms.
    if (!decode(body.data, body.size, gid_length(), announcement) &&
        !decode(body.data, body.size, 40 - gid_length(), announcement)) {
      continue;
    }
    if (announcement.participant == participant_.gid()) continue;
    const std::lock_guard lock(mutex_);
    others_[announcement.participant] = std::move(announcement.nodes);
    news = true;
  }
  if (news) changed();
}

void Graph::changed() {
  std::vector<std::shared_ptr<std::function<void()>>> callbacks;
  {
    const std::lock_guard lock(mutex_);
    ++version_;
    for (auto it = callbacks_.begin(); it != callbacks_.end();) {
      if (auto callback = it->lock()) {
        callbacks.push_back(std::move(callback));
        ++it;
      } else {
        it = callbacks_.erase(it);
      }
    }
  }
  condition_.notify_all();
  for (const auto& callback : callbacks) (*callback)();
}

void Graph::observe() {
  const std::lock_guard order(announce_mutex_);
  if (publications_ > 0) return;
  const detail::DdsListener listener(dds_create_listener(this), &dds_delete_listener);
  dds_lset_data_available(listener.get(), [](dds_entity_t, void* graph) { static_cast<Graph*>(graph)->changed(); });
  const auto watch = [&](dds_entity_t topic) {
    return dds_create_reader(participant_.handle(), topic, nullptr, listener.get());
  };
  participants_ = watch(DDS_BUILTIN_TOPIC_DCPSPARTICIPANT);
  subscriptions_ = watch(DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION);
  publications_ = watch(DDS_BUILTIN_TOPIC_DCPSPUBLICATION);
}

std::vector<Gid> Graph::living_participants() {
  observe();
  std::vector<Gid> living;
  const std::lock_guard order(loan_mutex_);
  Loan loan(participants_, rooms_[participants_]);
  for (const void* sample : loan.read()) {
    living.push_back(detail::gid_from(static_cast<const dds_builtintopic_participant_t*>(sample)->key));
  }
  return living;
}

std::vector<NodeEntry> Graph::nodes() {
  const auto list = living_participants();
  const std::set<Gid> living(list.begin(), list.end());
  const std::lock_guard lock(mutex_);
  std::vector<NodeEntry> found;
  for (const auto& [id, node] : own_) found.push_back(node);
  for (auto it = others_.begin(); it != others_.end();) {
    if (living.count(it->first) == 0) {
      it = others_.erase(it);
      continue;
    }
    found.insert(found.end(), it->second.begin(), it->second.end());
    ++it;
  }
  return found;
}

std::vector<Endpoint> Graph::endpoints(std::int32_t builtin_reader) {
  std::vector<Endpoint> found;
  const std::lock_guard order(loan_mutex_);
  Loan loan(builtin_reader, rooms_[builtin_reader]);
  for (const void* sample : loan.read()) {
    const auto& data = *static_cast<const dds_builtintopic_endpoint_t*>(sample);
    Endpoint endpoint;
    endpoint.gid = detail::gid_from(data.key);
    endpoint.participant = detail::gid_from(data.participant_key);
    endpoint.dds_topic = data.topic_name;
    endpoint.dds_type = data.type_name;
    if (data.qos != nullptr) {
      endpoint.qos = detail::qos_from(data.qos);
      endpoint.type_hash = detail::user_data_value(detail::user_data_of(data.qos), "typehash");
    }
    found.push_back(std::move(endpoint));
  }
  return found;
}

std::vector<Endpoint> Graph::publications() {
  observe();
  return endpoints(publications_);
}

std::vector<Endpoint> Graph::subscriptions() {
  observe();
  return endpoints(subscriptions_);
}

std::uint64_t Graph::version() {
  observe();
  const std::lock_guard lock(mutex_);
  return version_;
}

bool Graph::wait_for_change(std::uint64_t seen, std::int64_t timeout_ns) {
  observe();
  std::unique_lock lock(mutex_);
  const auto interrupts = interrupts_;
  const auto awake = [&] { return version_ != seen || interrupts_ != interrupts; };
  if (timeout_ns < 0) {
    condition_.wait(lock, awake);
  } else {
    condition_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), awake);
  }
  return version_ != seen;
}

void Graph::interrupt() {
  {
    const std::lock_guard lock(mutex_);
    ++interrupts_;
  }
  condition_.notify_all();
}

std::shared_ptr<void> Graph::on_change(std::function<void()> callback) {
  observe();
  auto token = std::make_shared<std::function<void()>>(std::move(callback));
  const std::lock_guard lock(mutex_);
  callbacks_.push_back(token);
  return token;
}

}  // namespace underlay_dds
