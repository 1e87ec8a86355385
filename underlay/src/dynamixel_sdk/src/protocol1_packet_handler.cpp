// SPDX-License-Identifier: Apache-2.0
#include "dynamixel_sdk/protocol1_packet_handler.h"

#include <array>
#include <cstring>

#include "transfer.hpp"

namespace dynamixel {
namespace {

// FF FF id length instruction|error parameters... check
constexpr int kId = 2;
constexpr int kLength = 3;
constexpr int kInstruction = 4;
constexpr int kError = 4;
constexpr int kParameters = 5;
constexpr int kFrame = 6;        // bytes of a packet without parameters
constexpr int kMaxPacket = 250;  // the devices' receive buffer
constexpr int kLastDevice = 0xFD;
constexpr uint8_t kErrorBits = 0x7F;  // bit 7 of the error byte is always 0

using Packet = std::array<uint8_t, kMaxPacket + kFrame>;

uint8_t check_sum(const uint8_t* packet, int total) {
  uint8_t sum = 0;
  for (int i = kId; i < total - 1; ++i) sum = static_cast<uint8_t>(sum + packet[i]);
  return static_cast<uint8_t>(~sum);
}

/// An instruction packet with room for the longest parameters; `parameter_count` is checked by the caller.
Packet instruction(uint8_t id, uint8_t code, int parameter_count) {
  Packet packet{};
  packet[kId] = id;
  packet[kLength] = static_cast<uint8_t>(parameter_count + 2);
  packet[kInstruction] = code;
  return packet;
}

bool fits(int parameter_count) {
  return parameter_count + kFrame <= kMaxPacket;
}

bool plausible(const uint8_t* bytes, int count) {
  const auto at = [&](int i, auto good) { return count <= i || good(bytes[i]); };
  return at(0, [](uint8_t b) { return b == 0xFF; }) && at(1, [](uint8_t b) { return b == 0xFF; }) &&
         at(kId, [](uint8_t b) { return b <= kLastDevice; }) &&
         at(kLength, [](uint8_t b) { return b >= 2 && b + 4 <= kMaxPacket; }) &&
         at(kError, [](uint8_t b) { return b <= kErrorBits; });
}

int total_of(const uint8_t* bytes, int count) {
  return count > kLength ? bytes[kLength] + 4 : kFrame;
}

bool intact(const uint8_t* packet, int total) {
  return packet[total - 1] == check_sum(packet, total);
}

constexpr StatusFormat kStatus{kId, kError, kFrame, plausible, total_of, intact};

}  // namespace

Protocol1PacketHandler* Protocol1PacketHandler::getInstance() {
  static Protocol1PacketHandler instance;
  return &instance;
}

const char* Protocol1PacketHandler::getRxPacketError(uint8_t error) {
  if (error & 0x01) return "[RxPacketError] Input voltage error!";
  if (error & 0x02) return "[RxPacketError] Angle limit error!";
  if (error & 0x04) return "[RxPacketError] Overheat error!";
  if (error & 0x08) return "[RxPacketError] Out of range error!";
  if (error & 0x10) return "[RxPacketError] Checksum error!";
  if (error & 0x20) return "[RxPacketError] Overload error!";
  if (error & 0x40) return "[RxPacketError] Instruction code error!";
  return "";
}

int Protocol1PacketHandler::txPacket(PortHandler* port, uint8_t* txpacket) {
  if (port->is_using_) return COMM_PORT_BUSY;
  const int total = txpacket[kLength] + 4;
  if (total < kFrame || total > kMaxPacket) return COMM_TX_ERROR;

  txpacket[0] = txpacket[1] = 0xFF;
  txpacket[total - 1] = check_sum(txpacket, total);
  return send_bytes(*port, txpacket, total);
}

int Protocol1PacketHandler::rxPacket(PortHandler* port, uint8_t* rxpacket) {
  return receive_status(*port, kStatus, rxpacket);
}

int Protocol1PacketHandler::txRxPacket(PortHandler* port, uint8_t* txpacket, uint8_t* rxpacket, uint8_t* error) {
  if (txpacket[kInstruction] == INST_BULK_READ) return COMM_NOT_AVAILABLE;  // many replies: bulkReadTx and rxPacket

  const int result = txPacket(port, txpacket);
  if (result != COMM_SUCCESS) return result;
  if (txpacket[kId] == BROADCAST_ID || txpacket[kInstruction] == INST_ACTION) {
    port->is_using_ = false;
    return result;
  }

  const int data = txpacket[kInstruction] == INST_READ ? txpacket[kParameters + 1] : 0;
  port->setPacketTimeout(static_cast<uint16_t>(data + kFrame));
  return receive_status_of(txpacket[kId], *this, port, kStatus, rxpacket, error);
}

int Protocol1PacketHandler::ping(PortHandler* port, uint8_t id, uint16_t* model_number, uint8_t* error) {
  if (id >= BROADCAST_ID) return COMM_NOT_AVAILABLE;
  Packet tx = instruction(id, INST_PING, 0);
  Packet rx{};
  const int result = txRxPacket(port, tx.data(), rx.data(), error);
  if (result != COMM_SUCCESS || !model_number) return result;
  return read2ByteTxRx(port, id, 0, model_number, error);
}

int Protocol1PacketHandler::broadcastPing(PortHandler*, std::vector<uint8_t>&) {
  return COMM_NOT_AVAILABLE;
}

int Protocol1PacketHandler::action(PortHandler* port, uint8_t id) {
  Packet tx = instruction(id, INST_ACTION, 0);
  return send_only(*this, port, tx.data());
}

int Protocol1PacketHandler::reboot(PortHandler*, uint8_t, uint8_t*) {
  return COMM_NOT_AVAILABLE;
}
int Protocol1PacketHandler::clearMultiTurn(PortHandler*, uint8_t, uint8_t*) {
  return COMM_NOT_AVAILABLE;
}

int Protocol1PacketHandler::factoryReset(PortHandler* port, uint8_t id, uint8_t, uint8_t* error) {
  Packet tx = instruction(id, INST_FACTORY_RESET, 0);
  Packet rx{};
  return txRxPacket(port, tx.data(), rx.data(), error);
}

int Protocol1PacketHandler::readTx(PortHandler* port, uint8_t id, uint16_t address, uint16_t length) {
  if (id >= BROADCAST_ID) return COMM_NOT_AVAILABLE;
  if (!fits(length)) return COMM_TX_ERROR;
  Packet tx = instruction(id, INST_READ, 2);
  tx[kParameters] = static_cast<uint8_t>(address);
  tx[kParameters + 1] = static_cast<uint8_t>(length);
  const int result = txPacket(port, tx.data());
  if (result == COMM_SUCCESS) port->setPacketTimeout(static_cast<uint16_t>(length + kFrame));
  return result;
}

int Protocol1PacketHandler::readRx(PortHandler* port, uint8_t id, uint16_t length, uint8_t* data, uint8_t* error) {
  Packet rx{};
  const int result = receive_status_of(id, *this, port, kStatus, rx.data(), error);
  if (result != COMM_SUCCESS) return result;
  if (rx[kLength] != length + 2) return COMM_RX_CORRUPT;
  std::memcpy(data, &rx[kParameters], length);
  return COMM_SUCCESS;
}

int Protocol1PacketHandler::write(PortHandler* port, uint8_t code, uint8_t id, uint16_t address, uint16_t length,
                                  const uint8_t* data, Reply reply, uint8_t* error) {
  if (!fits(length + 1)) return COMM_TX_ERROR;
  Packet tx = instruction(id, code, length + 1);
  tx[kParameters] = static_cast<uint8_t>(address);
  std::memcpy(&tx[kParameters + 1], data, length);
  if (reply == Reply::None) return send_only(*this, port, tx.data());
  Packet rx{};
  return txRxPacket(port, tx.data(), rx.data(), error);
}

int Protocol1PacketHandler::syncReadTx(PortHandler*, uint16_t, uint16_t, uint8_t*, uint16_t) {
  return COMM_NOT_AVAILABLE;
}

int Protocol1PacketHandler::syncWriteTxOnly(PortHandler* port, uint16_t start_address, uint16_t data_length,
                                            uint8_t* param, uint16_t param_length) {
  if (!fits(param_length + 2)) return COMM_TX_ERROR;
  Packet tx = instruction(BROADCAST_ID, INST_SYNC_WRITE, param_length + 2);
  tx[kParameters] = static_cast<uint8_t>(start_address);
  tx[kParameters + 1] = static_cast<uint8_t>(data_length);
  std::memcpy(&tx[kParameters + 2], param, param_length);
  return send_only(*this, port, tx.data());
}

int Protocol1PacketHandler::bulkReadTx(PortHandler* port, uint8_t* param, uint16_t param_length) {
  if (!fits(param_length + 1) || param_length % 3 != 0) return COMM_TX_ERROR;
  Packet tx = instruction(BROADCAST_ID, INST_BULK_READ, param_length + 1);
  tx[kParameters] = 0x00;
  std::memcpy(&tx[kParameters + 1], param, param_length);
  const int result = txPacket(port, tx.data());
  if (result != COMM_SUCCESS) return result;
  int expected = 0;  // bytes of all replies
  for (int i = 0; i < param_length; i += 3) expected += param[i] + kFrame;
  port->setPacketTimeout(static_cast<uint16_t>(expected));
  return result;
}

int Protocol1PacketHandler::bulkWriteTxOnly(PortHandler*, uint8_t*, uint16_t) {
  return COMM_NOT_AVAILABLE;
}

}  // namespace dynamixel
