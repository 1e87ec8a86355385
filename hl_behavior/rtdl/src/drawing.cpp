// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/drawing.hpp"

#include <algorithm>

namespace hl_behavior::rtdl {
namespace {

std::string head_of(const Task& task) {
  std::string text = "task " + task.name + "(";
  for (const Variable* parameter : entries(task.parameters)) {
    if (text.back() != '(') text += ", ";
    text += parameter->type + " " + parameter->name;
  }
  return text + ")" + (task.retrycount ? " retrycount " + std::to_string(*task.retrycount) : "");
}

std::string label_of(const Statement& statement) {
  if (const auto* call = std::get_if<Call>(&statement.what)) return to_text(*call);
  if (const auto* what = std::get_if<If>(&statement.what)) return "if " + to_text(what->condition);
  if (const auto* what = std::get_if<While>(&statement.what)) return "while " + to_text(what->condition);
  if (const auto* retry = std::get_if<Retry>(&statement.what)) return "retry " + std::to_string(retry->count);
  return "par";
}

std::vector<const Block*> blocks_of(const Statement& statement) {
  if (const auto* what = std::get_if<If>(&statement.what)) return {&what->block};
  if (const auto* what = std::get_if<While>(&statement.what)) return {&what->block};
  if (const auto* what = std::get_if<Retry>(&statement.what)) return {&what->block};
  if (const auto* par = std::get_if<Par>(&statement.what)) return {&par->first, &par->second};
  return {};
}

bool drawn(const Statement& statement) {
  return !std::holds_alternative<Comment>(statement.what);
}

class Dot {
 public:
  std::string document(const Document& document) {
    out_ = "digraph rtdl {\n  node [shape=box, fontname=\"sans-serif\"];\n";
    const int root = node(head_of(document.task), "style=bold");
    block(document.task.block, root, "");
    return out_ + "}\n";
  }

 private:
  int node(const std::string& label, const std::string& style) {
    std::string escaped;
    for (const char c : label) {
      if (c == '"' || c == '\\') escaped += '\\';
      escaped += c;
    }
    out_ +=
        "  n" + std::to_string(count_) + " [label=\"" + escaped + "\"" + (style.empty() ? "" : ", " + style) + "];\n";
    return count_++;
  }

  void block(const Block& block, int parent, const std::string& edge) {
    for (const Statement& statement : block) {
      if (!drawn(statement)) continue;
      const auto* call = std::get_if<Call>(&statement.what);
      const int at = node(label_of(statement), call == nullptr  ? "shape=diamond"
                                               : call->optional ? "style=dashed"
                                                                : "");
      out_ += "  n" + std::to_string(parent) + " -> n" + std::to_string(at) +
              (edge.empty() ? "" : " [label=\"" + edge + "\"]") + ";\n";
      const auto inner = blocks_of(statement);
      for (std::size_t i = 0; i < inner.size(); ++i) {
        this->block(*inner[i], at, inner.size() == 2 ? std::to_string(i + 1) : "");
      }
    }
  }

  std::string out_;
  int count_ = 0;
};

class Svg {
 public:
  std::string document(const Document& document) {
    const Size inner = size(document.task.block);
    const std::string head = head_of(document.task);
    const int width = std::max(inner.width, text_width(head)) + 2 * kGap;
    const int height = inner.height + kLine + 2 * kGap;
    box(kGap, kGap, width, height, head, false);
    draw(document.task.block, 2 * kGap, kGap + kLine + kGap / 2, width - 2 * kGap);
    return R"(<?xml version="1.0" encoding="UTF-8"?>)"
           "\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
           std::to_string(width + 2 * kGap) + "\" height=\"" + std::to_string(height + 2 * kGap) +
           "\" font-family=\"monospace\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" +
           out_ + "</svg>\n";
  }

 private:
  static constexpr int kLine = 24, kGap = 8, kCharacter = 8;  // pixels
  struct Size {
    int width = 0, height = 0;
  };

  static int text_width(const std::string& text) { return static_cast<int>(text.size()) * kCharacter + 2 * kGap; }

  static Size size(const Block& block) {
    Size total;
    for (const Statement& statement : block) {
      if (!drawn(statement)) continue;
      const Size one = size(statement);
      total.width = std::max(total.width, one.width);
      total.height += one.height + kGap / 2;
    }
    return total;
  }

  static Size size(const Statement& statement) {
    Size total{text_width(label_of(statement)), kLine};
    const auto inner = blocks_of(statement);
    if (inner.empty()) return total;
    int width = kGap;
    int height = 0;
    for (const Block* block : inner) {
      const Size one = size(*block);
      width = std::max(width, one.width + kGap);
      height = std::max(height, one.height);
    }
    return {std::max(total.width, static_cast<int>(inner.size()) * (width + kGap) + kGap), kLine + height + kGap};
  }

  void box(int x, int y, int width, int height, const std::string& label, bool dashed) {
    std::string text;
    for (const char c : label) text += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    out_ += "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" + std::to_string(width) +
            "\" height=\"" + std::to_string(height) + "\" rx=\"4\" fill=\"#f4f7fb\" stroke=\"#445\"" +
            (dashed ? " stroke-dasharray=\"5 3\"" : "") + "/>\n<text x=\"" + std::to_string(x + kGap) + "\" y=\"" +
            std::to_string(y + 17) + "\">" + text + "</text>\n";
  }

  void draw(const Block& block, int x, int y, int width) {
    for (const Statement& statement : block) {
      if (!drawn(statement)) continue;
      const Size own = size(statement);
      const auto* call = std::get_if<Call>(&statement.what);
      box(x, y, width, own.height, label_of(statement), call != nullptr && call->optional);
      const auto inner = blocks_of(statement);
      if (!inner.empty()) {
        const int each = (width - kGap) / static_cast<int>(inner.size()) - kGap;
        int left = x + kGap;
        for (const Block* part : inner) {
          draw(*part, left, y + kLine, each);
          left += each + kGap;
        }
      }
      y += own.height + kGap / 2;
    }
  }

  std::string out_;
};

}  // namespace

std::string draw_dot(const Document& document) {
  return Dot().document(document);
}

std::string draw_svg(const Document& document) {
  return Svg().document(document);
}

}  // namespace hl_behavior::rtdl
