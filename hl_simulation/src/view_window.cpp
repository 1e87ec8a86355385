// SPDX-License-Identifier: Apache-2.0
#include "view_window.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#ifdef HL_SIMULATION_WINDOW
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>
#undef None
#endif

namespace hl_simulation {
namespace {

constexpr double kKeyTurn = 5.0;        // degrees
constexpr double kNotch = 1.15;         // factor on the distance
constexpr double kDragTurn = 0.3;       // degrees per pixel
constexpr double kDragApproach = 0.01;  // share of the distance per pixel
constexpr int kEscape = 27;

}  // namespace

void ViewInput::key(int code) {
  switch (code) {
    case 'a':
      request_.azimuth -= kKeyTurn;
      break;
    case 'd':
      request_.azimuth += kKeyTurn;
      break;
    case 'w':
      request_.elevation -= kKeyTurn;
      break;
    case 's':
      request_.elevation += kKeyTurn;
      break;
    case '+':
    case '=':  // the same key without shift
      wheel(1);
      break;
    case '-':
      wheel(-1);
      break;
    case 'f':
      ++request_.next;
      break;
    case ' ':
      request_.toggle_pause = !request_.toggle_pause;
      break;
    case 'q':
    case kEscape:
      close();
      break;
    default:
      break;
  }
}

void ViewInput::drag(Drag kind, int x, int y) {
  if (kind != Drag::None && kind == kind_) {
    if (kind == Drag::Turn) {
      request_.azimuth -= kDragTurn * (x - x_);
      request_.elevation -= kDragTurn * (y - y_);
    } else {
      request_.distance *= std::exp(kDragApproach * (y - y_));
    }
  }
  kind_ = kind;
  x_ = x;
  y_ = y;
}

void ViewInput::wheel(int notches) {
  request_.distance *= std::pow(kNotch, -notches);
}

ViewRequest ViewInput::take() {
  const ViewRequest request = request_;
  request_ = ViewRequest();
  return request;
}

#ifdef HL_SIMULATION_WINDOW

namespace {

/// Bits that a colour must be moved by to get into its place in a pixel.
int shift_of(unsigned long mask) {
  int shift = 0;
  while (mask != 0 && (mask & 1u) == 0) {
    mask >>= 1;
    ++shift;
  }
  return shift;
}

int code_of(XKeyEvent& event) {
  switch (XLookupKeysym(&event, 0)) {
    case XK_Left:
      return 'a';
    case XK_Right:
      return 'd';
    case XK_Up:
      return 'w';
    case XK_Down:
      return 's';
    default:
      break;
  }
  char text[8] = "";
  return XLookupString(&event, text, sizeof text, nullptr, nullptr) > 0 ? static_cast<unsigned char>(text[0]) : 0;
}

}  // namespace

struct ViewWindow::Impl {
  Display* display = nullptr;
  ::Window window = 0;
  Atom closed = 0;  // what the window manager says when the window is closed
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;
  ViewInput input;

  Impl() : display(XOpenDisplay(nullptr)) {
    if (!display) throw std::runtime_error("no display answers, so there is no window");
    const int screen = DefaultScreen(display);
    if (DefaultDepth(display, screen) < 24) {
      XCloseDisplay(display);
      throw std::runtime_error("the display has too few colours for a window");
    }
    closed = XInternAtom(display, "WM_DELETE_WINDOW", False);
    // A picture for a window that somebody has just destroyed is no reason to end the program, as Xlib would.
    XSetErrorHandler([](Display*, XErrorEvent*) { return 0; });
  }
  ~Impl() { XCloseDisplay(display); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void open(int wanted_width, int wanted_height) {
    width = wanted_width;
    height = wanted_height;
    const int screen = DefaultScreen(display);
    window = XCreateSimpleWindow(display, RootWindow(display, screen), 0, 0, static_cast<unsigned>(width),
                                 static_cast<unsigned>(height), 0, 0, BlackPixel(display, screen));
    XStoreName(display, window, "simulator");
    XSizeHints hints{};
    hints.flags = PMinSize | PMaxSize;
    hints.min_width = hints.max_width = width;
    hints.min_height = hints.max_height = height;
    XSetWMNormalHints(display, window, &hints);
    XSetWMProtocols(display, window, &closed, 1);
    XSelectInput(display, window,
                 KeyPressMask | ButtonPressMask | ButtonReleaseMask | ButtonMotionMask | StructureNotifyMask);
    XMapWindow(display, window);
  }

  void draw(const Image& image) {
    const int screen = DefaultScreen(display);
    Visual* visual = DefaultVisual(display, screen);
    const int red = shift_of(visual->red_mask), green = shift_of(visual->green_mask),
              blue = shift_of(visual->blue_mask);
    pixels.resize(image.rgb.size() / 3);
    for (std::size_t n = 0; n < pixels.size(); ++n) {
      const std::uint8_t* rgb = image.rgb.data() + 3 * n;
      pixels[n] = std::uint32_t{rgb[0]} << red | std::uint32_t{rgb[1]} << green | std::uint32_t{rgb[2]} << blue;
    }
    XImage* picture = XCreateImage(display, visual, static_cast<unsigned>(DefaultDepth(display, screen)), ZPixmap, 0,
                                   reinterpret_cast<char*>(pixels.data()), static_cast<unsigned>(width),
                                   static_cast<unsigned>(height), 32, 0);
    if (!picture) return;
    const std::uint16_t probe = 1;
    picture->byte_order = *reinterpret_cast<const std::uint8_t*>(&probe) == 1 ? LSBFirst : MSBFirst;
    XPutImage(display, window, DefaultGC(display, screen), picture, 0, 0, 0, 0, static_cast<unsigned>(width),
              static_cast<unsigned>(height));
    picture->data = nullptr;  // it is ours
    XDestroyImage(picture);
    XFlush(display);
  }

  void listen() {
    using Drag = ViewInput::Drag;
    while (XPending(display) > 0) {
      XEvent event;
      XNextEvent(display, &event);
      const auto held = [](unsigned buttons) {
        return buttons & Button1Mask ? Drag::Turn : buttons & Button3Mask ? Drag::Approach : Drag::None;
      };
      switch (event.type) {
        case KeyPress:
          input.key(code_of(event.xkey));
          break;
        case ButtonPress:
          if (event.xbutton.button == Button4) input.wheel(1);
          if (event.xbutton.button == Button5) input.wheel(-1);
          if (event.xbutton.button == Button1) input.drag(Drag::Turn, event.xbutton.x, event.xbutton.y);
          if (event.xbutton.button == Button3) input.drag(Drag::Approach, event.xbutton.x, event.xbutton.y);
          break;
        case ButtonRelease:
          input.drag(Drag::None, event.xbutton.x, event.xbutton.y);
          break;
        case MotionNotify:
          input.drag(held(event.xmotion.state), event.xmotion.x, event.xmotion.y);
          break;
        case DestroyNotify:
          input.close();
          break;
        case ClientMessage:
          if (static_cast<Atom>(event.xclient.data.l[0]) == closed) input.close();
          break;
        default:
          break;
      }
    }
  }
};

bool display_available() {
  Display* display = XOpenDisplay(nullptr);
  if (!display) return false;
  XCloseDisplay(display);
  return true;
}

ViewRequest ViewWindow::show(const Image& image) {
  if (!impl_->window) impl_->open(image.width, image.height);
  if (image.width == impl_->width && image.height == impl_->height) impl_->draw(image);
  impl_->listen();
  return impl_->input.take();
}

#else

struct ViewWindow::Impl {};

bool display_available() {
  return false;
}

ViewRequest ViewWindow::show(const Image&) {
  return ViewRequest();
}

#endif

ViewWindow::ViewWindow() : impl_(std::make_unique<Impl>()) {}
ViewWindow::~ViewWindow() = default;

}  // namespace hl_simulation
