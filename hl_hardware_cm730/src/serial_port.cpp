// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/serial_port.hpp"

#include <fcntl.h>
#include <linux/serial.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

namespace hl_hardware_cm730 {
namespace {

constexpr double kWritePatience = 0.1;  // s without any progress

timespec to_timespec(double seconds) {
  timespec t{};
  t.tv_sec = static_cast<time_t>(seconds);
  t.tv_nsec = static_cast<long>((seconds - static_cast<double>(t.tv_sec)) * 1e9);
  return t;
}

}  // namespace

SerialPort::SerialPort(std::string device) : device_(std::move(device)) {}
SerialPort::~SerialPort() {
  close();
}

bool SerialPort::fail(const std::string& what) {
  error_ = what;
  close();
  return false;
}

bool SerialPort::open() {
  close();
  error_.clear();
  fd_ = ::open(device_.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (fd_ < 0) {
    switch (errno) {
      case ENOENT:
        return fail("there is no port " + device_ +
                    ": is the USB cable plugged in? `ls /dev/ttyUSB* /dev/ttyACM*` shows what is there");
      case EACCES:
      case EPERM:
        return fail("no permission for " + device_ +
                    ": add yourself to its group (`sudo adduser $USER dialout`) and log in again");
      default:
        return fail("cannot open " + device_ + ": " + std::strerror(errno));
    }
  }
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0)
    return fail(device_ + " is in use by another program: only one may drive the bus");
  termios settings{};
  if (::tcgetattr(fd_, &settings) != 0) return fail(device_ + " is no serial port: " + std::strerror(errno));
  ::cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
  settings.c_cc[VMIN] = 0;
  settings.c_cc[VTIME] = 0;
  if (::cfsetspeed(&settings, B1000000) != 0 || ::tcsetattr(fd_, TCSANOW, &settings) != 0) {
    return fail(device_ + " does not run at 1000000 baud: " + std::strerror(errno));
  }
  ::tcflush(fd_, TCIOFLUSH);
  lower_latency();
  return true;
}

void SerialPort::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void SerialPort::lower_latency() {
  serial_struct serial{};
  if (::ioctl(fd_, TIOCGSERIAL, &serial) == 0) {
    serial.flags |= ASYNC_LOW_LATENCY;
    ::ioctl(fd_, TIOCSSERIAL, &serial);  // sets an FTDI adapter's timer to 1 ms if the driver lets us
  }
  latency_timer_ = 0;
  char path[PATH_MAX];
  const char* real = ::realpath(device_.c_str(), path);  // /dev/serial/by-id/... is a link
  const std::string name = real ? real : device_;
  const std::string timer = "/sys/bus/usb-serial/devices/" + name.substr(name.rfind('/') + 1) + "/latency_timer";
  std::ofstream(timer) << 1;
  std::ifstream(timer) >> latency_timer_;
}

double SerialPort::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void SerialPort::sleep_until(double time) {
  const timespec t = to_timespec(time);  // the steady clock is CLOCK_MONOTONIC
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

/// False on time-out; errors show in the next read or write.
bool SerialPort::wait(short events, double deadline) {
  const double left = deadline - now();
  if (left <= 0.0) return false;
  const timespec timeout = to_timespec(left);
  pollfd poll_fd{fd_, events, 0};
  return ::ppoll(&poll_fd, 1, &timeout, nullptr) != 0;
}

bool SerialPort::write(const uint8_t* bytes, size_t size) {
  if (fd_ < 0) return false;
  while (size > 0) {
    const ssize_t count = ::write(fd_, bytes, size);
    if (count > 0) {
      bytes += count;
      size -= static_cast<size_t>(count);
    } else if (count < 0 && errno != EAGAIN && errno != EINTR) {
      return fail(device_ + " is gone: " + std::strerror(errno));
    } else if (!wait(POLLOUT, now() + kWritePatience)) {
      return fail(device_ + " takes no more bytes");
    }
  }
  return true;
}

int SerialPort::read(uint8_t* bytes, size_t capacity, double deadline) {
  if (fd_ < 0) return -1;
  for (bool woken = false, last_look = false;;) {
    const ssize_t count = ::read(fd_, bytes, capacity);
    if (count > 0) return static_cast<int>(count);
    // Ready, and yet nothing to read: the other end is gone.
    if ((count < 0 && errno != EAGAIN && errno != EINTR) || (count == 0 && woken)) {
      fail(device_ + " is gone: was the cable pulled?");
      return -1;
    }
    if (last_look) return 0;
    woken = wait(POLLIN, deadline);
    last_look = !woken;  // the thread may have slept longer than it wanted
  }
}

void SerialPort::discard_input() {
  if (fd_ >= 0) ::tcflush(fd_, TCIFLUSH);
}

}  // namespace hl_hardware_cm730
