# SPDX-License-Identifier: Apache-2.0
"""Every type hash known from Jazzy, including types that are no C++ types here: events, and those Humble lacks."""
import json
import os
import pathlib
import sys

from ament_index_python.packages import get_package_prefix, get_package_share_directory
import pytest

DATA = pathlib.Path(os.environ['TEST_DATA'])
JAZZY = json.loads((DATA / 'jazzy_type_hashes.json').read_text())
NEWER = sorted(path.relative_to(DATA / 'newer') for path in (DATA / 'newer').glob('*/*/*.???'))

sys.path.insert(0, os.path.join(get_package_prefix('rosidl_typesupport_cpp'), 'lib', 'rosidl_typesupport_cpp'))

from rosidl_adapter.msg import convert_msg_to_idl  # noqa: E402
from rosidl_adapter.srv import convert_srv_to_idl  # noqa: E402
from rosidl_parser.definition import IdlLocator  # noqa: E402
from rosidl_parser.parser import parse_idl_file  # noqa: E402
from type_description import TypeLibrary  # noqa: E402


def installed_idl_files():
    files = {}
    for package in {name.split('/')[0] for name in JAZZY}:
        for path in pathlib.Path(get_package_share_directory(package)).glob('*/*.idl'):
            files[f'{package}/{path.parent.name}/{path.stem}'] = path
    return files


@pytest.fixture(scope='module')
def newer_types(tmp_path_factory):
    """Hashes of the types in data/newer, which are not part of Humble."""
    output = tmp_path_factory.mktemp('idl')
    locators, files = [], installed_idl_files()
    for path in NEWER:
        package, folder, name = path.parts
        convert = convert_srv_to_idl if folder == 'srv' else convert_msg_to_idl
        directory = output / package
        convert(DATA / 'newer' / package, package, pathlib.Path(folder) / name, directory / folder)
        idl = pathlib.PurePath(folder, name).with_suffix('.idl')
        files[f'{package}/{folder}/{idl.stem}'] = directory / idl
        locators.append(IdlLocator(str(directory), str(idl)))
    library = TypeLibrary(files)
    for locator in locators:
        for element in parse_idl_file(locator).content.elements:
            library.add(element)
    return {name: library.hash(name) for name in library.own}


def test_installed_types(newer_types):
    installed = {}
    for package in {name.split('/')[0] for name in JAZZY}:
        text = (pathlib.Path(get_package_share_directory(package)) / 'type_descriptions.json').read_text()
        installed.update({name: entry['type_hash'] for name, entry in json.loads(text).items()})
    expected = {name: value for name, value in JAZZY.items() if name not in newer_types}
    assert {name: installed[name] for name in expected} == expected


def test_types_that_humble_lacks(newer_types):
    assert newer_types == {name: JAZZY[name] for name in newer_types}
    assert len(newer_types) == 13
