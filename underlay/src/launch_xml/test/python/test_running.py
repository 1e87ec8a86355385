# SPDX-License-Identifier: Apache-2.0
"""Real processes: output, respawn, shutdown of the whole tree, exit codes."""

import glob
import os
import signal
import subprocess
import sys
import time

import pytest

from launch_xml.supervisor import respawn_pause

PYTHON = f'#!{sys.executable}\n'
STUBBORN = PYTHON + '''import os, signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN if "term" in sys.argv else signal.SIG_DFL)
print("up", os.getpid(), flush=True)
time.sleep(300)
'''


def alive(process_id):
    try:
        with open(f'/proc/{process_id}/stat') as file:
            return file.read().rpartition(')')[2].split()[0] != 'Z'
    except OSError:
        return False


def pids(running, word='up'):
    return [int(line.split()[-1]) for line in running.output().splitlines() if f'] {word} ' in line]


def test_output_and_clean_end(workspace):
    workspace.program('talk', '#!/bin/sh\necho out\necho err >&2\nprintf unfinished\n')
    running = workspace.launch('''<log message="hello"/><node pkg="soccer" exec="talk" output="screen"/>
                                  <node pkg="soccer" exec="talk"/>''')
    assert running.end() == 0
    text = running.output()
    for line in ('[INFO] [launch]: All log files', '[INFO] [launch.user]: hello',
                 '[INFO] [talk-1]: process started with pid [', '[talk-1] out\n', '[talk-1] err\n', '[talk-1] unfinished\n',
                 '[talk-2] err\n', '[INFO] [talk-2]: process has finished cleanly [pid '):
        assert line in text
    assert '[talk-2] out' not in text  # output="log": only the error output is shown
    log, = glob.glob(str(workspace.folder / 'log' / '*' / 'launch.log'))
    with open(log) as file:
        assert '[talk-2] out' in file.read()


def test_nested_launch_with_namespaces_and_respawn(workspace):
    workspace.program('once', '#!/bin/sh\necho "go $*"\nexit 1\n')
    workspace.launch_file('''<arg name="robot"/><group><push_ros_namespace namespace="$(var robot)"/>
        <node pkg="soccer" exec="once" name="walk" output="screen" respawn="true" respawn_delay="0.05"/></group>''',
                          'robot.launch.xml')
    running = workspace.launch('''
        <group><include file="$(dirname)/robot.launch.xml"><arg name="robot" value="r1"/></include></group>
        <group><push_ros_namespace namespace="blue"/>
          <include file="$(dirname)/robot.launch.xml"><arg name="robot" value="r2"/></include></group>''')
    running.wait_for('[once-1] go --ros-args -r __node:=walk -r __ns:=/r1', 3)
    running.wait_for('[once-2] go --ros-args -r __node:=walk -r __ns:=/blue/r2', 3)
    assert '[ERROR] [once-1]: process has died [pid ' in running.output() and 'exit code 1' in running.output()
    running.interrupt()
    assert running.end() == 0
    assert '[WARNING] [launch]: user interrupted with ctrl-c (SIGINT)' in running.output()


def test_killed_process_comes_back(workspace):
    workspace.program('stay', '#!/bin/sh\necho "up $$"\nexec sleep 300\n')
    running = workspace.launch('<node pkg="soccer" exec="stay" output="screen" respawn="true"/>')
    running.wait_for('] up ')
    os.kill(pids(running)[0], signal.SIGKILL)
    running.wait_for('] up ', 2)
    running.interrupt()
    assert running.end() == 0
    assert not any(alive(p) for p in pids(running))


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_the_whole_tree_goes_down(workspace, number):
    workspace.program('parent', '#!/bin/sh\nsleep 300 &\necho "up $!"\nsetsid sleep 300 &\necho "up $!"\necho "up $$"\nwait\n')
    running = workspace.launch('<node pkg="soccer" exec="parent" output="screen"/>')
    running.wait_for('] up ', 3)
    running.interrupt(number)
    running.end()
    end = time.monotonic() + 10
    while any(alive(p) for p in pids(running)):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_escalation(workspace):
    workspace.program('stubborn', STUBBORN)
    running = workspace.launch('''
        <node pkg="soccer" exec="stubborn" output="screen"/>
        <node pkg="soccer" exec="stubborn" args="term" output="screen"/>''', timeout=0.2)
    running.wait_for('] up ', 2)
    running.interrupt()
    running.end()
    text = running.output()
    assert '[stubborn-1]: does not stop, escalating to SIGTERM' in text and 'exit code -15' in text
    assert '[stubborn-2]: does not stop, escalating to SIGKILL' in text and 'exit code -9' in text


def test_an_impatient_user_speeds_it_up(workspace):
    workspace.program('stubborn', STUBBORN)
    running = workspace.launch('<node pkg="soccer" exec="stubborn" output="screen" args="term"/>', timeout=1000)
    running.wait_for('] up ')
    running.interrupt()
    running.wait_for('user interrupted')
    running.interrupt()
    running.wait_for('escalating to SIGTERM')
    running.interrupt()
    running.end()
    assert 'exit code -9' in running.output()


def test_a_killed_launcher_takes_its_processes_along(workspace):
    workspace.program('stay', '#!/bin/sh\necho "up $$"\nexec sleep 300\n')
    running = workspace.launch('<node pkg="soccer" exec="stay" output="screen"/>')
    running.wait_for('] up ')
    child, = pids(running)
    running.process.kill()
    running.end()
    end = time.monotonic() + 10
    while alive(child):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_exit_codes(workspace):
    workspace.program('bad', '#!/no/such/interpreter\n')
    workspace.program('fails', '#!/bin/sh\nexit 3\n')
    running = workspace.launch('<executable cmd="sleep 300"/><node pkg="soccer" exec="bad"/>')
    assert running.end() == 1 and 'cannot start' in running.output()
    running = workspace.launch('<node pkg="soccer" exec="fails"/>')
    assert running.end() == 1 and 'exit code 3' in running.output()
    running = workspace.launch('<executable cmd="echo never" output="screen"/><nod/>')
    assert running.end() == 1
    assert 'ros2 launch: ' in running.output() and 'never' not in running.output()


def test_command_line(workspace):
    workspace.launch_file('''<arg name="robot" default="mini" description="which one"><choice value="mini"/>
        <choice value="darwin"/></arg><include file="$(dirname)/more.launch.xml"><arg name="fixed" value="1"/></include>''')
    workspace.launch_file('<arg name="fixed"/><arg name="speed"/><executable cmd="echo $(var robot 1) $(var speed)"/>',
                          'more.launch.xml')
    running = workspace.start('soccer', 'main.launch.xml', '--show-args')
    assert running.end() == 0
    assert "'robot':\n        which one\n        Valid choices are: ['mini', 'darwin']\n        (default: 'mini')" \
        in running.output()
    assert "'speed'" in running.output() and "'fixed'" not in running.output()
    running = workspace.start('soccer', 'main.launch.xml', 'speed:=3', 'robt:=x', '--print')
    assert running.end() == 0
    assert 'echo: echo mini 3' in running.output() and "did you mean 'robot'" in running.output()
    for words, reason in ((['soccer', 'man.launch.xml'], "did you mean 'main.launch.xml'"), (['soccer'], 'which file'),
                          (['none.launch.xml'], 'cannot read'), (['socer', 'x'], "did you mean 'soccer'")):
        running = workspace.start(*words)
        assert running.end() == 1 and reason in running.output()
    running = workspace.start()
    assert running.end() == 2


def test_components_are_loaded_again_when_the_container_comes_back(workspace):
    workspace.write('share/ament_index/resource_index/packages/ros2cli')
    workspace.write('lib/ros2cli/component_loader',
                    '#!/bin/sh\necho "loading"; grep -c plugin_name "$1"; grep container "$1"\n', 0o755)
    workspace.program('container', '#!/bin/sh\necho "up $$"\nexec sleep 300\n')
    running = workspace.launch('''<node_container pkg="soccer" exec="container" name="c" namespace="ns" respawn="true"
        output="screen"><composable_node pkg="p" plugin="P" name="n"/></node_container>''')
    running.wait_for('"container": "/ns/c"')
    os.kill(pids(running)[0], signal.SIGKILL)
    running.wait_for('"container": "/ns/c"', 2)
    running.interrupt()
    assert running.end() == 0


def test_components_that_cannot_be_loaded_are_told_and_counted_as_failure(workspace):
    workspace.write('share/ament_index/resource_index/packages/ros2cli')
    workspace.write('lib/ros2cli/component_loader', '#!/bin/sh\necho "no such plugin" >&2\nexit 1\n', 0o755)
    workspace.program('container', '#!/bin/sh\nexec sleep 300\n')
    running = workspace.launch('''<node_container pkg="soccer" exec="container" name="c" namespace="">
        <composable_node pkg="p" plugin="P" name="n"/></node_container>''')
    running.wait_for("[ERROR] [launch]: components could not be loaded into '/c'")
    assert 'no such plugin' in running.output()
    running.interrupt()
    assert running.end() == 1


def test_a_process_that_dies_again_and_again_says_why(workspace):
    workspace.program('dies', '#!/bin/sh\necho "Failed to find a free participant index" >&2\nexit 1\n')
    running = workspace.launch('<node pkg="soccer" exec="dies" respawn="true" respawn_delay="0.01"/>')
    running.wait_for('has died 3 times in a row right after its start')
    running.interrupt()
    running.end()
    line, = [line for line in running.output().splitlines() if 'has died 3 times' in line]
    assert 'in growing pauses' in line
    assert line.startswith('[ERROR] [dies-1]') and 'Its last words: Failed to find a free participant index' in line


def test_a_process_that_cannot_start_is_told_once_and_runs_when_it_can(workspace, tmp_path):
    ready = tmp_path / 'ready'
    workspace.program('needs', f'#!/bin/sh\n[ -e {ready} ] || {{ echo "no {ready}" >&2; exit 1; }}\nexec sleep 300\n')
    running = workspace.launch('<node pkg="soccer" exec="needs" respawn="true" respawn_delay="0.01"/>')
    running.wait_for('has died 3 times in a row right after its start')
    time.sleep(2.0)  # several attempts more
    assert running.output().count('process has died') == 3
    ready.touch()
    running.wait_for('runs now')
    running.interrupt()
    running.end()


def test_pauses_grow_only_for_what_dies_of_its_start():
    assert [respawn_pause(0.2, deaths) for deaths in (0, 1, 2, 3)] == [0.2, 0.2, 0.4, 0.8]
    assert respawn_pause(0.2, 1000) == 30.0 and respawn_pause(60.0, 1000) == 60.0
    assert respawn_pause(0.0, 0) == 0.0 and respawn_pause(0.0, 2) == 0.2


def test_timer_and_shutdown(workspace):
    running = workspace.launch('''<executable cmd="sleep 300"/><timer period="0.1"><log message="now"/>
        <executable cmd="echo late" output="screen"/></timer>
        <timer period="1.0"><shutdown reason="time is up"/></timer>''')
    assert running.end() == 0
    text = running.output()
    assert '[launch.user]: now' in text and '] late' in text and 'shutting down: time is up' in text


def test_a_long_line_and_bytes_that_are_no_text(workspace):
    workspace.program('noise', PYTHON + 'import sys\nsys.stdout.buffer.write(b"x" * 3000000 + b"\\n\\xff\\xfe\\nend\\n")\n')
    running = workspace.launch('<node pkg="soccer" exec="noise" output="screen"/>')
    assert running.end() == 0
    assert running.output().count('x') >= 3000000 and '[noise-1] end' in running.output()


def test_the_installed_script(workspace):
    script = os.path.join(os.path.dirname(__file__), '..', '..', 'scripts', 'ros2-launch')
    result = subprocess.run([sys.executable, script, '--help'], capture_output=True, text=True)
    assert result.returncode == 0 and 'PACKAGE FILE' in result.stdout
