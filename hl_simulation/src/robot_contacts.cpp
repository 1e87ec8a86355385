// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "robot_impl.hpp"

namespace hl_simulation {
namespace {

constexpr double kDeepestOverlap = 0.004;  // m that a placed robot may sink into something

}  // namespace

std::optional<std::string> Robot::Impl::obstacle() const {
  const mjModel* m = engine->model.get();
  const mjData* d = engine->data.get();
  for (int c = 0; c < d->ncon; ++c) {
    const mjContact& contact = d->contact[c];
    if (contact.dist > -kDeepestOverlap) continue;
    const int roots[2] = {m->body_rootid[m->geom_bodyid[contact.geom1]], m->body_rootid[m->geom_bodyid[contact.geom2]]};
    const bool first = roots[0] == root_body, second = roots[1] == root_body;
    if (first == second) continue;
    const int other = first ? contact.geom2 : contact.geom1;
    if (other == engine->floor_geom) continue;
    const int body = roots[first ? 1 : 0];
    const std::string what = body == 0 ? "a goal" : mj_id2name(m, mjOBJ_BODY, body);
    return what.substr(0, what.find('/'));
  }
  return std::nullopt;
}

const std::string* Robot::Impl::link_of(int geom) const {
  const auto it = std::find(body_ids.begin(), body_ids.end(), engine->model->geom_bodyid[geom]);
  return it == body_ids.end() ? nullptr : &spec().bodies[it - body_ids.begin()].name;
}

std::vector<GroundContact> Robot::ground_contacts() const {
  const mjModel* m = impl_->engine->model.get();
  const mjData* d = impl_->engine->data.get();
  const auto body_of = [&](const FootSpec& foot) {
    return foot.frame.empty() ? -1 : impl_->body_ids[spec().frames.at(foot.frame).body];
  };
  const int left = body_of(spec().left_foot), right = body_of(spec().right_foot);
  std::vector<GroundContact> result;
  for (int c = 0; c < d->ncon; ++c) {
    const mjContact& contact = d->contact[c];
    const bool floor_first = contact.geom1 == impl_->engine->floor_geom;
    if (!floor_first && contact.geom2 != impl_->engine->floor_geom) continue;
    const int body = m->geom_bodyid[floor_first ? contact.geom2 : contact.geom1];
    if (m->body_rootid[body] != impl_->root_body || contact.efc_address < 0) continue;
    mjtNum force[6];
    mj_contactForce(m, d, c, force);
    using Part = GroundContact::Part;
    const Part part = body == left ? Part::LeftFoot : body == right ? Part::RightFoot : Part::Other;
    const std::string* link = impl_->link_of(floor_first ? contact.geom2 : contact.geom1);
    result.push_back({ConstMap3(contact.pos), force[0], part, link ? *link : ""});
  }
  return result;
}

std::vector<std::pair<std::string, std::string>> Robot::self_contacts() const {
  const mjData* d = impl_->engine->data.get();
  std::vector<std::pair<std::string, std::string>> result;
  for (int c = 0; c < d->ncon; ++c) {
    const std::string* a = impl_->link_of(d->contact[c].geom1);
    const std::string* b = impl_->link_of(d->contact[c].geom2);
    if (a && b) result.emplace_back(*a, *b);
  }
  return result;
}

std::vector<std::size_t> Robot::robots_touched() const {
  const mjModel* m = impl_->engine->model.get();
  const mjData* d = impl_->engine->data.get();
  std::vector<std::size_t> result;
  for (int c = 0; c < d->ncon; ++c) {
    const int first = m->body_rootid[m->geom_bodyid[d->contact[c].geom1]];
    const int second = m->body_rootid[m->geom_bodyid[d->contact[c].geom2]];
    if ((first == impl_->root_body) == (second == impl_->root_body)) continue;
    const auto other = impl_->engine->robot_of_root(first == impl_->root_body ? second : first);
    if (other && std::find(result.begin(), result.end(), *other) == result.end()) result.push_back(*other);
  }
  return result;
}

}  // namespace hl_simulation
