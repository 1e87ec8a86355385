// SPDX-License-Identifier: Apache-2.0
#include "engine.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <set>
#include <stdexcept>

#include "hl_simulation/mjcf.hpp"
#include "self_collision.hpp"

namespace hl_simulation {
namespace {

void throw_error(const char* message) {
  throw std::runtime_error(std::string("MuJoCo: ") + message);
}
void ignore_warning(const char*) {}  // counted in mjData and handled by Simulation::step

/// Half the height of a geom, measured along the world's z axis.
double half_height(const mjModel& model, const mjData& data, int geom) {
  const mjtNum* size = model.geom_size + 3 * geom;
  const mjtNum* row = data.geom_xmat + 9 * geom + 6;  // world z in geom axes
  switch (model.geom_type[geom]) {
    case mjGEOM_BOX:
      return std::abs(row[0]) * size[0] + std::abs(row[1]) * size[1] + std::abs(row[2]) * size[2];
    case mjGEOM_CYLINDER:
      return std::hypot(row[0], row[1]) * size[0] + std::abs(row[2]) * size[1];
    case mjGEOM_MESH: {
      const int mesh = model.geom_dataid[geom];
      double lowest = 0.0;
      for (int v = model.mesh_vertadr[mesh]; v < model.mesh_vertadr[mesh] + model.mesh_vertnum[mesh]; ++v) {
        const float* point = model.mesh_vert + 3 * v;
        lowest = std::min(lowest, row[0] * point[0] + row[1] * point[1] + row[2] * point[2]);
      }
      return -lowest;
    }
    default:
      return size[0];
  }
}

int bodies_between(const RobotSpec& spec, int a, int b) {
  const auto ancestors = [&](int body) {
    std::vector<int> chain;
    for (; body >= 0; body = spec.bodies[body].parent) chain.push_back(body);
    return chain;
  };
  const auto up_a = ancestors(a), up_b = ancestors(b);
  for (std::size_t i = 0; i < up_a.size(); ++i) {
    const auto it = std::find(up_b.begin(), up_b.end(), up_a[i]);
    if (it != up_b.end()) return static_cast<int>(i + (it - up_b.begin()));
  }
  return 0;
}

}  // namespace

ModelPtr compile_mjcf(const std::string& xml) {
  static std::once_flag once;
  std::call_once(once, [] {
    mju_user_error = throw_error;
    mju_user_warning = ignore_warning;
  });
  // MuJoCo's compiler keeps global state.
  static std::mutex compiler;
  const std::lock_guard<std::mutex> lock(compiler);
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  if (mj_makeEmptyFileVFS(files.get(), "world.xml", static_cast<int>(xml.size())) != 0) {
    throw std::runtime_error("MuJoCo: no memory for the model text");
  }
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), "world.xml")], xml.data(), xml.size());
  char error[1000] = "";
  ModelPtr model(mj_loadXML("world.xml", files.get(), error, sizeof error));
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(std::string("MuJoCo refuses the model: ") + error);
  return model;
}

double lowest_point(const mjModel& model, const mjData& data, int root_body) {
  double lowest = 1e9;
  for (int geom = 0; geom < model.ngeom; ++geom) {
    if (model.body_rootid[model.geom_bodyid[geom]] != root_body || model.geom_contype[geom] == 0) continue;
    lowest = std::min(lowest, data.geom_xpos[3 * geom + 2] - half_height(model, data, geom));
  }
  return lowest;
}

std::vector<std::pair<std::string, std::string>> find_self_collisions(const RobotSpec& spec) {
  std::set<std::pair<std::string, std::string>> candidates;
  for (std::size_t a = 0; a < spec.bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < spec.bodies.size(); ++b) {
      if (bodies_between(spec, static_cast<int>(a), static_cast<int>(b)) < 2) continue;
      for (const Shape& first : spec.bodies[a].shapes) {
        for (const Shape& second : spec.bodies[b].shapes) {
          if (first.collides && second.collides) candidates.insert({first.link, second.link});
        }
      }
    }
  }
  auto probe = std::make_shared<RobotSpec>(spec);
  probe->self_collisions.assign(candidates.begin(), candidates.end());
  WorldSpec world = world_with(probe);
  world.with_ball = world.with_goals = false;
  const ModelPtr model = compile_mjcf(to_mjcf(world));
  const DataPtr data(mj_makeData(model.get()));

  const auto link_of = [&](int geom) {
    // Names are "<robot>/geom_<body>_<shape>".
    int body = 0, shape = 0;
    const std::string name = mj_id2name(model.get(), mjOBJ_GEOM, geom);
    std::sscanf(name.c_str() + name.find('/') + 1, "geom_%d_%d", &body, &shape);
    return spec.bodies[body].shapes[shape].link;
  };
  const auto remove_touching = [&](const std::vector<double>& joints) {
    mj_resetData(model.get(), data.get());
    data->qpos[2] = 10.0;
    for (std::size_t j = 0; j < joints.size(); ++j) data->qpos[7 + j] = joints[j];
    mj_kinematics(model.get(), data.get());
    mj_comPos(model.get(), data.get());
    mj_collision(model.get(), data.get());
    for (int c = 0; c < data->ncon; ++c) {
      const std::string a = link_of(data->contact[c].geom1), b = link_of(data->contact[c].geom2);
      candidates.erase({a, b});
      candidates.erase({b, a});
    }
  };
  std::vector<double> zero;
  for (const JointSpec& joint : spec.joints) zero.push_back(std::clamp(0.0, joint.lower, joint.upper));
  remove_touching(zero);
  remove_touching(spec.walk_ready_positions());
  return {candidates.begin(), candidates.end()};
}

}  // namespace hl_simulation
