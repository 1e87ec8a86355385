// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ros2bag {

/// Whether the bytes begin as a zstd frame does. No CDR message does: it begins with a zero.
bool is_compressed(const std::uint8_t* data, std::size_t bytes);

/// The content of a message that rosbag2 has compressed. Throws BagError, naming `source`, if it is damaged.
std::vector<std::uint8_t> decompress(const std::uint8_t* data, std::size_t bytes, const std::string& source);

/// A file that rosbag2 has compressed (*.db3.zstd), decompressed for the life of this object.
class DecompressedFile {
 public:
  explicit DecompressedFile(const std::filesystem::path& compressed);
  ~DecompressedFile();
  DecompressedFile(const DecompressedFile&) = delete;
  DecompressedFile& operator=(const DecompressedFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace ros2bag
