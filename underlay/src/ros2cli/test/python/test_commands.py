# SPDX-License-Identifier: Apache-2.0
"""The dispatcher, and the commands that need no middleware."""


def test_help_lists_the_commands_of_all_packages(workspace):
    workspace.package('ros2bag')
    workspace.program('ros2bag', 'ros2-bag')
    workspace.write('share/ros2bag/package.xml',
                    '<package><export><ros2_command name="bag">record and play</ros2_command></export></package>')
    result = workspace.ros2('--help')
    assert result.code == 0
    assert '  bag        record and play\n' in result.out and '  run' in result.out


def test_a_plugged_in_command_gets_its_arguments(workspace):
    workspace.package('ros2bag')
    workspace.program('ros2bag', 'ros2-bag', '#!/bin/sh\necho "$#: $*"\nexit 7\n')
    result = workspace.ros2('bag', 'record', '-o', 'a b')
    assert result.out == '3: record -o a b\n' and result.code == 7


def test_unknown_command(workspace):
    result = workspace.ros2('rnu')
    assert result.code == 1 and "did you mean 'run'" in result.err


def test_no_workspace(workspace, monkeypatch):
    monkeypatch.delenv('AMENT_PREFIX_PATH')
    result = workspace.ros2('pkg', 'list')
    assert result.code == 1 and 'source the setup file' in result.err


def test_run_hands_over_arguments_and_exit_code(workspace):
    workspace.package('soccer')
    workspace.program('soccer', 'kick', '#!/bin/sh\necho "$*"\nexit 3\n')
    result = workspace.ros2('run', 'soccer', 'kick', '--ros-args', '-p', 'x:=1')
    assert result.out == '--ros-args -p x:=1\n' and result.code == 3
    result = workspace.ros2('run', '--prefix', 'echo before', 'soccer', 'kick', '--ros-args')
    assert result.out.startswith('before ') and result.out.endswith('kick --ros-args\n')


def test_run_errors_help(workspace):
    workspace.package('soccer')
    workspace.program('soccer', 'kick')
    assert "package 'socer' not found; did you mean 'soccer'" in workspace.ros2('run', 'socer', 'kick').err
    assert "no executable 'kik'; did you mean 'kick'" in workspace.ros2('run', 'soccer', 'kik').err
    assert '(it has: kick)' in workspace.ros2('run', 'soccer', 'zzz').err
    assert "program 'no_gdb' not found" in workspace.ros2('run', '--prefix', 'no_gdb', 'soccer', 'kick').err


def test_pkg(workspace):
    workspace.package('soccer')
    path = workspace.program('soccer', 'kick')
    workspace.write('lib/soccer/notes.txt')
    assert {'ros2cli', 'soccer'} <= set(workspace.ros2('pkg', 'list').out.split())
    assert workspace.ros2('pkg', 'prefix', 'soccer').out == f'{workspace.folder}\n'
    assert workspace.ros2('pkg', 'prefix', '--share', 'soccer').out == f'{workspace.folder}/share/soccer\n'
    assert workspace.ros2('pkg', 'executables', 'soccer').out == 'soccer kick\n'
    assert workspace.ros2('pkg', 'executables', '--full-path', 'soccer').out == f'{path}\n'
    assert workspace.ros2('pkg', 'xml', '-t', 'version', 'soccer').out == '1.2.3\n'
    assert 'did you mean' in workspace.ros2('pkg', 'xml', '-t', 'versio', 'soccer').err
    assert workspace.ros2('pkg').code == 2


def test_interface(workspace):
    workspace.package('soccer')
    workspace.interfaces('soccer', msg__Ball='# a ball\nfloat64 x  # m\nPoint[] points\nstring NAME="#ball"\n',
                         msg__Point='# nested\nint32 u\n\nint32 v\n', srv__Kick='float32 power\n---\nbool ok\n',
                         action__Walk='soccer/Point goal\n---\n---\nint32 left\n')
    assert workspace.ros2('interface', 'list').out == (
        'Messages:\n    soccer/msg/Ball\n    soccer/msg/Point\nServices:\n    soccer/srv/Kick\n'
        'Actions:\n    soccer/action/Walk\n')
    assert workspace.ros2('interface', 'list', '-s').out == 'Services:\n    soccer/srv/Kick\n'
    assert workspace.ros2('interface', 'package', 'soccer').out.count('\n') == 4
    assert workspace.ros2('interface', 'packages').out == 'soccer\n'
    shown = workspace.ros2('interface', 'show', 'soccer/msg/Ball').out
    assert shown == '# a ball\nfloat64 x  # m\nPoint[] points\n\tint32 u\n\tint32 v\nstring NAME="#ball"\n'
    assert '\t# nested' in workspace.ros2('interface', 'show', '--all-comments', 'soccer/msg/Ball').out
    assert '# a ball' not in workspace.ros2('interface', 'show', '--no-comments', 'soccer/Ball').out
    assert workspace.ros2('interface', 'show', 'soccer/action/Walk').out.startswith('soccer/Point goal\n\tint32 u\n')
    assert "did you mean 'soccer/msg/Ball'" in workspace.ros2('interface', 'show', 'soccer/msg/Bal').err
    assert workspace.ros2('interface', 'show', 'soccer/msg/Bal').code == 1
