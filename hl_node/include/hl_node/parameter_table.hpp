// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <hl_description/formatted.hpp>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace hl_node {

/// When a new value counts: at once, or only if given at the start.
enum class Change { Live, AtStart };

/// What a text may say.
using Words = std::vector<std::string>;

/// One line per parameter of a node: name, place in the struct, range, meaning with its unit. Declaration, validation,
/// live changes and the README's table all come from it, so that nothing can be declared and then ignored.
///
///     const ParameterTable<Params>& parameters() {
///       static const auto table = ParameterTable<Params>{
///           {"stale", &Params::stale, 0.01, 5.0, "goals computed longer ago are refused, s"},
///           {"source", &Params::source, Words{"auto", "imu"}, "what tells of the ground"},
///       }.with(&Params::fall, FallDetector::parameters(), "fall.");
///       return table;
///     }
///
/// This header knows no ROS.
template <class Params>
class ParameterTable {
 public:
  template <class T>
  using Member = std::function<T&(Params&)>;
  using Value =
      std::variant<Member<double>, Member<int>, Member<bool>, Member<std::string>, Member<std::vector<double>>,
                   Member<std::vector<std::int64_t>>, Member<std::vector<std::string>>>;

  struct Row {
    std::string name;
    Value value;
    double low, high;  // of numbers and of each number of a list; infinite = no limit
    std::string meaning;
    Change change;
    Words words;  // of a text; empty = any

    /// A number, or a list of numbers.
    template <class F>
    Row(std::string name_, F member, double low_, double high_, std::string meaning_, Change change_ = Change::Live)
        : name(std::move(name_)),
          value(Member<std::remove_reference_t<std::invoke_result_t<F, Params&>>>(member)),
          low(low_),
          high(high_),
          meaning(std::move(meaning_)),
          change(change_) {}

    /// A switch, a text or a list of texts.
    template <class F>
    Row(std::string name_, F member, std::string meaning_, Change change_ = Change::Live)
        : Row(std::move(name_), member, -std::numeric_limits<double>::infinity(),
              std::numeric_limits<double>::infinity(), std::move(meaning_), change_) {}

    /// A text that must be one of `words`.
    template <class F>
    Row(std::string name_, F member, Words words_, std::string meaning_, Change change_ = Change::Live)
        : Row(std::move(name_), member, std::move(meaning_), change_) {
      words = std::move(words_);
    }
  };

  ParameterTable(std::initializer_list<Row> rows) : rows_(rows) {}

  /// The same table with the rows of a part of the struct added, `prefix` before their names.
  template <class F, class Part>
  ParameterTable with(F part, const ParameterTable<Part>& table, const std::string& prefix = "") && {
    add(part, table, prefix, std::nullopt);
    return std::move(*this);
  }
  /// As above for a part that counts only if given at the start.
  template <class F, class Part>
  ParameterTable with_at_start(F part, const ParameterTable<Part>& table, const std::string& prefix = "") && {
    add(part, table, prefix, Change::AtStart);
    return std::move(*this);
  }

  const std::vector<Row>& rows() const { return rows_; }

  const Row* find(const std::string& name) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.name == name; });
    return row == rows_.end() ? nullptr : &*row;
  }

  /// Sets a number by its name; false if no number is called so.
  bool set(Params& params, const std::string& name, double value) const {
    const Row* row = find(name);
    const auto* member = row ? std::get_if<Member<double>>(&row->value) : nullptr;
    if (member) (*member)(params) = value;
    return member != nullptr;
  }

  /// The first value outside its range, in words; nothing if all is well.
  std::optional<std::string> check(Params params) const {
    for (const Row& row : rows_) {
      if (auto error = unknown_word(row, params)) return error;
      const std::optional<double> bad = out_of_range(row, params);
      if (!bad) continue;
      return hl_description::formatted("%s = %g must lie in %g..%g", row.name.c_str(), *bad, row.low, row.high);
    }
    return std::nullopt;
  }

  /// The rows of a Markdown table with the defaults.
  std::string markdown(Params defaults = {}) const {
    std::string text = "| parameter | default | range | meaning |\n|---|---|---|---|\n";
    for (const Row& row : rows_) {
      text += "| `" + row.name + "` | " + default_text(row, defaults) + " | " + range_text(row) + " | " + row.meaning;
      if (row.change == Change::AtStart) text += " (read at the start)";
      text += " |\n";
    }
    return text;
  }

  /// What a row allows, in words; empty if anything.
  static std::string range_text(const Row& row) {
    if (!row.words.empty()) return list_of(row.words);
    if (std::isinf(row.low) && std::isinf(row.high)) return "";
    return number(row.low) + ".." + number(row.high);
  }

 private:
  template <class F, class Part>
  void add(F part, const ParameterTable<Part>& table, const std::string& prefix, std::optional<Change> change) {
    for (const auto& row : table.rows()) {
      std::visit(
          [&](const auto& inner) {
            using T = std::remove_reference_t<decltype(inner(std::declval<Part&>()))>;
            rows_.emplace_back(
                prefix + row.name, [part, inner](Params& params) -> T& { return inner(std::invoke(part, params)); },
                row.low, row.high, row.meaning, change.value_or(row.change));
          },
          row.value);
      rows_.back().words = row.words;
    }
  }

  static std::string list_of(const Words& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  static std::optional<std::string> unknown_word(const Row& row, Params& params) {
    const auto* member = std::get_if<Member<std::string>>(&row.value);
    if (!member || row.words.empty()) return std::nullopt;
    const std::string& word = (*member)(params);
    if (std::find(row.words.begin(), row.words.end(), word) != row.words.end()) return std::nullopt;
    return row.name + " = '" + word + "' is none of " + list_of(row.words);
  }

  static std::string number(double value) { return hl_description::formatted("%g", value); }

  static std::optional<double> out_of_range(const Row& row, Params& params) {
    const auto outside = [&row](double value) { return !(value >= row.low && value <= row.high); };
    if (const auto* member = std::get_if<Member<double>>(&row.value)) {
      if (const double value = (*member)(params); outside(value)) return value;
    } else if (const auto* integer = std::get_if<Member<int>>(&row.value)) {
      if (const double value = (*integer)(params); outside(value)) return value;
    } else if (const auto* list = std::get_if<Member<std::vector<double>>>(&row.value)) {
      for (const double value : (*list)(params))
        if (outside(value)) return value;
    } else if (const auto* integers = std::get_if<Member<std::vector<std::int64_t>>>(&row.value)) {
      for (const std::int64_t value : (*integers)(params))
        if (outside(static_cast<double>(value))) return static_cast<double>(value);
    }
    return std::nullopt;
  }

  static std::string default_text(const Row& row, Params& params) {
    const auto text = [](const auto& value) -> std::string {
      using T = std::decay_t<decltype(value)>;
      if constexpr (std::is_same_v<T, bool>)
        return value ? "true" : "false";
      else if constexpr (std::is_same_v<T, std::string>)
        return value.empty() ? "empty" : value;
      else
        return number(static_cast<double>(value));
    };
    return std::visit(
        [&](const auto& member) -> std::string {
          const auto& value = member(params);
          using T = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<T, std::vector<double>> || std::is_same_v<T, std::vector<std::int64_t>> ||
                        std::is_same_v<T, std::vector<std::string>>) {
            std::string all;
            for (const auto& item : value) all += (all.empty() ? "" : ", ") + text(item);
            return "[" + all + "]";
          } else {
            return text(value);
          }
        },
        row.value);
  }

  std::vector<Row> rows_;
};

}  // namespace hl_node
