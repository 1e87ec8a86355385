// SPDX-License-Identifier: Apache-2.0
#include "urdf/model.h"

#include <urdf_parser/urdf_parser.h>

#include <cstdio>
#include <fstream>
#include <iterator>

namespace urdf {

bool Model::initFile(const std::string& filename) {
  std::ifstream file(filename);
  if (!file) {
    std::fprintf(stderr, "urdf: cannot open '%s'; does the file exist and may you read it?\n", filename.c_str());
    clear();
    return false;
  }
  return initString(std::string(std::istreambuf_iterator<char>(file), {}));
}

bool Model::initString(const std::string& xmlstring) {
  clear();
  ModelInterfaceSharedPtr model;
  try {
    model = parseURDF(xmlstring);
  } catch (const std::exception& e) {  // the parser lets some through, for instance a tree without a root
    std::fprintf(stderr, "urdf: %s\n", e.what());
  }
  if (!model) {
    std::fprintf(stderr, "urdf: the text is not a valid robot description: '%.60s'\n", xmlstring.c_str());
    return false;
  }
  links_ = model->links_;
  joints_ = model->joints_;
  materials_ = model->materials_;
  name_ = model->name_;
  root_link_ = model->root_link_;
  return true;
}

}  // namespace urdf
