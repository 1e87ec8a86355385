// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hl_simulation/simulation.hpp"

namespace hl_simulation {

/// Eight-bit RGB, rows from top to bottom.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
  const std::uint8_t* pixel(int x, int y) const { return rgb.data() + 3 * (static_cast<std::size_t>(y) * width + x); }
};

/// A spectator's view of a point.
struct View {
  Eigen::Vector3d target{0.0, 0.0, 0.25};  // m
  double distance = 2.0;                   // m
  double azimuth = 90.0;                   // degrees, direction of view about z; 0 looks along x, 90 along y
  double elevation = -15.0;                // degrees, negative looks down
};

/// Pictures of a world without display or graphics card (EGL, off-screen). Has a scene of its own, so the physics
/// carries no decoration. Create and use it in one thread.
class Renderer {
 public:
  struct Params {
    int width = 640, height = 480;  // largest picture
    bool shadows = false;           // costs twice the time
    int samples = 0;                // 4: smooth edges, costs three times the time
    bool net_cords = true;
  };

  /// Throws std::runtime_error if there is no EGL or the world cannot be built.
  Renderer(const WorldSpec& world, const Params& params);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Takes over the positions of all things.
  void update(const Simulation& simulation);
  void update(const std::vector<double>& positions);  // of Simulation::positions()

  void set_lighting(Lighting lighting);
  void set_brightness(double factor);  // against the lighting
  void set_light_direction(const Eigen::Vector3d& direction);

  /// What the camera of robot `index` sees, in the size of its CameraSpec. Throws if it has none.
  void robot_camera(std::size_t index, Image& image);
  /// What each pixel of that picture shows: an index into `names`, or -1. Names: "floor", "ball", "goal_own", a robot's
  /// name, "person_0", ...; parts of the hall are -1.
  struct Segments {
    int width = 0, height = 0;
    std::vector<int> ids;
    std::vector<std::string> names;
    std::vector<int> numbers;  // painted on each robot
    int at(int x, int y) const {
      return ids[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
    int id(const std::string& name) const;  // -2 if nothing has that name
  };
  void robot_segments(std::size_t index, Segments& segments);
  void spectator(const View& view, int width, int height, Image& image);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hl_simulation
