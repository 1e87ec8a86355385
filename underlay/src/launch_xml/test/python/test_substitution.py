# SPDX-License-Identifier: Apache-2.0
import os

import pytest

from launch_xml.context import Context
from launch_xml.errors import LaunchError


@pytest.fixture
def context():
    result = Context({'a': 'left', 'n': '2', 'yes': 'true', 'list': 'x y'}, {'HOME': '/home/robot', 'PATH': os.environ['PATH']})
    result.file = '/launch/robot.launch.xml'
    return result


@pytest.mark.parametrize('text, expected', [
    ('plain $ text', 'plain $ text'),
    (r'a \$(var a) \\ \d', r'a $(var a) \ d'),
    ('end \\', 'end \\'),
    ('$(var a)_leg', 'left_leg'),
    ("$(var 'a')", 'left'),
    ('$(var none fallback)', 'fallback'),
    ("$(var none '')", ''),
    ('$(var none $(var a))', 'left'),
    ('$(var $(var none a))', 'left'),
    ('$(env HOME)', '/home/robot'),
    ('$(env NONE /tmp)', '/tmp'),
    ('$(dirname)/x', '/launch/x'),
    ('$(filename)', '/launch/robot.launch.xml'),
    ("$(eval '$(var n) * 3')", '6'),
    ("$(eval 'cos(0) + math.pi > 4')", 'True'),
    ('$(eval "\'$(var a)\' == \'left\'")', 'True'),
    (r"$(eval '\'$(var a)\' == \'left\'')", 'True'),
    ('$(not $(var yes))', 'false'),
    ('$(and true $(var yes))', 'true'),
    ('$(or 0 False)', 'false'),
    ("$(command 'echo $(var a) b')", 'left b\n'),
    ("$(command 'sh -c \"echo e >&2\"' capture)", 'e\n'),
    ("$(command 'sh -c \"echo e >&2\"' ignore)", ''),
    ('(a) $(var a) (b)', '(a) left (b)'),
])
def test_value(context, text, expected):
    assert context.text(text) == expected


@pytest.mark.parametrize('text, reason', [
    ('$(var none)', "'none' does not exist"),
    ('$(var lis)', "did you mean 'list'"),
    ('$(env NONE)', 'is not set'),
    ('$(var a', "no closing ')'"),
    ("$(eval '1 + )", "no closing '"),
    ('$()', 'does not start with the name'),
    ('$(var)', 'takes 1 or 2 argument(s), got 0'),
    ('$(eval 1 + 2)', "quote it: $(eval '...')"),
    ("$(eval 'left == 1')", 'a text needs quotes'),
    ("$(eval '1 / 0')", 'division by zero'),
    ('$(equals a b)', 'Humble has no $(equals'),
    ('$(vra a)', "did you mean 'var'"),
    ('$(not maybe)', 'not true, false, 1 or 0'),
    ("$(command 'false')", 'exit code 1'),
    ("$(command 'no_such_program_here')", 'cannot be run'),
    ("$(command 'sh -c \"echo e >&2\"')", 'error output'),
    ("$(command 'true' maybe)", "'maybe' is not known"),
    ('$(find-exec no_such_program_here)', 'not on the PATH'),
    ('$(find-pkg-share no_such_package)', "package 'no_such_package' not found"),
])
def test_error(context, monkeypatch, text, reason):
    monkeypatch.setenv('AMENT_PREFIX_PATH', '/nowhere')
    with pytest.raises(LaunchError) as caught:
        context.text(text)
    assert reason in str(caught.value)


def test_anonymous_names_are_stable_and_unique(context):
    assert context.text('$(anon cam)') == context.fork().text('$(anon cam)') != context.text('$(anon other)')


@pytest.mark.parametrize('text, words', [
    ('a  b', ['a', 'b']), ('a "b c"d', ['a', 'b cd']), ('$(var list) z', ['x y', 'z']), ('-$(var n)', ['-2']),
    ("''", ['']), ('', [])])
def test_words(context, text, words):
    assert context.words(text) == words


def test_packages(context, workspace):
    assert context.text('$(find-pkg-share soccer)') == f'{workspace.folder}/share/soccer'
    assert context.text('$(find-pkg-prefix soccer)') == str(workspace.folder)
    assert context.text('$(exec-in-pkg show soccer)') == f'{workspace.folder}/lib/soccer/show'
