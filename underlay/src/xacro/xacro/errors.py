# SPDX-License-Identifier: Apache-2.0
"""What went wrong in a description file, and on which way the processing got there."""

import difflib


class XacroError(Exception):
    """An error with the trail from the innermost place (file:line) to the outermost."""

    def __init__(self, text):
        super().__init__(text)
        self.text = text
        self.trail = []

    def at(self, file, line, what):
        """Adds one step of the trail; called while the error travels outwards."""
        step = f'{file}:{line}: {what}'
        if not self.trail or self.trail[-1] != step:
            self.trail.append(step)
        return self

    def __str__(self):
        return '\n'.join([self.text] + ['  in ' + step for step in shorten(self.trail)])


def shorten(trail, head=6, tail=6):
    """A runaway recursion has hundreds of equal steps; both ends tell all."""
    if len(trail) <= head + tail + 1:
        return trail
    return trail[:head] + [f'... {len(trail) - head - tail} more steps ...'] + trail[-tail:]


def did_you_mean(name, known):
    """'; did you mean 'x'?' or nothing."""
    close = difflib.get_close_matches(str(name), [str(k) for k in known], n=1)
    return f"; did you mean '{close[0]}'?" if close else ''
