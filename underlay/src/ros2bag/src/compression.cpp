// SPDX-License-Identifier: Apache-2.0
#include "compression.hpp"

#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "ros2bag/metadata.hpp"

namespace ros2bag {
namespace {

constexpr std::size_t largest_message = std::size_t{1} << 30;  // bytes; a damaged length must not fill the memory

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

[[noreturn]] void damaged(const std::string& source, const std::string& why) {
  throw BagError(source + ": the zstd data are damaged: " + why);
}

}  // namespace

bool is_compressed(const std::uint8_t* data, std::size_t bytes) {
  constexpr std::uint8_t magic[4] = {0x28, 0xB5, 0x2F, 0xFD};
  return bytes >= sizeof(magic) && std::equal(magic, magic + sizeof(magic), data);
}

std::vector<std::uint8_t> decompress(const std::uint8_t* data, std::size_t bytes, const std::string& source) {
  const auto size = ZSTD_getFrameContentSize(data, bytes);
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > largest_message) {
    damaged(source, "a message does not tell its size, or one beyond 1 GiB");
  }
  std::vector<std::uint8_t> content(size);
  const auto written = ZSTD_decompress(content.data(), content.size(), data, bytes);
  if (ZSTD_isError(written) != 0) damaged(source, ZSTD_getErrorName(written));
  content.resize(written);
  return content;
}

DecompressedFile::DecompressedFile(const std::filesystem::path& compressed) {
  std::ifstream in(compressed, std::ios::binary);
  if (!in) throw BagError("cannot read '" + compressed.string() + "'");
  std::string name = (std::filesystem::temp_directory_path() / "ros2bag_XXXXXX").string();
  const int handle = mkstemp(name.data());
  if (handle < 0) throw BagError("cannot write to '" + name + "', where the compressed bag is unpacked");
  close(handle);
  path_ = name;
  try {
    std::ofstream out(path_, std::ios::binary);
    const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
    std::vector<char> source(ZSTD_DStreamInSize()), target(ZSTD_DStreamOutSize());
    std::size_t left = 1;  // zero at the end of a frame
    while (in.read(source.data(), static_cast<std::streamsize>(source.size())) || in.gcount() > 0) {
      ZSTD_inBuffer input{source.data(), static_cast<std::size_t>(in.gcount()), 0};
      while (input.pos < input.size) {
        ZSTD_outBuffer output{target.data(), target.size(), 0};
        left = ZSTD_decompressStream(stream.get(), &output, &input);
        if (ZSTD_isError(left) != 0) damaged(compressed.string(), ZSTD_getErrorName(left));
        out.write(target.data(), static_cast<std::streamsize>(output.pos));
      }
    }
    if (left != 0) damaged(compressed.string(), "the file is cut off");
    out.close();
    if (!out) throw BagError("cannot write '" + path_.string() + "'; is the disk full?");
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    throw;
  }
}

DecompressedFile::~DecompressedFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace ros2bag
