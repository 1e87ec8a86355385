# SPDX-License-Identifier: Apache-2.0
"""One running process: its output as lines, and its end.

asyncio's own stream interface reports the end only when all pipes are closed, which a daemon that the process has left
behind can delay for ever; the protocol interface used here reports it at once.
"""

import asyncio
import subprocess

from . import process_tree

MAX_LINE = 1 << 16  # bytes after which a line is cut


class Lines:
    """Cuts a stream of bytes into lines of text."""

    def __init__(self, receive):
        self.receive, self.rest = receive, b''

    def feed(self, data):
        *lines, self.rest = (self.rest + data).split(b'\n')
        for line in lines:
            self.receive(line.decode(errors='replace').rstrip('\r'))
        while len(self.rest) > MAX_LINE:
            self.receive(self.rest[:MAX_LINE].decode(errors='replace'))
            self.rest = self.rest[MAX_LINE:]

    def flush(self):
        if self.rest:
            self.feed(b'\n')


class Child(asyncio.SubprocessProtocol):
    def __init__(self, on_output, on_error_output, on_start):
        loop = asyncio.get_running_loop()
        self.lines = {1: Lines(on_output), 2: Lines(on_error_output)}
        self.ended, self.closed = loop.create_future(), loop.create_future()
        self.on_start, self.transport = on_start, None

    @property
    def pid(self):
        return self.transport.get_pid()

    def connection_made(self, transport):
        self.transport = transport
        self.on_start(self.pid)

    def pipe_data_received(self, fd, data):
        self.lines[fd].feed(data)

    def process_exited(self):
        if not self.ended.done():
            self.ended.set_result(self.transport.get_returncode())

    def connection_lost(self, _error):
        if not self.closed.done():
            self.closed.set_result(None)

    async def finish(self, patience):
        """Waits for the rest of the output, at most `patience` seconds."""
        await asyncio.wait([self.closed], timeout=patience)
        for lines in self.lines.values():
            lines.flush()
        self.transport.close()


async def start(command, environment, cwd, on_output, on_error_output, on_start=lambda pid: None):
    """Starts a command - a list of words, or one text for a shell - in a session of its own."""
    loop = asyncio.get_running_loop()
    options = dict(env=environment, cwd=cwd, stdin=subprocess.DEVNULL, start_new_session=True,
                   preexec_fn=process_tree.die_with_parent)

    def protocol():
        return Child(on_output, on_error_output, on_start)

    if isinstance(command, str):
        return (await loop.subprocess_shell(protocol, command, **options))[1]
    return (await loop.subprocess_exec(protocol, *command, **options))[1]
