// SPDX-License-Identifier: Apache-2.0
// Every message, the halves of every service and the wire messages of every action, as bytes and back.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>
#include <rclcpp/serialization.hpp>
#include <rclcpp/serialized_message.hpp>
#include <rosidl_runtime_cpp/bounded_vector.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "members.hpp"

namespace {

/// Fills a message with random values.
class Filler {
 public:
  explicit Filler(unsigned seed) : random_(seed) {}

  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      value = static_cast<T>(std::uniform_real_distribution<double>(-1e6, 1e6)(random_));
    } else if constexpr (std::is_same_v<T, bool>) {
      value = std::bernoulli_distribution()(random_);
    } else if constexpr (std::is_arithmetic_v<T>) {
      using Limits = std::numeric_limits<T>;
      value = std::is_signed_v<T>
                  ? static_cast<T>(std::uniform_int_distribution<std::int64_t>(Limits::min(), Limits::max())(random_))
                  : static_cast<T>(std::uniform_int_distribution<std::uint64_t>(0, Limits::max())(random_));
    } else {
      Members<T>::visit(value, *this);
    }
  }
  void operator()(std::string& value) { text(value); }
  void operator()(std::u16string& value) { text(value); }
  template <class T, std::size_t N>
  void operator()(std::array<T, N>& values) {
    for (T& value : values) (*this)(value);
  }
  template <class T, class Allocator>
  void operator()(std::vector<T, Allocator>& values) {
    sequence<T>(values, kLongest);
  }
  template <class T, std::size_t N, class Allocator>
  void operator()(rosidl_runtime_cpp::BoundedVector<T, N, Allocator>& values) {
    sequence<T>(values, std::min(N, kLongest));
  }

 private:
  static constexpr std::size_t kLongest = 4;

  std::size_t length(std::size_t longest) { return std::uniform_int_distribution<std::size_t>(0, longest)(random_); }

  template <class Text>
  void text(Text& value) {
    value.resize(length(kLongest));
    for (auto& letter : value)
      letter = static_cast<typename Text::value_type>(std::uniform_int_distribution<int>('!', '~')(random_));
  }

  template <class T, class Sequence>
  void sequence(Sequence& values, std::size_t longest) {
    values.resize(length(longest));
    for (std::size_t n = 0; n < values.size(); ++n) {
      T value{};
      (*this)(value);
      values[n] = value;
    }
  }

  std::mt19937_64 random_;
};

struct TypeName {
  template <class T>
  static std::string GetName(int) {
    std::string name = rosidl_generator_traits::name<T>();
    for (char& c : name) c = c == '/' ? '_' : c;
    return name;
  }
};

template <class T>
class RoundTrip : public ::testing::Test {};

}  // namespace

TYPED_TEST_SUITE_P(RoundTrip);

TYPED_TEST_P(RoundTrip, ComesBackAsItWas) {
  const rclcpp::Serialization<TypeParam> serialization;
  bool filled = Members<TypeParam>::count == 0;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    TypeParam sent;
    if (seed > 1) Filler{seed}(sent);  // the first one has its defaults
    rclcpp::SerializedMessage bytes;
    serialization.serialize_message(&sent, &bytes);
    TypeParam received;
    Filler{seed + 1000}(received);  // reading must replace whatever was there
    serialization.deserialize_message(&bytes, &received);
    ASSERT_EQ(received, sent) << "seed " << seed;
    filled |= sent != TypeParam();
  }
  EXPECT_TRUE(filled) << "the random values left the message as it was";
}

REGISTER_TYPED_TEST_SUITE_P(RoundTrip, ComesBackAsItWas);
#define INSTANTIATE_PART(number) INSTANTIATE_TYPED_TEST_SUITE_P(Part##number, RoundTrip, Types##number, TypeName);
FOR_EACH_TYPE_LIST(INSTANTIATE_PART)
