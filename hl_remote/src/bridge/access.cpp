// SPDX-License-Identifier: Apache-2.0
#include "hl_remote/access.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <random>

namespace hl_remote {
namespace {

constexpr std::size_t kMostAddresses = 1000;  // remembered failures; the oldest goes first

std::string_view without_port(std::string_view host) {
  if (!host.empty() && host.front() == '[') return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool is_address(std::string_view host) {
  if (!host.empty() && host.front() == '[') return true;
  return !host.empty() &&
         std::all_of(host.begin(), host.end(), [](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; });
}

bool is_own_name(std::string_view host) {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return false;
  const std::string own = name.data();
  return host == "localhost" || host == own || host == own + ".local";
}

}  // namespace

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0u : 1u;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
  return difference == 0;
}

std::string new_token() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device random;
  std::string token;
  for (int i = 0; i < 32; ++i) token.push_back(kDigits[random() & 15u]);
  return token;
}

bool origin_allowed(std::string_view origin, std::string_view host, const std::vector<std::string>& allowed) {
  if (origin.empty()) return true;
  if (std::find(allowed.begin(), allowed.end(), origin) != allowed.end()) return true;
  const std::string_view name = without_port(host);
  if (!is_address(name) && !is_own_name(name)) return false;
  return origin == "http://" + std::string(host) || origin == "https://" + std::string(host);
}

TokenGate::Answer TokenGate::ask(std::string_view given, const std::string& address, double now) {
  if (given.empty()) return Answer::ReadOnly;
  const auto found = failures_.find(address);
  if (found != failures_.end() && found->second.count >= kTries && now - found->second.last < kPause)
    return Answer::TooMany;
  if (!token_.empty() && equal_in_constant_time(given, token_)) {
    failures_.erase(address);
    return Answer::MayCommand;
  }
  if (found == failures_.end() && failures_.size() >= kMostAddresses) {
    failures_.erase(std::min_element(failures_.begin(), failures_.end(),
                                     [](const auto& a, const auto& b) { return a.second.last < b.second.last; }));
  }
  Failures& failures = failures_[address];
  ++failures.count;
  failures.last = now;
  return Answer::Wrong;
}

}  // namespace hl_remote
