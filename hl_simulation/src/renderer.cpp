// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "egl_context.hpp"
#include "engine.hpp"
#include "hl_simulation/mjcf.hpp"
#include "lighting.hpp"
#include "textures.hpp"

namespace hl_simulation {
namespace {

constexpr int kMostGeoms = 4000;

// How finely round things and faces are drawn. Without a graphics card the corners cost more time than the pixels.
constexpr int kSlices = 20, kStacks = 10, kQuads = 1;

void flip_rows(Image& image, std::vector<std::uint8_t>& spare) {
  const std::size_t row = 3 * static_cast<std::size_t>(image.width);
  spare.resize(row);
  for (int y = 0; y < image.height / 2; ++y) {
    std::uint8_t* upper = image.rgb.data() + y * row;
    std::uint8_t* lower = image.rgb.data() + (image.height - 1 - y) * row;
    std::memcpy(spare.data(), upper, row);
    std::memcpy(upper, lower, row);
    std::memcpy(lower, spare.data(), row);
  }
}

/// Leaves out what lies outside the picture; the driver would only find that out corner by corner.
void cull(mjvScene& scene, double aspect) {
  using Vector = Eigen::Map<const Eigen::Vector3f>;
  const mjvGLCamera& eye = scene.camera[0];
  const Eigen::Vector3f ahead = Vector(eye.forward), up = Vector(eye.up), right = ahead.cross(up);
  const double high = eye.frustum_top / eye.frustum_near, wide = aspect * high;  // tangents of half the angles of view
  const auto outside = [&](const mjvGeom& geom) {
    if (geom.type == mjGEOM_PLANE || geom.type == mjGEOM_MESH)
      return false;  // their size does not tell how far they reach
    const Eigen::Vector3f to = Vector(geom.pos) - Vector(eye.pos);
    // A capsule is longer than its size says by its radius; twice the norm holds every shape.
    const double r = 2.0 * Vector(geom.size).norm(), z = ahead.dot(to);
    return z < -r || std::abs(right.dot(to)) > z * wide + r * std::hypot(1.0, wide) ||
           std::abs(up.dot(to)) > z * high + r * std::hypot(1.0, high);
  };
  const mjvGeom* end = std::remove_if(scene.geoms, scene.geoms + scene.ngeom, outside);
  scene.ngeom = static_cast<int>(end - scene.geoms);
}

}  // namespace

struct Renderer::Impl {
  WorldSpec world;
  Params params;
  EglContext egl;
  ModelPtr model;
  DataPtr data;
  mjvScene scene;
  mjvOption option;
  mjrContext context;
  Lighting lighting;
  double brightness = 1.0;
  std::vector<std::uint8_t> spare_row;

  Impl(const WorldSpec& spec, const Params& wanted) : world(spec), params(wanted), lighting(spec.lighting) {
    if (const auto error = world.validate()) throw std::runtime_error(*error);
    model = compile_mjcf(to_mjcf(world, Detail::Pictures));
    paint_textures(*model, world);
    light(*model, lighting);
    int width = params.width, height = params.height;
    for (const RobotPlacement& robot : world.robots) {
      width = std::max(width, robot.spec->camera.width);
      height = std::max(height, robot.spec->camera.height);
    }
    model->vis.global.offwidth = width;
    model->vis.global.offheight = height;
    model->vis.quality.offsamples = params.samples;
    model->vis.quality.numslices = kSlices;
    model->vis.quality.numstacks = kStacks;
    model->vis.quality.numquads = kQuads;
    data.reset(mj_makeData(model.get()));
    mjv_defaultScene(&scene);
    mjv_defaultOption(&option);
    mjr_defaultContext(&context);
    mjv_makeScene(model.get(), &scene, kMostGeoms);
    mjr_makeContext(model.get(), &context, mjFONTSCALE_100);
    mjr_setBuffer(mjFB_OFFSCREEN, &context);
    if (context.currentBuffer != mjFB_OFFSCREEN)
      throw std::runtime_error("no off-screen graphics: the driver has no framebuffer objects");
    scene.flags[mjRND_SHADOW] = params.shadows ? 1 : 0;
    scene.flags[mjRND_REFLECTION] = 0;
    scene.flags[mjRND_HAZE] = 0;
    option.geomgroup[2] = params.net_cords ? 1 : 0;
    option.geomgroup[3] = 0;
    option.geomgroup[4] = params.net_cords ? 0 : 1;  // a veil instead of cords
  }

  ~Impl() {
    egl.make_current();
    mjr_freeContext(&context);
    mjv_freeScene(&scene);
  }

  enum class Surroundings { Sky, Walls };

  void render(const mjvCamera& from, Surroundings surroundings, int width, int height, Image& image) {
    if (width < 1 || height < 1 || width > model->vis.global.offwidth || height > model->vis.global.offheight) {
      throw std::runtime_error("picture of " + std::to_string(width) + " x " + std::to_string(height) +
                               " does not fit the renderer");
    }
    egl.make_current();
    mjvCamera camera = from;
    scene.flags[mjRND_SKYBOX] = surroundings == Surroundings::Sky ? 1 : 0;
    option.geomgroup[5] = surroundings == Surroundings::Walls ? 1 : 0;
    mjv_updateScene(model.get(), data.get(), &option, nullptr, &camera, mjCAT_ALL, &scene);
    if (!params.shadows)
      cull(scene, static_cast<double>(width) / height);  // shadows fall into the picture from outside
    const mjrRect area{0, 0, width, height};
    mjr_render(area, &scene, &context);
    image.width = width;
    image.height = height;
    image.rgb.resize(3 * static_cast<std::size_t>(width) * height);
    mjr_readPixels(image.rgb.data(), nullptr, area, &context);
    flip_rows(image, spare_row);
  }
};

Renderer::Renderer(const WorldSpec& world, const Params& params) : impl_(std::make_unique<Impl>(world, params)) {}
Renderer::~Renderer() = default;

void Renderer::update(const Simulation& simulation) {
  update(simulation.positions());
}

void Renderer::update(const std::vector<double>& positions) {
  const mjModel* m = impl_->model.get();
  mjData* d = impl_->data.get();
  if (positions.size() != static_cast<std::size_t>(m->nq))
    throw std::runtime_error("positions of another world than the renderer's");
  std::copy(positions.begin(), positions.end(), d->qpos);
  mj_kinematics(m, d);
  mj_camlight(m, d);
}

void Renderer::set_lighting(Lighting lighting) {
  impl_->lighting = lighting;
  light(*impl_->model, lighting);
  set_brightness(impl_->brightness);
}

void Renderer::set_brightness(double factor) {
  impl_->brightness = factor;
  mjModel* m = impl_->model.get();
  light(*m, impl_->lighting);
  const auto scale = [&](float* colour) {
    for (int k = 0; k < 3; ++k) colour[k] = static_cast<float>(colour[k] * factor);
  };
  scale(m->vis.headlight.ambient);
  scale(m->vis.headlight.diffuse);
  for (int n = 0; n < m->nlight; ++n) scale(m->light_diffuse + 3 * n);
  mj_camlight(m, impl_->data.get());
}

void Renderer::set_light_direction(const Eigen::Vector3d& direction) {
  mjModel* m = impl_->model.get();
  const int main = mj_name2id(m, mjOBJ_LIGHT, "main");
  if (main < 0 || direction.norm() < 1e-9) return;
  const Eigen::Vector3d unit = direction.normalized();
  for (int k = 0; k < 3; ++k) m->light_dir[3 * main + k] = m->light_dir0[3 * main + k] = unit[k];
  mj_camlight(m, impl_->data.get());
}

void Renderer::robot_camera(std::size_t index, Image& image) {
  const RobotPlacement& robot = impl_->world.robots.at(index);
  mjvCamera camera;
  mjv_defaultCamera(&camera);
  camera.type = mjCAMERA_FIXED;
  camera.fixedcamid = mj_name2id(impl_->model.get(), mjOBJ_CAMERA, (robot.name + "/camera").c_str());
  if (camera.fixedcamid < 0) throw std::runtime_error("robot '" + robot.name + "' has no camera");
  impl_->render(camera, Impl::Surroundings::Walls, robot.spec->camera.width, robot.spec->camera.height, image);
}

int Renderer::Segments::id(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -2 : static_cast<int>(found - names.begin());
}

void Renderer::robot_segments(std::size_t index, Segments& segments) {
  mjvScene& scene = impl_->scene;
  const mjModel* m = impl_->model.get();
  const mjtByte shadows = scene.flags[mjRND_SHADOW];
  scene.flags[mjRND_SHADOW] = 0;
  scene.flags[mjRND_SEGMENT] = scene.flags[mjRND_IDCOLOR] = 1;
  Image image;
  robot_camera(index, image);
  scene.flags[mjRND_SHADOW] = shadows;
  scene.flags[mjRND_SEGMENT] = scene.flags[mjRND_IDCOLOR] = 0;
  const auto name_of = [&](const mjvGeom& geom) -> std::string {
    if (geom.objtype != mjOBJ_GEOM || geom.objid < 0) return "";
    int body = m->geom_bodyid[geom.objid];
    if (body == 0) {
      const char* name = mj_id2name(m, mjOBJ_GEOM, geom.objid);
      return name ? name : "";
    }
    body = m->body_rootid[body];
    const char* name = mj_id2name(m, mjOBJ_BODY, body);
    const std::string whole = name ? name : "";
    return whole.substr(0, whole.find('/'));
  };
  segments.names.clear();
  std::vector<int> name_by_segment;
  for (int n = 0; n < scene.ngeom; ++n) {
    const auto segment = static_cast<std::size_t>(std::max(0, scene.geoms[n].segid));
    if (name_by_segment.size() <= segment) name_by_segment.resize(segment + 1, -1);
    const std::string name = name_of(scene.geoms[n]);
    if (name.empty() || scene.geoms[n].segid < 0) continue;
    int id = segments.id(name);
    if (id < 0) {
      id = static_cast<int>(segments.names.size());
      segments.names.push_back(name);
    }
    name_by_segment[segment] = id;
  }
  segments.numbers.clear();
  for (const RobotPlacement& robot : impl_->world.robots) segments.numbers.push_back(robot.number);
  segments.width = image.width;
  segments.height = image.height;
  segments.ids.resize(image.rgb.size() / 3);
  for (std::size_t n = 0; n < segments.ids.size(); ++n) {
    const auto* p = image.rgb.data() + 3 * n;
    const std::size_t code = p[0] + 256u * p[1] + 65536u * p[2];
    segments.ids[n] = code > 0 && code - 1 < name_by_segment.size() ? name_by_segment[code - 1] : -1;
  }
}

void Renderer::spectator(const View& view, int width, int height, Image& image) {
  mjvCamera camera;
  mjv_defaultCamera(&camera);
  camera.type = mjCAMERA_FREE;
  std::copy_n(view.target.data(), 3, camera.lookat);
  camera.distance = view.distance;
  camera.azimuth = view.azimuth;
  camera.elevation = view.elevation;
  impl_->render(camera, Impl::Surroundings::Sky, width, height, image);
}

}  // namespace hl_simulation
