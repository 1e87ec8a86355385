// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/syntax.hpp"

namespace hl_behavior::rtdl {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

class Writer {
 public:
  std::string document(const Document& document) {
    line(R"(<?xml version="1.0" encoding="UTF-8"?>)");
    line(R"(<!DOCTYPE rtdl SYSTEM "rtdl.dtd">)");
    line(R"(<rtdl version="1.0">)");
    ++depth_;
    comments(document.before);
    task(document.task);
    comments(document.after);
    --depth_;
    line("</rtdl>");
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += std::string(2 * depth_, ' ') + text + "\n"; }

  void element(const std::string& name, const std::string& text, const std::string& attributes = "") {
    line("<" + name + attributes + ">" + escaped(text) + "</" + name + ">");
  }

  void comments(const std::vector<Comment>& comments) {
    for (const Comment& comment : comments) write(comment);
  }

  template <class Entry>
  void list(const std::string& name, const Commented<Entry>& entries) {
    if (entries.empty()) return line("<" + name + "/>");
    line("<" + name + ">");
    ++depth_;
    for (const auto& entry : entries) std::visit([&](const auto& what) { write(what); }, entry);
    --depth_;
    line("</" + name + ">");
  }

  void task(const Task& task) {
    line("<task name=\"" + task.name + "\">");
    ++depth_;
    comments(task.comments);
    list("taskargs", task.parameters);
    comments(task.head_comments);
    if (task.retrycount) element("retrycount", std::to_string(*task.retrycount));
    list("entities", task.entities);
    block("block", task.block);
    --depth_;
    line("</task>");
  }

  void block(const std::string& name, const Block& block) {
    if (block.empty()) return line("<" + name + "/>");
    line("<" + name + ">");
    ++depth_;
    for (const Statement& statement : block) std::visit([&](const auto& what) { write(what); }, statement.what);
    --depth_;
    line("</" + name + ">");
  }

  void write(const Comment& comment) { element("comment", comment.text); }
  void write(const Variable& variable) { element("var", variable.name, " type=\"" + variable.type + "\""); }
  void write(const Value& value) { element("arg", to_text(value)); }

  void write(const Call& call) {
    line(call.optional ? R"(<action optional="true">)" : "<action>");
    ++depth_;
    element("name", call.name);
    if (!call.arguments.empty()) list("args", call.arguments);
    --depth_;
    line("</action>");
  }

  template <class Conditional>
  void conditional(const std::string& name, const Conditional& what) {
    line("<" + name + ">");
    ++depth_;
    comments(what.comments);
    element("cond", to_text(what.condition));
    block("block", what.block);
    --depth_;
    line("</" + name + ">");
  }
  void write(const If& what) { conditional("if", what); }
  void write(const While& what) { conditional("while", what); }

  void write(const Par& par) {
    line("<par>");
    ++depth_;
    block("block", par.first);
    block("block2", par.second);
    --depth_;
    line("</par>");
  }

  void write(const Retry& retry) {
    line("<retry count=\"" + std::to_string(retry.count) + "\">");
    ++depth_;
    comments(retry.comments);
    block("block", retry.block);
    --depth_;
    line("</retry>");
  }

  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string write_xml(const Document& document) {
  return Writer().document(document);
}

}  // namespace hl_behavior::rtdl
