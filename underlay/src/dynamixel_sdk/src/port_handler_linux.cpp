// SPDX-License-Identifier: Apache-2.0
#include "dynamixel_sdk/port_handler_linux.h"

#include <fcntl.h>
#include <linux/serial.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>

namespace dynamixel {
namespace {

constexpr double kBitsPerByte = 10.0;     // start, 8 data, stop
constexpr double kLowLatency = 5.0;       // ms a USB adapter needs both ways when its latency timer is 1 ms
constexpr double kDefaultLatency = 34.0;  // ms, with the usual latency timer of 16 ms
constexpr int kWriteTimeout = 100;        // ms without any progress

struct Rate {
  int baud;
  speed_t speed;
};

constexpr Rate kRates[] = {{9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},
                           {115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},
                           {576000, B576000},   {921600, B921600},   {1000000, B1000000}, {1152000, B1152000},
                           {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000}, {3000000, B3000000},
                           {3500000, B3500000}, {4000000, B4000000}};

}  // namespace

PortHandler* PortHandler::getPortHandler(const char* port_name) {
  return new PortHandlerLinux(port_name);
}

PortHandlerLinux::PortHandlerLinux(const char* port_name) : name_(port_name) {}

PortHandlerLinux::~PortHandlerLinux() {
  closePort();
}

bool PortHandlerLinux::openPort() {
  return setBaudRate(baudrate_);
}

void PortHandlerLinux::closePort() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  is_using_ = false;
}

void PortHandlerLinux::clearPort() {
  ::tcflush(fd_, TCIFLUSH);
}

void PortHandlerLinux::setPortName(const char* port_name) {
  name_ = port_name;
}
char* PortHandlerLinux::getPortName() {
  return name_.data();
}

bool PortHandlerLinux::setBaudRate(const int baudrate) {
  const auto rate =
      std::find_if(std::begin(kRates), std::end(kRates), [&](const Rate& r) { return r.baud == baudrate; });
  if (rate == std::end(kRates)) return false;
  closePort();
  baudrate_ = baudrate;
  fd_ = ::open(name_.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (fd_ < 0) return false;
  if (!configure(rate->speed)) {
    closePort();
    return false;
  }
  request_low_latency();
  return true;
}

int PortHandlerLinux::getBaudRate() {
  return baudrate_;
}

bool PortHandlerLinux::configure(unsigned speed) {
  termios settings{};
  if (::tcgetattr(fd_, &settings) != 0) return false;
  ::cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
  settings.c_cc[VMIN] = 0;
  settings.c_cc[VTIME] = 0;
  if (::cfsetspeed(&settings, speed) != 0 || ::tcsetattr(fd_, TCSANOW, &settings) != 0) return false;
  return ::tcflush(fd_, TCIOFLUSH) == 0;
}

void PortHandlerLinux::request_low_latency() {
  serial_struct serial{};
  bool granted = ::ioctl(fd_, TIOCGSERIAL, &serial) == 0;
  if (granted) {
    serial.flags |= ASYNC_LOW_LATENCY;
    granted = ::ioctl(fd_, TIOCSSERIAL, &serial) == 0;
  }
  if (granted) {  // an FTDI adapter says what it really does
    std::ifstream timer("/sys/bus/usb-serial/devices/" + name_.substr(name_.rfind('/') + 1) + "/latency_timer");
    int milliseconds = 0;
    if (timer >> milliseconds) granted = milliseconds <= 1;
  }
  latency_ms_ = granted ? kLowLatency : kDefaultLatency;
}

int PortHandlerLinux::getBytesAvailable() {
  int count = 0;
  return ::ioctl(fd_, FIONREAD, &count) == 0 ? count : 0;
}

int PortHandlerLinux::readPort(uint8_t* packet, int length) {
  if (fd_ < 0) return -1;
  for (bool hung_up = false;;) {
    const ssize_t count = ::read(fd_, packet, static_cast<size_t>(length));
    if (count > 0) return static_cast<int>(count);
    if (hung_up || (count < 0 && errno != EAGAIN && errno != EINTR)) return -1;

    const auto left = deadline_ - Clock::now();
    if (left <= Clock::duration::zero()) return 0;
    const auto wait = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    const timespec timeout{static_cast<time_t>(wait / 1'000'000'000), static_cast<long>(wait % 1'000'000'000)};
    pollfd poll_fd{fd_, POLLIN, 0};
    const int ready = ::ppoll(&poll_fd, 1, &timeout, nullptr);
    if (ready < 0 && errno != EINTR) return -1;
    hung_up = ready > 0 && (poll_fd.revents & (POLLHUP | POLLERR | POLLNVAL));  // what is still there is read first
  }
}

int PortHandlerLinux::writePort(uint8_t* packet, int length) {
  if (fd_ < 0) return -1;
  int written = 0;
  while (written < length) {
    const ssize_t count = ::write(fd_, packet + written, static_cast<size_t>(length - written));
    if (count > 0) {
      written += static_cast<int>(count);
      continue;
    }
    if (count < 0 && errno != EAGAIN && errno != EINTR) return -1;
    pollfd poll_fd{fd_, POLLOUT, 0};
    if (::poll(&poll_fd, 1, kWriteTimeout) == 0) break;
    if (poll_fd.revents & (POLLERR | POLLHUP | POLLNVAL)) return -1;
  }
  return written;
}

void PortHandlerLinux::setPacketTimeout(uint16_t packet_length) {
  setPacketTimeout(packet_length * kBitsPerByte * 1000.0 / baudrate_ + latency_ms_);
}

void PortHandlerLinux::setPacketTimeout(double msec) {
  deadline_ =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(msec));
}

bool PortHandlerLinux::isPacketTimeout() {
  return Clock::now() >= deadline_;
}

}  // namespace dynamixel
