// SPDX-License-Identifier: Apache-2.0
#include "egl_context.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace hl_simulation {
namespace {

[[noreturn]] void fail(const char* what) {
  char code[16];
  std::snprintf(code, sizeof code, "0x%x", static_cast<unsigned>(eglGetError()));
  throw std::runtime_error(std::string("no off-screen graphics: ") + what + " failed (EGL error " + code +
                           "); install libegl-mesa0 and libgl1-mesa-dri, or run without camera and film");
}

EGLDisplay open_display() {
  const auto get_platform_display =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (get_platform_display) {
    const EGLDisplay display = get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
  }
  const EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) fail("eglInitialize");
  return display;
}

}  // namespace

struct EglContext::Impl {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
};

EglContext::EglContext() : impl_(std::make_unique<Impl>()) {
  impl_->display = open_display();
  const EGLint wanted[] = {EGL_SURFACE_TYPE,    EGL_PBUFFER_BIT, EGL_DEPTH_SIZE, 24,
                           EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,  EGL_NONE};
  EGLConfig config;
  EGLint count = 0;
  if (!eglChooseConfig(impl_->display, wanted, &config, 1, &count) || count < 1) fail("eglChooseConfig");
  if (!eglBindAPI(EGL_OPENGL_API)) fail("eglBindAPI");
  impl_->context = eglCreateContext(impl_->display, config, EGL_NO_CONTEXT, nullptr);
  if (impl_->context == EGL_NO_CONTEXT) fail("eglCreateContext");
  make_current();
}

EglContext::~EglContext() {
  eglMakeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(impl_->display, impl_->context);
}

void EglContext::make_current() {
  if (eglGetCurrentContext() == impl_->context) return;
  if (!eglMakeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, impl_->context)) fail("eglMakeCurrent");
}

}  // namespace hl_simulation
