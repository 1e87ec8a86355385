// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace hl_simulation {

/// An OpenGL context without a window, on Mesa's surfaceless platform or whatever default display EGL has.
class EglContext {
 public:
  EglContext();  // throws std::runtime_error with a remedy
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  void make_current();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hl_simulation
