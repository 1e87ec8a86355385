# SPDX-License-Identifier: Apache-2.0
"""Errors with the place in the launch file, and the includes that led there."""

from ros2cli.errors import CommandError


class LaunchError(CommandError):
    def __init__(self, text):
        super().__init__(text)
        self.text = text
        self.trail = []

    def at(self, element):
        """Adds a place while the error travels outwards; of one file only the innermost counts."""
        if not self.trail or self.trail[-1].file != element.file:
            self.trail.append(element)
        return self

    def __str__(self):
        if not self.trail:
            return self.text
        first, *rest = self.trail
        lines = [f'{first.file}:{first.line}: {self.text}', f'  in {first}']
        lines += [f'  included from {element.file}:{element.line}' for element in rest]
        return '\n'.join(lines)
