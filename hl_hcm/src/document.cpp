// SPDX-License-Identifier: Apache-2.0
// Writes the state diagram and the tables of the documentation from the code.
// usage: document DOCS_DIR README.md
#include <cstdio>
#include <fstream>
#include <sstream>

#include "hl_hcm/parameters.hpp"
#include "hl_hcm/state_machine.hpp"

namespace {

bool replace_between(std::string& text, const std::string& name, const std::string& content) {
  const std::string begin = "<!-- " + name + " begin -->\n", end = "<!-- " + name + " end -->";
  const std::size_t from = text.find(begin), to = text.find(end);
  if (from == std::string::npos || to == std::string::npos) {
    std::fprintf(stderr, "the README lacks the markers %s%s\n", begin.c_str(), end.c_str());
    return false;
  }
  text.replace(from + begin.size(), to - from - begin.size(), content);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s DOCS_DIR README.md\n", argv[0]);
    return 2;
  }
  const std::string docs = argv[1], readme = argv[2];
  std::ofstream(docs + "/states.dot") << hl_hcm::state_diagram_dot();
  std::stringstream stream;
  stream << std::ifstream(readme).rdbuf();
  std::string text = stream.str();
  if (!replace_between(text, "transitions", hl_hcm::transition_table_markdown()) ||
      !replace_between(text, "parameters", hl_hcm::parameter_table_markdown()))
    return 1;
  std::ofstream(readme) << text;
  std::printf("now draw it: dot -Tsvg %s/states.dot -o %s/states.svg\n", docs.c_str(), docs.c_str());
  return 0;
}
