# SPDX-License-Identifier: Apache-2.0
# What ./play, ./test and ./bench share: Debian packages, the underlay, the workspace. Sourced, not run.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# Debian's python3 owns ament_package; a pyenv or conda python in front of it does not.
export PATH="/usr/bin:$PATH"
export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
# Without this colcon asks make to wait while the load is above the number of cores: on a busy machine, for ever.
export MAKEFLAGS=${MAKEFLAGS:--j$(nproc)}
suffix=""                        # -asan, -tsan: separate build and install folders
cxx_flags=""                     # sanitizer flags
build_type=Release
testing=OFF
bench=OFF
only_package=""                  # build and test this one (and what it needs)
skipped=()                       # packages that are not needed this time
times=""                         # file that collects what each package took; empty = nobody asks

say() { printf '\n== %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# --- Debian packages ---------------------------------------------------------------------------------------------

# Names from standard input that are not installed.
missing_packages() {
  comm -23 <(sed 's/#.*//; s/ //g; /^$/d' | sort -u) \
    <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' | awk '/^ii/ {print $2}' | sort -u)
}

apt_install() { # packages...; fails if that is not possible
  local missing=("$@")
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  local as_root=()
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null || { echo "error: installing packages needs root: run 'apt-get install ${missing[*]}' as root" >&2; return 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq || echo "warning: the package lists could not be refreshed; trying with the old ones" >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    >/dev/null
}

install_packages() {
  command -v dpkg-query >/dev/null || return 0 # not Debian: the user's own system provides them
  if have_ros; then return 0; fi
  local missing=()
  mapfile -t missing < <(missing_packages <underlay/apt-packages.txt)
  [[ ${#missing[@]} -eq 0 ]] || apt_install "${missing[@]}" ||
    die "the packages could not be installed; see the message above. This needs Debian 12 (bookworm)."
}

# What only tests need. Without it they are skipped and say so.
install_test_packages() {
  command -v dpkg-query >/dev/null || return 0
  local missing=() node=()
  command -v node >/dev/null || node+=(nodejs) # the machine's own may come from elsewhere
  command -v npm >/dev/null || node+=(npm)
  mapfile -t missing < <({ cat underlay/apt-packages-test.txt; printf '%s\n' "${node[@]}"; } | missing_packages)
  [[ ${#missing[@]} -eq 0 ]] || apt_install "${missing[@]}" || echo "warning: tests that need ${missing[*]} will be skipped" >&2
}

# --- Building ----------------------------------------------------------------------------------------------------

# True if a real ROS 2 is sourced; then there is nothing for the underlay to do.
have_ros() {
  local prefix
  while IFS= read -r -d : prefix; do
    if [[ "$prefix" != "$root/underlay/"* && -e "$prefix/share/rclcpp/package.xml" ]]; then return 0; fi
  done <<<"${AMENT_PREFIX_PATH:-}:"
  return 1
}

# Turns colcon's lines into "[ 3/45   12 s] package"; errors pass through. (Not awk: Debian's buffers its input.)
# With a file as second argument, what each package took is added there: "package what colcon's words".
progress() { # how many packages there are, [file for the times, what was done]
  local total=$1 times=${2:-} what=${3:-} count=0 start=$SECONDS line took
  while IFS= read -r line; do
    case "$line" in
      'Finished <<< '* | 'Failed '* | 'Aborted '*)
        count=$((count + 1))
        line=${line#Finished <<< }
        if [[ -n "$times" && "$line" == *' ['*']'* ]]; then
          took=${line#* [}
          echo "${line%% \[*} $what ${took%%]*}" >>"$times"
        fi
        printf '[%2d/%d %4d s] %s\n' "$count" "$total" "$((SECONDS - start))" "${line%% \[*}"
        ;;
      'Starting >>> '* | '[Processing: '* | '[Processing '* | 'Summary: '* | *' had stderr output: '* | '') ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
}

# A stamp tells whether anything changed since the last build with the same options, of everything or of what is needed now.
stamp_valid() { # stamp, options, folders...
  local stamp=$1 options=$2
  shift 2
  [[ -f "$stamp" ]] && grep -qxF -e "$options" -e "$options$(without)" "$stamp" || return 1
  [[ -z "$(find "$@" \( -name build -o -name 'build-*' -o -name install -o -name 'install-*' -o -name log -o -name 'log-*' -o -name output \
    -o -name .git -o -name __pycache__ \) -prune -o -newer "$stamp" -type f -print -quit)" ]]
}

cmake_args() {
  printf '%s\n' "-DCMAKE_BUILD_TYPE=$build_type" "-DBUILD_TESTING=$testing" "-DHL_BUILD_BENCH=$bench" \
    -DPython3_EXECUTABLE=/usr/bin/python3 -DCMAKE_EXPORT_COMPILE_COMMANDS=ON --no-warn-unused-cli
  have_ros || printf '%s\n' "-DCMAKE_CXX_FLAGS=-Werror $cxx_flags"
}

without() { [[ ${#skipped[@]} -eq 0 ]] || printf 'without %s' "${skipped[*]}"; }

# A build made for testing serves everybody; one without tests must be configured again for ./test.
adopt_options_of() { # stamp
  [[ -f "$1" ]] || return 0
  grep -q 'BUILD_TESTING=ON' "$1" && testing=ON
  grep -q 'HL_BUILD_BENCH=ON' "$1" && bench=ON
  return 0
}

build_failed="the build failed; the messages are above"
colcon_events=(--event-handlers console_start_end+ console_stderr+ summary-)

selection() { # base paths...: colcon arguments that select --package, or leave out what is not needed, if it is one of these
  [[ -n "$only_package" || ${#skipped[@]} -gt 0 ]] || return 0
  local chosen
  mapfile -t chosen < <(colcon list --names-only --base-paths "$@" 2>/dev/null |
    grep -xF "$(printf '%s\n' "${only_package:-${skipped[@]}}")")
  [[ ${#chosen[@]} -gt 0 ]] || return 0
  if [[ -n "$only_package" ]]; then
    printf '%s\n' --packages-up-to "$only_package"
  else
    printf '%s\n' --packages-ignore "${chosen[@]}" # not --packages-skip: colcon would want what tests depend on
  fi
}

export_source() { # a setup file that does not survive `set -u`
  set +u
  # shellcheck disable=SC1090
  . "$1"
  set -u
}

build_underlay() {
  if have_ros; then return 0; fi
  unset AMENT_PREFIX_PATH CMAKE_PREFIX_PATH COLCON_PREFIX_PATH
  local paths=(underlay/src hl_testing) stamp="underlay/build$suffix/.stamp" options chosen
  adopt_options_of "$stamp"
  options="$(cmake_args | tr '\n' ' ')"
  if ! stamp_valid "$stamp" "$options" "${paths[@]}"; then
    local total
    mapfile -t chosen < <(selection "${paths[@]}")
    total=$(colcon list --names-only --base-paths "${paths[@]}" "${chosen[@]}" | wc -l)
    say "building the underlay ($total packages)"
    mkdir -p "underlay/build$suffix"
    touch "$stamp.new"
    UNDERLAY_SUFFIX=$suffix UNDERLAY_CMAKE_ARGS=$(cmake_args) \
      underlay/build.sh "${colcon_events[@]}" "${chosen[@]}" 2>&1 | progress "$total" "$times" build || die "$build_failed"
    if [[ -z "$only_package" ]]; then
      echo "$options$(without)" >"$stamp"
      touch -r "$stamp.new" "$stamp"
    fi
  fi
  export_source "underlay/install$suffix/setup.bash"
}

# Before anything is built: is there such a package?
check_package() {
  if [[ -n "$only_package" && ! -d "$only_package" && -z "$(find underlay/src -maxdepth 2 -type d -name "$only_package")" ]]; then
    die "there is no package '$only_package'; 'ls' and 'ls underlay/src underlay/src/interfaces' show the names"
  fi
}

workspace_paths() { find . -mindepth 2 -maxdepth 2 -name package.xml -printf '%h\n' | sort; }

build_workspace() {
  if [[ -n "$only_package" && ! -d "$only_package" ]]; then return 0; fi # it is one of the underlay's
  local paths stamp="build$suffix/.stamp" options chosen
  mapfile -t paths < <(workspace_paths)
  mkdir -p "build$suffix"
  adopt_options_of "$stamp"
  options="$(cmake_args | tr '\n' ' ')"
  if ! stamp_valid "$stamp" "$options" "${paths[@]}" "underlay/build$suffix/.stamp"; then
    local total
    mapfile -t chosen < <(selection "${paths[@]}")
    total=$(colcon list --names-only --base-paths "${paths[@]}" "${chosen[@]}" | wc -l)
    say "building the suite ($total packages)"
    touch "$stamp.new"
    local args
    mapfile -t args < <(cmake_args)
    colcon --log-base "log$suffix" build --build-base "build$suffix" --install-base "install$suffix" \
      "${colcon_events[@]}" --parallel-workers 2 --base-paths "${paths[@]}" "${chosen[@]}" \
      --cmake-args "${args[@]}" 2>&1 | progress "$total" "$times" build || die "$build_failed"
    if [[ -z "$only_package" ]]; then
      echo "$options$(without)" >"$stamp"
      touch -r "$stamp.new" "$stamp"
    fi
  fi
  export_source "install$suffix/local_setup.bash"
}

build_all() {
  install_packages
  if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_C_COMPILER_LAUNCHER=ccache
    export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 # clones in different folders share what was compiled
  fi
  build_underlay
  build_workspace
}
