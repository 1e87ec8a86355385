// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/syntax.hpp"

namespace hl_behavior::rtdl {
namespace {

/// One statement per line, two spaces per block.
class Writer {
 public:
  std::string document(const Document& document) {
    line("rtdl 1.0");
    for (const Comment& comment : document.before) line(marked(comment));
    task(document.task);
    for (const Comment& comment : document.after) line(marked(comment));
    return std::move(out_);
  }

 private:
  static std::string marked(const Comment& comment) { return "/*" + comment.text + "*/"; }

  static std::string marked(const std::vector<Comment>& comments) {
    std::string text;
    for (const Comment& comment : comments) text += marked(comment) + " ";
    return text;
  }

  /// `a, b` with the comments where they stand.
  template <class Entry, class Text>
  static std::string list(const Commented<Entry>& entries, Text text_of) {
    std::string text;
    std::size_t left = rtdl::entries(entries).size();
    bool gap = false;
    for (const auto& entry : entries) {
      if (gap) text += " ";
      gap = true;
      if (const auto* comment = std::get_if<Comment>(&entry)) {
        text += marked(*comment);
      } else {
        text += text_of(std::get<Entry>(entry));
        if (--left > 0) text += ",";
      }
    }
    return text;
  }

  void line(const std::string& text) { out_ += std::string(2 * depth_, ' ') + text + "\n"; }

  void task(const Task& task) {
    const auto declaration = [](const Variable& v) { return v.type + " " + v.name; };
    line("task " + task.name + (task.comments.empty() ? "" : " " + marked(task.comments)) + "(" +
         list(task.parameters, declaration) + ") " + marked(task.head_comments) + "{");
    ++depth_;
    if (task.retrycount) line("retrycount(" + std::to_string(*task.retrycount) + ");");
    for (const auto& entity : task.entities) {
      if (const auto* comment = std::get_if<Comment>(&entity)) {
        line(marked(*comment));
      } else {
        line("entity " + declaration(std::get<Variable>(entity)) + ";");
      }
    }
    if ((task.retrycount || !task.entities.empty()) && !task.block.empty()) out_ += "\n";
    --depth_;
    block(task.block);
    line("}");
  }

  void block(const Block& block) {
    ++depth_;
    for (const Statement& statement : block) std::visit([&](const auto& what) { write(what); }, statement.what);
    --depth_;
  }

  void write(const Comment& comment) { line(marked(comment)); }

  void write(const Call& call) {
    line((call.optional ? "optional " : "") + call.name + "(" +
         list(call.arguments, [](const Value& value) { return to_text(value); }) + ");");
  }

  void write(const If& what) {
    line("if (" + marked(what.comments) + to_text(what.condition) + ")");
    block(what.block);
    line("endif");
  }

  void write(const While& what) {
    line("while (" + marked(what.comments) + to_text(what.condition) + ") do");
    block(what.block);
    line("done");
  }

  void write(const Par& par) {
    line("par");
    block(par.first);
    line("to");
    block(par.second);
    line("endpar");
  }

  void write(const Retry& retry) {
    line("retry (" + marked(retry.comments) + std::to_string(retry.count) + ")");
    block(retry.block);
    line("endtry");
  }

  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string write_function(const Document& document) {
  return Writer().document(document);
}

}  // namespace hl_behavior::rtdl
