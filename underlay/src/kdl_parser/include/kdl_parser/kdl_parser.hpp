// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tinyxml2.h>
#include <urdf_model/model.h>

#include <kdl/tree.hpp>
#include <string>

/// A KDL tree from a robot's description. Each function returns false, and says why on the error output, if there is
/// no valid description.
namespace kdl_parser {

bool treeFromFile(const std::string& file, KDL::Tree& tree);
bool treeFromString(const std::string& xml, KDL::Tree& tree);
bool treeFromXml(const tinyxml2::XMLDocument* xml_doc, KDL::Tree& tree);
/// The inertia of the root link is not in the tree: KDL has none there.
bool treeFromUrdfModel(const urdf::ModelInterface& robot_model, KDL::Tree& tree);

}  // namespace kdl_parser
