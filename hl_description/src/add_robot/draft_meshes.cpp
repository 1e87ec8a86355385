// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <map>
#include <set>

#include "hl_description/robot_model.hpp"
#include "urdf_draft.hpp"

namespace hl_description {
namespace {

struct Loaded {
  std::shared_ptr<const Mesh> surface;
  std::string file;  // name without folders; no two are the same
};

class Loader {
 public:
  Loader(const std::vector<std::string>& folders, Findings& findings) : folders_(folders), findings_(findings) {}

  const Loaded& load(const std::string& filename) {
    const auto [entry, fresh] = loaded_.try_emplace(filename);
    if (!fresh) return entry->second;
    std::optional<std::string> path;
    for (const std::string& folder : folders_)
      if (!path) path = find_mesh(filename, folder);
    if (!path) {
      missing_.push_back(filename);
      return entry->second;
    }
    try {
      entry->second.surface = std::make_shared<const Mesh>(read_mesh_file(*path));
      entry->second.file = free_name(std::filesystem::path(*path).stem().string()) + ".stl";
    } catch (const ModelError& error) {
      findings_.guess(0, std::string(error.what()) + "; the shape that collides is drawn instead",
                      "give an STL file of that name");
    }
    return entry->second;
  }

  void tell_missing() {
    if (missing_.empty()) return;
    std::map<std::string, std::string> names;  // by folder
    for (const std::string& name : missing_) {
      const auto slash = name.rfind('/');
      std::string& all = names[slash == std::string::npos ? "" : name.substr(0, slash + 1)];
      all += (all.empty() ? "" : ", ") + name.substr(slash == std::string::npos ? 0 : slash + 1);
    }
    for (const auto& [folder, files] : names)
      findings_.guess(0,
                      "meshes that are not there, so that simple shapes are drawn instead: " +
                          (folder.empty() ? files : "in " + folder + " " + files),
                      "put them beside the URDF, or --meshes FOLDER with the package in it");
  }

 private:
  std::string free_name(const std::string& wanted) {
    std::string name = wanted;
    for (int n = 2; !taken_.insert(name).second; ++n) name = wanted + "_" + std::to_string(n);
    return name;
  }

  const std::vector<std::string>& folders_;
  Findings& findings_;
  std::map<std::string, Loaded> loaded_;
  std::set<std::string> taken_;
  std::vector<std::string> missing_;
};

}  // namespace

void load_meshes(Draft& draft, const std::vector<std::string>& folders, Findings& findings) {
  Loader loader(folders, findings);
  for (DraftLink& link : draft.links)
    for (auto* shapes : {&link.visuals, &link.collisions})
      for (DraftShape& shape : *shapes) {
        if (shape.type != DraftShape::Type::Mesh) continue;
        const Loaded& mesh = loader.load(shape.mesh);
        shape.surface = mesh.surface;
        if (mesh.surface) shape.mesh = mesh.file;
      }
  loader.tell_missing();
}

}  // namespace hl_description
