// SPDX-License-Identifier: Apache-2.0
#include "hl_remote/link_receiver.hpp"

#include <algorithm>

namespace hl_remote {
namespace {

constexpr std::size_t kRemembered = 512;    // numbers of finished messages, to know doubled datagrams
constexpr std::size_t kRecent = 200;        // messages over which the loss is told
constexpr std::uint32_t kLongestGap = 200;  // more missing numbers at once are counted, not waited for

}  // namespace

LinkReceiver::LinkReceiver() : LinkReceiver(Params{}) {}

double LinkReceiver::Robot::loss() const {
  if (recent.empty()) return 0.0;
  return static_cast<double>(std::count(recent.begin(), recent.end(), true)) / static_cast<double>(recent.size());
}

std::map<std::string, LinkReceiver::Robot> LinkReceiver::robots() const {
  std::map<std::string, Robot> result;
  for (const auto& [name, peer] : peers_) result[name] = peer.statistics;
  return result;
}

/// The sender's record; nothing for a stranger beyond the limit and for stragglers of an older session.
LinkReceiver::Peer* LinkReceiver::peer_of(const LinkHeader& header, double now) {
  auto found = peers_.find(header.robot);
  if (found == peers_.end()) {
    if (peers_.size() >= params_.max_robots) {
      ++foreign_.too_many_robots;
      return nullptr;
    }
    found = peers_.emplace(header.robot, Peer{}).first;
    found->second.statistics.session = header.session;
    found->second.highest = header.message - 1;  // what was sent before we listened is not lost
  }
  Peer& peer = found->second;
  if (header.session != peer.statistics.session) {
    const bool silent = now - peer.statistics.last_heard > params_.session_silence;
    if (header.session < peer.statistics.session && !silent) return nullptr;
    Robot kept = std::move(peer.statistics);
    kept.session = header.session;
    ++kept.restarts;
    peer = Peer{};
    peer.statistics = std::move(kept);
    peer.highest = header.message - 1;
  }
  return &peer;
}

void LinkReceiver::close(Peer& peer, std::uint32_t message, bool complete) {
  if (const auto open = peer.open.find(message); open != peer.open.end()) {
    peer.open_bytes -= open->second.bytes;
    peer.open.erase(open);
  }
  peer.done[message] = complete;
  if (peer.done.size() > kRemembered) peer.done.erase(peer.done.begin());
  if (!complete) ++peer.statistics.lost;
  peer.statistics.recent.push_back(!complete);
  if (peer.statistics.recent.size() > kRecent) peer.statistics.recent.pop_front();
}

/// Messages of which not one fragment was heard yet are opened too, so that they are counted if they never come.
void LinkReceiver::notice_gaps(Peer& peer, std::uint32_t message, double now) {
  if (message <= peer.highest) return;
  const std::uint32_t gap = message - peer.highest - 1;
  if (gap > kLongestGap) {
    peer.statistics.lost += gap;
  } else {
    for (std::uint32_t missing = peer.highest + 1; missing < message; ++missing) peer.open[missing].begun = now;
  }
  peer.highest = message;
}

void LinkReceiver::keep_bounds(Peer& peer) {
  while (!peer.open.empty() && (peer.open.size() > params_.max_open || peer.open_bytes > params_.max_open_bytes))
    close(peer, peer.open.begin()->first, false);
}

std::optional<LinkReceiver::Message> LinkReceiver::deliver(Peer& peer, const std::string& robot, const Buffer& frame) {
  auto content = unpack({frame.data(), frame.size()});
  if (!content) {
    ++peer.statistics.damaged;
    return std::nullopt;
  }
  auto newest = peer.newest.find(content->topic);
  if (newest == peer.newest.end()) {
    if (peer.newest.size() >= params_.max_topics) {
      ++foreign_.too_many_topics;
      return std::nullopt;
    }
    newest = peer.newest.emplace(content->topic, 0).first;
  }
  // A latched message that is repeated has the number it had: it is new only to those who missed it.
  if (content->number <= newest->second) {
    if (content->number < newest->second) ++peer.statistics.late;
    return std::nullopt;
  }
  newest->second = content->number;
  ++peer.statistics.received;
  return Message{robot, std::move(*content)};
}

std::optional<LinkReceiver::Message> LinkReceiver::receive(hl_network::Bytes bytes, double now) {
  const auto datagram = read_datagram(bytes);
  if (!datagram) {
    ++foreign_.no_link;
    return std::nullopt;
  }
  const LinkHeader& header = datagram->header;
  if (header.version != kLinkVersion) {
    ++foreign_.other_version;
    foreign_.version = header.version;
    return std::nullopt;
  }
  Peer* peer = peer_of(header, now);
  if (peer == nullptr) return std::nullopt;
  peer->statistics.last_heard = now;
  if (peer->done.count(header.message) != 0 || (!peer->done.empty() && header.message < peer->done.begin()->first)) {
    ++peer->statistics.doubled;
    return std::nullopt;
  }
  notice_gaps(*peer, header.message, now);

  Open& open = peer->open[header.message];
  if (open.shares.empty()) {
    open.shares.resize(header.fragments);
    open.missing = header.fragments;
    open.begun = now;
    open.bytes = header.fragments * sizeof(Buffer);
    peer->open_bytes += open.bytes;
  }
  if (open.shares.size() != header.fragments) {  // two messages with one number: neither can be trusted
    ++peer->statistics.damaged;
    close(*peer, header.message, false);
    return std::nullopt;
  }
  Buffer& share = open.shares[header.fragment];
  if (!share.empty()) {
    ++peer->statistics.doubled;
    return std::nullopt;
  }
  share.assign(datagram->share.data, datagram->share.data + datagram->share.size);
  open.bytes += share.size();
  peer->open_bytes += share.size();
  std::optional<Message> message;
  if (--open.missing == 0) {
    Buffer frame;
    frame.reserve(open.bytes);
    for (const Buffer& part : open.shares) frame.insert(frame.end(), part.begin(), part.end());
    close(*peer, header.message, true);
    message = deliver(*peer, header.robot, frame);
  }
  keep_bounds(*peer);
  return message;
}

void LinkReceiver::tidy(double now) {
  for (auto& entry : peers_) {
    Peer& peer = entry.second;
    std::vector<std::uint32_t> hopeless;
    for (const auto& [number, open] : peer.open)
      if (now - open.begun > params_.give_up) hopeless.push_back(number);
    for (const std::uint32_t number : hopeless) close(peer, number, false);
  }
}

}  // namespace hl_remote
