// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hl_simulation/renderer.hpp"

namespace hl_simulation {

/// What the person at the window wants.
struct ViewRequest {
  double azimuth = 0.0, elevation = 0.0;  // degrees to turn by
  double distance = 1.0;                  // factor on the distance
  int next = 0;                           // how many things further to follow: ball, first robot, ...
  bool toggle_pause = false;
  bool close = false;

  bool empty() const {
    return azimuth == 0.0 && elevation == 0.0 && distance == 1.0 && next == 0 && !toggle_pause && !close;
  }
};

/// Understands keys and mouse; knows nothing of windows.
class ViewInput {
 public:
  enum class Drag { None, Turn, Approach };

  void key(int code);                  // of the character; 27 is Escape
  void drag(Drag kind, int x, int y);  // mouse at a pixel with this button down
  void wheel(int notches);             // positive: nearer
  void close() { request_.close = true; }
  ViewRequest take();  // all since the last time

 private:
  ViewRequest request_;
  Drag kind_ = Drag::None;
  int x_ = 0, y_ = 0;
};

/// True if this build has windows and a display answers.
bool display_available();

/// The spectator's view on a display (X11). Create, use and destroy it in one thread.
class ViewWindow {
 public:
  ViewWindow();  // throws std::runtime_error if there is no display
  ~ViewWindow();
  ViewWindow(const ViewWindow&) = delete;
  ViewWindow& operator=(const ViewWindow&) = delete;

  /// Shows a picture and tells what keys and mouse said meanwhile.
  ViewRequest show(const Image& image);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hl_simulation
