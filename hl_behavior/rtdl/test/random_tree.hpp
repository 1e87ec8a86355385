// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>

#include "hl_behavior/rtdl/tree.hpp"

/// Trees as the readers make them: any shape, comments wherever the tree can hold them.
class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : random_(seed) {}

  hl_behavior::rtdl::Document document() {
    using namespace hl_behavior::rtdl;
    Document d;
    d.before = comments();
    d.task.name = name();
    d.task.comments = comments();
    d.task.parameters = variables();
    d.task.head_comments = comments();
    if (below(2) == 0) d.task.retrycount = 1 + below(kMaxCount);
    d.task.entities = variables();
    while (!d.task.entities.empty() && std::holds_alternative<Comment>(d.task.entities.back()))
      d.task.entities.pop_back();
    d.task.block = block(0);
    d.after = comments();
    return d;
  }

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  std::string name() {
    static const char* kFirst = "abcXYZ_";
    static const char* kRest = "abcXYZ_019";
    std::string text(1, kFirst[below(7)]);
    for (int n = below(6); n > 0; --n) text += kRest[below(10)];
    return hl_behavior::rtdl::is_reserved(text) ? "x" + text : text;
  }

 private:
  using Value = hl_behavior::rtdl::Value;

  hl_behavior::rtdl::Comment comment() {
    static const std::string kLetters = "ab *-/<>&\"'\n\t;}]){\\#";
    std::string text;
    for (int n = below(12); n > 0; --n) {
      text += kLetters[static_cast<std::size_t>(below(static_cast<int>(kLetters.size())))];
      if (text.size() > 1 && text.substr(text.size() - 2) == "*/") text.pop_back();
    }
    return {text, {}};
  }

  std::vector<hl_behavior::rtdl::Comment> comments() {
    std::vector<hl_behavior::rtdl::Comment> list;
    while (below(4) == 0) list.push_back(comment());
    return list;
  }

  hl_behavior::rtdl::Commented<hl_behavior::rtdl::Variable> variables() {
    hl_behavior::rtdl::Commented<hl_behavior::rtdl::Variable> list;
    while (below(3) != 0) {
      if (below(4) == 0) {
        list.emplace_back(comment());
      } else {
        list.emplace_back(hl_behavior::rtdl::Variable{name(), name(), {}, {}});
      }
    }
    return list;
  }

  Value value() {
    Value v;
    switch (below(3)) {
      case 0: {
        static const std::vector<std::string> kNumbers{"0", "-1", "3.25", "1e-3", "-0.5E+2", "007", "123456789.125"};
        v.kind = Value::Kind::Number;
        v.text = kNumbers[static_cast<std::size_t>(below(7))];
        v.number = std::stod(v.text);
        break;
      }
      case 1:
        v.kind = Value::Kind::Text;
        for (int n = below(8); n > 0; --n) v.text += static_cast<char>(' ' + below(95));
        break;
      default:
        v.text = name();
    }
    return v;
  }

  Value operand(int depth) {
    if (depth >= 3 || below(2) == 0) return value();
    Value v;
    v.kind = Value::Kind::Call;
    v.text = name();
    for (int n = 1 + below(3); n > 0; --n) v.arguments.push_back(operand(depth + 1));
    return v;
  }

  hl_behavior::rtdl::Condition condition() {
    using namespace hl_behavior::rtdl;
    Condition c;
    do {
      std::vector<Term> all;
      do {
        Term term;
        term.negated = below(3) == 0;
        term.left = operand(0);
        if (below(2) == 0) {
          term.comparison = static_cast<Comparison>(below(6));
          term.right = operand(0);
        }
        all.push_back(term);
      } while (below(3) == 0);
      c.alternatives.push_back(all);
    } while (below(3) == 0);
    return c;
  }

  hl_behavior::rtdl::Block block(int depth) {
    using namespace hl_behavior::rtdl;
    Block b;
    for (int n = below(depth == 0 ? 7 : 4); n > 0; --n) {
      switch (below(depth < 5 ? 8 : 4)) {
        case 0:
          append(b, comment(), {});
          break;
        case 4:
          append(b, If{comments(), condition(), block(depth + 1)}, {});
          break;
        case 5:
          append(b, While{comments(), condition(), block(depth + 1)}, {});
          break;
        case 6:
          append(b, Par{block(depth + 1), block(depth + 1)}, {});
          break;
        case 7:
          append(b, Retry{comments(), 1 + below(9), block(depth + 1)}, {});
          break;
        default: {
          Call call{name(), below(3) == 0, {}};
          while (below(3) != 0) {
            if (below(4) == 0) {
              call.arguments.emplace_back(comment());
            } else {
              call.arguments.emplace_back(value());
            }
          }
          append(b, std::move(call), {});
        }
      }
    }
    return b;
  }

  std::mt19937 random_;
};
