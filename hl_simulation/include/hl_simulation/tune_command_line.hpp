// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "hl_simulation/tuner.hpp"

namespace hl_simulation {

/// What every tuning program takes on its command line: SPEC.yaml OUT.yaml and how long it searches.
inline void add_options(CLI::App& cli, TuneOrder& order) {
  cli.add_option("SPEC", order.spec_file, "what is changed within which range, and what counts")->required();
  cli.add_option("OUT", order.out_file, "the found values")->required();
  cli.add_option("--threads", order.threads, "else as in SPEC")->check(CLI::PositiveNumber);
  cli.add_option("--generations", order.generations, "else as in SPEC")->check(CLI::PositiveNumber);
  cli.add_option("--time", order.time_limit, "s; else as in SPEC")->check(CLI::PositiveNumber);
  cli.add_flag("--fresh", order.fresh, "begin anew instead of going on where the same command stopped");
}

}  // namespace hl_simulation
