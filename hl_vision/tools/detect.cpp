// SPDX-License-Identifier: Apache-2.0
// Draws what the detection finds in pictures, and writes it down.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <stdexcept>

#include "hl_vision/evaluation.hpp"
#include "tool.hpp"

namespace {

using namespace hl_vision;

std::string yaml_of(const Detection::Outputs& found) {
  std::string text;
  char line[200];
  const auto add = [&](const char* format, auto... values) {
    std::snprintf(line, sizeof line, format, values...);
    text += line;
  };
  text += "balls:\n";
  if (found.ball)
    add("- {center: [%.1f, %.1f], diameter: %.1f, confidence: %.2f}\n", found.ball->center.x, found.ball->center.y,
        found.ball->diameter, found.ball->confidence);
  text += "posts:\n";
  for (const auto& p : found.posts)
    add("- {foot: [%.1f, %.1f], top: [%.1f, %.1f], width: %.1f, confidence: %.2f}\n", p.foot.x, p.foot.y, p.top.x,
        p.top.y, p.width, p.confidence);
  text += "obstacles:\n";
  for (const auto& o : found.obstacles)
    add("- {box: [%d, %d, %d, %d], kind: %d, confidence: %.2f}\n", o.box.x, o.box.y, o.box.width, o.box.height,
        static_cast<int>(o.kind), o.confidence);
  text += "line_crossings:\n";
  for (const auto& c : found.crossings)
    add("- {type: %c, at: [%.1f, %.1f]}\n", "LTX"[static_cast<int>(c.type)], c.position.x, c.position.y);
  text += "line_segments:\n";
  for (const auto& s : found.segments) add("- [%.1f, %.1f, %.1f, %.1f]\n", s.from.x, s.from.y, s.to.x, s.to.y);
  if (!found.reason.empty()) text += "reason: \"" + found.reason + "\"\n";
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  std::string out = ".", weights;
  std::vector<std::string> words;
  CLI::App app("Draws what is found into pictures (PNG) and writes it down (YAML).");
  hl_vision::add_weights(app, weights);
  app.add_option("--out", out, "folder to write into")->capture_default_str();
  app.add_option("pictures", words, "pictures, or folders with a labels.yaml that tells the camera's pose")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    Detection detection({}, {}, BallNetwork::from_file(weights));
    std::filesystem::create_directories(out);
    std::vector<LabelledPicture> pictures;
    for (const std::string& word : words) {
      if (std::filesystem::is_directory(word)) {
        for (auto& p : read_labels(word)) pictures.push_back(p);
      } else {
        LabelledPicture p;
        p.file = word;
        pictures.push_back(p);
      }
    }
    for (const LabelledPicture& p : pictures) {
      cv::Mat bgr = cv::imread(p.file, cv::IMREAD_COLOR);
      if (bgr.empty()) throw std::runtime_error(p.file + ": is no picture that can be read");
      detection.forget_colour();  // pictures of different places
      const auto found = detection.step({bgr, p.view, {}}, 0.0);
      draw(found, bgr);
      const std::string stem = out + "/" + std::filesystem::path(p.file).stem().string() + "_found";
      if (!cv::imwrite(stem + ".png", bgr)) throw std::runtime_error(stem + ".png: cannot be written");
      std::ofstream(stem + ".yaml") << yaml_of(found);
      std::printf("%s: %zu posts, %zu obstacles, %zu segments, %zu crossings, ball %s%s%s\n", p.file.c_str(),
                  found.posts.size(), found.obstacles.size(), found.segments.size(), found.crossings.size(),
                  found.ball ? "yes" : "no", found.reason.empty() ? "" : "; ", found.reason.c_str());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "detect: %s\n", error.what());
    return 1;
  }
  return 0;
}
