// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "hl_simulation/film.hpp"
#include "view_window.hpp"

namespace hl_simulation {

/// Everything that draws runs in this one thread, because a graphics context belongs to one.
class PictureThread {
 public:
  struct Params {
    Renderer::Params renderer;
    int view_width = 960, view_height = 540;  // of the spectator's pictures
    std::string record;                       // video file; empty: none
    std::string film_strip;                   // PNG; empty: none
    double strip_interval = 1.0;              // s of simulated time between the strip's pictures
    int strip_columns = 4;
    std::size_t strip_most = 24;  // pictures
    double view_rate = 25.0;      // Hz of simulated time
    bool window = false;
  };

  /// What to draw now.
  struct Job {
    std::vector<double> positions;
    double time = 0.0;                 // s
    std::vector<std::size_t> cameras;  // robots
    std::optional<View> view;          // of the spectator
  };

  using OnImage = std::function<void(std::size_t robot, double time, const Image& image)>;
  using OnError = std::function<void(const std::string& message)>;
  using OnRequest = std::function<void(const ViewRequest& request)>;  // of the person at the window

  PictureThread(const WorldSpec& world, const Params& params, OnImage on_image, OnRequest on_request, OnError on_error);
  ~PictureThread();  // finishes the files

  bool idle();
  /// Hands over a job; replaces one that has not been started. With `wait`, first waits until those before are drawn,
  /// so that none is left out.
  void draw(Job job, bool wait);
  void set_lighting(std::optional<Lighting> lighting, double brightness, const Eigen::Vector3d& direction);

 private:
  void run();
  void work(Renderer& renderer, const Job& job);

  WorldSpec world_;
  Params params_;
  OnImage on_image_;
  OnRequest on_request_;
  OnError on_error_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::optional<Job> job_;
  std::function<void(Renderer&)> change_;
  bool busy_ = false, stop_ = false, failed_ = false;
  std::unique_ptr<VideoFile> video_;
  double video_time_ = -1.0;  // s, of its last picture
  std::unique_ptr<FilmStrip> strip_;
  double next_strip_ = 0.0;
  std::unique_ptr<ViewWindow> window_;
  Image image_;
  std::thread thread_;
};

}  // namespace hl_simulation
