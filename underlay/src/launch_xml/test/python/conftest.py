# SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

HERE = os.path.dirname(os.path.realpath(__file__))
SOURCES = [os.path.join(HERE, '..', '..'), os.path.join(HERE, '..', '..', '..', 'ros2cli')]
sys.path[:0] = SOURCES

from launch_xml import actions  # noqa: E402
from launch_xml.errors import LaunchError  # noqa: E402

PATIENCE = 60  # s; generous, a loaded machine must not fail a test


class Running:
    """`ros2 launch` in the background, its output collected in a file."""

    def __init__(self, words, log, timeout=None):
        """`timeout`: s until a process that does not stop gets the next signal."""
        self.log = log
        hurry = f'import launch_xml.plan; launch_xml.plan.DEFAULT_TIMEOUT = {timeout}; ' if timeout else ''
        with open(log, 'w') as file:
            self.process = subprocess.Popen(
                [sys.executable, '-c', hurry + 'import sys; from launch_xml.command_line import main; '
                 'from ros2cli.errors import reported; sys.exit(reported("ros2 launch", main))', *words],
                stdout=file, stderr=subprocess.STDOUT, start_new_session=True)

    def output(self):
        with open(self.log) as file:
            return file.read()

    def wait_for(self, text, count=1):
        end = time.monotonic() + PATIENCE
        while self.output().count(text) < count:
            assert time.monotonic() < end, f'no {text!r} in:\n{self.output()}'
            time.sleep(0.02)

    def interrupt(self, number=signal.SIGINT):
        self.process.send_signal(number)

    def end(self):
        """The exit code."""
        return self.process.wait(PATIENCE)


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    """A package 'soccer' with the program 'show', which prints its arguments, namespace and parameter files."""
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join(SOURCES + [os.environ.get('PYTHONPATH', '')]))
    monkeypatch.setenv('ROS_LOG_DIR', str(tmp_path / 'log'))
    started = []

    def write(path, text='', mode=0o644):
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        target.chmod(mode)
        return str(target)

    def program(name, text):
        return write(f'lib/soccer/{name}', text, 0o755)

    def launch_file(body, name='main.launch.xml'):
        return write(f'share/soccer/launch/{name}', f'<launch>\n{body}\n</launch>')

    def plan(body, **arguments):
        return actions.make_plan(launch_file(body), arguments)

    def error(body, **arguments):
        with pytest.raises(LaunchError) as caught:
            plan(body, **arguments)
        return str(caught.value)

    def launch(body, *words, timeout=None):
        running = Running([launch_file(body), *words], tmp_path / f'output{len(started)}', timeout)
        started.append(running)
        return running

    write('share/ament_index/resource_index/packages/soccer')
    program('show', '#!/bin/sh\necho "$*"\n')
    yield SimpleNamespace(folder=tmp_path, write=write, program=program, launch_file=launch_file, plan=plan, error=error,
                          launch=launch, start=lambda *words: Running(list(words), tmp_path / 'output_start'))
    for running in started:
        if running.process.poll() is None:
            running.process.kill()
            running.process.wait()
