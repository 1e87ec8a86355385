// SPDX-License-Identifier: Apache-2.0
#include "picture_thread.hpp"

#include <cstdio>
#include <stdexcept>

namespace hl_simulation {

PictureThread::PictureThread(const WorldSpec& world, const Params& params, OnImage on_image, OnRequest on_request,
                             OnError on_error)
    : world_(world),
      params_(params),
      on_image_(std::move(on_image)),
      on_request_(std::move(on_request)),
      on_error_(std::move(on_error)) {
  params_.renderer.width = std::max(params_.renderer.width, params_.view_width);
  params_.renderer.height = std::max(params_.renderer.height, params_.view_height);
  if (!params_.film_strip.empty()) strip_ = std::make_unique<FilmStrip>(params_.strip_columns);
  thread_ = std::thread([this] { run(); });
}

PictureThread::~PictureThread() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
  try {
    if (strip_ && strip_->size() > 0) strip_->write(params_.film_strip);
  } catch (const std::exception& error) {
    on_error_(error.what());
  }
}

bool PictureThread::idle() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return !busy_ && !job_;
}

void PictureThread::draw(Job job, bool wait) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (wait) done_.wait(lock, [this] { return (!job_ && !busy_) || stop_ || failed_; });
  if (failed_) return;
  job_ = std::move(job);
  wake_.notify_all();
}

void PictureThread::set_lighting(std::optional<Lighting> lighting, double brightness,
                                 const Eigen::Vector3d& direction) {
  const std::lock_guard<std::mutex> lock(mutex_);
  change_ = [lighting, brightness, direction](Renderer& renderer) {
    if (lighting) renderer.set_lighting(*lighting);
    if (brightness > 0.0) renderer.set_brightness(brightness);
    if (direction.norm() > 0.0) renderer.set_light_direction(direction);
  };
}

void PictureThread::run() {
  try {
    Renderer renderer(world_, params_.renderer);
    if (!params_.record.empty()) {
      video_ = std::make_unique<VideoFile>(params_.record, params_.view_width, params_.view_height, params_.view_rate);
    }
    if (params_.window) window_ = std::make_unique<ViewWindow>();
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return stop_ || job_; });
      if (!job_) break;
      const Job job = std::move(*job_);
      job_.reset();
      busy_ = true;
      if (change_) {
        change_(renderer);
        change_ = nullptr;
      }
      lock.unlock();
      work(renderer, job);
      lock.lock();
      busy_ = false;
      done_.notify_all();
    }
  } catch (const std::exception& error) {
    on_error_(error.what());
    const std::lock_guard<std::mutex> lock(mutex_);
    failed_ = true;
    busy_ = false;
    job_.reset();
    done_.notify_all();
  }
  video_.reset();
  window_.reset();
}

void PictureThread::work(Renderer& renderer, const Job& job) {
  renderer.update(job.positions);
  for (const std::size_t robot : job.cameras) {
    renderer.robot_camera(robot, image_);
    on_image_(robot, job.time, image_);
  }
  if (!job.view) return;
  if (strip_ && job.time >= next_strip_ && strip_->size() < params_.strip_most) {
    char caption[32];
    std::snprintf(caption, sizeof caption, "%.1f s", job.time);
    renderer.spectator(*job.view, params_.view_width / 2, params_.view_height / 2, image_);
    strip_->add(image_, caption);
    next_strip_ = job.time + params_.strip_interval - 1e-6;
  }
  const bool record = video_ && job.time > video_time_;  // the world may stand still
  if (!record && !window_) return;
  renderer.spectator(*job.view, params_.view_width, params_.view_height, image_);
  if (record) {
    video_->add(image_);
    video_time_ = job.time;
  }
  if (!window_) return;
  const ViewRequest request = window_->show(image_);
  if (!request.empty()) on_request_(request);
}

}  // namespace hl_simulation
