// SPDX-License-Identifier: Apache-2.0
#include <tinyxml2.h>

#include <Eigen/Geometry>
#include <cstdlib>
#include <map>

#include "mesh_builder.hpp"

namespace hl_description {
namespace {

using tinyxml2::XMLElement;

constexpr int kDeepest = 40;               // node in node
constexpr std::size_t kMostNodes = 20000;  // shown; a scene that uses itself would have no end

std::string text(const XMLElement* element, const char* attribute) {
  const char* value = element ? element->Attribute(attribute) : nullptr;
  return value ? value : "";
}

/// "#body" names the element with the id "body".
std::string id(const std::string& url) {
  return url.empty() || url[0] != '#' ? url : url.substr(1);
}

template <class Visit>
void each(const XMLElement* parent, const char* name, const Visit& visit) {
  for (const XMLElement* e = parent ? parent->FirstChildElement(name) : nullptr; e; e = e->NextSiblingElement(name))
    visit(*e);
}

std::vector<double> numbers(const XMLElement* element) {
  std::vector<double> values;
  const char* at = element ? element->GetText() : nullptr;
  if (!at) return values;
  for (char* end = nullptr;; at = end) {
    const double value = std::strtod(at, &end);
    if (end == at) return values;
    values.push_back(value);
  }
}

std::vector<std::size_t> indices(const XMLElement* element) {
  std::vector<std::size_t> values;
  for (const double value : numbers(element)) {
    if (!(value >= 0.0 && value < 1e9)) throw ModelError("an index is no number from 0 on");
    values.push_back(static_cast<std::size_t>(value));
  }
  return values;
}

std::size_t number(const XMLElement& element, const char* attribute, std::size_t otherwise) {
  return static_cast<std::size_t>(element.Unsigned64Attribute(attribute, otherwise));
}

class Reader {
 public:
  Mesh read(const std::string& bytes) {
    tinyxml2::XMLDocument document;
    if (document.Parse(bytes.c_str(), bytes.size()) != tinyxml2::XML_SUCCESS)
      throw ModelError("line " + std::to_string(document.ErrorLineNum()) + " is not valid XML");
    const XMLElement* root = document.FirstChildElement("COLLADA");
    if (!root) throw ModelError("there is no <COLLADA>");
    each(root->FirstChildElement("library_geometries"), "geometry",
         [&](const XMLElement& geometry) { geometries_[text(&geometry, "id")] = geometry.FirstChildElement("mesh"); });
    each(root->FirstChildElement("library_nodes"), "node",
         [&](const XMLElement& node) { nodes_[text(&node, "id")] = &node; });
    Eigen::Affine3d scale = Eigen::Affine3d::Identity();
    if (const XMLElement* asset = root->FirstChildElement("asset"))
      if (const XMLElement* unit = asset->FirstChildElement("unit")) scale.scale(unit->DoubleAttribute("meter", 1.0));
    bool shown = false;
    each(root->FirstChildElement("library_visual_scenes"), "visual_scene", [&](const XMLElement& scene) {
      shown = true;
      show_children(scene, scale, 0);
    });
    if (!shown)
      for (const auto& entry : geometries_) add(entry.second, scale);
    return builder_.take();
  }

 private:
  static Eigen::Affine3d pose_of(const XMLElement& node) {
    Eigen::Affine3d pose = Eigen::Affine3d::Identity();
    for (const XMLElement* e = node.FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string name = e->Name();
      const auto v = name == "matrix" || name == "translate" || name == "rotate" || name == "scale"
                         ? numbers(e)
                         : std::vector<double>();
      if (name == "matrix" && v.size() == 16) {
        Eigen::Affine3d own = Eigen::Affine3d::Identity();
        for (int row = 0; row < 3; ++row)
          for (int column = 0; column < 4; ++column)
            own.matrix()(row, column) = v[static_cast<std::size_t>(4 * row + column)];
        pose = pose * own;
      } else if (name == "translate" && v.size() == 3) {
        pose.translate(Eigen::Vector3d(v[0], v[1], v[2]));
      } else if (name == "scale" && v.size() == 3) {
        pose.scale(Eigen::Vector3d(v[0], v[1], v[2]));
      } else if (name == "rotate" && v.size() == 4 && Eigen::Vector3d(v[0], v[1], v[2]).norm() > 1e-9) {
        pose.rotate(Eigen::AngleAxisd(v[3] * M_PI / 180.0, Eigen::Vector3d(v[0], v[1], v[2]).normalized()));
      }
    }
    return pose;
  }

  void show_children(const XMLElement& parent, const Eigen::Affine3d& pose, int depth) {
    each(&parent, "node", [&](const XMLElement& node) { show(node, pose, depth + 1); });
  }

  void show(const XMLElement& node, const Eigen::Affine3d& above, int depth) {
    if (depth > kDeepest || ++shown_nodes_ > kMostNodes) throw ModelError("its scene has no end");
    const Eigen::Affine3d pose = above * pose_of(node);
    each(&node, "instance_geometry", [&](const XMLElement& instance) {
      const auto found = geometries_.find(id(text(&instance, "url")));
      if (found != geometries_.end()) add(found->second, pose);
    });
    each(&node, "instance_node", [&](const XMLElement& instance) {
      const auto found = nodes_.find(id(text(&instance, "url")));
      if (found != nodes_.end()) show(*found->second, pose, depth + 1);
    });
    show_children(node, pose, depth);
  }

  void add(const XMLElement* mesh, const Eigen::Affine3d& pose) {
    if (!mesh) return;
    std::map<std::string, std::vector<Eigen::Vector3f>> sources;
    each(mesh, "source", [&](const XMLElement& source) {
      const auto values = numbers(source.FirstChildElement("float_array"));
      const XMLElement* technique = source.FirstChildElement("technique_common");
      const XMLElement* accessor = technique ? technique->FirstChildElement("accessor") : nullptr;
      const std::size_t stride = accessor ? number(*accessor, "stride", 3) : 3;
      auto& points = sources[text(&source, "id")];
      for (std::size_t i = 0; stride >= 3 && i + 3 <= values.size(); i += stride)
        points.push_back((pose * Eigen::Vector3d(values[i], values[i + 1], values[i + 2])).cast<float>());
    });
    const XMLElement* vertices = mesh->FirstChildElement("vertices");
    std::string positions;
    each(vertices, "input", [&](const XMLElement& input) {
      if (text(&input, "semantic") == "POSITION") positions = id(text(&input, "source"));
    });
    const auto& points = sources[positions];
    const bool mirrored = pose.linear().determinant() < 0.0;
    for (const char* kind : {"triangles", "polylist", "polygons"})
      each(mesh, kind, [&](const XMLElement& group) { add_faces(group, points, mirrored); });
  }

  void add_faces(const XMLElement& group, const std::vector<Eigen::Vector3f>& points, bool mirrored) {
    std::size_t offset = 0, stride = 1;
    each(&group, "input", [&](const XMLElement& input) {
      const std::size_t own = number(input, "offset", 0);
      if (own > 100) throw ModelError("line " + std::to_string(input.GetLineNum()) + ": an offset beyond 100");
      if (text(&input, "semantic") == "VERTEX") offset = own;
      stride = std::max(stride, own + 1);
    });
    const auto corners = indices(group.FirstChildElement("vcount"));
    const bool triangles = std::string(group.Name()) == "triangles";
    each(&group, "p", [&](const XMLElement& p) {
      const auto list = indices(&p);
      const std::size_t all = list.size() / stride;
      std::size_t first = 0;
      const auto face = [&](std::size_t count) {
        const auto corner = [&](std::size_t i) -> const Eigen::Vector3f& {
          const std::size_t index = list[(first + i) * stride + offset];
          if (index >= points.size())
            throw ModelError("line " + std::to_string(p.GetLineNum()) + ": there is no point " + std::to_string(index));
          return points[index];
        };
        if (count > all - first) throw ModelError("line " + std::to_string(p.GetLineNum()) + ": it ends within a face");
        for (std::size_t i = 2; i < count; ++i)
          builder_.add(mirrored ? std::array<Eigen::Vector3f, 3>{corner(0), corner(i), corner(i - 1)}
                                : std::array<Eigen::Vector3f, 3>{corner(0), corner(i - 1), corner(i)});
        first += count;
      };
      if (triangles)
        while (first + 3 <= all) face(3);
      else if (corners.empty())
        face(all);  // <polygons>: every <p> is one
      else
        for (const std::size_t count : corners) face(count);
    });
  }

  MeshBuilder builder_;
  std::map<std::string, const XMLElement*> geometries_, nodes_;
  std::size_t shown_nodes_ = 0;
};

}  // namespace

Mesh read_dae(const std::string& bytes) {
  return Reader().read(bytes);
}

}  // namespace hl_description
