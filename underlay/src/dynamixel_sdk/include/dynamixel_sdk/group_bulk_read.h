// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "dynamixel_sdk/packet_handler.h"
#include "dynamixel_sdk/port_handler.h"

namespace dynamixel {

/// Reads different registers of many devices with one request.
class GroupBulkRead {
 public:
  GroupBulkRead(PortHandler* port, PacketHandler* ph);

  PortHandler* getPortHandler() { return port_; }
  PacketHandler* getPacketHandler() { return ph_; }

  bool addParam(uint8_t id, uint16_t start_address, uint16_t data_length);
  void removeParam(uint8_t id);
  void clearParam();

  int txPacket();
  int rxPacket();
  int txRxPacket();

  bool isAvailable(uint8_t id, uint16_t address, uint16_t data_length);  // of the last rxPacket
  uint32_t getData(uint8_t id, uint16_t address, uint16_t data_length);  // 1, 2 or 4 bytes; 0 if not available
  bool getError(uint8_t id, uint8_t* error);                             // true: the device reported one

 private:
  struct Block {
    uint16_t address = 0;
    std::vector<uint8_t> data;
    uint8_t error = 0;
    bool received = false;
  };

  PortHandler* port_;
  PacketHandler* ph_;
  std::vector<uint8_t> ids_;  // in the order of addition, which is the order of the replies
  std::map<uint8_t, Block> blocks_;
  std::vector<uint8_t> param_;
};

}  // namespace dynamixel
