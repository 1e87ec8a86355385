// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamixel_sdk/packet_handler.h"

namespace dynamixel {

class Protocol2PacketHandler : public PacketHandler {
 public:
  static Protocol2PacketHandler* getInstance();

  float getProtocolVersion() override { return 2.0f; }
  const char* getRxPacketError(uint8_t error) override;

  int txPacket(PortHandler* port, uint8_t* txpacket) override;
  int rxPacket(PortHandler* port, uint8_t* rxpacket) override;
  int txRxPacket(PortHandler* port, uint8_t* txpacket, uint8_t* rxpacket, uint8_t* error = nullptr) override;

  using PacketHandler::ping;
  int ping(PortHandler* port, uint8_t id, uint16_t* model_number, uint8_t* error = nullptr) override;
  int broadcastPing(PortHandler* port, std::vector<uint8_t>& id_list) override;

  int action(PortHandler* port, uint8_t id) override;
  int reboot(PortHandler* port, uint8_t id, uint8_t* error = nullptr) override;
  int clearMultiTurn(PortHandler* port, uint8_t id, uint8_t* error = nullptr) override;
  int factoryReset(PortHandler* port, uint8_t id, uint8_t option = 0, uint8_t* error = nullptr) override;

  int readTx(PortHandler* port, uint8_t id, uint16_t address, uint16_t length) override;
  int readRx(PortHandler* port, uint8_t id, uint16_t length, uint8_t* data, uint8_t* error = nullptr) override;

  int syncReadTx(PortHandler* port, uint16_t start_address, uint16_t data_length, uint8_t* param,
                 uint16_t param_length) override;
  int syncWriteTxOnly(PortHandler* port, uint16_t start_address, uint16_t data_length, uint8_t* param,
                      uint16_t param_length) override;
  int bulkReadTx(PortHandler* port, uint8_t* param, uint16_t param_length) override;
  int bulkWriteTxOnly(PortHandler* port, uint8_t* param, uint16_t param_length) override;

 protected:
  int write(PortHandler* port, uint8_t instruction, uint8_t id, uint16_t address, uint16_t length, const uint8_t* data,
            Reply reply, uint8_t* error) override;

 private:
  Protocol2PacketHandler() = default;
};

}  // namespace dynamixel
