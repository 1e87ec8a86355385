// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "dynamixel_sdk/packet_handler.h"
#include "dynamixel_sdk/port_handler.h"

namespace dynamixel {

/// Writes the same registers of many devices with one packet.
class GroupSyncWrite {
 public:
  GroupSyncWrite(PortHandler* port, PacketHandler* ph, uint16_t start_address, uint16_t data_length);

  PortHandler* getPortHandler() { return port_; }
  PacketHandler* getPacketHandler() { return ph_; }

  bool addParam(uint8_t id, uint8_t* data);  // false: already there
  void removeParam(uint8_t id);
  bool changeParam(uint8_t id, uint8_t* data);  // false: not there
  void clearParam();

  int txPacket();

 private:
  PortHandler* port_;
  PacketHandler* ph_;
  std::vector<uint8_t> ids_;  // in the order of addition
  std::map<uint8_t, std::vector<uint8_t>> data_;
  uint16_t start_address_;
  uint16_t data_length_;
  std::vector<uint8_t> param_;
};

}  // namespace dynamixel
