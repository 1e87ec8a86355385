// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "dynamixel_sdk/port_handler.h"

#define BROADCAST_ID 0xFE
#define MAX_ID 0xFC

#define DXL_MAKEWORD(low, high) \
  (static_cast<uint16_t>((static_cast<uint16_t>((low)&0xFF)) | (static_cast<uint16_t>((high)&0xFF) << 8)))
#define DXL_MAKEDWORD(low, high) \
  (static_cast<uint32_t>((static_cast<uint32_t>((low)&0xFFFF)) | (static_cast<uint32_t>((high)&0xFFFF) << 16)))
#define DXL_LOWORD(value) (static_cast<uint16_t>(static_cast<uint32_t>(value) & 0xFFFF))
#define DXL_HIWORD(value) (static_cast<uint16_t>((static_cast<uint32_t>(value) >> 16) & 0xFFFF))
#define DXL_LOBYTE(value) (static_cast<uint8_t>(static_cast<uint32_t>(value) & 0xFF))
#define DXL_HIBYTE(value) (static_cast<uint8_t>((static_cast<uint32_t>(value) >> 8) & 0xFF))

// instructions of both protocols
#define INST_PING 1
#define INST_READ 2
#define INST_WRITE 3
#define INST_REG_WRITE 4
#define INST_ACTION 5
#define INST_FACTORY_RESET 6
#define INST_SYNC_WRITE 131  // 0x83
#define INST_BULK_READ 146   // 0x92
// protocol 2.0 only
#define INST_REBOOT 8
#define INST_CLEAR 16        // 0x10
#define INST_STATUS 85       // 0x55
#define INST_SYNC_READ 130   // 0x82
#define INST_BULK_WRITE 147  // 0x93

// results of a transfer
#define COMM_SUCCESS 0
#define COMM_PORT_BUSY -1000      // a packet is under way
#define COMM_TX_FAIL -1001        // the port did not take the packet
#define COMM_RX_FAIL -1002        // the port is lost
#define COMM_TX_ERROR -2000       // the packet is malformed
#define COMM_RX_WAITING -3000     // a reply is being received
#define COMM_RX_TIMEOUT -3001     // nobody answered
#define COMM_RX_CORRUPT -3002     // an answer came, damaged
#define COMM_NOT_AVAILABLE -9000  // this protocol has no such instruction

namespace dynamixel {

/// Builds, sends and receives packets of one protocol version. Stateless: one object serves any number of ports.
///
/// Names ending in Tx only send, Rx only receive, TxRx do both; TxOnly asks for no reply. Every function returns one of
/// the COMM_ codes; `error`, if given, gets the error byte of the device's reply.
class PacketHandler {
 public:
  static PacketHandler* getPacketHandler(float protocol_version = 2.0);

  virtual ~PacketHandler() = default;

  virtual float getProtocolVersion() = 0;
  virtual const char* getTxRxResult(int result);            // a COMM_ code in words
  virtual const char* getRxPacketError(uint8_t error) = 0;  // a device's error byte in words, "" if it is 0

  /// Completes header and check sum in place and sends. `txpacket` holds id, length, instruction and parameters.
  virtual int txPacket(PortHandler* port, uint8_t* txpacket) = 0;
  virtual int rxPacket(PortHandler* port, uint8_t* rxpacket) = 0;
  virtual int txRxPacket(PortHandler* port, uint8_t* txpacket, uint8_t* rxpacket, uint8_t* error = nullptr) = 0;

  virtual int ping(PortHandler* port, uint8_t id, uint8_t* error = nullptr);
  virtual int ping(PortHandler* port, uint8_t id, uint16_t* model_number, uint8_t* error = nullptr) = 0;
  virtual int broadcastPing(PortHandler* port, std::vector<uint8_t>& id_list) = 0;

  virtual int action(PortHandler* port, uint8_t id) = 0;
  virtual int reboot(PortHandler* port, uint8_t id, uint8_t* error = nullptr) = 0;
  virtual int clearMultiTurn(PortHandler* port, uint8_t id, uint8_t* error = nullptr) = 0;
  virtual int factoryReset(PortHandler* port, uint8_t id, uint8_t option = 0, uint8_t* error = nullptr) = 0;

  virtual int readTx(PortHandler* port, uint8_t id, uint16_t address, uint16_t length) = 0;
  virtual int readRx(PortHandler* port, uint8_t id, uint16_t length, uint8_t* data, uint8_t* error = nullptr) = 0;
  virtual int readTxRx(PortHandler* port, uint8_t id, uint16_t address, uint16_t length, uint8_t* data,
                       uint8_t* error = nullptr);

  virtual int read1ByteTx(PortHandler* port, uint8_t id, uint16_t address);
  virtual int read1ByteRx(PortHandler* port, uint8_t id, uint8_t* data, uint8_t* error = nullptr);
  virtual int read1ByteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint8_t* data, uint8_t* error = nullptr);
  virtual int read2ByteTx(PortHandler* port, uint8_t id, uint16_t address);
  virtual int read2ByteRx(PortHandler* port, uint8_t id, uint16_t* data, uint8_t* error = nullptr);
  virtual int read2ByteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint16_t* data, uint8_t* error = nullptr);
  virtual int read4ByteTx(PortHandler* port, uint8_t id, uint16_t address);
  virtual int read4ByteRx(PortHandler* port, uint8_t id, uint32_t* data, uint8_t* error = nullptr);
  virtual int read4ByteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint32_t* data, uint8_t* error = nullptr);

  virtual int writeTxOnly(PortHandler* port, uint8_t id, uint16_t address, uint16_t length, uint8_t* data);
  virtual int writeTxRx(PortHandler* port, uint8_t id, uint16_t address, uint16_t length, uint8_t* data,
                        uint8_t* error = nullptr);

  virtual int write1ByteTxOnly(PortHandler* port, uint8_t id, uint16_t address, uint8_t data);
  virtual int write1ByteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint8_t data, uint8_t* error = nullptr);
  virtual int write2ByteTxOnly(PortHandler* port, uint8_t id, uint16_t address, uint16_t data);
  virtual int write2ByteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint16_t data, uint8_t* error = nullptr);
  virtual int write4ByteTxOnly(PortHandler* port, uint8_t id, uint16_t address, uint32_t data);
  virtual int write4ByteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint32_t data, uint8_t* error = nullptr);

  virtual int regWriteTxOnly(PortHandler* port, uint8_t id, uint16_t address, uint16_t length, uint8_t* data);
  virtual int regWriteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint16_t length, uint8_t* data,
                           uint8_t* error = nullptr);

  virtual int syncReadTx(PortHandler* port, uint16_t start_address, uint16_t data_length, uint8_t* param,
                         uint16_t param_length) = 0;
  virtual int syncWriteTxOnly(PortHandler* port, uint16_t start_address, uint16_t data_length, uint8_t* param,
                              uint16_t param_length) = 0;
  virtual int bulkReadTx(PortHandler* port, uint8_t* param, uint16_t param_length) = 0;
  virtual int bulkWriteTxOnly(PortHandler* port, uint8_t* param, uint16_t param_length) = 0;

 protected:
  PacketHandler() = default;

  enum class Reply { None, Status };
  /// INST_WRITE or INST_REG_WRITE of `length` bytes.
  virtual int write(PortHandler* port, uint8_t instruction, uint8_t id, uint16_t address, uint16_t length,
                    const uint8_t* data, Reply reply, uint8_t* error) = 0;
};

}  // namespace dynamixel
