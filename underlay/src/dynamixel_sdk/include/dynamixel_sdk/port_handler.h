// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dynamixel {

/// A byte stream to the bus, with one packet time-out that the packet handlers arm before they read.
class PortHandler {
 public:
  static const int DEFAULT_BAUDRATE_ = 57600;

  /// A new handler for a serial device such as "/dev/ttyUSB0"; the caller owns it. Nothing is opened yet.
  static PortHandler* getPortHandler(const char* port_name);

  /// True between the sending of a packet and the end of its reply; a second user gets COMM_PORT_BUSY meanwhile.
  bool is_using_ = false;

  virtual ~PortHandler() = default;

  virtual bool openPort() = 0;
  virtual void closePort() = 0;
  virtual void clearPort() = 0;  // drops what was received and not read

  virtual void setPortName(const char* port_name) = 0;
  virtual char* getPortName() = 0;

  virtual bool setBaudRate(const int baudrate) = 0;  // opens the port if necessary
  virtual int getBaudRate() = 0;

  virtual int getBytesAvailable() = 0;
  /// Up to `length` bytes. Waits for the first one until the packet time-out; 0: none came, negative: port lost.
  virtual int readPort(uint8_t* packet, int length) = 0;
  virtual int writePort(uint8_t* packet, int length) = 0;  // number of bytes written, negative: port lost

  virtual void setPacketTimeout(uint16_t packet_length) = 0;  // time for so many bytes, and the adapter's latency
  virtual void setPacketTimeout(double msec) = 0;
  virtual bool isPacketTimeout() = 0;
};

}  // namespace dynamixel
