// SPDX-License-Identifier: Apache-2.0
// Writes the state diagram and the transition table of the documentation from the code.
// usage: state_diagram DOCS_DIR README.md
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "hl_hcm/state_machine.hpp"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s DOCS_DIR README.md\n", argv[0]);
    return 2;
  }
  const std::string docs = argv[1], readme = argv[2];
  std::ofstream(docs + "/states.dot") << hl_hcm::state_diagram_dot();

  std::ifstream in(readme);
  std::stringstream stream;
  stream << in.rdbuf();
  const std::string text = stream.str(), begin = "<!-- transitions begin -->\n", end = "<!-- transitions end -->";
  const std::size_t from = text.find(begin), to = text.find(end);
  if (from == std::string::npos || to == std::string::npos) {
    std::fprintf(stderr, "%s lacks the markers %s and %s\n", readme.c_str(), begin.c_str(), end.c_str());
    return 1;
  }
  in.close();
  std::ofstream(readme) << text.substr(0, from + begin.size()) << hl_hcm::transition_table_markdown()
                        << text.substr(to);
  std::printf("now draw it: dot -Tsvg %s/states.dot -o %s/states.svg\n", docs.c_str(), docs.c_str());
  return 0;
}
