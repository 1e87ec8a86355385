# SPDX-License-Identifier: Apache-2.0
"""Keeps hold of whole process trees (Linux)."""

import ctypes
import os
import signal

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LIBC = ctypes.CDLL(None, use_errno=True)


def adopt_orphans():
    """Grandchildren whose parent ends become children of this process instead of escaping to init."""
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent():
    """In a new child: a launcher that is killed outright takes its processes along."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def descendants(root=None):
    """Process ids below `root` (this process), children before grandchildren."""
    children = {}
    for entry in os.listdir('/proc'):
        if entry.isdigit():
            try:
                with open(f'/proc/{entry}/stat', encoding='utf-8', errors='replace') as file:
                    fields = file.read().rpartition(')')[2].split()
            except OSError:
                continue  # it has just ended
            children.setdefault(int(fields[1]), []).append(int(entry))
    found, pending = [], [root or os.getpid()]
    while pending:
        for child in children.get(pending.pop(0), []):
            found.append(child)
            pending.append(child)
    return found


def kill_group(process_id, number):
    """Signals all of a child's process group."""
    try:
        os.killpg(process_id, number)
    except ProcessLookupError:
        pass


def kill_leftovers():
    """Ends what has slipped out of its process group."""
    for process_id in descendants():
        try:
            os.kill(process_id, signal.SIGKILL)
        except ProcessLookupError:
            pass
