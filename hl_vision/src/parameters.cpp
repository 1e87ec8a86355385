// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

namespace hl_vision {

using hl_node::Change;

const hl_node::ParameterTable<DetectionNodeParams>& detection_parameters() {
  using P = DetectionNodeParams;
  static const hl_node::ParameterTable<P> table = {
      {"ball_confidence", [](P& p) -> double& { return p.core.ball_confidence; }, 0.0, 1.0,
       "from which a candidate is the ball"},
      {"ball_candidates", [](P& p) -> int& { return p.core.ball_candidates; }, 1, 200,
       "most candidates the network looks at"},
      {"posts", [](P& p) -> bool& { return p.core.posts; }, "look for goal posts"},
      {"lines", [](P& p) -> bool& { return p.core.lines; }, "look for lines"},
      {"obstacles", [](P& p) -> bool& { return p.core.obstacles; }, "look for robots and other obstacles"},
      {"largest_width", [](P& p) -> int& { return p.core.largest_width; }, 64, 4096, "wider pictures are shrunk, px"},
      {"colour.learning_rate", [](P& p) -> double& { return p.core.colour.learning_rate; }, 0.001, 1.0,
       "share of a new picture in what is known of the field's colour"},
      {"colour.threshold", [](P& p) -> double& { return p.core.colour.threshold; }, 0.001, 0.9,
       "frequency, against the most frequent colour, from which a colour belongs to the field"},
      {"colour.least_share", [](P& p) -> double& { return p.core.colour.least_share; }, 0.0, 1.0,
       "greenish part of a picture from which it is learned from"},
      {"colour.white_factor", [](P& p) -> double& { return p.core.colour.white_factor; }, 1.0, 5.0,
       "brightness of white things against the field's"},
      {"colour.frozen", [](P& p) -> bool& { return p.core.colour.frozen; },
       "learn no more of the field's colour; set while running, it also saves it to colour.file"},
      {"colour.file", [](P& p) -> std::string& { return p.colour_file; },
       "the field's colour: loaded at the start if it is there; empty: none", Change::AtStart},
      {"oldest_pose", [](P& p) -> double& { return p.oldest_pose; }, 0.0, 2.0,
       "age up to which the newest camera pose stands in for that of the picture, s"},
      {"ball_weights", [](P& p) -> std::string& { return p.ball_weights; },
       "file of the ball network; empty: the one of this package", Change::AtStart},
      {"robot_config_file", [](P& p) -> std::string& { return p.robot_config_file; },
       "robot.yaml with the capsules of the own body and the camera's mounting; empty: neither is used",
       Change::AtStart},
      {"field_file", [](P& p) -> std::string& { return p.field_file; }, "field.yaml; empty: the rules of today",
       Change::AtStart},
      {"field_preset", [](P& p) -> std::string& { return p.field_preset; }, "field of that file; empty: its default",
       Change::AtStart},
  };
  return table;
}

const hl_node::ParameterTable<TransformNodeParams>& transform_parameters() {
  using P = TransformNodeParams;
  static const hl_node::ParameterTable<P> table = {
      {"pixel_noise", [](P& p) -> double& { return p.core.pixel_noise; }, 0.1, 50.0,
       "standard deviation of a place in the picture, px"},
      {"tilt_noise", [](P& p) -> double& { return p.core.tilt_noise; }, 0.0, 0.5,
       "standard deviation of the camera's attitude, rad"},
      {"diameter_noise", [](P& p) -> double& { return p.core.diameter_noise; }, 0.001, 1.0,
       "standard deviation of the ball's diameter, share of it"},
      {"farthest", [](P& p) -> double& { return p.core.farthest; }, 0.5, 100.0,
       "distance beyond which nothing is told, m"},
      {"wait", [](P& p) -> double& { return p.wait; }, 0.0, 2.0,
       "longest wait for the camera's pose at the time of the picture, s"},
      {"drift.learn", [](P& p) -> bool& { return p.drift.learn; },
       "learn slow drift of the camera's mounting from field lines while playing"},
      {"drift.most", [](P& p) -> double& { return p.drift.most; }, 0.0, 0.15,
       "drift of pitch and roll that is learned at most, rad"},
      {"drift.gain", [](P& p) -> double& { return p.drift.gain; }, 0.01, 1.0,
       "share of a new answer in what is known of the drift"},
      {"robot_config_file", [](P& p) -> std::string& { return p.robot_config_file; },
       "robot.yaml with the camera's mounting as calibrated; empty: as the model says", Change::AtStart},
      {"field_file", [](P& p) -> std::string& { return p.field_file; }, "field.yaml; empty: the rules of today",
       Change::AtStart},
      {"field_preset", [](P& p) -> std::string& { return p.field_preset; }, "field of that file; empty: its default",
       Change::AtStart},
  };
  return table;
}

const hl_node::ParameterTable<CompassNodeParams>& compass_parameters() {
  using P = CompassNodeParams;
  static const hl_node::ParameterTable<P> table = {
      {"noise", [](P& p) -> double& { return p.core.noise; }, 0.1, 10.0,
       "how much the surroundings may differ from the record, against what is usual"},
      {"same_place", [](P& p) -> double& { return p.core.same_place; }, 0.05, 3.0,
       "distance within which pictures are joined to one panorama, m"},
      {"most_places", [](P& p) -> int& { return p.core.most_places; }, 1, 100,
       "recorded; then the oldest is forgotten"},
      {"gap", [](P& p) -> double& { return p.core.gap; }, 0.0, 100.0,
       "between turf and what surrounds it, m; 0: found from the record"},
      {"memory", [](P& p) -> double& { return p.core.memory; }, 0.0, 120.0,
       "time after which little is left of an earlier picture, s; 0: each is judged alone"},
      {"turn.farthest", [](P& p) -> double& { return p.turn.farthest_turn; }, 0.05, 0.6,
       "turn between two pictures that can still be compared, rad"},
      {"turn.least_match", [](P& p) -> double& { return p.turn.least_match; }, 0.1, 0.99,
       "correlation from which two pictures show the same"},
      {"turn.oldest", [](P& p) -> double& { return p.turn.oldest; }, 0.05, 10.0,
       "age from which a picture is not compared with any more, s"},
      {"record", [](P& p) -> bool& { return p.record; }, "record by itself in INITIAL and READY"},
      {"record.place_deviation", [](P& p) -> double& { return p.recorder.place_deviation; }, 0.01, 5.0,
       "of localisation's pose, up to which it is recorded by itself, m"},
      {"record.heading_deviation", [](P& p) -> double& { return p.recorder.heading_deviation; }, 0.01, 1.5,
       "the same for the heading, rad"},
      {"file", [](P& p) -> std::string& { return p.file; },
       "record that is loaded at the start, and saved after each recording by itself; empty: none", Change::AtStart},
      {"oldest_pose", [](P& p) -> double& { return p.oldest_pose; }, 0.0, 2.0,
       "age up to which the newest camera pose stands in for that of the picture, s"},
      {"robot_config_file", [](P& p) -> std::string& { return p.robot_config_file; },
       "robot.yaml with the camera's mounting as calibrated; empty: as the model says", Change::AtStart},
      {"field_file", [](P& p) -> std::string& { return p.field_file; }, "field.yaml; empty: the rules of today",
       Change::AtStart},
      {"field_preset", [](P& p) -> std::string& { return p.field_preset; }, "field of that file; empty: its default",
       Change::AtStart},
  };
  return table;
}

const hl_node::ParameterTable<CameraNodeParams>& camera_parameters() {
  using P = CameraNodeParams;
  static const hl_node::ParameterTable<P> table = {
      {"source", &P::source, "V4L2 device, video file, bag or folder of pictures", Change::AtStart},
      {"calibration_file", &P::calibration_file,
       "camera calibration in ROS's format; empty: camera_info is not published", Change::AtStart},
      {"frame", &P::frame, "frame_id of the pictures", Change::AtStart},
      {"width", &P::width, 16, 8192, "wanted of a device, px", Change::AtStart},
      {"height", &P::height, 16, 8192, "wanted of a device, px", Change::AtStart},
      {"rate", &P::rate, 0.1, 240.0, "pictures per second wanted, Hz", Change::AtStart},
      {"repeat", &P::repeat, "begin anew at the end of a file or folder", Change::AtStart},
      {"exposure", &P::exposure, -1.0, 1e6, "fixed exposure in the device's unit; -1: automatic"},
      {"gain", &P::gain, -1.0, 1e6, "fixed gain in the device's unit; -1: as it is"},
      {"exposure_control.on", [](P& p) -> bool& { return p.control.on; },
       "set the exposure of a device by the brightness of the field, beginning with `exposure`"},
      {"exposure_control.brightness", [](P& p) -> double& { return p.control.brightness; }, 20.0, 200.0,
       "wanted of the field, 0..255"},
      {"exposure_control.least", [](P& p) -> double& { return p.control.least; }, 1e-3, 1e6,
       "exposure in the device's unit"},
      {"exposure_control.most", [](P& p) -> double& { return p.control.most; }, 1e-3, 1e6,
       "exposure in the device's unit; longer ones blur"},
      {"exposure_control.period", [](P& p) -> double& { return p.control.period; }, 0.05, 60.0,
       "between two changes, s"},
      {"exposure_control.gain", [](P& p) -> double& { return p.control.gain; }, 0.01, 1.0,
       "share of the error that is corrected at once"},
      {"exposure_control.tolerance", [](P& p) -> double& { return p.control.tolerance; }, 0.0, 0.5,
       "share of the brightness that is left alone"},
      {"white_balance", &P::white_balance, -1.0, 2e4, "fixed white balance, K; -1: automatic"},
  };
  return table;
}

}  // namespace hl_vision
