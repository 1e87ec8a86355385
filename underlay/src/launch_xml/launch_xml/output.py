# SPDX-License-Identifier: Apache-2.0
"""Screen and log file."""

import datetime
import os
import socket
import sys
import time


def log_folder(environment):
    """ROS_LOG_DIR, or log/ below ROS_HOME, or ~/.ros/log; one folder per start."""
    base = environment.get('ROS_LOG_DIR') or os.path.join(environment.get('ROS_HOME') or '~/.ros', 'log')
    stamp = datetime.datetime.now().strftime('%Y-%m-%d-%H-%M-%S-%f')
    return os.path.join(os.path.expanduser(base), f'{stamp}-{socket.gethostname()}-{os.getpid()}')


class Output:
    """Writes lines to the terminal and, with a time stamp, to launch.log."""

    def __init__(self, folder):
        self.folder = folder
        self.file = None
        try:
            os.makedirs(self.folder, exist_ok=True)
            self.file = open(os.path.join(self.folder, 'launch.log'), 'a', encoding='utf-8', errors='replace')
            self.report('INFO', 'launch', f'All log files can be found below {self.folder}')
        except OSError as error:
            self.report('WARNING', 'launch', f"cannot write log files to '{self.folder}': {error.strerror}")

    def report(self, level, name, text):
        """A line of the launcher itself."""
        self.line(f'[{level}] [{name}]: {text}', sys.stderr if level == 'ERROR' else sys.stdout)

    def line(self, text, stream=None):
        """A line for the log file and, with a stream, for the terminal."""
        if stream is not None:
            try:
                print(text, file=stream, flush=True)
            except OSError:  # the terminal is gone; the processes still have to be supervised
                pass
            except UnicodeEncodeError:
                print(text.encode('ascii', 'replace').decode(), file=stream, flush=True)
        if self.file is not None:
            try:
                self.file.write(f'{time.time():.6f} {text}\n')
                self.file.flush()
            except OSError:
                self.file = None  # disk full: go on without

    def close(self):
        if self.file is not None:
            self.file.close()
