// SPDX-License-Identifier: Apache-2.0
#include "xml.hpp"

#include <algorithm>

namespace hl_behavior::rtdl {
namespace {

constexpr std::size_t kMaxXmlDepth = 2 * kMaxDepth + 8;  // an element and its block per block of the language

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == ':';
}

class XmlReader {
 public:
  XmlReader(std::string_view text, Report& report) : text_(text), report_(report) {}

  std::optional<XmlElement> run() {
    if (!skip_misc(true)) return std::nullopt;
    if (now() != '<' || !is_name_character(now(1))) {
      fail(at_, text_.substr(i_, 10), "stands where the element rtdl should", "write <rtdl version=\"1.0\">");
      return std::nullopt;
    }
    if (!elements()) return std::nullopt;
    if (!skip_misc(false)) return std::nullopt;
    if (i_ < text_.size()) {
      fail(at_, text_.substr(i_, 10), "stands behind the end of the document", "remove it");
      return std::nullopt;
    }
    return std::move(root_);
  }

 private:
  char now(std::size_t ahead = 0) const { return i_ + ahead < text_.size() ? text_[i_ + ahead] : '\0'; }
  bool starts(std::string_view what) const { return text_.substr(i_, what.size()) == what; }

  void advance(std::size_t count = 1) {
    for (; count > 0 && i_ < text_.size(); --count) {
      if (text_[i_++] == '\n') {
        ++at_.line;
        at_.column = 1;
      } else {
        ++at_.column;
      }
    }
  }

  bool fail(Position at, std::string_view text, std::string message, std::string remedy) {
    report_.add(Code::Syntax, at, text, std::move(message), std::move(remedy));
    return false;
  }

  void skip_space() {
    while (is_space(now())) advance();
  }

  bool skip_to_behind(std::string_view end, std::string_view what) {
    const std::size_t found = text_.find(end, i_);
    if (found == std::string_view::npos) return fail(at_, what, "does not end", "end it with " + std::string(end));
    advance(found + end.size() - i_);
    return true;
  }

  /// White space, comments, instructions and (in the prolog) the document type.
  bool skip_misc(bool prolog) {
    while (true) {
      skip_space();
      if (starts("<!--")) {
        if (!skip_to_behind("-->", "<!--")) return false;
      } else if (starts("<?")) {
        if (!skip_to_behind("?>", "<?")) return false;
      } else if (prolog && starts("<!DOCTYPE")) {
        const Position at = at_;
        const std::size_t end = text_.find_first_of("[>", i_);
        if (end == std::string_view::npos || text_[end] == '[') {
          return fail(at, "<!DOCTYPE", "has declarations of its own, which are not read",
                      "write <!DOCTYPE rtdl SYSTEM \"rtdl.dtd\">");
        }
        advance(end + 1 - i_);
      } else {
        return true;
      }
    }
  }

  std::string_view name() {
    const std::size_t begin = i_;
    while (is_name_character(now())) advance();
    return text_.substr(begin, i_ - begin);
  }

  /// One character of data, with references resolved; false if it is malformed.
  bool character(PlacedText& into) {
    const Position at = at_;
    char c = now();
    if (c == '&') {
      const std::size_t end = text_.substr(i_, 12).find(';');
      const std::string_view reference = end == std::string_view::npos ? "" : text_.substr(i_ + 1, end - 1);
      const auto resolved = resolve(reference);
      if (!resolved) {
        return fail(at, text_.substr(i_, std::min<std::size_t>(end, 11) + 1), "is no reference this language has",
                    "only &lt; &gt; &amp; &quot; &apos; and references to ASCII characters");
      }
      c = *resolved;
      advance(end + 1);
    } else {
      advance();
    }
    into.text += c;
    into.places.push_back(at);
    return true;
  }

  static std::optional<char> resolve(std::string_view reference) {
    if (reference == "lt") return '<';
    if (reference == "gt") return '>';
    if (reference == "amp") return '&';
    if (reference == "quot") return '"';
    if (reference == "apos") return '\'';
    if (reference.size() < 2 || reference[0] != '#') return std::nullopt;
    const bool hex = reference[1] == 'x';
    const std::string_view digits = reference.substr(hex ? 2 : 1);
    if (digits.empty()) return std::nullopt;
    int code = 0;
    for (const char d : digits) {
      int digit = 0;
      if (d >= '0' && d <= '9') {
        digit = d - '0';
      } else if (hex && d >= 'a' && d <= 'f') {
        digit = d - 'a' + 10;
      } else if (hex && d >= 'A' && d <= 'F') {
        digit = d - 'A' + 10;
      } else {
        return std::nullopt;
      }
      code = code * (hex ? 16 : 10) + digit;
      if (code > 126) return std::nullopt;
    }
    if (code < 32 && code != '\t' && code != '\n') return std::nullopt;
    return static_cast<char>(code);
  }

  bool attributes(XmlElement& element) {
    while (true) {
      const bool gap = is_space(now());
      skip_space();
      if (now() == '>' || starts("/>")) return true;
      XmlAttribute attribute;
      attribute.at = at_;
      attribute.name = name();
      if (attribute.name.empty() || !gap) {
        return fail(attribute.at, text_.substr(i_, 10), "stands where an attribute or '>' should",
                    "write name=\"value\"");
      }
      skip_space();
      if (now() != '=') return fail(at_, attribute.name, "has no value", "write " + attribute.name + "=\"value\"");
      advance();
      skip_space();
      const char quote = now();
      if (quote != '"' && quote != '\'') {
        return fail(at_, attribute.name, "has a value without quotes", "write " + attribute.name + "=\"value\"");
      }
      advance();
      attribute.value_at = at_;
      PlacedText value;
      while (i_ < text_.size() && now() != quote && now() != '<') {
        if (!character(value)) return false;
      }
      if (now() != quote) return fail(attribute.value_at, value.text, "has no closing quote", "end it with a quote");
      advance();
      if (element.attribute(attribute.name) != nullptr) {
        return fail(attribute.at, attribute.name, "stands twice in this element", "remove one");
      }
      attribute.value = std::move(value.text);
      element.attributes.push_back(std::move(attribute));
    }
  }

  /// The element at hand with all it contains; a stack of our own instead of the machine's.
  bool elements() {
    std::vector<XmlElement> open;
    while (true) {
      if (starts("<!--")) {
        if (!skip_to_behind("-->", "<!--")) return false;
      } else if (starts("<?")) {
        if (!skip_to_behind("?>", "<?")) return false;
      } else if (starts("<![CDATA[")) {
        if (!cdata(open.back())) return false;
      } else if (starts("</")) {
        if (!end_tag(open)) return false;
        if (open.empty()) return true;
      } else if (now() == '<') {
        if (open.size() >= kMaxXmlDepth) {
          report_.add(Code::Limit, at_, text_.substr(i_, 10),
                      "is nested deeper than " + std::to_string(kMaxDepth) + " blocks",
                      "make a task of the inner blocks");
          return false;
        }
        if (!start_tag(open)) return false;
        if (open.empty()) return true;
      } else if (i_ >= text_.size()) {
        return fail(open.back().at, open.back().name, "has no end", "write </" + open.back().name + ">");
      } else if (!character(open.back().text)) {
        return false;
      }
    }
  }

  bool cdata(XmlElement& element) {
    const Position at = at_;
    const std::size_t end = text_.find("]]>", i_);
    if (end == std::string_view::npos) return fail(at, "<![CDATA[", "does not end", "end it with ]]>");
    advance(9);
    while (i_ < end) {
      element.text.text += now();
      element.text.places.push_back(at_);
      advance();
    }
    advance(3);
    return true;
  }

  bool start_tag(std::vector<XmlElement>& open) {
    XmlElement element;
    element.at = at_;
    advance();
    element.name = name();
    if (element.name.empty()) {
      return fail(element.at, text_.substr(i_ - 1, 10), "is no element", "write &lt; for the sign <");
    }
    if (!attributes(element)) return false;
    const bool empty = now() == '/';
    advance(empty ? 2 : 1);
    open.push_back(std::move(element));
    if (empty) close(open);
    return true;
  }

  bool end_tag(std::vector<XmlElement>& open) {
    const Position at = at_;
    advance(2);
    const std::string_view found = name();
    if (found != open.back().name) {
      return fail(at, found,
                  "ends no open element: '" + open.back().name + "' of line " + std::to_string(open.back().at.line) +
                      " is open",
                  "write </" + open.back().name + ">");
    }
    open.back().text.places.push_back(at);  // the end of its text
    skip_space();
    if (now() != '>')
      return fail(at_, found, "has more than its name in the end tag", "write </" + open.back().name + ">");
    advance();
    close(open);
    return true;
  }

  void close(std::vector<XmlElement>& open) {
    XmlElement done = std::move(open.back());
    open.pop_back();
    if (done.text.places.size() == done.text.text.size()) done.text.places.push_back(at_);
    if (open.empty()) {
      root_ = std::move(done);
    } else {
      open.back().children.push_back(std::move(done));
    }
  }

  std::string_view text_;
  Report& report_;
  std::size_t i_ = 0;
  Position at_{1, 1};
  std::optional<XmlElement> root_;
};

}  // namespace

const XmlAttribute* XmlElement::attribute(std::string_view wanted) const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(), [&](const auto& a) { return a.name == wanted; });
  return found == attributes.end() ? nullptr : &*found;
}

bool XmlElement::has_text() const {
  return !std::all_of(text.text.begin(), text.text.end(), is_space);
}

std::optional<XmlElement> read_xml_element(std::string_view text, Report& report) {
  return XmlReader(text, report).run();
}

}  // namespace hl_behavior::rtdl
