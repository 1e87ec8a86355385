// SPDX-License-Identifier: Apache-2.0
// Labels a folder of pictures with keys and clicks.
#include <cstdio>
#include <cstdlib>
#include <opencv2/highgui.hpp>
#include <opencv2/imgcodecs.hpp>
#include <stdexcept>

#include "hl_vision/labeller.hpp"
#include "tool.hpp"

namespace {

using namespace hl_vision;

void on_mouse(int event, int x, int y, int /*flags*/, void* labeller) {
  if (event == cv::EVENT_LBUTTONDOWN) static_cast<Labeller*>(labeller)->click({x + 0.5, y + 0.5});
}

void run(const std::string& folder, const std::string& weights) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr)
    throw std::runtime_error("there is no display: labelling needs a window");
  Labeller labeller(folder);
  Detection detection({}, {}, BallNetwork::from_file(weights));
  std::printf("%s\n", Labeller::help());
  const std::string window = "label";
  cv::namedWindow(window, cv::WINDOW_AUTOSIZE);
  cv::setMouseCallback(window, on_mouse, &labeller);
  std::string shown;
  cv::Mat picture;
  for (;;) {
    if (shown != labeller.file()) {
      shown = labeller.file();
      picture = cv::imread(shown, cv::IMREAD_COLOR);
      if (picture.empty()) throw std::runtime_error(shown + ": is no picture that can be read");
    }
    cv::Mat drawn = picture.clone();
    labeller.draw(drawn);
    cv::imshow(window, drawn);
    cv::setWindowTitle(window, labeller.status());
    const int key = cv::waitKey(40);
    if (cv::getWindowProperty(window, cv::WND_PROP_VISIBLE) < 1.0) break;
    if (key == 'a') {
      detection.forget_colour();
      labeller.take_over(detection.step({picture, std::nullopt, {}}, 0.0));
    } else if (key > 0 && !labeller.press(static_cast<char>(key & 0xff))) {
      break;
    }
  }
  labeller.save();
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder, weights;
  CLI::App app(std::string("Labels the pictures of a folder into its labels.yaml.\n") + Labeller::help());
  add_weights(app, weights);
  app.add_option("folder", folder, "pictures, and labels.yaml if there is one")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    run(folder, weights);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "label: %s\n", error.what());
    return 1;
  }
  return 0;
}
