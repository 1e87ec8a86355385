# SPDX-License-Identifier: Apache-2.0
"""Errors a person can act on, and their way to the terminal."""

import difflib
import os
import sys


class CommandError(Exception):
    """Something the user can put right; the text names the bad value and the remedy."""


def did_you_mean(name, known):
    """'; did you mean 'x'?' or nothing."""
    close = difflib.get_close_matches(str(name), [str(k) for k in known], n=1)
    return f"; did you mean '{close[0]}'?" if close else ''


def reported(program, main):
    """Runs a command's `main(words)` and turns what stops it into a message and an exit code."""
    try:
        return main(sys.argv[1:])
    except CommandError as error:
        print(f'{program}: {error}', file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, e.g. `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
