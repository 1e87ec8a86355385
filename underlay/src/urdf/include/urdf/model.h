// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <urdf_model/model.h>
#include <urdf_model/types.h>

#include <memory>
#include <string>

namespace urdf {

/// A robot model read from URDF. The init functions return false, with the reason on standard error, if the text is no
/// valid robot description; the model is empty then.
class Model : public ModelInterface {
 public:
  bool initFile(const std::string& filename);
  bool initString(const std::string& xmlstring);
};

using ModelSharedPtr = std::shared_ptr<Model>;
using ModelConstSharedPtr = std::shared_ptr<const Model>;

}  // namespace urdf
