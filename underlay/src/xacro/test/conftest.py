# SPDX-License-Identifier: Apache-2.0
import os
import re
import sys
from types import SimpleNamespace

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..'))

import xacro  # noqa: E402

HEAD = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro">'


@pytest.fixture
def files(tmp_path):
    """Writes description files and expands them."""
    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def expand(body, mappings=None):
        """The expanded content of the root, without white space between tags."""
        document = xacro.process_file(write('main.xacro', f'{HEAD}{body}</robot>'), mappings)
        text = re.sub(r'>\s+<', '><', document.documentElement.toxml())
        return re.sub(r'^<robot[^>]*>|</robot>$|^<robot[^>]*/>$', '', text).strip()

    def error(body, mappings=None):
        with pytest.raises(xacro.XacroError) as caught:
            expand(body, mappings)
        return str(caught.value)

    return SimpleNamespace(write=write, expand=expand, error=error, folder=tmp_path)
