// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>
#include <set>

#include "hl_behavior/rtdl/interpreter.hpp"
#include "hl_behavior/rtdl/library.hpp"
#include "hl_behavior/rtdl/syntax.hpp"

using namespace hl_behavior::rtdl;
using State = Interpreter::State;
using Kind = TraceEvent::Kind;

namespace {

/// A robot whose actions end when the test says so.
class Stage : public World, public SkillHost {
 public:
  std::map<std::string, bool> truths;
  std::map<std::string, std::vector<Progress>> script;  // outcome of each start in turn; none = runs on
  std::vector<std::string> log;                         // +started, -aborted
  std::map<int, std::string> running;
  std::map<std::string, double> values;

  Answer ask(int predicate, Arguments) const override {
    const std::string name(catalogue()->predicates[static_cast<std::size_t>(predicate)].name);
    if (const auto value = values.find(name); value != values.end()) return {Datum::of(value->second), {}};
    const auto found = truths.find(name);
    if (found == truths.end()) return {{}, "nobody knows"};
    return {Datum::truth(found->second), {}};
  }

  Progress start(int ticket, const Capability& capability, Arguments) override {
    EXPECT_EQ(running.count(ticket), 0u);
    log.push_back("+" + capability.name);
    auto& outcomes = script[capability.name];
    if (!outcomes.empty()) {
      const Progress outcome = outcomes.front();
      outcomes.erase(outcomes.begin());
      if (outcome.state != Progress::State::Running) return outcome;
    }
    running[ticket] = capability.name;
    return {};
  }

  Progress state(int ticket) override {
    const std::string name = running.at(ticket);
    const auto found = finished.find(name);
    if (found == finished.end()) return {};
    const Progress result = found->second;
    running.erase(ticket);
    finished.erase(found);
    return result;
  }

  void abort(int ticket) override {
    ASSERT_EQ(running.count(ticket), 1u);
    log.push_back("-" + running[ticket]);
    running.erase(ticket);
  }

  void finish(const std::string& name) { finished[name] = {Progress::State::Succeeded, {}}; }
  void fail(const std::string& name) { finished[name] = {Progress::State::Failed, "broken"}; }

  static const std::shared_ptr<const Catalogue>& catalogue() {
    static const auto kCatalogue = [] {
      auto c = std::make_shared<Catalogue>();
      c->types = {{"Thing", "entity"}};
      for (const char* name : {"a", "b", "c"})
        c->capabilities.push_back({name, name, {}, true, 1.0, Ending::ByItself, 0.0, ""});
      c->capabilities.push_back({"free", "", {}, true, 1.0, Ending::ByItself, 0.0, ""});
      c->capabilities.push_back({"mode", "a", {}, false, 0.0, Ending::Lasting, 0.0, ""});
      c->capabilities.push_back(
          {"wait", "", {{"seconds", "number", false, true}}, false, 1.0, Ending::AfterSeconds, 0.0, ""});
      c->capabilities.push_back({"slow", "b", {}, true, 1.0, Ending::ByItself, 5.0, ""});
      c->capabilities.push_back({"make", "", {{"thing", "Thing", true, true}}, true, 0.0, Ending::ByItself, 0.0, ""});
      c->capabilities.push_back({"use", "", {{"thing", "Thing", false, true}}, true, 0.0, Ending::ByItself, 0.0, ""});
      c->predicates = {{"p", {}, "truth", ""}, {"q", {}, "truth", ""}, {"level", {}, "number", ""}};
      EXPECT_EQ(c->validate(), std::nullopt);
      return std::shared_ptr<const Catalogue>(c);
    }();
    return kCatalogue;
  }

 private:
  std::map<std::string, Progress> finished;
};

const Progress kDone{Progress::State::Succeeded, {}};
const Progress kBroken{Progress::State::Failed, "broken"};

struct Drive {
  Stage stage;
  std::unique_ptr<Interpreter> interpreter;
  double now = 0.0;

  explicit Drive(const std::string& body, const std::vector<std::string>& tasks = {}, Interpreter::Params params = {},
                 const std::string& parameters = "", const std::vector<std::string>& arguments = {}) {
    Library library;
    for (const std::string& text : tasks) {
      Report report("library");
      library.add(read(text, report), "library");
      EXPECT_TRUE(report.ok());
    }
    Report report("text");
    const Document document = read("rtdl 1.0 task t(" + parameters + ") {" + body + "}", report);
    const auto program = link(document, Stage::catalogue(), library, report);
    for (const Diagnostic& d : report.all()) {
      if (!is_warning(d.code)) ADD_FAILURE() << to_text(d);
    }
    interpreter = std::make_unique<Interpreter>(program, params);
    EXPECT_EQ(interpreter->start(arguments, now), std::nullopt);
  }

  State tick(double dt = 0.1) {
    now += dt;
    return interpreter->tick(stage, stage, now);
  }

  int count(Kind kind) const {
    int n = 0;
    for (const TraceEvent& event : interpreter->trace()) n += event.kind == kind ? 1 : 0;
    return n;
  }
};

using Log = std::vector<std::string>;

}  // namespace

TEST(Interpreter, RunsASequenceInOrder) {
  Drive run("a(); b(); c();");
  EXPECT_EQ(run.tick(), State::Running);
  EXPECT_EQ(run.stage.log, (Log{"+a"}));
  run.stage.finish("a");
  run.tick();
  EXPECT_EQ(run.stage.log, (Log{"+a", "+b"}));
  run.stage.finish("b");
  run.tick();
  run.stage.finish("c");
  EXPECT_EQ(run.tick(), State::Succeeded);
}

TEST(Interpreter, AnEmptyTaskSucceeds) {
  EXPECT_EQ(Drive("").tick(), State::Succeeded);
  EXPECT_EQ(Drive("par to endpar retry(3) endtry if (always) endif").tick(), State::Succeeded);
}

TEST(Interpreter, TheFirstFailureFailsTheTaskAndEveryCaller) {
  Drive run("helper(); b();", {"rtdl 1.0 task helper() { free(); a(); }"});
  run.stage.script["free"] = {kBroken};
  EXPECT_EQ(run.tick(), State::Failed);
  EXPECT_EQ(run.interpreter->reason(), "broken");
  EXPECT_EQ(run.stage.log, (Log{"+free"}));
}

TEST(Interpreter, AnOptionalCallMayFail) {
  Drive run("optional free(); b();");
  run.stage.script["free"] = {kBroken};
  run.tick();
  EXPECT_EQ(run.stage.log, (Log{"+free", "+b"}));
  EXPECT_EQ(run.count(Kind::Ignored), 1);
}

TEST(Interpreter, RetryCountsAttempts) {
  Drive run("retry(3) b(); free(); endtry");
  run.stage.script["b"] = {kDone, kDone, kDone};
  run.stage.script["free"] = {kBroken, kBroken, kDone};
  EXPECT_EQ(run.tick(), State::Succeeded);
  EXPECT_EQ(run.stage.log, (Log{"+b", "+free", "+b", "+free", "+b", "+free"}));
  Drive twice("retry(2) free(); endtry");
  twice.stage.script["free"] = {kBroken, kBroken, kDone};
  EXPECT_EQ(twice.tick(), State::Failed);
  EXPECT_EQ(twice.stage.log.size(), 2u);
  Drive once("retry(1) free(); endtry");
  once.stage.script["free"] = {kBroken, kDone};
  EXPECT_EQ(once.tick(), State::Failed);
}

TEST(Interpreter, RetrycountIsPerCallMultipliesWithRetryAndIsNotInherited) {
  Drive run("retrycount(2); retry(3) free(); endtry");
  run.stage.script["free"].assign(6, kBroken);
  EXPECT_EQ(run.tick(), State::Failed);
  EXPECT_EQ(run.stage.log.size(), 6u);
  Drive inner("retrycount(2); helper();", {"rtdl 1.0 task helper() { free(); }"});
  inner.stage.script["free"].assign(9, kBroken);
  EXPECT_EQ(inner.tick(), State::Failed);
  EXPECT_EQ(inner.stage.log.size(), 2u);  // the call of helper twice, free in it once each
}

TEST(Interpreter, IfAndWhileFollowTheWorld) {
  Drive run("if (p) a(); endif while (q) do b(); done c();");
  run.stage.truths = {{"p", false}, {"q", true}};
  run.tick();
  EXPECT_EQ(run.stage.log, (Log{"+b"}));
  run.stage.finish("b");
  run.tick();
  EXPECT_EQ(run.stage.log, (Log{"+b", "+b"}));
  run.stage.truths["q"] = false;
  run.stage.finish("b");
  run.tick();
  EXPECT_EQ(run.stage.log, (Log{"+b", "+b", "+c"}));
}

TEST(Interpreter, AConditionThatCannotBeToldIsFalseAndReported) {
  Drive run("if (p) a(); endif if (not p) a(); endif if (p or always) b(); endif");
  run.tick();
  EXPECT_EQ(run.stage.log, (Log{"+b"}));
  EXPECT_EQ(run.count(Kind::Unknown), 2);
}

TEST(Interpreter, ComparesNumbers) {
  for (const auto& [text, expected] : std::map<std::string, bool>{{"level < 3", true},
                                                                  {"level <= 2", true},
                                                                  {"level > 2", false},
                                                                  {"level >= 2", true},
                                                                  {"level = 2", true},
                                                                  {"level != 2", false},
                                                                  {"not level = 2", false},
                                                                  {"level = n", true},
                                                                  {"taskTime < 1", true}}) {
    Drive run("if (" + text + ") a(); endif", {}, {}, "number n", {"2"});
    run.stage.values["level"] = 2.0;
    run.tick();
    EXPECT_EQ(run.stage.log.size(), expected ? 1u : 0u) << text;
  }
  Drive nan("if (level < 3) a(); endif");
  nan.stage.values["level"] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(nan.tick(), State::Succeeded);
  EXPECT_EQ(nan.count(Kind::Unknown), 1);
}

TEST(Interpreter, ParWaitsForBothBranches) {
  Drive run("par a(); to b(); endpar c();");
  run.tick();
  EXPECT_EQ(run.stage.log, (Log{"+a", "+b"}));
  run.stage.finish("b");
  run.tick();
  EXPECT_EQ(run.stage.log.size(), 2u);
  run.stage.finish("a");
  run.tick();
  EXPECT_EQ(run.stage.log, (Log{"+a", "+b", "+c"}));
}

TEST(Interpreter, AFailingBranchCancelsTheOther) {
  Drive run("par par a(); to b(); endpar to c(); endpar");
  run.tick();
  run.stage.fail("c");
  EXPECT_EQ(run.tick(), State::Failed);
  EXPECT_EQ(run.stage.log, (Log{"+a", "+b", "+c", "-a", "-b"}));
  EXPECT_TRUE(run.stage.running.empty());
}

TEST(Interpreter, CancelAbortsAllThatRuns) {
  Drive run("mode(); par b(); to helper(); endpar", {"rtdl 1.0 task helper() { c(); }"});
  run.tick();
  EXPECT_EQ(run.stage.running.size(), 3u);
  run.interpreter->cancel(run.stage, "Ctrl-C", run.now);
  EXPECT_EQ(run.interpreter->state(), State::Cancelled);
  EXPECT_TRUE(run.stage.running.empty());
  EXPECT_EQ(run.tick(), State::Cancelled);
  EXPECT_EQ(run.interpreter->trace().back().kind, Kind::Cancelled);
}

TEST(Interpreter, ALastingActionHoldsItsSlotUntilItIsWantedOrTheTaskEnds) {
  Drive run("mode(); b(); a();");
  run.tick();
  EXPECT_EQ(run.stage.log, (Log{"+mode", "+b"}));
  run.stage.finish("b");
  run.tick();
  EXPECT_EQ(run.stage.log, (Log{"+mode", "+b", "-mode", "+a"}));
  Drive end("mode(); b();");
  end.tick();
  end.stage.finish("b");
  EXPECT_EQ(end.tick(), State::Succeeded);
  EXPECT_TRUE(end.stage.running.empty());
}

TEST(Interpreter, PauseAbortsAndResumeStartsTheSameAttemptAgain) {
  Drive run("retrycount(1); mode(); b();");
  run.tick();
  run.interpreter->pause(run.stage, "penalty", run.now);
  EXPECT_TRUE(run.stage.running.empty());
  EXPECT_EQ(run.tick(1000.0), State::Paused);
  run.interpreter->resume(run.now);
  EXPECT_EQ(run.tick(), State::Running);
  EXPECT_EQ(run.stage.running.size(), 2u);
  EXPECT_EQ(run.stage.log, (Log{"+mode", "+b", "-b", "-mode", "+mode", "+b"}));
  run.stage.finish("b");
  EXPECT_EQ(run.tick(), State::Succeeded);
}

TEST(Interpreter, CancelInAPauseAbortsNothingTwice) {
  Drive run("par mode(); to b(); endpar");
  run.tick();
  run.interpreter->pause(run.stage, "fallen", run.now);
  run.interpreter->cancel(run.stage, "stop", run.now);
  EXPECT_EQ(run.interpreter->state(), State::Cancelled);
}

TEST(Interpreter, TimeLimitsEndTasksAndActions) {
  Interpreter::Params params;
  params.time_limit = 2.0;
  Drive run("a();", {}, params);
  EXPECT_EQ(run.tick(1.0), State::Running);
  EXPECT_EQ(run.tick(1.1), State::TimedOut);
  EXPECT_TRUE(run.stage.running.empty());

  Drive slow("optional slow(); c();");
  slow.tick();
  slow.tick(5.5);
  EXPECT_EQ(slow.stage.log, (Log{"+slow", "-slow", "+c"}));
}

TEST(Interpreter, ACalledTaskHasATimeLimitOfItsOwn) {
  Interpreter::Params params;
  params.time_limit = 2.0;
  Report report("text");
  Library library;
  library.add(read("rtdl 1.0 task helper() { a(); }", report), "library");
  const auto program =
      link(read("rtdl 1.0 task t() { optional helper(); c(); }", report), Stage::catalogue(), library, report);
  Interpreter interpreter(program, params);
  Stage stage;
  ASSERT_EQ(interpreter.start({}, 0.0, 100.0), std::nullopt);
  interpreter.tick(stage, stage, 0.0);
  EXPECT_EQ(interpreter.tick(stage, stage, 2.1), State::Running);
  EXPECT_EQ(stage.log, (Log{"+a", "-a", "+c"}));
}

TEST(Interpreter, WaitingTakesItsTime) {
  Drive run("wait(n); a();", {}, {}, "number n", {"1"});
  run.tick();
  run.tick(0.9);
  EXPECT_EQ(run.stage.log, (Log{"+wait"}));
  run.tick(0.2);
  EXPECT_EQ(run.stage.log, (Log{"+wait", "-wait", "+a"}));
}

TEST(Interpreter, ALoopWithoutTimeMakesOnePassPerInstant) {
  Drive run("while (p) do free(); done a();");
  run.stage.truths["p"] = true;
  run.stage.script["free"].assign(100, kDone);
  run.tick(0.0);
  run.tick(0.0);  // no time went by: no pass
  EXPECT_EQ(run.stage.log.size(), 1u);
  run.tick();
  EXPECT_EQ(run.stage.log.size(), 2u);
  Drive empty("while (p) do done a();");
  empty.stage.truths["p"] = true;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(empty.tick(), State::Running);
  empty.stage.truths["p"] = false;
  empty.tick();
  EXPECT_EQ(empty.stage.log, (Log{"+a"}));
}

TEST(Interpreter, ATickIsBounded) {
  Interpreter::Params params;
  params.steps_per_tick = 100;
  Drive run("retry(1000000) free(); endtry", {}, params);
  run.stage.script["free"].assign(100'000, kBroken);
  run.tick();
  EXPECT_LE(run.stage.log.size(), 100u);
  const std::size_t before = run.stage.log.size();
  run.tick();
  EXPECT_GT(run.stage.log.size(), before);
  EXPECT_LE(run.stage.log.size(), 200u);
}

TEST(Interpreter, EntitiesAreUnboundUntilSet) {
  Drive run("entity Thing x; use(x);");
  EXPECT_EQ(run.tick(), State::Failed);
  EXPECT_EQ(run.interpreter->reason(), "'x' is not set yet");
  Drive set("entity Thing x; helper(x); use(x);", {"rtdl 1.0 task helper(Thing y) { make(y); }"});
  set.stage.script["make"] = {kDone};
  set.stage.script["use"] = {kDone};
  EXPECT_EQ(set.tick(), State::Succeeded);
}

TEST(Interpreter, TraceSaysWhatStartedEndedAndFailedAndWhy) {
  Drive run("retry(2)\n  free();\nendtry");
  run.stage.script["free"] = {kBroken, kDone};
  EXPECT_EQ(run.tick(), State::Succeeded);
  std::vector<std::string> lines;
  for (const TraceEvent& event : run.interpreter->trace())
    lines.push_back(to_text(event, run.interpreter->program(), 0.0));
  EXPECT_EQ(lines, (Log{"    0.10 s  1:15 t: started", "    0.10 s  1:20 retry (2): started",
                        "    0.10 s  2:3 free(): started", "    0.10 s  2:3 free(): failed, broken",
                        "    0.10 s  1:20 retry (2): retried, broken", "    0.10 s  1:20 retry (2): started",
                        "    0.10 s  2:3 free(): started", "    0.10 s  2:3 free(): succeeded",
                        "    0.10 s  1:20 retry (2): succeeded", "    0.10 s  1:15 t: succeeded"}));
}

TEST(Interpreter, BadTimesDoNoHarm) {
  Drive run("wait(1);");
  run.tick();
  EXPECT_EQ(run.interpreter->tick(run.stage, run.stage, std::numeric_limits<double>::quiet_NaN()), State::Running);
  EXPECT_EQ(run.interpreter->tick(run.stage, run.stage, -5.0), State::Running);
  EXPECT_EQ(run.interpreter->tick(run.stage, run.stage, 1.2), State::Succeeded);
}

TEST(Interpreter, ParamsNameTheBadValue) {
  Interpreter::Params params;
  EXPECT_EQ(params.validate(), std::nullopt);
  params.time_limit = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(params.validate(), std::nullopt);
  params = {};
  params.passes_per_instant = 0;
  EXPECT_NE(params.validate(), std::nullopt);
}

/// Whatever happens and whenever it is cancelled: never two actions in one slot, and nothing left running at the end.
TEST(Interpreter, NeverTwoOwnersOfASlotAndNothingLeftRunning) {
  const std::string body =
      "retrycount(2); mode(); while (p) do optional a(); retry(2) par mode(); slow(); to c(); if (q) wait(0.3); endif "
      "endpar "
      "endtry optional helper(); done par a(); to par b(); to c(); endpar endpar";
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    Drive run(body, {"rtdl 1.0 task helper() { par b(); to c(); endpar free(); }"});
    const int cancel_at = static_cast<int>(random() % 60);
    for (int tick = 0; tick < 60; ++tick) {
      run.stage.truths = {{"p", random() % 8 != 0}, {"q", random() % 2 == 0}};
      for (const char* name : {"a", "b", "c", "slow", "free"}) {
        if (random() % 3 == 0) run.stage.finish(name);
        if (random() % 9 == 0) run.stage.fail(name);
      }
      if (random() % 10 == 0) run.interpreter->pause(run.stage, "fallen", run.now);
      if (random() % 3 == 0) run.interpreter->resume(run.now);
      const State state = run.tick();
      std::set<std::string> slots;
      for (const auto& [ticket, name] : run.stage.running) {
        const std::string& slot = Stage::catalogue()->capability(name)->slot;
        ASSERT_TRUE(slot.empty() || slots.insert(slot).second) << "seed " << seed << " slot " << slot;
      }
      if (tick == cancel_at) run.interpreter->cancel(run.stage, "test", run.now);
      if (state != State::Running && state != State::Paused) break;
    }
    if (run.interpreter->state() == State::Running || run.interpreter->state() == State::Paused) {
      run.interpreter->cancel(run.stage, "end", run.now);
    }
    ASSERT_TRUE(run.stage.running.empty()) << "seed " << seed;
  }
}
