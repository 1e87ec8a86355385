// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hl_match {

/// What a trial measured as plain numbers, and back in the same order. A result with several members says them in
/// `void exchange(TrialValues& values, Result& result)`.
class TrialValues {
 public:
  TrialValues() = default;  // takes numbers out of results
  explicit TrialValues(std::vector<double> numbers) : numbers_(std::move(numbers)), gives_(true) {}  // gives them back

  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      if (gives_) {
        value = static_cast<T>(next());
      } else {
        numbers_.push_back(static_cast<double>(value));
      }
    } else {
      exchange(*this, value);
    }
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    auto size = list.size();
    (*this)(size);
    if (gives_ && size > numbers_.size()) throw std::runtime_error(kWrong);
    list.resize(size);
    for (T& value : list) (*this)(value);
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    bool known = value.has_value();
    (*this)(known);
    if (known && !value) value.emplace();
    if (known) (*this)(*value);
  }

  const std::vector<double>& numbers() const { return numbers_; }
  /// Throws std::runtime_error if not all numbers were given back: they are of another version of the program.
  void end() const {
    if (gives_ && next_ != numbers_.size()) throw std::runtime_error(kWrong);
  }

 private:
  static constexpr const char* kWrong = "the trials kept in the file are of another version: delete it";
  double next() {
    if (next_ >= numbers_.size()) throw std::runtime_error(kWrong);
    return numbers_[next_++];
  }

  std::vector<double> numbers_;
  std::size_t next_ = 0;
  bool gives_ = false;
};

/// Trials that were run before, so that a long evaluation can be run in parts: a line for each, with its kind, its seed
/// and its numbers.
class TrialFile {
 public:
  /// `setting`: what decides a trial besides its seed. Throws std::runtime_error if the file has trials of another one
  /// or cannot be written.
  TrialFile(const std::string& path, const std::string& setting);
  const std::vector<double>* find(const std::string& kind, std::uint64_t seed) const;
  void add(const std::string& kind, std::uint64_t seed, const std::vector<double>& numbers);

 private:
  std::map<std::pair<std::string, std::uint64_t>, std::vector<double>> trials_;
  std::ofstream out_;
};

/// The time that was asked for is over before all trials are run.
struct Unfinished : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace hl_match
