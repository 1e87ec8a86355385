// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hl_remote {

/// Same time for every guess of the same length, so that the answer's time tells nothing.
bool equal_in_constant_time(std::string_view a, std::string_view b);

/// 128 random bits as text.
std::string new_token();

/// May a page of this origin connect? Programs send none; our own page's is the address it was loaded from, as long as
/// that is an address of this machine and not a name somebody else could point here.
bool origin_allowed(std::string_view origin, std::string_view host, const std::vector<std::string>& allowed);

/// Who may command: whoever knows the token. Wrong ones cost time, per address.
class TokenGate {
 public:
  enum class Answer { ReadOnly, MayCommand, Wrong, TooMany };

  /// An empty token lets nobody command.
  explicit TokenGate(std::string token) : token_(std::move(token)) {}

  /// `given`: what the client sent, empty if nothing; `now` in s.
  Answer ask(std::string_view given, const std::string& address, double now);

  static constexpr int kTries = 5;       // wrong tokens in a row an address has free
  static constexpr double kPause = 1.0;  // s until the next try after that

 private:
  struct Failures {
    int count = 0;
    double last = 0.0;
  };

  std::string token_;
  std::map<std::string, Failures> failures_;
};

}  // namespace hl_remote
