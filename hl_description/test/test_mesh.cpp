// SPDX-License-Identifier: Apache-2.0
// Surfaces from STL, OBJ and DAE files: whole, damaged, none at all; and where they are found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "hl_description/mesh.hpp"
#include "hl_description/robot_model.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_description;
using testing::HasSubstr;

namespace {

/// The unit cube's surface, each side divided into n x n squares.
Mesh cube(std::uint32_t n = 1) {
  Mesh mesh;
  for (int side = 0; side < 6; ++side) {
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    for (std::uint32_t i = 0; i <= n; ++i)
      for (std::uint32_t j = 0; j <= n; ++j) {
        Eigen::Vector3f p;
        p[side % 3] = side < 3 ? 0.0f : 1.0f;
        p[(side + 1) % 3] = static_cast<float>(i) / static_cast<float>(n);
        p[(side + 2) % 3] = static_cast<float>(j) / static_cast<float>(n);
        mesh.points.push_back(p);
      }
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j) {
        const std::uint32_t a = first + i * (n + 1) + j, b = a + 1, c = a + n + 1, d = c + 1;
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({d, c, b});
      }
  }
  return mesh;
}

std::string as_text(const Mesh& mesh) {
  std::string text = "solid cube\n";
  for (const auto& triangle : mesh.triangles) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const auto point : triangle) {
      char line[100];
      const Eigen::Vector3f& p = mesh.points[point];
      std::snprintf(line, sizeof line, "  vertex %g %g %e\n", static_cast<double>(p.x()), static_cast<double>(p.y()),
                    static_cast<double>(p.z()));
      text += line;
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid cube\n";
}

std::string as_obj(const Mesh& mesh) {
  std::string text = "# cube\no cube\n";
  for (const auto& p : mesh.points)
    text += "v " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z()) + "\nvn 0 0 1\n";
  for (const auto& t : mesh.triangles) {
    text += "f";
    for (const auto point : t) text += " " + std::to_string(point + 1) + "//1";
    text += "\n";
  }
  return text;
}

/// In centimetres, 1 m to the left, each triangle with an index of a normal beside that of the point.
std::string as_dae(const Mesh& mesh) {
  std::string points, corners;
  for (const auto& p : mesh.points)
    points += std::to_string(100 * p.x()) + " " + std::to_string(100 * p.y()) + " " + std::to_string(100 * p.z()) + " ";
  for (const auto& t : mesh.triangles)
    for (const auto point : t) corners += std::to_string(point) + " 0 ";
  return "<?xml version='1.0'?><COLLADA><asset><unit meter='0.01'/><up_axis>Z_UP</up_axis></asset><library_geometries>"
         "<geometry id='g'><mesh><source id='s'><float_array>" +
         points +
         "</float_array><technique_common><accessor stride='3'/></technique_common></source><vertices id='v'><input "
         "semantic='POSITION' source='#s'/></vertices><triangles><input semantic='VERTEX' source='#v' offset='0'/>"
         "<input semantic='NORMAL' source='#n' offset='1'/><p>" +
         corners +
         "</p></triangles></mesh></geometry></"
         "library_geometries><library_visual_scenes><visual_scene><node><translate>0 "
         "100 0</translate><node><rotate>0 0 1 90</rotate><instance_geometry url='#g'/></node></node></visual_scene>"
         "</library_visual_scenes></COLLADA>";
}

std::string complaint(const std::string& bytes, Mesh (*read)(const std::string&) = read_stl) {
  try {
    read(bytes);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "mesh_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string put(const std::string& file) {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file, std::ios::binary) << stl_of(cube());
    return (path_ / file).string();
  }
  std::string path(const std::string& below = "") const { return (path_ / below).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST(Mesh, BinaryAndTextAreReadAlike) {
  for (const std::string& bytes : {stl_of(cube()), as_text(cube())}) {
    const Mesh mesh = read_stl(bytes);
    EXPECT_EQ(mesh.points.size(), 8u);  // corners that are shared are one
    EXPECT_EQ(mesh.triangles.size(), 12u);
  }
}

TEST(Mesh, ABinaryFileThatBeginsWithSolidIsBinary) {
  std::string bytes = stl_of(cube());
  bytes.replace(0, 5, "solid");
  EXPECT_EQ(read_stl(bytes).triangles.size(), 12u);
}

TEST(Mesh, DamageIsNamed) {
  const std::string bytes = stl_of(cube());
  EXPECT_THAT(complaint(""), HasSubstr("too short"));
  EXPECT_THAT(complaint(bytes.substr(0, 300)), HasSubstr("ends after 4 of 12 triangles"));
  EXPECT_THAT(complaint("solid x\nendsolid x\n"), HasSubstr("no triangles"));
  EXPECT_THAT(complaint("solid x facet vertex 1 2"), HasSubstr("ends within a triangle"));
  EXPECT_THAT(complaint("solid x facet vertex 1 2 three"), HasSubstr("'three' is not a number"));
  std::string huge = bytes, odd = bytes;
  huge.replace(80, 4, "\xff\xff\xff\xff");
  EXPECT_THAT(complaint(huge), HasSubstr("claims to have 4294967295 triangles"));
  const float nan = NAN;
  std::memcpy(&odd[84 + 50 + 12], &nan, sizeof nan);
  EXPECT_THAT(complaint(odd), HasSubstr("corner of triangle 2"));
}

TEST(Mesh, ReducedKeepsTheShape) {
  const Mesh fine = cube(40);
  ASSERT_EQ(fine.triangles.size(), 19'200u);
  for (const std::size_t most : {2000u, 200u, 12u}) {
    const Mesh coarse = reduced(fine, most);
    EXPECT_LE(coarse.triangles.size(), most);
    EXPECT_GE(coarse.triangles.size(), most / 8);
    Eigen::Vector3f low = coarse.points[0], high = low;
    for (const auto& point : coarse.points) low = low.cwiseMin(point), high = high.cwiseMax(point);
    if (most < 200) continue;
    EXPECT_LT(low.maxCoeff(), 0.15f);
    EXPECT_GT(high.minCoeff(), 0.85f);
  }
  EXPECT_EQ(reduced(fine, 0).triangles.size(), 0u);
  EXPECT_EQ(reduced(cube(), 12).triangles.size(), 12u);
}

TEST(Mesh, WhatIsTurnedInsideOutIsTurnedBack) {
  std::mt19937 random(7);
  for (int n = 0; n < 20; ++n) {
    Mesh mesh = cube(3);
    for (auto& triangle : mesh.triangles)
      if (random() % 2 == 0) std::swap(triangle[0], triangle[2]);
    const Mesh whole = oriented(read_stl(stl_of(mesh)));  // sides that share their corners
    ASSERT_EQ(whole.triangles.size(), mesh.triangles.size());
    for (const auto& t : whole.triangles) {
      const Eigen::Vector3f a = whole.points[t[0]], b = whole.points[t[1]], c = whole.points[t[2]];
      const Eigen::Vector3f middle = (a + b + c) / 3.0f, out = (b - a).cross(c - a);
      EXPECT_GT(out.dot(middle - Eigen::Vector3f::Constant(0.5f)), 0.0f);
    }
  }
  Mesh open;  // one triangle alone has no outside
  open.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  open.triangles = {{0, 1, 2}};
  EXPECT_EQ(oriented(open).triangles, open.triangles);
}

TEST(Mesh, FilesAreFoundWhereUrdfsPutThem) {
  Folder folder;
  const std::string in_package = folder.put("my_robot/meshes/arm.stl"), beside = folder.put("flat/leg.stl");
  const std::string urdfs = folder.path("my_robot/urdf");
  std::filesystem::create_directories(urdfs);
  EXPECT_EQ(find_mesh("package://my_robot/meshes/arm.stl", urdfs), in_package);
  EXPECT_EQ(find_mesh("package://my_robot/meshes/arm.stl", folder.path("flat")), in_package);
  EXPECT_EQ(find_mesh("file://" + in_package, ""), in_package);
  EXPECT_EQ(find_mesh("leg.stl", folder.path("flat")), beside);
  EXPECT_EQ(find_mesh("package://other/meshes/leg.stl", folder.path("flat")), beside);
  EXPECT_EQ(find_mesh("package://other/meshes/nothing.stl", folder.path("flat")), std::nullopt);
  for (const char* odd : {"", "package://", "package://x", "http://a/b.stl", "/", "..", "package:///", "file://"})
    EXPECT_EQ(find_mesh(odd, folder.path("flat")), std::nullopt) << odd;
}

TEST(Mesh, ObjFilesAreRead) {
  const Mesh mesh = read_obj(as_obj(cube()));
  EXPECT_EQ(mesh.points.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_EQ(read_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4 -3 -2 -1\n").triangles.size(), 2u);
  EXPECT_THAT(complaint("v 0 0\n", read_obj), HasSubstr("point 1 has less than three numbers"));
  EXPECT_THAT(complaint("v 0 0 0\nf 1 2 3\n", read_obj), HasSubstr("names the point '2' of 1"));
  EXPECT_THAT(complaint("", read_obj), HasSubstr("no triangles"));
}

TEST(Mesh, DaeFilesAreReadInMetresWhereTheirSceneHasThem) {
  const Mesh mesh = read_dae(as_dae(cube()));
  EXPECT_EQ(mesh.triangles.size(), 12u);
  Eigen::Vector3f low = mesh.points[0], high = low;
  for (const auto& point : mesh.points) low = low.cwiseMin(point), high = high.cwiseMax(point);
  EXPECT_LT((low - Eigen::Vector3f(-1, 1, 0)).norm(), 1e-5f);  // turned by 90 degrees, then 1 m to the left
  EXPECT_LT((high - Eigen::Vector3f(0, 2, 1)).norm(), 1e-5f);
  const std::string text = as_dae(cube());
  EXPECT_THAT(complaint(text.substr(0, 700), read_dae), HasSubstr("not valid XML"));
  EXPECT_THAT(complaint("<robot/>", read_dae), HasSubstr("no <COLLADA>"));
  std::string beyond = text;
  beyond.replace(beyond.find("<p>") + 3, 1, "99");
  EXPECT_THAT(complaint(beyond, read_dae), HasSubstr("there is no point 99"));
  std::string squares =
      "<COLLADA><library_geometries><geometry><mesh><source id='s'><float_array>0 0 0 1 0 0 1 1 0 0 1 "
      "0</float_array></source><vertices><input semantic='POSITION' source='#s'/></vertices>"
      "<polylist><input semantic='VERTEX' offset='0'/><vcount>4</vcount><p>0 1 2 3</p></polylist>"
      "</mesh></geometry></library_geometries></COLLADA>";
  EXPECT_EQ(read_dae(squares).triangles.size(), 2u);
}

TEST(Mesh, ADaeSceneThatUsesItselfIsRefused) {
  EXPECT_THAT(complaint("<COLLADA><library_nodes><node id='n'><instance_node url='#n'/></node></library_nodes>"
                        "<library_visual_scenes><visual_scene><node><instance_node url='#n'/></node></visual_scene>"
                        "</library_visual_scenes></COLLADA>",
                        read_dae),
              HasSubstr("no end"));
}

TEST(Mesh, OtherFormatsAreRefusedByName) {
  try {
    read_mesh_file("/tmp/body.ply");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/tmp/body.ply: only STL, OBJ and DAE are read"));
  }
  EXPECT_THROW(read_mesh_file("/does/not/exist.stl"), ModelError);
  EXPECT_THROW(read_mesh_file("/tmp/."), ModelError);
}

TEST(Mesh, SurvivesAnyBytes) {
  std::mt19937 random(5);
  const std::string originals[] = {stl_of(cube(2)), as_text(cube(2)), as_obj(cube(2)), as_dae(cube(2))};
  Mesh (*const readers[])(const std::string&) = {read_stl, read_stl, read_obj, read_dae};
  std::size_t whole = 0;
  for (std::size_t run = 0; run < hl_testing::count(20'000, 10'000'000); ++run) {
    std::string bytes = originals[run % 4];
    if (run % 16 == 0) {
      bytes.resize(random() % 400);
      for (char& c : bytes) c = static_cast<char>(random());
    }
    for (int change = static_cast<int>(random() % 4); change >= 0 && !bytes.empty(); --change) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 3) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, 1 + random() % 60);
          break;
        default:
          bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 60));
      }
    }
    try {
      const Mesh mesh = readers[run % 4](bytes);
      for (const auto& triangle : mesh.triangles)
        for (const auto point : triangle) ASSERT_LT(point, mesh.points.size());
      ASSERT_LE(reduced(mesh, 10).triangles.size(), 10u);
      ++whole;
    } catch (const ModelError&) {
    }
  }
  EXPECT_GT(whole, 0u);
}
