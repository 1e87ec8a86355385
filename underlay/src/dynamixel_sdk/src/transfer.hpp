// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamixel_sdk/packet_handler.h"

namespace dynamixel {

/// How a receiver finds status packets among bytes; what the two protocols differ in.
struct StatusFormat {
  int id;                                              // offset of the device's id
  int error;                                           // offset of the error byte
  int frame;                                           // bytes of a packet without parameters
  bool (*plausible)(const uint8_t* bytes, int count);  // these may be the first bytes of a packet
  int (*total)(const uint8_t* bytes, int count);       // bytes of the whole packet; `frame` while that is not known
  bool (*intact)(const uint8_t* packet, int total);    // the check sum is right
};

/// Sends bytes as they are and keeps the port for the reply.
int send_bytes(PortHandler& port, uint8_t* bytes, int total);

/// Receives one status packet and frees the port.
int receive_status(PortHandler& port, const StatusFormat& format, uint8_t* packet);

/// Receives until a packet of this device comes, or none; `error`, if given, gets its error byte.
int receive_status_of(uint8_t id, PacketHandler& handler, PortHandler* port, const StatusFormat& format,
                      uint8_t* packet, uint8_t* error);

/// Sends without expecting a reply, so the port is free at once.
int send_only(PacketHandler& handler, PortHandler* port, uint8_t* packet);

}  // namespace dynamixel
