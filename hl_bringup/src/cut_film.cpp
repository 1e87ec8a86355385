// SPDX-License-Identifier: Apache-2.0
// Cuts a piece out of a film of the simulator, makes a film strip of it, and puts the strip into a match report.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <hl_description/formatted.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "match_report.hpp"

namespace {

struct Options {
  std::string film, out, strip, report;
  double from = 0.0, to = 0.0, origin = 0.0;  // s
  int pictures = 12;
};

constexpr int kColumns = 4, kWidth = 480;  // pixel of one picture of the strip

std::string base64(const std::vector<unsigned char>& bytes) {
  constexpr const char* kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) { return i + k < bytes.size() ? static_cast<unsigned>(bytes[i + k]) : 0U; };
    const unsigned group = byte(0) << 16U | byte(1) << 8U | byte(2);
    text += kLetters[group >> 18U];
    text += kLetters[(group >> 12U) & 63U];
    text += i + 1 < bytes.size() ? kLetters[(group >> 6U) & 63U] : '=';
    text += i + 2 < bytes.size() ? kLetters[group & 63U] : '=';
  }
  return text;
}

cv::Mat captioned(const cv::Mat& frame, double time) {
  cv::Mat small;
  cv::resize(frame, small, {kWidth, frame.rows * kWidth / frame.cols}, 0, 0, cv::INTER_AREA);
  const std::string text =
      hl_description::formatted("%d:%04.1f", static_cast<int>(time) / 60, time - 60 * (static_cast<int>(time) / 60));
  cv::putText(small, text, {10, 26}, cv::FONT_HERSHEY_SIMPLEX, 0.7, {0, 0, 0}, 4, cv::LINE_AA);
  cv::putText(small, text, {10, 26}, cv::FONT_HERSHEY_SIMPLEX, 0.7, {255, 255, 255}, 1, cv::LINE_AA);
  return small;
}

cv::Mat strip_of(const std::vector<cv::Mat>& pictures) {
  constexpr int kGap = 4;
  const int rows = (static_cast<int>(pictures.size()) + kColumns - 1) / kColumns;
  const int height = pictures.front().rows;
  cv::Mat strip(rows * (height + kGap) - kGap, kColumns * (kWidth + kGap) - kGap, CV_8UC3, cv::Scalar(255, 255, 255));
  for (std::size_t n = 0; n < pictures.size(); ++n) {
    const int column = static_cast<int>(n) % kColumns, row = static_cast<int>(n) / kColumns;
    pictures[n].copyTo(strip(cv::Rect(column * (kWidth + kGap), row * (height + kGap), kWidth, height)));
  }
  return strip;
}

bool put_into_report(const std::string& path, const cv::Mat& strip) {
  std::ifstream in(path);
  std::ostringstream all;
  all << in.rdbuf();
  std::string page = all.str();
  const auto place = page.find(hl_bringup::kStripPlace);
  if (place == std::string::npos) {
    std::fprintf(stderr, "'%s' is no match report of the commentator\n", path.c_str());
    return false;
  }
  std::vector<unsigned char> bytes;
  cv::imencode(".jpg", strip, bytes, {cv::IMWRITE_JPEG_QUALITY, 82});
  page.replace(place, std::string(hl_bringup::kStripPlace).size(),
               "<h2>The last seconds</h2><img alt='film strip' src='data:image/jpeg;base64," + base64(bytes) + "'>");
  std::ofstream out(path);
  out << page;
  return static_cast<bool>(out);
}

int cut(const Options& options) {
  cv::VideoCapture film(options.film);
  const double rate = film.isOpened() ? film.get(cv::CAP_PROP_FPS) : 0.0;
  if (!(rate > 0.0)) {
    std::fprintf(stderr, "'%s' is no film that can be read\n", options.film.c_str());
    return 1;
  }
  const cv::Size size(static_cast<int>(film.get(cv::CAP_PROP_FRAME_WIDTH)),
                      static_cast<int>(film.get(cv::CAP_PROP_FRAME_HEIGHT)));
  cv::VideoWriter out;
  if (!options.out.empty() && !out.open(options.out, cv::VideoWriter::fourcc('a', 'v', 'c', '1'), rate, size) &&
      !out.open(options.out, cv::VideoWriter::fourcc('m', 'p', '4', 'v'), rate, size)) {
    std::fprintf(stderr, "'%s' cannot be written\n", options.out.c_str());
    return 1;
  }
  // Frames are counted, not sought: a key frame may be seconds away.
  const long first = std::max(0L, std::lround(options.from * rate)), last = std::lround(options.to * rate);
  std::vector<cv::Mat> pictures;
  cv::Mat frame;
  for (long n = 0; n <= last && film.grab(); ++n) {
    if (n < first) continue;
    film.retrieve(frame);
    if (out.isOpened()) out.write(frame);
    const double share = static_cast<double>(n - first) / static_cast<double>(std::max(1L, last - first));
    if (static_cast<double>(pictures.size()) <= share * (options.pictures - 1) + 1e-9)
      pictures.push_back(captioned(frame, std::max(0.0, static_cast<double>(n) / rate - options.origin)));
  }
  if (pictures.empty()) {
    std::fprintf(stderr, "'%s' ends before %.1f s\n", options.film.c_str(), options.from);
    return 1;
  }
  const cv::Mat strip = strip_of(pictures);
  if (!options.strip.empty() && !cv::imwrite(options.strip, strip)) return 1;
  return options.report.empty() || put_into_report(options.report, strip) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App cli(
      "Copies some seconds of a film, makes a strip of pictures of them, four to a row, with the time since the origin "
      "in\n"
      "the corner, and puts the strip into a match report written by the commentator.\n",
      "cut_film");
  cli.add_option("film", options.film)->required();
  cli.add_option("--from", options.from, "s")->required();
  cli.add_option("--to", options.to, "s")->required();
  cli.add_option("--origin", options.origin, "s of the film at which the clock shows 0");
  cli.add_option("--out", options.out, "the piece, a film");
  cli.add_option("--strip", options.strip, "the strip, PNG");
  cli.add_option("--pictures", options.pictures, "of the strip")->capture_default_str()->check(CLI::Range(1, 60));
  cli.add_option("--report", options.report, "HTML");
  CLI11_PARSE(cli, argc, argv);
  if (options.to > options.from) return cut(options);
  std::fputs("--to must be later than --from\n", stderr);
  return 2;
}
