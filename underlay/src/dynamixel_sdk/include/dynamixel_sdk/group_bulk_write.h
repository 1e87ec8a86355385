// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "dynamixel_sdk/packet_handler.h"
#include "dynamixel_sdk/port_handler.h"

namespace dynamixel {

/// Writes different registers of many devices with one packet (protocol 2.0 only).
class GroupBulkWrite {
 public:
  GroupBulkWrite(PortHandler* port, PacketHandler* ph);

  PortHandler* getPortHandler() { return port_; }
  PacketHandler* getPacketHandler() { return ph_; }

  bool addParam(uint8_t id, uint16_t start_address, uint16_t data_length, uint8_t* data);
  void removeParam(uint8_t id);
  bool changeParam(uint8_t id, uint16_t start_address, uint16_t data_length, uint8_t* data);
  void clearParam();

  int txPacket();

 private:
  struct Block {
    uint16_t address = 0;
    std::vector<uint8_t> data;
  };

  PortHandler* port_;
  PacketHandler* ph_;
  std::vector<uint8_t> ids_;  // in the order of addition
  std::map<uint8_t, Block> blocks_;
  std::vector<uint8_t> param_;
};

}  // namespace dynamixel
