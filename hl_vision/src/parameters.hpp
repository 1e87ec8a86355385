// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hl_node/parameter_table.hpp"
#include "hl_vision/compass_recorder.hpp"
#include "hl_vision/detection.hpp"
#include "hl_vision/exposure_control.hpp"
#include "hl_vision/mounting_drift.hpp"
#include "hl_vision/transform.hpp"
#include "hl_vision/turn_rate.hpp"
#include "hl_vision/visual_compass.hpp"

namespace hl_vision {

struct DetectionNodeParams {
  Detection::Params core;
  std::string ball_weights, colour_file, robot_config_file, field_file, field_preset;
  double oldest_pose = 0.15;
  std::optional<std::string> validate() const { return core.validate(); }
};
const hl_node::ParameterTable<DetectionNodeParams>& detection_parameters();

struct TransformNodeParams {
  Transform::Params core;
  MountingDrift::Params drift;
  std::string robot_config_file, field_file, field_preset;
  double wait = 0.15;
  std::optional<std::string> validate() const {
    if (auto bad = drift.validate()) return bad;
    return core.validate();
  }
};
const hl_node::ParameterTable<TransformNodeParams>& transform_parameters();

struct CompassNodeParams {
  VisualCompass::Params core;
  TurnRate::Params turn;
  CompassRecorder::Params recorder;
  bool record = true;
  std::string file, robot_config_file, field_file, field_preset;
  double oldest_pose = 0.15;
  std::optional<std::string> validate() const {
    if (auto bad = core.validate()) return bad;
    if (auto bad = turn.validate()) return bad;
    return recorder.validate();
  }
};
const hl_node::ParameterTable<CompassNodeParams>& compass_parameters();

struct CameraNodeParams {
  std::string source = "/dev/video0", calibration_file, frame = "camera_optical_frame";
  int width = 640, height = 480;
  double rate = 15.0, exposure = -1.0, gain = -1.0, white_balance = -1.0;
  bool repeat = true;
  ExposureControl::Params control;
  std::optional<std::string> validate() const {
    if (auto bad = control.validate()) return bad;
    if (source.empty()) return "source is empty: give a device, a video file or a folder of pictures";
    return std::nullopt;
  }
};
const hl_node::ParameterTable<CameraNodeParams>& camera_parameters();

}  // namespace hl_vision
