// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tf2 {

enum class TF2Error : std::uint8_t {
  TF2_NO_ERROR = 0,
  TF2_LOOKUP_ERROR = 1,
  TF2_CONNECTIVITY_ERROR = 2,
  TF2_EXTRAPOLATION_ERROR = 3,
  TF2_INVALID_ARGUMENT_ERROR = 4,
  TF2_TIMEOUT_ERROR = 5,
  TF2_TRANSFORM_ERROR = 6,
};

/// The base of everything the library throws.
class TransformException : public std::runtime_error {
 public:
  explicit TransformException(const std::string& error_description) : std::runtime_error(error_description) {}
};

/// The frames are in trees that are not connected.
class ConnectivityException : public TransformException {
 public:
  using TransformException::TransformException;
};

/// A frame does not exist.
class LookupException : public TransformException {
 public:
  using TransformException::TransformException;
};

/// The time is outside what the buffer holds.
class ExtrapolationException : public TransformException {
 public:
  using TransformException::TransformException;
};

/// An empty frame name, a rotation that is none, and the like.
class InvalidArgumentException : public TransformException {
 public:
  using TransformException::TransformException;
};

class TimeoutException : public TransformException {
 public:
  using TransformException::TransformException;
};

}  // namespace tf2
