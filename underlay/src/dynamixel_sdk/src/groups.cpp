// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "dynamixel_sdk/group_bulk_read.h"
#include "dynamixel_sdk/group_bulk_write.h"
#include "dynamixel_sdk/group_sync_read.h"
#include "dynamixel_sdk/group_sync_write.h"

namespace dynamixel {
namespace {

bool is_protocol1(PacketHandler* handler) {
  return handler->getProtocolVersion() == 1.0f;
}

void append_word(std::vector<uint8_t>& bytes, uint16_t value) {
  bytes.push_back(DXL_LOBYTE(value));
  bytes.push_back(DXL_HIBYTE(value));
}

template <class Table>
void remove_id(std::vector<uint8_t>& ids, Table& table, uint8_t id) {
  ids.erase(std::remove(ids.begin(), ids.end(), id), ids.end());
  table.erase(id);
}

bool covers(uint16_t start, size_t size, uint16_t address, uint16_t length) {
  return address >= start && static_cast<size_t>(address) + length <= start + size;
}

uint32_t little_endian(const uint8_t* bytes, uint16_t length) {
  if (length != 1 && length != 2 && length != 4) return 0;
  uint32_t value = 0;
  for (uint16_t i = 0; i < length; ++i) value |= static_cast<uint32_t>(bytes[i]) << (8 * i);
  return value;
}

/// Reads the replies in the order of the request; the first one that fails ends the chain, because the devices after
/// it wait for it. Then nothing is available, as with ROBOTIS' own SDK.
template <class Table>
int receive_all(PortHandler* port, PacketHandler* handler, const std::vector<uint8_t>& ids, Table& table) {
  for (auto& entry : table) entry.second.received = false;
  if (ids.empty()) return COMM_NOT_AVAILABLE;
  for (const uint8_t id : ids) {
    auto& entry = table[id];
    const int result =
        handler->readRx(port, id, static_cast<uint16_t>(entry.data.size()), entry.data.data(), &entry.error);
    if (result != COMM_SUCCESS) return result;
  }
  for (auto& entry : table) entry.second.received = true;
  return COMM_SUCCESS;
}

template <class Table>
bool reported_error(const Table& table, uint8_t id, uint8_t* error) {
  const auto entry = table.find(id);
  if (entry == table.end() || !entry->second.received) return false;
  if (error) *error = entry->second.error;
  return entry->second.error != 0;
}

}  // namespace

GroupSyncWrite::GroupSyncWrite(PortHandler* port, PacketHandler* ph, uint16_t start_address, uint16_t data_length)
    : port_(port), ph_(ph), start_address_(start_address), data_length_(data_length) {}

bool GroupSyncWrite::addParam(uint8_t id, uint8_t* data) {
  if (!data_.emplace(id, std::vector<uint8_t>(data, data + data_length_)).second) return false;
  ids_.push_back(id);
  return true;
}

void GroupSyncWrite::removeParam(uint8_t id) {
  remove_id(ids_, data_, id);
}

bool GroupSyncWrite::changeParam(uint8_t id, uint8_t* data) {
  const auto entry = data_.find(id);
  if (entry == data_.end()) return false;
  entry->second.assign(data, data + data_length_);
  return true;
}

void GroupSyncWrite::clearParam() {
  ids_.clear();
  data_.clear();
}

int GroupSyncWrite::txPacket() {
  if (ids_.empty()) return COMM_NOT_AVAILABLE;
  param_.clear();
  for (const uint8_t id : ids_) {
    param_.push_back(id);
    const auto& data = data_[id];
    param_.insert(param_.end(), data.begin(), data.end());
  }
  return ph_->syncWriteTxOnly(port_, start_address_, data_length_, param_.data(), static_cast<uint16_t>(param_.size()));
}

GroupBulkWrite::GroupBulkWrite(PortHandler* port, PacketHandler* ph) : port_(port), ph_(ph) {}

bool GroupBulkWrite::addParam(uint8_t id, uint16_t start_address, uint16_t data_length, uint8_t* data) {
  if (is_protocol1(ph_)) return false;
  if (!blocks_.emplace(id, Block{start_address, std::vector<uint8_t>(data, data + data_length)}).second) return false;
  ids_.push_back(id);
  return true;
}

void GroupBulkWrite::removeParam(uint8_t id) {
  remove_id(ids_, blocks_, id);
}

bool GroupBulkWrite::changeParam(uint8_t id, uint16_t start_address, uint16_t data_length, uint8_t* data) {
  const auto entry = blocks_.find(id);
  if (entry == blocks_.end()) return false;
  entry->second.address = start_address;
  entry->second.data.assign(data, data + data_length);
  return true;
}

void GroupBulkWrite::clearParam() {
  ids_.clear();
  blocks_.clear();
}

int GroupBulkWrite::txPacket() {
  if (is_protocol1(ph_) || ids_.empty()) return COMM_NOT_AVAILABLE;
  param_.clear();
  for (const uint8_t id : ids_) {
    const Block& block = blocks_[id];
    param_.push_back(id);
    append_word(param_, block.address);
    append_word(param_, static_cast<uint16_t>(block.data.size()));
    param_.insert(param_.end(), block.data.begin(), block.data.end());
  }
  return ph_->bulkWriteTxOnly(port_, param_.data(), static_cast<uint16_t>(param_.size()));
}

GroupSyncRead::GroupSyncRead(PortHandler* port, PacketHandler* ph, uint16_t start_address, uint16_t data_length)
    : port_(port), ph_(ph), start_address_(start_address), data_length_(data_length) {}

bool GroupSyncRead::addParam(uint8_t id) {
  if (is_protocol1(ph_)) return false;
  if (!replies_.emplace(id, Reply{std::vector<uint8_t>(data_length_), 0, false}).second) return false;
  ids_.push_back(id);
  return true;
}

void GroupSyncRead::removeParam(uint8_t id) {
  remove_id(ids_, replies_, id);
}

void GroupSyncRead::clearParam() {
  ids_.clear();
  replies_.clear();
}

int GroupSyncRead::txPacket() {
  if (is_protocol1(ph_) || ids_.empty()) return COMM_NOT_AVAILABLE;
  return ph_->syncReadTx(port_, start_address_, data_length_, ids_.data(), static_cast<uint16_t>(ids_.size()));
}

int GroupSyncRead::rxPacket() {
  if (is_protocol1(ph_)) return COMM_NOT_AVAILABLE;
  return receive_all(port_, ph_, ids_, replies_);
}

int GroupSyncRead::txRxPacket() {
  const int result = txPacket();
  return result == COMM_SUCCESS ? rxPacket() : result;
}

bool GroupSyncRead::isAvailable(uint8_t id, uint16_t address, uint16_t data_length) {
  const auto reply = replies_.find(id);
  return reply != replies_.end() && reply->second.received &&
         covers(start_address_, data_length_, address, data_length);
}

uint32_t GroupSyncRead::getData(uint8_t id, uint16_t address, uint16_t data_length) {
  if (!isAvailable(id, address, data_length)) return 0;
  return little_endian(&replies_[id].data[address - start_address_], data_length);
}

bool GroupSyncRead::getError(uint8_t id, uint8_t* error) {
  return reported_error(replies_, id, error);
}

GroupBulkRead::GroupBulkRead(PortHandler* port, PacketHandler* ph) : port_(port), ph_(ph) {}

bool GroupBulkRead::addParam(uint8_t id, uint16_t start_address, uint16_t data_length) {
  if (!blocks_.emplace(id, Block{start_address, std::vector<uint8_t>(data_length), 0, false}).second) return false;
  ids_.push_back(id);
  return true;
}

void GroupBulkRead::removeParam(uint8_t id) {
  remove_id(ids_, blocks_, id);
}

void GroupBulkRead::clearParam() {
  ids_.clear();
  blocks_.clear();
}

int GroupBulkRead::txPacket() {
  if (ids_.empty()) return COMM_NOT_AVAILABLE;
  param_.clear();
  for (const uint8_t id : ids_) {
    const Block& block = blocks_[id];
    const auto length = static_cast<uint16_t>(block.data.size());
    if (is_protocol1(ph_)) {
      param_.push_back(DXL_LOBYTE(length));
      param_.push_back(id);
      param_.push_back(DXL_LOBYTE(block.address));
    } else {
      param_.push_back(id);
      append_word(param_, block.address);
      append_word(param_, length);
    }
  }
  return ph_->bulkReadTx(port_, param_.data(), static_cast<uint16_t>(param_.size()));
}

int GroupBulkRead::rxPacket() {
  return receive_all(port_, ph_, ids_, blocks_);
}

int GroupBulkRead::txRxPacket() {
  const int result = txPacket();
  return result == COMM_SUCCESS ? rxPacket() : result;
}

bool GroupBulkRead::isAvailable(uint8_t id, uint16_t address, uint16_t data_length) {
  const auto block = blocks_.find(id);
  return block != blocks_.end() && block->second.received &&
         covers(block->second.address, block->second.data.size(), address, data_length);
}

uint32_t GroupBulkRead::getData(uint8_t id, uint16_t address, uint16_t data_length) {
  if (!isAvailable(id, address, data_length)) return 0;
  const Block& block = blocks_[id];
  return little_endian(&block.data[address - block.address], data_length);
}

bool GroupBulkRead::getError(uint8_t id, uint8_t* error) {
  return reported_error(blocks_, id, error);
}

}  // namespace dynamixel
