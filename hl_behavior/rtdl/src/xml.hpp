// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hl_behavior/rtdl/diagnostic.hpp"
#include "lexer.hpp"

namespace hl_behavior::rtdl {

struct XmlAttribute {
  std::string name, value;
  Position at, value_at;
};

struct XmlElement {
  std::string name;
  Position at;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  PlacedText text;  // all character data, in one

  const XmlAttribute* attribute(std::string_view name) const;
  bool has_text() const;  // more than white space
};

/// The root element of a document. Only what RTDL needs of XML: elements, attributes, the five named entities,
/// character references, CDATA; comments and instructions are skipped. An internal DTD subset is refused, and with it
/// every entity that could grow or read a file. Not well-formed: one error, and no element.
std::optional<XmlElement> read_xml_element(std::string_view text, Report& report);

}  // namespace hl_behavior::rtdl
