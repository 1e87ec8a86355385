// SPDX-License-Identifier: Apache-2.0
#include "bag_source.hpp"

#include <condition_variable>
#include <filesystem>
#include <hl_node/bag_reader.hpp>
#include <mutex>
#include <sensor_msgs/msg/image.hpp>
#include <thread>

#include "image_message.hpp"

namespace hl_vision {
namespace {

namespace fs = std::filesystem;

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// A thread reads one picture ahead, for the reader of bags gives messages at its own pace.
class Bag : public PictureSource {
 public:
  Bag(const std::string& path, const Settings& settings)
      : name_(path), repeat_(settings.repeat), reader_(path), thread_([this] { run(); }) {}
  ~Bag() override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Bag(const Bag&) = delete;
  Bag& operator=(const Bag&) = delete;

  bool device() const override { return false; }
  void apply(const Settings& /*settings*/) override {}
  double exposure() const override { return 0.0; }
  std::optional<std::string> read(cv::Mat& bgr) override {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return next_ || !end_.empty(); });
    if (!next_) return end_;
    const Next next = std::move(*next_);
    next_.reset();
    lock.unlock();
    changed_.notify_all();
    bgr = next.bgr;
    return next.fault;
  }

 private:
  struct Next {
    cv::Mat bgr;
    std::optional<std::string> fault;
  };

  void run() {
    std::string end = name_ + ": has ended";
    try {
      do {
        bool any = false;
        reader_.read([this](const std::string& topic, const std::string& type) { return wants(topic, type); },
                     [&](const hl_node::BagReader::Message& message) {
                       if (message.topic != topic_) return true;
                       any = true;
                       return give(picture_of(message));
                     });
        if (!any) throw std::runtime_error(name_ + ": holds no sensor_msgs/Image");
      } while (repeat_ && !stopped());
    } catch (const std::exception& error) {
      end = error.what();
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      end_ = end;
    }
    changed_.notify_all();
  }

  bool wants(const std::string& topic, const std::string& type) {
    if (type != "sensor_msgs/msg/Image") return false;
    if (topic_.empty() || (ends_with(topic, "image_raw") && !ends_with(topic_, "image_raw"))) topic_ = topic;
    return true;
  }

  Next picture_of(const hl_node::BagReader::Message& message) const {
    Next next;
    try {
      const auto image = hl_node::message_of<sensor_msgs::msg::Image>(message);
      cv::Mat bgr;
      next.fault = to_bgr(image, bgr);
      next.bgr = bgr.clone();  // its bytes are the message's
    } catch (const std::exception& error) {
      next.fault = error.what();
    }
    if (next.fault) next.fault = name_ + ": " + *next.fault;
    return next;
  }

  /// Waits until the picture before is taken. Whether more are wanted.
  bool give(Next next) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !next_ || stop_; });
    if (stop_) return false;
    next_ = std::move(next);
    lock.unlock();
    changed_.notify_all();
    return true;
  }

  bool stopped() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return stop_;
  }

  std::string name_;
  bool repeat_;
  hl_node::BagReader reader_;
  std::string topic_;  // of the thread
  std::mutex mutex_;   // of what follows
  std::condition_variable changed_;
  std::optional<Next> next_;
  std::string end_;
  bool stop_ = false;
  std::thread thread_;  // the last one, for it uses all others
};

}  // namespace

bool is_bag(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return fs::path(path).extension() == ".db3";
  for (const auto& entry : fs::directory_iterator(path, error))
    if (entry.path().extension() == ".db3") return true;
  return false;
}

std::unique_ptr<PictureSource> open_bag(const std::string& path, const PictureSource::Settings& settings) {
  return std::make_unique<Bag>(path, settings);
}

}  // namespace hl_vision
