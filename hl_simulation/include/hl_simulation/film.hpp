// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hl_simulation/renderer.hpp"

namespace hl_simulation {

/// Throws std::runtime_error if the file cannot be written.
void write_png(const std::string& path, const Image& image);

/// Pictures side by side, `columns` to a row, each with its caption in the corner.
class FilmStrip {
 public:
  explicit FilmStrip(int columns) : columns_(columns) {}
  void add(const Image& image, const std::string& caption = "");
  std::size_t size() const { return frames_.size(); }
  Image assemble() const;
  void write(const std::string& path) const { write_png(path, assemble()); }

 private:
  int columns_;
  std::vector<Image> frames_;
};

/// A strip of a running simulation: a picture in fine quality every `interval` s of simulated time.
class StripFilm {
 public:
  struct Params {
    int width = 240, height = 240;  // pixels of one picture
    int columns = 8;
    double begin = 0.0, interval = 0.1;  // s
  };
  using Aim = std::function<View(const Robot&)>;  // where the spectator stands

  StripFilm(const WorldSpec& world, const Params& params, Aim aim);
  /// Takes a picture of the first robot if it is time for one; the caption is the time.
  void look(const Simulation& simulation);
  const FilmStrip& strip() const { return strip_; }

 private:
  Params params_;
  Aim aim_;
  Renderer renderer_;
  FilmStrip strip_;
  double next_;  // s
};

/// A video file (mp4, avi), frame by frame.
class VideoFile {
 public:
  /// Throws std::runtime_error if no encoder can write this file.
  VideoFile(const std::string& path, int width, int height, double frames_per_second);
  ~VideoFile();
  void add(const Image& image);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A spectator who follows a robot (or the ball, if `robot` is negative) without shaking.
class Spectator {
 public:
  explicit Spectator(int robot, const View& view = View()) : robot_(robot), view_(view) {}
  /// The view for now; call it in the rhythm of the pictures, `interval` s apart.
  View follow(const Simulation& simulation, double interval);

  void turn(double azimuth, double elevation);  // degrees
  void approach(double factor);                 // on the distance
  void look_at(int robot) { robot_ = robot; }   // negative: the ball
  int robot() const { return robot_; }

 private:
  int robot_;
  View view_;
  bool started_ = false;
};

}  // namespace hl_simulation
