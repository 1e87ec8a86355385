// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <sstream>
#include <thread>

#include "rclcpp/detail/parameter_store.hpp"

using namespace rclcpp;
using detail::ParameterStore;
using rcl_interfaces::msg::ParameterDescriptor;
using rcl_interfaces::msg::ParameterEvent;
using rcl_interfaces::msg::SetParametersResult;

namespace {

using Names = std::vector<std::string>;

ParameterDescriptor read_only() {
  ParameterDescriptor descriptor;
  descriptor.read_only = true;
  return descriptor;
}

ParameterDescriptor dynamic() {
  ParameterDescriptor descriptor;
  descriptor.dynamic_typing = true;
  return descriptor;
}

ParameterDescriptor integer_range(int64_t from, int64_t to, uint64_t step = 0) {
  ParameterDescriptor descriptor;
  descriptor.integer_range.resize(1);
  descriptor.integer_range[0].from_value = from;
  descriptor.integer_range[0].to_value = to;
  descriptor.integer_range[0].step = step;
  return descriptor;
}

ParameterDescriptor double_range(double from, double to, double step = 0.0) {
  ParameterDescriptor descriptor;
  descriptor.floating_point_range.resize(1);
  descriptor.floating_point_range[0].from_value = from;
  descriptor.floating_point_range[0].to_value = to;
  descriptor.floating_point_range[0].step = step;
  return descriptor;
}

ParameterStore::Options overriding(std::map<std::string, ParameterValue> overrides) {
  ParameterStore::Options options;
  options.overrides = std::move(overrides);
  return options;
}

SetParametersResult accept(const std::vector<Parameter>&) {
  SetParametersResult result;
  result.successful = true;
  return result;
}

SetParametersResult refuse(const std::vector<Parameter>&) {
  SetParametersResult result;
  result.successful = false;
  result.reason = "not now";
  return result;
}

}  // namespace

TEST(ParameterValue, HoldsEveryTypeAndRefusesTheWrongOne) {
  EXPECT_EQ(ParameterValue(3).get<int>(), 3);
  EXPECT_EQ(ParameterValue(3).get<int64_t>(), 3);
  EXPECT_EQ(ParameterValue(1.5f).get<double>(), 1.5);
  EXPECT_EQ(ParameterValue("x").get<std::string>(), "x");
  EXPECT_EQ(ParameterValue(std::vector<int>{1}).get<std::vector<int64_t>>(), (std::vector<int64_t>{1}));
  EXPECT_EQ(ParameterValue(std::vector<float>{1.5f}).get<PARAMETER_DOUBLE_ARRAY>(), (std::vector<double>{1.5}));
  EXPECT_EQ(ParameterValue(std::vector<uint8_t>{7}).get_type(), PARAMETER_BYTE_ARRAY);
  EXPECT_THROW(ParameterValue(3).get<double>(), ParameterTypeException);
  EXPECT_THROW(ParameterValue().get<bool>(), ParameterTypeException);
  rcl_interfaces::msg::ParameterValue foreign;
  foreign.type = 77;
  EXPECT_THROW(ParameterValue{foreign}, std::runtime_error);
}

TEST(Parameter, TellsNameAndTypeOfAMistake) {
  const Parameter parameter("speed", 3);
  EXPECT_EQ(parameter.as_int(), 3);
  EXPECT_THROW(parameter.as_double(), ParameterTypeException);
  try {
    (void)parameter.get_value<double>();
    FAIL();
  } catch (const exceptions::InvalidParameterTypeException& error) {
    EXPECT_STREQ(error.what(), "parameter 'speed' has invalid type: expected [double] got [integer]");
  }
  EXPECT_EQ(Parameter::from_parameter_msg(parameter.to_parameter_msg()), parameter);
  std::ostringstream text;
  text << std::vector<Parameter>{parameter, Parameter("list", std::vector<double>{1.0, 2.5})};
  EXPECT_EQ(text.str(),
            R"({"speed": {"type": "integer", "value": "3"}, "list": {"type": "double_array", "value": "[1, 2.5]"}})");
  text.str("");
  text << Parameter("length", 0.25);
  EXPECT_EQ(text.str(), R"({"name": "length", "type": "double", "value": "0.250000"})");
  EXPECT_EQ(Parameter("b", std::vector<uint8_t>{1, 255}).value_to_string(), "[0x1, 0xff]");
}

TEST(Declare, TakesTheOverrideBeforeTheDefault) {
  ParameterStore store(overriding({{"a", ParameterValue(5)}}));
  EXPECT_EQ(store.declare("a", ParameterValue(1)), ParameterValue(5));
  EXPECT_EQ(store.declare("b", ParameterValue(1)), ParameterValue(1));
  EXPECT_THROW(store.declare("a", ParameterValue(1)), exceptions::ParameterAlreadyDeclaredException);
  EXPECT_THROW(store.declare("", ParameterValue(1)), exceptions::InvalidParametersException);
  ParameterStore other(overriding({{"a", ParameterValue(5)}}));
  EXPECT_EQ(other.declare("a", ParameterValue(1), ParameterDescriptor(), true), ParameterValue(1));
}

TEST(Declare, RefusesOverridesThatDoNotFit) {
  ParameterStore store(
      overriding({{"gain", ParameterValue(1)}, {"count", ParameterValue(11)}, {"list", ParameterValue(Names{})}}));
  try {
    store.declare("gain", ParameterValue(0.5));
    FAIL();
  } catch (const exceptions::InvalidParameterTypeException& error) {
    EXPECT_NE(std::string(error.what()).find("Write 1.0 for a double"), std::string::npos);
  }
  EXPECT_FALSE(store.has("gain"));
  EXPECT_THROW(store.declare("count", ParameterValue(1), integer_range(0, 10)),
               exceptions::InvalidParameterValueException);
  EXPECT_THROW(store.declare("c2", ParameterValue(11), integer_range(0, 10)),
               exceptions::InvalidParameterValueException);
  EXPECT_EQ(store.declare("list", ParameterValue(std::vector<double>{1.0})), ParameterValue(std::vector<double>{}))
      << "an empty array takes the declared type";
}

TEST(Declare, WithoutADefaultStaysUninitialized) {
  ParameterStore store(overriding({{"given", ParameterValue(2)}}));
  EXPECT_EQ(store.declare("given", PARAMETER_INTEGER), ParameterValue(2));
  EXPECT_EQ(store.declare("missing", PARAMETER_INTEGER).get_type(), PARAMETER_NOT_SET);
  EXPECT_TRUE(store.has("missing"));
  EXPECT_THROW(store.get("missing"), exceptions::ParameterUninitializedException);
  Parameter parameter;
  EXPECT_FALSE(store.get("missing", parameter));
  EXPECT_FALSE(store.set_atomically({Parameter("missing", 1.5)}).successful);
  EXPECT_TRUE(store.set_atomically({Parameter("missing", 3)}).successful);
  EXPECT_EQ(store.get("missing").as_int(), 3);
  EXPECT_THROW(store.declare("none", PARAMETER_NOT_SET), std::invalid_argument);
  EXPECT_THROW(store.declare("none", PARAMETER_INTEGER, dynamic()), std::invalid_argument);
  EXPECT_THROW(store.declare("none", ParameterValue()), std::invalid_argument);
  EXPECT_NO_THROW(store.declare("none", ParameterValue(), dynamic()));
}

TEST(Declare, FromOverridesOnRequest) {
  auto options = overriding({{"a", ParameterValue(5)}, {"b.c", ParameterValue("x")}});
  options.declare_from_overrides = true;
  ParameterStore store(options);
  EXPECT_EQ(store.get("b.c").as_string(), "x");
  EXPECT_TRUE(store.set_atomically({Parameter("a", "now text")}).successful) << "they are dynamically typed";
}

TEST(Set, KeepsTypeRangeAndReadOnly) {
  ParameterStore store({});
  store.declare("i", ParameterValue(4), integer_range(0, 10, 2));
  store.declare("d", ParameterValue(0.5), double_range(0.0, 1.0, 0.1));
  store.declare("fixed", ParameterValue(1), read_only());
  const auto reason = [&](const Parameter& parameter) { return store.set({parameter})[0].reason; };
  EXPECT_EQ(reason({"i", 6}), "");
  EXPECT_EQ(reason({"i", 10}), "");
  EXPECT_EQ(reason({"i", 7}), "Parameter {i} doesn't comply with integer range: 7 is not in [0, 10] in steps of 2");
  EXPECT_NE(reason({"i", 12}), "");
  EXPECT_NE(reason({"i", -2}), "");
  EXPECT_EQ(reason({"d", 0.3}), "");
  EXPECT_EQ(reason({"d", 0.1 + 0.2}), "") << "rounding is forgiven";
  EXPECT_NE(reason({"d", 0.35}), "");
  EXPECT_NE(reason({"d", 1.1}), "");
  EXPECT_NE(reason({"d", std::numeric_limits<double>::quiet_NaN()}), "");
  EXPECT_EQ(reason({"i", 1.0}),
            "Wrong parameter type, parameter {i} is of type {integer}, setting it to {double} is not allowed.");
  EXPECT_EQ(reason({"fixed", 2}), "parameter 'fixed' cannot be set because it is read-only");
  EXPECT_NE(reason(Parameter("i")), "") << "a static parameter cannot be unset";
  EXPECT_EQ(store.get("i").as_int(), 10);
  EXPECT_EQ(store.get("fixed").as_int(), 1);
  EXPECT_THROW(store.set({Parameter("unknown", 1)}), exceptions::ParameterNotDeclaredException);
}

TEST(Set, ExtremeIntegerRangesDoNotOverflow) {
  ParameterStore store({});
  store.declare("i", ParameterValue(int64_t{INT64_MIN}), integer_range(INT64_MIN, INT64_MAX, 3));
  EXPECT_TRUE(store.set({Parameter("i", int64_t{INT64_MIN} + 3)})[0].successful);
  EXPECT_FALSE(store.set({Parameter("i", int64_t{INT64_MIN} + 4)})[0].successful);
  EXPECT_TRUE(store.set({Parameter("i", int64_t{INT64_MAX})})[0].successful);
}

TEST(Set, AtomicallyMeansAllOrNone) {
  ParameterStore store({});
  store.declare("a", ParameterValue(1));
  store.declare("b", ParameterValue(1), integer_range(0, 5));
  EXPECT_FALSE(store.set_atomically({Parameter("a", 2), Parameter("b", 9)}).successful);
  EXPECT_EQ(store.get("a").as_int(), 1);
  EXPECT_TRUE(store.set_atomically({Parameter("a", 2), Parameter("b", 3), Parameter("a", 4)}).successful);
  EXPECT_EQ(store.get("a").as_int(), 4);
  const auto results = store.set({Parameter("a", 7), Parameter("b", 9)});
  EXPECT_TRUE(results[0].successful);
  EXPECT_FALSE(results[1].successful);
  EXPECT_EQ(store.get("a").as_int(), 7);
}

TEST(Set, UndeclaredOnesOnlyWhereAllowed) {
  ParameterStore::Options options;
  options.allow_undeclared = true;
  ParameterStore store(options);
  EXPECT_EQ(store.get("x").get_type(), PARAMETER_NOT_SET);
  EXPECT_TRUE(store.set_atomically({Parameter("x", 1)}).successful);
  EXPECT_TRUE(store.set_atomically({Parameter("x", "text")}).successful);
  EXPECT_EQ(store.types({"x", "y"}), (std::vector<uint8_t>{PARAMETER_STRING, PARAMETER_NOT_SET}));
  EXPECT_TRUE(store.set_atomically({Parameter("x")}).successful);
  EXPECT_FALSE(store.has("x")) << "unset means removed";
}

TEST(Callbacks, TheNewestIsAskedFirstAndTheFirstRefusalCounts) {
  ParameterStore store({});
  store.declare("a", ParameterValue(1));
  std::string asked;
  auto one = store.add_on_set_callback([&](const auto& p) {
    asked += "1";
    return accept(p);
  });
  auto two = store.add_on_set_callback([&](const auto& p) {
    asked += "2";
    return accept(p);
  });
  EXPECT_TRUE(store.set_atomically({Parameter("a", 2)}).successful);
  EXPECT_EQ(asked, "21");
  auto three = store.add_on_set_callback(refuse);
  const auto result = store.set_atomically({Parameter("a", 3)});
  EXPECT_FALSE(result.successful);
  EXPECT_EQ(result.reason, "not now");
  EXPECT_EQ(asked, "21");
  EXPECT_EQ(store.get("a").as_int(), 2);
  EXPECT_THROW(store.declare("b", ParameterValue(1)), exceptions::InvalidParameterValueException);
  store.remove_on_set_callback(three.get());
  EXPECT_THROW(store.remove_on_set_callback(three.get()), std::runtime_error);
  two.reset();
  asked.clear();
  EXPECT_TRUE(store.set_atomically({Parameter("a", 3)}).successful);
  EXPECT_EQ(asked, "1");
}

TEST(Callbacks, MayReadButNotChange) {
  ParameterStore store({});
  store.declare("a", ParameterValue(1));
  store.declare("b", ParameterValue(2));
  int64_t seen = 0;
  auto handle = store.add_on_set_callback([&](const auto& p) {
    seen = store.get("b").as_int();
    EXPECT_THROW(store.set({Parameter("b", 3)}), exceptions::ParameterModifiedInCallbackException);
    EXPECT_THROW(store.declare("c", ParameterValue(1)), exceptions::ParameterModifiedInCallbackException);
    EXPECT_THROW((void)store.add_on_set_callback(accept), exceptions::ParameterModifiedInCallbackException);
    return accept(p);
  });
  EXPECT_TRUE(store.set_atomically({Parameter("a", 5)}).successful);
  EXPECT_EQ(seen, 2);
  auto thrower = store.add_on_set_callback([](const auto&) -> SetParametersResult { throw std::logic_error("x"); });
  EXPECT_THROW(store.set({Parameter("a", 6)}), std::logic_error);
  thrower.reset();
  EXPECT_TRUE(store.set_atomically({Parameter("a", 6)}).successful) << "an exception leaves the store usable";
}

TEST(Undeclare, OnlyDynamicAndWritableOnes) {
  ParameterStore store({});
  auto fixed = dynamic();
  fixed.read_only = true;
  store.declare("static", ParameterValue(1));
  store.declare("dynamic", ParameterValue(1), dynamic());
  store.declare("fixed", ParameterValue(1), fixed);
  store.undeclare("dynamic");
  EXPECT_FALSE(store.has("dynamic"));
  EXPECT_THROW(store.undeclare("static"), exceptions::InvalidParameterTypeException);
  EXPECT_THROW(store.undeclare("fixed"), exceptions::ParameterImmutableException);
  EXPECT_THROW(store.undeclare("unknown"), exceptions::ParameterNotDeclaredException);
}

TEST(Events, TellWhatIsNewChangedAndDeleted) {
  std::vector<ParameterEvent> events;
  ParameterStore::Options options;
  options.on_event = [&](ParameterEvent&& event) { events.push_back(std::move(event)); };
  ParameterStore store(options);
  store.declare("a", ParameterValue(1), dynamic());
  store.set({Parameter("a", 2)});
  store.set({Parameter("a")});
  store.set({});
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].new_parameters.at(0).name, "a");
  EXPECT_EQ(events[1].changed_parameters.at(0).value.integer_value, 2);
  EXPECT_EQ(events[2].deleted_parameters.at(0).name, "a");
}

TEST(List, ByPrefixAndDepth) {
  ParameterStore store({});
  for (const char* name : {"a", "b.c", "b.d.e", "bc.d"}) {
    store.declare(name, ParameterValue(1));
  }
  const auto names = [&](const Names& prefixes, uint64_t depth) { return store.list(prefixes, depth).names; };
  EXPECT_EQ(names({}, 0), (Names{"a", "b.c", "b.d.e", "bc.d"}));
  EXPECT_EQ(names({}, 1), (Names{"a"}));
  EXPECT_EQ(names({}, 2), (Names{"a", "b.c", "bc.d"}));
  EXPECT_EQ(names({"b"}, 0), (Names{"b.c", "b.d.e"}));
  EXPECT_EQ(names({"b"}, 1), (Names{"b.c"}));
  EXPECT_EQ(names({"b.d", "a"}, 1), (Names{"a", "b.d.e"}));
  EXPECT_EQ(store.list({}, 0).prefixes, (Names{"b", "b.d", "bc"}));

  std::map<std::string, Parameter> below;
  EXPECT_TRUE(store.get_by_prefix("b", below));
  ASSERT_EQ(below.size(), 2u);
  EXPECT_EQ(below.at("d.e").get_name(), "b.d.e");
  EXPECT_FALSE(store.get_by_prefix("nothing", below));
}

TEST(Describe, GivesTheDescriptorWithNameAndType) {
  ParameterStore store({});
  auto descriptor = integer_range(0, 3);
  descriptor.description = "how many";
  store.declare("count", ParameterValue(1), descriptor);
  const auto described = store.describe({"count"});
  EXPECT_EQ(described.at(0).name, "count");
  EXPECT_EQ(described.at(0).type, PARAMETER_INTEGER);
  EXPECT_EQ(described.at(0).description, "how many");
  EXPECT_THROW(store.describe({"unknown"}), exceptions::ParameterNotDeclaredException);
  EXPECT_THROW(store.types({"unknown"}), exceptions::ParameterNotDeclaredException);
}

TEST(Store, IsSafeForManyThreads) {
  ParameterStore::Options options;
  std::atomic<int> events{0};
  options.on_event = [&](ParameterEvent&&) { ++events; };
  ParameterStore store(options);
  store.declare("a", ParameterValue(0));
  store.declare("b", ParameterValue(0));
  auto handle = store.add_on_set_callback(accept);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&store, t] {
      for (int i = 0; i < 500; ++i) {
        store.set_atomically({Parameter("a", i), Parameter("b", i)});
        const auto both = store.get(Names{"a", "b"});
        EXPECT_EQ(both[0].as_int(), both[1].as_int());
        store.declare("own." + std::to_string(t) + "." + std::to_string(i), ParameterValue(i));
        store.list({"own"}, 0);
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(events, 2 + 4 * 500 * 2);
}
