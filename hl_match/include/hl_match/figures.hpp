// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace hl_match {

/// One measured number with how sure it is.
struct Figure {
  std::string name;
  double value = 0.0, low = 0.0, high = 0.0;  // and its 95 % interval
  std::string unit;
  std::size_t trials = 0;
};

/// Mean over trials and its 95 % interval (normal; wide where there are few).
Figure mean_of(const std::string& name, const std::vector<double>& trials, const std::string& unit);
/// k of n with Wilson's 95 % interval, in per cent.
Figure share_of(const std::string& name, std::size_t k, std::size_t n);
/// Events per trial, any number in each, with the exact interval of their sum (Poisson): also none is a count.
Figure rate_of(const std::string& name, std::size_t events, std::size_t trials, const std::string& unit);
/// Hits of all events over trials whose events are alike (pictures of one walk): the interval is that between trials,
/// but not narrower than Wilson's.
struct Events {
  std::size_t hits = 0, all = 0;
};
Figure share_in(const std::string& name, const std::vector<Events>& trials);
/// The q-quantile (0..1) of all samples; the interval is that of the quantile
/// over the trials (each one's samples together), because samples of one trial
/// depend on each other.
Figure quantile_of(const std::string& name, const std::vector<std::vector<double>>& trials, double q,
                   const std::string& unit);

/// As a Markdown table; `command` and `seeds` stand above it.
std::string figure_table(const std::string& command, const std::string& seeds, const std::vector<Figure>& figures);

/// Puts `text` into the Markdown file `path` as section `name`, instead of what
/// was there under that name. Throws std::runtime_error if the file cannot be
/// written.
void write_section(const std::string& path, const std::string& name, const std::string& text);

}  // namespace hl_match
