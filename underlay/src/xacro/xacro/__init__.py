# SPDX-License-Identifier: Apache-2.0
"""Macro language for robot descriptions.

    document = xacro.process_file('robot.xacro', mappings={'camera': 'true'})
    text = document.toprettyxml(indent='  ')
"""

from .errors import XacroError
from .processor import process_file
from .tree import to_text

XacroException = XacroError

__all__ = ['XacroError', 'XacroException', 'process', 'process_file']


def process(path, mappings=None):
    """The expanded file as text."""
    return to_text(process_file(path, mappings))
