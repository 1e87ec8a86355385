#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the underlay: the part of ROS 2 that Debian does not package. Arguments go to `colcon build`.
# Environment: UNDERLAY_SUFFIX (separate build and install folders, e.g. -asan), UNDERLAY_CMAKE_ARGS (one per line).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
suffix=${UNDERLAY_SUFFIX:-}

IFS=: read -ra prefixes <<<"${AMENT_PREFIX_PATH:-}"
for prefix in "${prefixes[@]}"; do
  if [[ "$prefix" != "$here/"* && -e "$prefix/share/rclcpp/package.xml" ]]; then
    echo "underlay: rclcpp is already at $prefix; a ROS 2 installation needs no underlay." >&2
    echo "underlay: to build it all the same, use a shell that has not sourced that setup file." >&2
    exit 3
  fi
done
unset AMENT_PREFIX_PATH CMAKE_PREFIX_PATH COLCON_PREFIX_PATH

# Debian's python3 owns ament_package; a pyenv or conda python in front of it does not.
export PATH="/usr/bin:$PATH"
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER:-ccache}
  export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER:-ccache}
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$(dirname "$here")} CCACHE_NOHASHDIR=1
fi
mkdir -p "$here/build$suffix"
exec 8>"$here/build$suffix/.lock"
flock 8 # two builds in one folder would trample on each other

cmake_args=(-DCMAKE_BUILD_TYPE=Release -DPython3_EXECUTABLE=/usr/bin/python3)
if [[ -n "${UNDERLAY_CMAKE_ARGS:-}" ]]; then
  mapfile -t more <<<"$UNDERLAY_CMAKE_ARGS"
  cmake_args+=("${more[@]}")
fi
cd "$here/.."
exec colcon --log-base "$here/log$suffix" build --parallel-workers 2 \
  --base-paths underlay/src hl_testing \
  --build-base "$here/build$suffix" --install-base "$here/install$suffix" "$@" --cmake-args "${cmake_args[@]}"
