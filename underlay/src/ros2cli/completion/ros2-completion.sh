# SPDX-License-Identifier: Apache-2.0
if [ -n "$BASH_VERSION" ] && [ -f "$AMENT_CURRENT_PREFIX/share/ros2cli/environment/ros2.bash" ]; then
  . "$AMENT_CURRENT_PREFIX/share/ros2cli/environment/ros2.bash"
fi
