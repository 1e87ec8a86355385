# SPDX-License-Identifier: Apache-2.0
"""Starts the processes of a plan, shows their output, starts them anew, and takes them all down."""

import asyncio
import os
import signal
import sys
import time

from . import child, process_tree, values

# Where a process's output goes: (standard output on the terminal, error output on the terminal); the log gets all.
ON_TERMINAL = {'log': (False, True), 'screen': (True, True), 'both': (True, True), 'own_log': (False, False),
               'full': (True, True)}
OUTPUT_PATIENCE = 2.0  # s to wait for the last words of a process whose pipes a daemon keeps open
QUICK = 5.0  # s; a process that has not lived longer died of its start
MANY_DEATHS = 3  # in a row, right after the start: somebody should look
LONGEST_PAUSE = 30.0  # s between two starts of a process that dies of its start
STAGES = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)


def respawn_pause(delay, deaths):
    """As written in the file; longer and longer for a process that has died of its start again and again."""
    return delay if deaths < 2 else max(delay, min(LONGEST_PAUSE, max(delay, 0.1) * 2.0 ** min(deaths - 1, 20)))


class Supervisor:
    def __init__(self, plan, output, loader):
        self.plan, self.output = plan, output
        self.loader = loader  # function(Load) -> command line of the program that loads components
        self.stopping = None  # asyncio.Event, made inside the loop
        self.hurry = None  # asyncio.Event: the user has asked again, go to the next signal at once
        self.failed = False
        self.count = 0
        self.last_words = {}  # name -> last line of the error output
        self.hopeless = set()  # names of processes that died of their start again and again: from now on only in the log

    def run(self):
        """Returns the exit code: 0 if nothing failed."""
        process_tree.adopt_orphans()
        if sys.version_info < (3, 12):  # newer ones do so by themselves: no thread per process
            asyncio.set_child_watcher(asyncio.PidfdChildWatcher())
        asyncio.run(self.supervise_all())
        process_tree.kill_leftovers()
        return 1 if self.failed else 0

    async def supervise_all(self):
        self.stopping, self.hurry = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.interrupt, number)
        for delay, message in self.plan.messages:
            if delay == 0.0:
                self.output.report('INFO', 'launch.user', message)
        tasks = [asyncio.ensure_future(self.supervise(process, self.number(process.label)))
                 for process in self.plan.processes]
        tasks += [asyncio.ensure_future(self.load(load)) for load in self.plan.loads]
        tasks += [asyncio.ensure_future(self.say_later(delay, message))
                  for delay, message in self.plan.messages if delay > 0.0]
        shutdowns = [asyncio.ensure_future(self.shut_down(delay, reason)) for delay, reason in self.plan.shutdowns]
        await asyncio.gather(*tasks)
        for task in shutdowns:
            task.cancel()

    async def say_later(self, delay, message):
        await self.pause(delay)
        if not self.stopping.is_set():
            self.output.report('INFO', 'launch.user', message)

    async def shut_down(self, delay, reason):
        await asyncio.sleep(delay)
        if not self.stopping.is_set():
            self.output.report('INFO', 'launch', f'shutting down: {reason}')
            self.stopping.set()

    def number(self, label):
        self.count += 1
        return f'{label}-{self.count}'

    def interrupt(self, number):
        if self.stopping.is_set():
            self.output.report('WARNING', 'launch', 'interrupted again, escalating')
            self.hurry.set()
            return
        reason = 'ctrl-c (SIGINT)' if number == signal.SIGINT else signal.Signals(number).name
        self.output.report('WARNING', 'launch', f'user interrupted with {reason}')
        self.stopping.set()

    def fail(self):
        self.failed = True
        self.stopping.set()

    async def supervise(self, process, name):
        """Runs one process of the plan until it ends for good."""
        if process.delay > 0.0:
            await self.pause(process.delay)
        deaths = 0  # in a row, right after the start
        while not self.stopping.is_set():
            self.last_words.pop(name, None)
            begin = time.monotonic()
            running = await self.start(process, name)
            if running is None:
                return
            lives = asyncio.get_running_loop().call_later(QUICK, self.lives, name)
            loads = [asyncio.ensure_future(self.load(load)) for load in process.loads]
            await self.watch(running, process, name)
            lives.cancel()
            for task in loads:
                task.cancel()
            await asyncio.gather(*loads, return_exceptions=True)
            if not process.respawn:
                return
            deaths = deaths + 1 if time.monotonic() - begin < QUICK and running.ended.result() != 0 else 0
            if deaths == MANY_DEATHS and not self.stopping.is_set():
                self.output.report('ERROR', name, f'has died {deaths} times in a row right after its start; it is tried '
                                                  f'again in growing pauses of up to {LONGEST_PAUSE:.0f} s, of which '
                                                  'only the log tells.' + self.why(name))
                self.hopeless.add(name)
            await self.pause(respawn_pause(process.respawn_delay, deaths))

    def lives(self, name):
        """A process that did not live has lived for a while."""
        if name in self.hopeless:
            self.hopeless.remove(name)
            self.output.report('INFO', name, 'runs now')

    def report(self, level, name, text):
        if name in self.hopeless and not self.stopping.is_set():
            self.output.line(f'[{level}] [{name}]: {text}', None)
        else:
            self.output.report(level, name, text)

    async def start(self, process, name):
        to_terminal = ON_TERMINAL.get(os.environ.get('OVERRIDE_LAUNCH_PROCESS_OUTPUT', process.output), (True, True))

        def forward(stream, shown):
            return lambda line: self.output.line(f'[{name}] {line}',
                                                 stream if shown and name not in self.hopeless else None)

        def forward_error(line):
            if line.strip():
                self.last_words[name] = line.strip()
            forward(sys.stderr, to_terminal[1])(line)

        try:
            return await child.start(
                process.command, process.environment, process.cwd, forward(sys.stdout, to_terminal[0]), forward_error,
                lambda pid: self.report('INFO', name, f'process started with pid [{pid}]'))
        except (OSError, ValueError) as error:
            self.output.report('ERROR', name, f'cannot start: {error}; command: {process.command_text()}')
            self.fail()
            return None

    async def watch(self, running, process, name):
        """Until the process has ended and said all it had to say."""
        killer = asyncio.ensure_future(self.take_down(running, process, name))
        code = await running.ended
        killer.cancel()
        if self.stopping.is_set() or process.respawn:
            process_tree.kill_group(running.pid, signal.SIGKILL)  # what the process has left behind
        await running.finish(OUTPUT_PATIENCE)
        if code == 0:
            self.report('INFO', name, f'process has finished cleanly [pid {running.pid}]')
            return
        self.report('ERROR', name, f"process has died [pid {running.pid}, exit code {code}, "
                                   f"cmd '{process.command_text()}']." + self.why(name))
        if not self.stopping.is_set() and not process.respawn:
            self.failed = True

    def why(self, name):
        """The last line of its error output is where a program says why it gives up."""
        words = self.last_words.get(name)
        return f' Its last words: {words}' if words else ''

    async def take_down(self, running, process, name):
        """After the call to stop: SIGINT, then, if that is ignored, SIGTERM and SIGKILL."""
        await self.stopping.wait()
        timeouts = (process.sigterm_timeout, process.sigkill_timeout, None)
        for stage, timeout in zip(STAGES, timeouts):
            if stage != signal.SIGINT:
                self.output.report('ERROR', name, f'does not stop, escalating to {stage.name}')
            process_tree.kill_group(running.pid, stage)
            if timeout is None:
                return
            try:
                await asyncio.wait_for(self.hurry.wait(), timeout)
                await asyncio.sleep(0.2)  # the next signal must not come faster than a process can end
                self.hurry.clear()
            except asyncio.TimeoutError:
                pass

    async def pause(self, seconds):
        try:
            await asyncio.wait_for(self.stopping.wait(), max(seconds, 0.01))
        except asyncio.TimeoutError:
            pass

    async def load(self, load):
        """Has a helper program put components into a container; its lines appear as they are."""
        if load.delay > 0.0:
            await self.pause(load.delay)
            if self.stopping.is_set():
                return
        path = self.plan.write_file(values.dump({'container': load.container, 'requests': load.requests}))
        try:
            running = await child.start(self.loader(load) + [path], load.environment, None,
                                        lambda line: self.output.line(line, sys.stdout),
                                        lambda line: self.output.line(line, sys.stderr))
        except OSError as error:
            self.output.report('ERROR', 'launch', f'cannot start the component loader: {error}')
            self.fail()
            return
        stop = asyncio.ensure_future(self.stopping.wait())
        try:
            await asyncio.wait([stop, running.ended], return_when=asyncio.FIRST_COMPLETED)
            if not self.stopping.is_set() and running.ended.result() != 0:
                self.output.report('ERROR', 'launch', f"components could not be loaded into '{load.container}'; the reason is above. The "
                                                      'robot is not complete')
                self.failed = True
        finally:
            stop.cancel()
            if not running.ended.done():
                process_tree.kill_group(running.pid, signal.SIGTERM)
            await running.finish(OUTPUT_PATIENCE)
