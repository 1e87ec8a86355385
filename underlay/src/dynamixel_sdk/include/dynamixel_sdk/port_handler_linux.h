// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "dynamixel_sdk/port_handler.h"

namespace dynamixel {

/// A serial port (8N1, raw) that sleeps in poll() while it waits.
class PortHandlerLinux : public PortHandler {
 public:
  explicit PortHandlerLinux(const char* port_name);
  ~PortHandlerLinux() override;
  PortHandlerLinux(const PortHandlerLinux&) = delete;
  PortHandlerLinux& operator=(const PortHandlerLinux&) = delete;

  bool openPort() override;
  void closePort() override;
  void clearPort() override;

  void setPortName(const char* port_name) override;
  char* getPortName() override;

  bool setBaudRate(const int baudrate) override;
  int getBaudRate() override;

  int getBytesAvailable() override;
  int readPort(uint8_t* packet, int length) override;
  int writePort(uint8_t* packet, int length) override;

  void setPacketTimeout(uint16_t packet_length) override;
  void setPacketTimeout(double msec) override;
  bool isPacketTimeout() override;

 private:
  using Clock = std::chrono::steady_clock;

  bool configure(unsigned speed);
  void request_low_latency();

  std::string name_;
  int fd_ = -1;
  int baudrate_ = DEFAULT_BAUDRATE_;
  double latency_ms_ = 0.0;  // what the adapter may hold a byte back, both ways together
  Clock::time_point deadline_{};
};

}  // namespace dynamixel
