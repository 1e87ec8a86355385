// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdio>
#include <functional>
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

/// One line per parameter of a node: name, place in the struct, range, meaning with its unit. Declaration, validation,
/// live changes and the README's table all come from it, so that nothing can be declared and then ignored.
///
///     const ParameterTable<Params>& parameters() {
///       static const ParameterTable<Params> table = {
///           {"stale", &Params::stale, 0.01, 5.0, "goals computed longer ago are refused, s"},
///           {"fall.height", [](Params& p) -> double& { return p.fall.height; }, 0.05, 2.0, "of the centre of mass,
///           m"},
///       };
///       return table;
///     }
///
/// This header knows no ROS.
template <class Params>
class ParameterTable {
 public:
  template <class T>
  using Member = std::function<T&(Params&)>;
  using Value = std::variant<Member<double>, Member<int>, Member<bool>, Member<std::string>,
                             Member<std::vector<double>>, Member<std::vector<std::string>>>;

  struct Row {
    std::string name;
    Value value;
    double low, high;  // of numbers and of each number of a list; infinite = no limit
    std::string meaning;
    Change change;

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
  };

  ParameterTable(std::initializer_list<Row> rows) : rows_(rows) {}

  const std::vector<Row>& rows() const { return rows_; }

  /// The first value outside its range, in words; nothing if all is well.
  std::optional<std::string> check(Params params) const {
    for (const Row& row : rows_) {
      const std::optional<double> bad = out_of_range(row, params);
      if (!bad) continue;
      char text[200];
      std::snprintf(text, sizeof text, "%s = %g must lie in %g..%g", row.name.c_str(), *bad, row.low, row.high);
      return std::string(text);
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

 private:
  static std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
  }

  static std::optional<double> out_of_range(const Row& row, Params& params) {
    const auto outside = [&row](double value) { return !(value >= row.low && value <= row.high); };
    if (const auto* member = std::get_if<Member<double>>(&row.value)) {
      if (const double value = (*member)(params); outside(value)) return value;
    } else if (const auto* integer = std::get_if<Member<int>>(&row.value)) {
      if (const double value = (*integer)(params); outside(value)) return value;
    } else if (const auto* list = std::get_if<Member<std::vector<double>>>(&row.value)) {
      for (const double value : (*list)(params))
        if (outside(value)) return value;
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
        return number(value);
    };
    return std::visit(
        [&](const auto& member) -> std::string {
          const auto& value = member(params);
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::vector<double>> ||
                        std::is_same_v<std::decay_t<decltype(value)>, std::vector<std::string>>) {
            std::string all;
            for (const auto& item : value) all += (all.empty() ? "" : ", ") + text(item);
            return "[" + all + "]";
          } else {
            return text(value);
          }
        },
        row.value);
  }

  static std::string range_text(const Row& row) {
    if (std::isinf(row.low) && std::isinf(row.high)) return "";
    return number(row.low) + ".." + number(row.high);
  }

  std::vector<Row> rows_;
};

}  // namespace hl_node
