# SPDX-License-Identifier: Apache-2.0
# Completes `ros2 COMMAND`, and package, program, launch file, topic, node, service and type names after it.
_ros2_complete() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]:-} verb=${COMP_WORDS[2]:-} choices=
  if ((COMP_CWORD == 1)); then
    choices=$(ros2 --list-commands 2>/dev/null)
  else
    case $command/$COMP_CWORD in
      run/2 | launch/2) choices=$(ros2 pkg list 2>/dev/null) ;;
      run/3) choices=$(ros2 pkg executables "$verb" 2>/dev/null | cut -d' ' -f2) ;;
      launch/3) choices=$(find "$(ros2 pkg prefix --share "$verb" 2>/dev/null)" -name '*.launch.xml' -printf '%f\n' 2>/dev/null) ;;
      pkg/2) choices="list prefix executables xml" ;;
      pkg/*) choices=$(ros2 pkg list 2>/dev/null) ;;
      interface/2) choices="list show package packages" ;;
      interface/*) choices=$(ros2 interface list 2>/dev/null | sed 's/^ *//') ;;
      topic/2) choices="list info echo hz bw pub type find" ;;
      node/2) choices="list info" ;;
      service/2) choices="list type call find" ;;
      action/2) choices="list info send_goal" ;;
      param/2) choices="list get set dump load describe delete" ;;
      component/2) choices="list load unload types" ;;
      topic/3 | service/3 | action/3) choices=$(ros2 "$command" list 2>/dev/null) ;;
      node/3 | param/3) choices=$(ros2 node list 2>/dev/null) ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
}
complete -o default -F _ros2_complete ros2
