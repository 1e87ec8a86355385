# SPDX-License-Identifier: Apache-2.0
"""What a launch file comes down to: processes to run and components to load into them."""

import os
import shutil
import tempfile

DEFAULT_TIMEOUT = 5.0  # s from SIGINT to SIGTERM, and from there to SIGKILL


class Process:
    def __init__(self, label, command, context):
        self.label = label  # 'walking', later 'walking-3'
        self.command = command  # list of words, or one text for a shell
        self.environment = context.environment
        self.cwd = None
        self.delay = 0.0  # s, of a <timer>
        self.output = 'log'
        self.respawn = False
        self.respawn_delay = 0.0  # s
        self.sigterm_timeout = self.sigkill_timeout = DEFAULT_TIMEOUT
        self.node = ''  # full name of the node, if the file gives one
        self.loads = []  # Load, repeated whenever this container starts anew

    def is_shell(self):
        return isinstance(self.command, str)

    def command_text(self):
        return self.command if self.is_shell() else ' '.join(self.command)


class Load:
    """Components for one container, as the requests of its load_node service."""

    def __init__(self, container, requests, environment):
        self.container, self.requests, self.environment = container, requests, environment
        self.delay = 0.0  # s, of a <timer>


class Plan:
    def __init__(self):
        self.processes = []
        self.loads = []  # for containers that this launch file does not start
        self.messages = []  # of <log>: (delay, text)
        self.shutdowns = []  # of <shutdown>: (delay, reason)
        self.warnings = []
        self.delay = 0.0  # s, of the <timer>s around what is being read
        self.arguments = {}  # declared: name -> True
        self.folder = None

    def write_file(self, text):
        """A file that lives as long as the plan."""
        if self.folder is None:
            self.folder = tempfile.mkdtemp(prefix='launch_params_')
        handle, path = tempfile.mkstemp(suffix='.yaml', dir=self.folder)
        with os.fdopen(handle, 'w', encoding='utf-8') as file:
            file.write(text)
        return path

    def add_process(self, process):
        process.delay = self.delay
        self.processes.append(process)

    def add_load(self, load):
        load.delay = max(load.delay, self.delay)
        for process in self.processes:
            if process.node == load.container:
                process.loads.append(load)
                return
        self.loads.append(load)

    def attach_loads(self):
        """A container may be started further down than the components that go into it."""
        waiting, self.loads = self.loads, []
        for load in waiting:
            self.add_load(load)

    def close(self):
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None
