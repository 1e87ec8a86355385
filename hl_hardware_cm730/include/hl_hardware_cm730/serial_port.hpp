// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hl_hardware_cm730/bus_port.hpp"

namespace hl_hardware_cm730 {

/// A serial device at 1 Mbaud (or a pseudo-terminal), low latency, that sleeps while it waits.
class SerialPort : public BusPort {
 public:
  explicit SerialPort(std::string device);
  ~SerialPort() override;
  SerialPort(const SerialPort&) = delete;
  SerialPort& operator=(const SerialPort&) = delete;

  bool open() override;
  void close() override;
  std::string error() const override { return error_; }

  double now() const override;
  void sleep_until(double time) override;
  bool write(const uint8_t* bytes, size_t size) override;
  int read(uint8_t* bytes, size_t capacity, double deadline) override;
  void discard_input() override;

  /// ms of the FTDI latency timer as it is now; 0 = this is no FTDI adapter.
  int latency_timer() const { return latency_timer_; }

 private:
  void lower_latency();
  bool wait(short events, double deadline);
  bool fail(const std::string& what);

  std::string device_;
  std::string error_;
  int fd_ = -1;
  int latency_timer_ = 0;
};

}  // namespace hl_hardware_cm730
