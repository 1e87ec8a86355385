// SPDX-License-Identifier: Apache-2.0
#include "dynamixel_sdk/protocol2_packet_handler.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "transfer.hpp"

namespace dynamixel {
namespace {

// FF FF FD 00 id length(2) instruction [error] parameters... crc(2); length counts from the instruction to the crc
constexpr int kReserved = 3;
constexpr int kId = 4;
constexpr int kLength = 5;
constexpr int kInstruction = 7;
constexpr int kError = 8;
constexpr int kParameters = 8;
constexpr int kStatusParameters = 9;
constexpr int kStatusFrame = 11;  // bytes of a status packet without parameters
constexpr int kBeforeLength = 7;  // bytes that the length field does not count
constexpr int kMaxPacket = 1024;
constexpr int kBroadcastPingBytes = MAX_ID * 14;

using Bytes = std::vector<uint8_t>;

std::array<uint16_t, 256> crc_table() {
  std::array<uint16_t, 256> table{};
  for (unsigned byte = 0; byte < table.size(); ++byte) {
    uint16_t crc = static_cast<uint16_t>(byte << 8);
    for (int bit = 0; bit < 8; ++bit) crc = static_cast<uint16_t>((crc << 1) ^ (crc & 0x8000 ? 0x8005 : 0));
    table[byte] = crc;
  }
  return table;
}

uint16_t crc16(const uint8_t* data, int length) {
  static const std::array<uint16_t, 256> table = crc_table();
  uint16_t crc = 0;
  for (int i = 0; i < length; ++i) crc = static_cast<uint16_t>((crc << 8) ^ table[(crc >> 8) ^ data[i]]);
  return crc;
}

int length_of(const uint8_t* packet) {
  return DXL_MAKEWORD(packet[kLength], packet[kLength + 1]);
}

void set_length(uint8_t* packet, int length) {
  packet[kLength] = DXL_LOBYTE(length);
  packet[kLength + 1] = DXL_HIBYTE(length);
}

bool ends_like_header(const uint8_t* end) {
  return end[-3] == 0xFF && end[-2] == 0xFF && end[-1] == 0xFD;
}

/// The packet as it goes over the wire: an FD after every FF FF FD among instruction and parameters, then the CRC.
Bytes wire_form(const uint8_t* packet) {
  const int end = length_of(packet) + kBeforeLength - 2;
  Bytes wire(packet, packet + kInstruction);
  for (int i = kInstruction; i < end; ++i) {
    wire.push_back(packet[i]);
    if (i >= kInstruction + 2 && ends_like_header(packet + i + 1)) wire.push_back(0xFD);
  }
  set_length(wire.data(), static_cast<int>(wire.size()) - kBeforeLength + 2);
  const uint16_t crc = crc16(wire.data(), static_cast<int>(wire.size()));
  wire.push_back(DXL_LOBYTE(crc));
  wire.push_back(DXL_HIBYTE(crc));
  return wire;
}

/// Takes the stuffing bytes out again, in place.
void remove_stuffing(uint8_t* packet) {
  const int end = length_of(packet) + kBeforeLength - 2;
  int out = kInstruction;
  bool stuffing = false;
  for (int i = kInstruction; i < end; ++i) {
    const bool drop = stuffing && packet[i] == 0xFD;
    stuffing = false;
    if (drop) continue;
    packet[out++] = packet[i];
    stuffing = out >= kInstruction + 3 && ends_like_header(packet + out);
  }
  packet[out] = packet[end];
  packet[out + 1] = packet[end + 1];
  set_length(packet, out - kBeforeLength + 2);
}

Bytes instruction(uint8_t id, uint8_t code, int parameter_count) {
  Bytes packet(static_cast<size_t>(kParameters + parameter_count + 2));
  packet[kId] = id;
  set_length(packet.data(), parameter_count + 3);
  packet[kInstruction] = code;
  return packet;
}

void put_word(Bytes& packet, int offset, uint16_t value) {
  packet[static_cast<size_t>(offset)] = DXL_LOBYTE(value);
  packet[static_cast<size_t>(offset) + 1] = DXL_HIBYTE(value);
}

/// A SYNC instruction: address and length of the data, then what `param` holds for each device.
Bytes sync_packet(uint8_t code, uint16_t address, uint16_t length, const uint8_t* param, uint16_t param_length) {
  Bytes packet = instruction(BROADCAST_ID, code, param_length + 4);
  put_word(packet, kParameters, address);
  put_word(packet, kParameters + 2, length);
  std::copy(param, param + param_length, packet.begin() + kParameters + 4);
  return packet;
}

int send_and_receive(Protocol2PacketHandler& handler, PortHandler* port, Bytes packet, uint8_t* error) {
  Bytes reply(kMaxPacket);
  return handler.txRxPacket(port, packet.data(), reply.data(), error);
}

bool plausible(const uint8_t* bytes, int count) {
  static constexpr uint8_t header[] = {0xFF, 0xFF, 0xFD, 0x00};
  if (std::memcmp(bytes, header, static_cast<size_t>(std::min(count, 4))) != 0) return false;
  if (count > kId && bytes[kId] > MAX_ID) return false;
  if (count > kLength + 1) {
    const int length = length_of(bytes);
    if (length < 4 || length + kBeforeLength > kMaxPacket) return false;
  }
  return count <= kInstruction || bytes[kInstruction] == INST_STATUS;
}

int total_of(const uint8_t* bytes, int count) {
  return count > kLength + 1 ? length_of(bytes) + kBeforeLength : kStatusFrame;
}

bool intact(const uint8_t* packet, int total) {
  return DXL_MAKEWORD(packet[total - 2], packet[total - 1]) == crc16(packet, total - 2);
}

constexpr StatusFormat kStatus{kId, kError, kStatusFrame, plausible, total_of, intact};

}  // namespace

Protocol2PacketHandler* Protocol2PacketHandler::getInstance() {
  static Protocol2PacketHandler instance;
  return &instance;
}

const char* Protocol2PacketHandler::getRxPacketError(uint8_t error) {
  if (error & 0x80) return "[RxPacketError] Hardware error occurred. Read the device's hardware error status!";
  switch (error) {
    case 0:
      return "";
    case 1:
      return "[RxPacketError] Failed to process the instruction packet!";
    case 2:
      return "[RxPacketError] Undefined instruction or incorrect instruction!";
    case 3:
      return "[RxPacketError] CRC doesn't match!";
    case 4:
      return "[RxPacketError] The data value is out of range!";
    case 5:
      return "[RxPacketError] The data length does not match as expected!";
    case 6:
      return "[RxPacketError] The data value exceeds the limit value!";
    case 7:
      return "[RxPacketError] Writing or Reading is not available to target address!";
    default:
      return "[RxPacketError] Unknown error code!";
  }
}

int Protocol2PacketHandler::txPacket(PortHandler* port, uint8_t* txpacket) {
  if (port->is_using_) return COMM_PORT_BUSY;
  const int length = length_of(txpacket);
  if (length < 3 || length + kBeforeLength > kMaxPacket) return COMM_TX_ERROR;
  txpacket[0] = txpacket[1] = 0xFF;
  txpacket[2] = 0xFD;
  txpacket[kReserved] = 0x00;
  Bytes wire = wire_form(txpacket);
  if (wire.size() > static_cast<size_t>(kMaxPacket)) return COMM_TX_ERROR;
  return send_bytes(*port, wire.data(), static_cast<int>(wire.size()));
}

int Protocol2PacketHandler::rxPacket(PortHandler* port, uint8_t* rxpacket) {
  const int result = receive_status(*port, kStatus, rxpacket);
  if (result == COMM_SUCCESS) remove_stuffing(rxpacket);
  return result;
}

int Protocol2PacketHandler::txRxPacket(PortHandler* port, uint8_t* txpacket, uint8_t* rxpacket, uint8_t* error) {
  const uint8_t code = txpacket[kInstruction];
  if (code == INST_BULK_READ || code == INST_SYNC_READ) return COMM_NOT_AVAILABLE;  // many replies

  const int result = txPacket(port, txpacket);
  if (result != COMM_SUCCESS) return result;
  if (txpacket[kId] == BROADCAST_ID || code == INST_ACTION) {
    port->is_using_ = false;
    return result;
  }

  const int data = code == INST_READ ? DXL_MAKEWORD(txpacket[kParameters + 2], txpacket[kParameters + 3]) : 3;
  port->setPacketTimeout(static_cast<uint16_t>(data + kStatusFrame));
  return receive_status_of(txpacket[kId], *this, port, kStatus, rxpacket, error);
}

int Protocol2PacketHandler::ping(PortHandler* port, uint8_t id, uint16_t* model_number, uint8_t* error) {
  if (id >= BROADCAST_ID) return COMM_NOT_AVAILABLE;
  Bytes tx = instruction(id, INST_PING, 0);
  Bytes rx(kMaxPacket);
  const int result = txRxPacket(port, tx.data(), rx.data(), error);
  if (result == COMM_SUCCESS && model_number) {
    *model_number = DXL_MAKEWORD(rx[kStatusParameters], rx[kStatusParameters + 1]);
  }
  return result;
}

int Protocol2PacketHandler::broadcastPing(PortHandler* port, std::vector<uint8_t>& id_list) {
  id_list.clear();
  Bytes tx = instruction(BROADCAST_ID, INST_PING, 0);
  int result = txPacket(port, tx.data());
  if (result != COMM_SUCCESS) return result;

  // Every device answers in the time slot of its id; damaged answers do not hide the later ones.
  port->setPacketTimeout(static_cast<uint16_t>(kBroadcastPingBytes * 3));
  Bytes rx(kMaxPacket);
  do {
    result = rxPacket(port, rx.data());
    if (result == COMM_SUCCESS) id_list.push_back(rx[kId]);
  } while (result == COMM_SUCCESS || (result == COMM_RX_CORRUPT && !port->isPacketTimeout()));
  if (id_list.empty()) return result;
  std::sort(id_list.begin(), id_list.end());
  id_list.erase(std::unique(id_list.begin(), id_list.end()), id_list.end());
  return COMM_SUCCESS;
}

int Protocol2PacketHandler::action(PortHandler* port, uint8_t id) {
  return send_only(*this, port, instruction(id, INST_ACTION, 0).data());
}

int Protocol2PacketHandler::reboot(PortHandler* port, uint8_t id, uint8_t* error) {
  return send_and_receive(*this, port, instruction(id, INST_REBOOT, 0), error);
}

int Protocol2PacketHandler::clearMultiTurn(PortHandler* port, uint8_t id, uint8_t* error) {
  static constexpr uint8_t kClearPosition[] = {0x01, 0x44, 0x58, 0x4C, 0x22};  // option, then the guard "DXL\""
  Bytes tx = instruction(id, INST_CLEAR, sizeof(kClearPosition));
  std::copy(std::begin(kClearPosition), std::end(kClearPosition), tx.begin() + kParameters);
  return send_and_receive(*this, port, std::move(tx), error);
}

int Protocol2PacketHandler::factoryReset(PortHandler* port, uint8_t id, uint8_t option, uint8_t* error) {
  Bytes tx = instruction(id, INST_FACTORY_RESET, 1);
  tx[kParameters] = option;
  return send_and_receive(*this, port, std::move(tx), error);
}

int Protocol2PacketHandler::readTx(PortHandler* port, uint8_t id, uint16_t address, uint16_t length) {
  if (id >= BROADCAST_ID) return COMM_NOT_AVAILABLE;
  Bytes tx = instruction(id, INST_READ, 4);
  put_word(tx, kParameters, address);
  put_word(tx, kParameters + 2, length);
  const int result = txPacket(port, tx.data());
  if (result == COMM_SUCCESS) port->setPacketTimeout(static_cast<uint16_t>(length + kStatusFrame));
  return result;
}

int Protocol2PacketHandler::readRx(PortHandler* port, uint8_t id, uint16_t length, uint8_t* data, uint8_t* error) {
  Bytes rx(kMaxPacket);
  const int result = receive_status_of(id, *this, port, kStatus, rx.data(), error);
  if (result != COMM_SUCCESS) return result;
  if (length_of(rx.data()) != length + 4) return COMM_RX_CORRUPT;
  std::memcpy(data, &rx[kStatusParameters], length);
  return COMM_SUCCESS;
}

int Protocol2PacketHandler::write(PortHandler* port, uint8_t code, uint8_t id, uint16_t address, uint16_t length,
                                  const uint8_t* data, Reply reply, uint8_t* error) {
  Bytes tx = instruction(id, code, length + 2);
  put_word(tx, kParameters, address);
  std::copy(data, data + length, tx.begin() + kParameters + 2);
  if (reply == Reply::None) return send_only(*this, port, tx.data());
  return send_and_receive(*this, port, std::move(tx), error);
}

int Protocol2PacketHandler::syncReadTx(PortHandler* port, uint16_t start_address, uint16_t data_length, uint8_t* param,
                                       uint16_t param_length) {
  Bytes tx = sync_packet(INST_SYNC_READ, start_address, data_length, param, param_length);
  const int result = txPacket(port, tx.data());
  if (result == COMM_SUCCESS) {
    port->setPacketTimeout(static_cast<uint16_t>((data_length + kStatusFrame) * param_length));
  }
  return result;
}

int Protocol2PacketHandler::syncWriteTxOnly(PortHandler* port, uint16_t start_address, uint16_t data_length,
                                            uint8_t* param, uint16_t param_length) {
  Bytes tx = sync_packet(INST_SYNC_WRITE, start_address, data_length, param, param_length);
  return send_only(*this, port, tx.data());
}

int Protocol2PacketHandler::bulkReadTx(PortHandler* port, uint8_t* param, uint16_t param_length) {
  if (param_length % 5 != 0) return COMM_TX_ERROR;
  Bytes tx = instruction(BROADCAST_ID, INST_BULK_READ, param_length);
  std::copy(param, param + param_length, tx.begin() + kParameters);
  const int result = txPacket(port, tx.data());
  if (result != COMM_SUCCESS) return result;
  int expected = 0;
  for (int i = 0; i < param_length; i += 5) expected += DXL_MAKEWORD(param[i + 3], param[i + 4]) + kStatusFrame;
  port->setPacketTimeout(static_cast<uint16_t>(expected));
  return result;
}

int Protocol2PacketHandler::bulkWriteTxOnly(PortHandler* port, uint8_t* param, uint16_t param_length) {
  Bytes tx = instruction(BROADCAST_ID, INST_BULK_WRITE, param_length);
  std::copy(param, param + param_length, tx.begin() + kParameters);
  return send_only(*this, port, tx.data());
}

}  // namespace dynamixel
