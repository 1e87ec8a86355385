// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "hl_behavior/rtdl/interpreter.hpp"
#include "hl_behavior/rtdl/syntax.hpp"
#include "hl_behavior/rtdl/validator.hpp"
#include "hl_testing/allocations.hpp"
#include "hl_testing/bench_report.hpp"

using namespace hl_behavior::rtdl;
using Clock = std::chrono::steady_clock;

namespace {

Catalogue robot() {
  Catalogue catalogue;
  catalogue.capabilities = {{"go", "move", {{"distance", "number", false, true}}, true, 1.0, Ending::ByItself, 0.0, ""},
                            {"look", "head", {}, false, 1.0, Ending::ByItself, 0.0, ""}};
  catalogue.predicates = {{"known", {}, "truth", ""}, {"distance", {}, "number", ""}};
  return catalogue;
}

class Stage : public World, public SkillHost {
 public:
  Answer ask(int predicate, Arguments) const override {
    return {predicate == 0 ? Datum::truth(true) : Datum::of(2.0), {}};
  }
  Progress start(int, const Capability&, Arguments) override { return {}; }
  Progress state(int) override {
    return {++asked_ % 3 == 0 ? Progress::State::Succeeded : Progress::State::Running, {}};
  }
  void abort(int) override {}

 private:
  int asked_ = 0;
};

/// 200 statements, an endless loop, both slots busy.
std::string task_200() {
  std::string move;
  std::string head;
  for (int i = 0; i < 49; ++i) {
    move += "if (known and distance > 1) go(0.5); endif ";
    head += "retry(2) look(); endtry ";
  }
  return "rtdl 1.0 task t() { while (known) do par " + move + "to " + head + "endpar done }";
}

std::string lines_1000() {
  std::string text = "rtdl 1.0\ntask t(number n) {\n";
  for (int i = 0; i < 199; ++i)
    text +=
        "  while (known and distance > 0.5 or n < 3) do\n    go(0.5);\n    look(); /* line */\n    go(n);\n  done\n";
  return text + "}\n/* 1000 */\n/* lines */\n";
}

double percentile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = hl_testing::quick(argc, argv);
  const auto catalogue = std::make_shared<const Catalogue>(robot());
  Report report("bench");
  const auto program = link(read(task_200(), report), catalogue, {}, report);
  if (program == nullptr) return 1;
  Interpreter::Params params;
  params.time_limit = 0.0;
  Interpreter interpreter(program, params);
  Stage stage;
  if (interpreter.start({}, 0.0)) return 1;
  const int ticks = quick ? 10'000 : 200'000;
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(ticks));
  const std::size_t before = hl_testing::allocations::count;
  for (int i = 0; i < ticks; ++i) {
    const auto begin = Clock::now();
    interpreter.tick(stage, stage, 0.01 * i);
    times.push_back(1e6 * std::chrono::duration<double>(Clock::now() - begin).count());
    interpreter.clear_trace();
  }
  const std::size_t allocated = hl_testing::allocations::count - before;
  using hl_testing::Better;
  hl_testing::report(
      {"hl_behavior", "RTDL tick, 200 statements, p99", percentile(times, 0.99), "us", 20.0, Better::Lower});
  hl_testing::report(
      {"hl_behavior", "RTDL, allocations per tick", static_cast<double>(allocated) / ticks, "", 0.0, Better::Lower});

  const std::string text = lines_1000();
  std::vector<double> checks;
  for (int i = 0; i < (quick ? 5 : 50); ++i) {
    const auto begin = Clock::now();
    Report found("lines");
    validate(read(text, found), *catalogue, {}, found);
    checks.push_back(1e3 * std::chrono::duration<double>(Clock::now() - begin).count());
    if (!found.ok()) return 1;
  }
  hl_testing::report(
      {"hl_behavior", "RTDL, read and validate 1000 lines", percentile(checks, 0.5), "ms", 20.0, Better::Lower});
}
