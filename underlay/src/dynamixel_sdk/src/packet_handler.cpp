// SPDX-License-Identifier: Apache-2.0
#include "dynamixel_sdk/packet_handler.h"

#include "dynamixel_sdk/protocol1_packet_handler.h"
#include "dynamixel_sdk/protocol2_packet_handler.h"

namespace dynamixel {

PacketHandler* PacketHandler::getPacketHandler(float protocol_version) {
  if (protocol_version == 1.0f) return Protocol1PacketHandler::getInstance();
  return Protocol2PacketHandler::getInstance();
}

const char* PacketHandler::getTxRxResult(int result) {
  switch (result) {
    case COMM_SUCCESS:
      return "[TxRxResult] Communication success.";
    case COMM_PORT_BUSY:
      return "[TxRxResult] Port is in use: the reply to an earlier packet has not been read.";
    case COMM_TX_FAIL:
      return "[TxRxResult] Could not send the instruction packet: is the port open and the adapter plugged in?";
    case COMM_RX_FAIL:
      return "[TxRxResult] Could not read from the port: was the adapter unplugged?";
    case COMM_TX_ERROR:
      return "[TxRxResult] Malformed instruction packet.";
    case COMM_RX_WAITING:
      return "[TxRxResult] Still receiving the status packet.";
    case COMM_RX_TIMEOUT:
      return "[TxRxResult] There is no status packet: check power, cable, id and baud rate.";
    case COMM_RX_CORRUPT:
      return "[TxRxResult] Incorrect status packet.";
    case COMM_NOT_AVAILABLE:
      return "[TxRxResult] This protocol does not have that instruction.";
    default:
      return "";
  }
}

int PacketHandler::ping(PortHandler* port, uint8_t id, uint8_t* error) {
  return ping(port, id, nullptr, error);
}

int PacketHandler::readTxRx(PortHandler* port, uint8_t id, uint16_t address, uint16_t length, uint8_t* data,
                            uint8_t* error) {
  const int result = readTx(port, id, address, length);
  return result == COMM_SUCCESS ? readRx(port, id, length, data, error) : result;
}

int PacketHandler::writeTxOnly(PortHandler* port, uint8_t id, uint16_t address, uint16_t length, uint8_t* data) {
  return write(port, INST_WRITE, id, address, length, data, Reply::None, nullptr);
}

int PacketHandler::writeTxRx(PortHandler* port, uint8_t id, uint16_t address, uint16_t length, uint8_t* data,
                             uint8_t* error) {
  return write(port, INST_WRITE, id, address, length, data, Reply::Status, error);
}

int PacketHandler::regWriteTxOnly(PortHandler* port, uint8_t id, uint16_t address, uint16_t length, uint8_t* data) {
  return write(port, INST_REG_WRITE, id, address, length, data, Reply::None, nullptr);
}

int PacketHandler::regWriteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint16_t length, uint8_t* data,
                                uint8_t* error) {
  return write(port, INST_REG_WRITE, id, address, length, data, Reply::Status, error);
}

int PacketHandler::read1ByteTx(PortHandler* port, uint8_t id, uint16_t address) {
  return readTx(port, id, address, 1);
}
int PacketHandler::read2ByteTx(PortHandler* port, uint8_t id, uint16_t address) {
  return readTx(port, id, address, 2);
}
int PacketHandler::read4ByteTx(PortHandler* port, uint8_t id, uint16_t address) {
  return readTx(port, id, address, 4);
}

namespace {

uint16_t word(const uint8_t* bytes) {
  return DXL_MAKEWORD(bytes[0], bytes[1]);
}
uint32_t double_word(const uint8_t* bytes) {
  return DXL_MAKEDWORD(word(bytes), word(bytes + 2));
}

}  // namespace

int PacketHandler::read1ByteRx(PortHandler* port, uint8_t id, uint8_t* data, uint8_t* error) {
  uint8_t bytes[1] = {};
  const int result = readRx(port, id, 1, bytes, error);
  if (result == COMM_SUCCESS) *data = bytes[0];
  return result;
}

int PacketHandler::read2ByteRx(PortHandler* port, uint8_t id, uint16_t* data, uint8_t* error) {
  uint8_t bytes[2] = {};
  const int result = readRx(port, id, 2, bytes, error);
  if (result == COMM_SUCCESS) *data = word(bytes);
  return result;
}

int PacketHandler::read4ByteRx(PortHandler* port, uint8_t id, uint32_t* data, uint8_t* error) {
  uint8_t bytes[4] = {};
  const int result = readRx(port, id, 4, bytes, error);
  if (result == COMM_SUCCESS) *data = double_word(bytes);
  return result;
}

int PacketHandler::read1ByteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint8_t* data, uint8_t* error) {
  uint8_t bytes[1] = {};
  const int result = readTxRx(port, id, address, 1, bytes, error);
  if (result == COMM_SUCCESS) *data = bytes[0];
  return result;
}

int PacketHandler::read2ByteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint16_t* data, uint8_t* error) {
  uint8_t bytes[2] = {};
  const int result = readTxRx(port, id, address, 2, bytes, error);
  if (result == COMM_SUCCESS) *data = word(bytes);
  return result;
}

int PacketHandler::read4ByteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint32_t* data, uint8_t* error) {
  uint8_t bytes[4] = {};
  const int result = readTxRx(port, id, address, 4, bytes, error);
  if (result == COMM_SUCCESS) *data = double_word(bytes);
  return result;
}

namespace {

struct LittleEndian {
  uint8_t bytes[4];
  explicit LittleEndian(uint32_t value)
      : bytes{static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 8), static_cast<uint8_t>(value >> 16),
              static_cast<uint8_t>(value >> 24)} {}
};

}  // namespace

int PacketHandler::write1ByteTxOnly(PortHandler* port, uint8_t id, uint16_t address, uint8_t data) {
  return writeTxOnly(port, id, address, 1, &data);
}

int PacketHandler::write1ByteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint8_t data, uint8_t* error) {
  return writeTxRx(port, id, address, 1, &data, error);
}

int PacketHandler::write2ByteTxOnly(PortHandler* port, uint8_t id, uint16_t address, uint16_t data) {
  return writeTxOnly(port, id, address, 2, LittleEndian(data).bytes);
}

int PacketHandler::write2ByteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint16_t data, uint8_t* error) {
  return writeTxRx(port, id, address, 2, LittleEndian(data).bytes, error);
}

int PacketHandler::write4ByteTxOnly(PortHandler* port, uint8_t id, uint16_t address, uint32_t data) {
  return writeTxOnly(port, id, address, 4, LittleEndian(data).bytes);
}

int PacketHandler::write4ByteTxRx(PortHandler* port, uint8_t id, uint16_t address, uint32_t data, uint8_t* error) {
  return writeTxRx(port, id, address, 4, LittleEndian(data).bytes, error);
}

}  // namespace dynamixel
