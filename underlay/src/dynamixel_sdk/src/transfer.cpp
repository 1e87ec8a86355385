// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include <cstring>

namespace dynamixel {

int send_bytes(PortHandler& port, uint8_t* bytes, int total) {
  port.is_using_ = true;
  port.clearPort();
  if (port.writePort(bytes, total) == total) return COMM_SUCCESS;
  port.is_using_ = false;
  return COMM_TX_FAIL;
}

int receive_status(PortHandler& port, const StatusFormat& format, uint8_t* packet) {
  int received = 0;
  int wanted = format.frame;
  int result = COMM_RX_WAITING;

  while (result == COMM_RX_WAITING) {
    const int count = port.readPort(packet + received, wanted - received);
    if (count > 0) {
      received += count;
    } else if (count < 0) {
      result = COMM_RX_FAIL;
    } else if (port.isPacketTimeout()) {
      result = received == 0 ? COMM_RX_TIMEOUT : COMM_RX_CORRUPT;
    }

    // Whatever cannot be the start of a status packet is noise of the direction switch: skip it byte by byte.
    while (received > 0 && !format.plausible(packet, received)) {
      --received;
      std::memmove(packet, packet + 1, static_cast<size_t>(received));
    }

    wanted = format.total(packet, received);
    if (result == COMM_RX_WAITING && received >= wanted) {
      result = format.intact(packet, wanted) ? COMM_SUCCESS : COMM_RX_CORRUPT;
    }
  }
  port.is_using_ = false;
  return result;
}

int receive_status_of(uint8_t id, PacketHandler& handler, PortHandler* port, const StatusFormat& format,
                      uint8_t* packet, uint8_t* error) {
  int result;
  do {
    result = handler.rxPacket(port, packet);
  } while (result == COMM_SUCCESS && packet[format.id] != id);
  if (result == COMM_SUCCESS && error) *error = packet[format.error];
  return result;
}

int send_only(PacketHandler& handler, PortHandler* port, uint8_t* packet) {
  const int result = handler.txPacket(port, packet);
  if (result != COMM_PORT_BUSY) port->is_using_ = false;
  return result;
}

}  // namespace dynamixel
