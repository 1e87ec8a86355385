// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace hl_testing {

enum class Better { Lower, Higher };

/// One measured figure. `./bench` collects them from the standard output of the programs in each package's `bench/`.
struct Figure {
  std::string package;
  std::string name;
  double value = 0.0;
  std::string unit;
  std::optional<double> budget;  // none: reported only
  Better better = Better::Lower;

  bool ok() const;
  std::string json() const;  // one line
};

/// Prints the figure as one JSON line on standard output.
void report(const Figure& figure);

/// True if `./bench --quick` asked for a short run (argument `--quick`).
bool quick(int argc, char** argv);

}  // namespace hl_testing
