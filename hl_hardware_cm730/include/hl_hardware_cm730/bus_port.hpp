// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hl_hardware_cm730 {

/// The line to the board, with the clock that its time-outs count on. A real device or an emulated one.
class BusPort {
 public:
  virtual ~BusPort() = default;

  /// Opens, or opens again after a loss. False: see error().
  virtual bool open() = 0;
  virtual void close() = 0;
  virtual std::string error() const = 0;  // why the last open, read or write failed, and what to do

  virtual double now() const = 0;  // s, monotonic
  virtual void sleep_until(double time) = 0;

  /// False: the port is lost.
  virtual bool write(const uint8_t* bytes, size_t size) = 0;
  /// Waits until `deadline` for the first byte. 0: none came; negative: the port is lost.
  virtual int read(uint8_t* bytes, size_t capacity, double deadline) = 0;
  virtual void discard_input() = 0;
};

}  // namespace hl_hardware_cm730
