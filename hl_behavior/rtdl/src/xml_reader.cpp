// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <initializer_list>

#include "hl_behavior/rtdl/syntax.hpp"
#include "parser.hpp"
#include "xml.hpp"

namespace hl_behavior::rtdl {
namespace {

/// The tree of the elements, checked as the DTD demands; recursion is bounded by the depth of the elements.
class TreeBuilder {
 public:
  explicit TreeBuilder(Report& report) : report_(report) {}

  Document document(const XmlElement& root) {
    Document document;
    if (root.name != "rtdl") {
      syntax(root, "is not the element rtdl", "write <rtdl version=\"1.0\"> ... </rtdl>");
      return document;
    }
    attributes(root, {"version"});
    const XmlAttribute* version = root.attribute("version");
    if (version == nullptr) {
      report_.add(Code::Version, root.at, root.name, "has no version", "write <rtdl version=\"1.0\">");
    } else if (version->value != "1.0") {
      report_.add(Code::Version, version->value_at, version->value, "is a version this program does not know",
                  "write <rtdl version=\"1.0\">");
    }
    no_text(root);
    bool found = false;
    for (const XmlElement& child : root.children) {
      if (child.name == "comment") {
        (found ? document.after : document.before).push_back(comment(child));
      } else if (child.name != "task") {
        syntax(child, "does not belong into rtdl", "rtdl holds one task and comments");
      } else if (found) {
        report_.add(Code::TaskError, child.at, child.name, "begins a second task", "write one task per file");
      } else {
        found = true;
        task(child, document.task);
      }
    }
    if (!found) report_.add(Code::TaskError, root.at, root.name, "holds no task", "write <task name=\"...\">");
    return document;
  }

 private:
  void syntax(const XmlElement& element, std::string message, std::string remedy) {
    report_.add(Code::Syntax, element.at, element.name, std::move(message), std::move(remedy));
  }

  void attributes(const XmlElement& element, std::initializer_list<std::string_view> allowed) {
    for (const XmlAttribute& attribute : element.attributes) {
      if (std::find(allowed.begin(), allowed.end(), attribute.name) == allowed.end()) {
        report_.add(Code::Syntax, attribute.at, attribute.name, "is no attribute of " + element.name, "remove it");
      }
    }
  }

  void no_text(const XmlElement& element) {
    if (!element.has_text()) return;
    const std::size_t first = element.text.text.find_first_not_of(" \t\n");
    report_.add(Code::Syntax, element.text.places[first], element.text.text.substr(first, 20),
                "is text where only elements may stand", "put it into a <comment>");
  }

  void no_children(const XmlElement& element) {
    for (const XmlElement& child : element.children) {
      syntax(child, "does not belong into " + element.name, element.name + " holds text only");
    }
  }

  Comment comment(const XmlElement& element) {
    attributes(element, {});
    no_children(element);
    if (element.text.text.find("*/") != std::string::npos) {
      syntax(element, "holds */, which ends a comment in the function syntax", "write * /");
      return {"", element.at};
    }
    return {element.text.text, element.at};
  }

  /// The text without white space around it.
  PlacedText trimmed(const XmlElement& element) {
    no_children(element);
    const PlacedText& all = element.text;
    const std::size_t first = std::min(all.text.find_first_not_of(" \t\n"), all.text.size());
    const std::size_t last = all.text.find_last_not_of(" \t\n");
    const std::size_t end = last == std::string::npos ? first : last + 1;
    PlacedText result;
    result.text = all.text.substr(first, end - first);
    result.places.assign(all.places.begin() + static_cast<std::ptrdiff_t>(first),
                         all.places.begin() + static_cast<std::ptrdiff_t>(end) + 1);
    return result;
  }

  bool check_name(const std::string& name, Position at, const std::string& of_what, Code code = Code::Syntax) {
    if (is_name(name)) return true;
    report_.add(code, at, name, "cannot be " + of_what,
                is_reserved(name) ? "it is a word of the language, choose another"
                                  : "letters, digits and _, no digit first, at most " + std::to_string(kMaxName));
    return false;
  }

  int count(const std::string& text, Position at) {
    const bool digits = !text.empty() && text.size() <= 7 && text.find_first_not_of("0123456789") == std::string::npos;
    const int value = digits ? std::stoi(text) : 0;
    if (value >= 1 && value <= kMaxCount) return value;
    report_.add(Code::Count, at, text, "is no number of attempts",
                "write a whole number from 1 to " + std::to_string(kMaxCount));
    return 1;
  }

  void task(const XmlElement& element, Task& task) {
    task.at = element.at;
    attributes(element, {"name"});
    no_text(element);
    const XmlAttribute* name = element.attribute("name");
    if (name == nullptr) {
      report_.add(Code::TaskError, element.at, element.name, "has no name", "write <task name=\"...\">");
    } else {
      task.at = name->value_at;
      task.name = name->value;
      check_name(name->value, name->value_at, "the name of a task", Code::TaskError);
    }
    enum Stage { Begin, Arguments, Count, Entities, Statements };
    Stage stage = Begin;
    std::vector<Comment> waiting;  // between the declarations and the block
    const auto move_to = [&](const XmlElement& child, Stage wanted) {
      if (wanted <= stage || (stage == Begin && wanted != Arguments)) {
        syntax(child, "stands at the wrong place in the task",
               "the order is taskargs, retrycount (if any), entities (if any), block");
      }
      stage = std::max(stage, wanted);
    };
    for (const XmlElement& child : element.children) {
      if (child.name == "comment") {
        if (stage == Begin) {
          task.comments.push_back(comment(child));
        } else if (stage == Statements) {
          append(task.block, comment(child), child.at);
        } else {
          waiting.push_back(comment(child));
        }
      } else if (child.name == "taskargs") {
        move_to(child, Arguments);
        variables(child, task.parameters);
      } else if (child.name == "retrycount") {
        move_to(child, Count);
        attributes(child, {});
        const PlacedText text = trimmed(child);
        task.retrycount = count(text.text, text.places.front());
        for (Comment& c : waiting) task.head_comments.push_back(std::move(c));
        waiting.clear();
      } else if (child.name == "entities") {
        // Comments right behind the parameters belong to the head of the task, later ones to the entities.
        if (stage == Arguments) {
          for (Comment& c : waiting) task.head_comments.push_back(std::move(c));
        } else {
          for (Comment& c : waiting) task.entities.emplace_back(std::move(c));
        }
        waiting.clear();
        move_to(child, Entities);
        variables(child, task.entities);
      } else if (child.name == "block") {
        if (stage == Arguments) {
          for (Comment& c : waiting) task.head_comments.push_back(std::move(c));
          waiting.clear();
        }
        move_to(child, Statements);
        while (!task.entities.empty() && std::holds_alternative<Comment>(task.entities.back())) {
          waiting.insert(waiting.begin(), std::get<Comment>(std::move(task.entities.back())));
          task.entities.pop_back();
        }
        put_comments(waiting, task.block);
        waiting.clear();
        statements(child, task.block);
      } else {
        syntax(child, "does not belong into task",
               "the order is taskargs, retrycount (if any), entities (if any), block");
      }
    }
    if (stage != Statements) syntax(element, "has no block", "write <block/> behind the declarations");
  }

  static void put_comments(std::vector<Comment>& comments, Block& block) {
    for (Comment& comment : comments) {
      const Position at = comment.at;
      append(block, std::move(comment), at);
    }
    comments.clear();
  }

  void variables(const XmlElement& element, Commented<Variable>& list) {
    attributes(element, {});
    no_text(element);
    for (const XmlElement& child : element.children) {
      if (child.name == "comment") {
        list.emplace_back(comment(child));
      } else if (child.name == "var") {
        attributes(child, {"type"});
        const XmlAttribute* type = child.attribute("type");
        const PlacedText name = trimmed(child);
        if (type == nullptr) {
          syntax(child, "has no type", "write <var type=\"...\">");
          continue;
        }
        const bool good = check_name(type->value, type->value_at, "the name of a type");
        if (check_name(name.text, name.places.front(), "the name of a variable") && good) {
          list.emplace_back(Variable{type->value, name.text, type->value_at, name.places.front()});
        }
      } else {
        syntax(child, "does not belong into " + element.name, element.name + " holds var and comment");
      }
    }
  }

  void statements(const XmlElement& element, Block& block) {
    attributes(element, {});
    no_text(element);
    for (const XmlElement& child : element.children) {
      if (child.name == "comment") {
        append(block, comment(child), child.at);
      } else if (child.name == "action") {
        action(child, block);
      } else if (child.name == "if") {
        If what;
        conditional(child, what);
        append(block, std::move(what), child.at);
      } else if (child.name == "while") {
        While what;
        conditional(child, what);
        append(block, std::move(what), child.at);
      } else if (child.name == "par") {
        par(child, block);
      } else if (child.name == "retry") {
        retry(child, block);
      } else {
        syntax(child, "is no statement", "a block holds action, if, while, par, retry and comment");
      }
    }
  }

  void action(const XmlElement& element, Block& block) {
    attributes(element, {"optional"});
    no_text(element);
    Call call;
    if (const XmlAttribute* optional = element.attribute("optional")) {
      call.optional = optional->value == "true";
      if (!call.optional && optional->value != "false") {
        report_.add(Code::Syntax, optional->value_at, optional->value, "is neither true nor false",
                    "write optional=\"true\" or leave it out");
      }
    }
    bool named = false;
    bool listed = false;
    for (const XmlElement& child : element.children) {
      if (child.name == "comment") {
        if (named) {
          call.arguments.emplace_back(comment(child));
        } else {
          append(block, comment(child), child.at);
        }
      } else if (child.name == "name" && !named) {
        named = true;
        attributes(child, {});
        const PlacedText text = trimmed(child);
        call.name = text.text;
        check_name(text.text, text.places.front(), "the name of an action");
      } else if (child.name == "args" && named && !listed) {
        listed = true;
        arguments(child, call);
      } else {
        syntax(child, "stands at the wrong place in the action", "an action holds name, then args (if any)");
      }
    }
    if (!named) syntax(element, "has no name", "write <action><name>...</name></action>");
    append(block, std::move(call), element.at);
  }

  void arguments(const XmlElement& element, Call& call) {
    attributes(element, {});
    no_text(element);
    for (const XmlElement& child : element.children) {
      if (child.name == "comment") {
        call.arguments.emplace_back(comment(child));
      } else if (child.name == "arg") {
        attributes(child, {});
        Parser parser(split_words(trimmed(child), report_), report_);
        auto value = parser.lone_value();
        for (Comment& inner : parser.take_comments()) call.arguments.emplace_back(std::move(inner));
        if (value) call.arguments.emplace_back(std::move(*value));
      } else {
        syntax(child, "does not belong into args", "args holds arg and comment");
      }
    }
  }

  template <class Conditional>
  void conditional(const XmlElement& element, Conditional& what) {
    attributes(element, {});
    no_text(element);
    bool tested = false;
    bool blocked = false;
    for (const XmlElement& child : element.children) {
      if (child.name == "comment") {
        if (blocked) {
          append(what.block, comment(child), child.at);
        } else {
          what.comments.push_back(comment(child));
        }
      } else if (child.name == "cond" && !tested && !blocked) {
        tested = true;
        attributes(child, {});
        Parser parser(split_words(trimmed(child), report_), report_);
        if (auto condition = parser.lone_condition()) what.condition = std::move(*condition);
        for (Comment& inner : parser.take_comments()) what.comments.push_back(std::move(inner));
      } else if (child.name == "block" && tested && !blocked) {
        blocked = true;
        statements(child, what.block);
      } else {
        syntax(child, "stands at the wrong place in " + element.name, element.name + " holds cond, then block");
      }
    }
    if (!tested || !blocked) syntax(element, "is not complete", element.name + " holds cond, then block");
  }

  void par(const XmlElement& element, Block& block) {
    attributes(element, {});
    no_text(element);
    Par par;
    int branches = 0;
    for (const XmlElement& child : element.children) {
      if (child.name == "comment") {
        append((branches < 2 ? par.first : par.second), comment(child), child.at);
      } else if (child.name == "block" && branches == 0) {
        branches = 1;
        statements(child, par.first);
      } else if ((child.name == "block2" || child.name == "block") && branches == 1) {
        branches = 2;
        statements(child, par.second);
      } else {
        syntax(child, "stands at the wrong place in par", "par holds block, then block2");
      }
    }
    if (branches != 2) syntax(element, "has not two branches", "par holds block, then block2");
    append(block, std::move(par), element.at);
  }

  void retry(const XmlElement& element, Block& block) {
    attributes(element, {"count"});
    no_text(element);
    Retry retry;
    if (const XmlAttribute* attempts = element.attribute("count")) {
      retry.count = count(attempts->value, attempts->value_at);
    } else {
      report_.add(Code::Count, element.at, element.name, "has no count", "write <retry count=\"3\">");
    }
    bool blocked = false;
    for (const XmlElement& child : element.children) {
      if (child.name == "comment") {
        if (blocked) {
          append(retry.block, comment(child), child.at);
        } else {
          retry.comments.push_back(comment(child));
        }
      } else if (child.name == "block" && !blocked) {
        blocked = true;
        statements(child, retry.block);
      } else {
        syntax(child, "stands at the wrong place in retry", "retry holds one block");
      }
    }
    if (!blocked) syntax(element, "has no block", "retry holds one block");
    append(block, std::move(retry), element.at);
  }

  Report& report_;
};

}  // namespace

Document read_xml(std::string_view text, Report& report) {
  if (text.size() > kMaxFile) {
    report.add(Code::Limit, {1, 1}, "", "the file has more than " + std::to_string(kMaxFile) + " bytes",
               "split the task");
    return {};
  }
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);  // byte order mark
  const std::string plain = plain_text(text, report);
  Document document;
  if (const auto root = read_xml_element(plain, report)) document = TreeBuilder(report).document(*root);
  report.sort();
  return document;
}

}  // namespace hl_behavior::rtdl
