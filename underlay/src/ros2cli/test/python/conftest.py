# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), '..', '..'))
sys.path.insert(0, SOURCE)


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    """An installed workspace in a temporary folder, with this package's Python commands in it."""
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    monkeypatch.setenv('PYTHONPATH', SOURCE + os.pathsep + os.environ.get('PYTHONPATH', ''))

    def write(path, text='', mode=0o644):
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        target.chmod(mode)
        return str(target)

    def package(name):
        write(f'share/ament_index/resource_index/packages/{name}')
        write(f'share/{name}/package.xml', f'<package><name>{name}</name><version>1.2.3</version></package>')

    def program(package_name, name, text='#!/bin/sh\necho "ran $0 $*"\n'):
        return write(f'lib/{package_name}/{name}', text, 0o755)

    def interfaces(package_name, **definitions):
        for key, text in definitions.items():
            kind, name = key.split('__')
            write(f'share/{package_name}/{kind}/{name}.{kind}', text)
        write(f'share/ament_index/resource_index/rosidl_interfaces/{package_name}',
              '\n'.join('{0}/{1}.{0}\n{0}/{1}.idl'.format(*key.split('__')) for key in definitions))

    def ros2(*words):
        result = subprocess.run([sys.executable, os.path.join(SOURCE, 'bin', 'ros2'), *words],
                                capture_output=True, text=True, timeout=60)
        return SimpleNamespace(code=result.returncode, out=result.stdout, err=result.stderr)

    package('ros2cli')
    for command in ('interface', 'pkg', 'run'):
        with open(os.path.join(SOURCE, 'scripts', f'ros2-{command}')) as file:
            program('ros2cli', f'ros2-{command}', file.read())
    return SimpleNamespace(folder=tmp_path, write=write, package=package, program=program, interfaces=interfaces,
                           ros2=ros2)
