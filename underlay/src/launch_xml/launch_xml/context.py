# SPDX-License-Identifier: Apache-2.0
"""What is known at one place of a launch file: variables, environment, namespace, parameters, remappings."""

import copy
import os

from ros2cli.errors import CommandError

from . import substitution, substitutions
from .errors import LaunchError


class Context:
    def __init__(self, arguments, environment=None):
        self.variables = dict(arguments)
        self.environment = dict(os.environ if environment is None else environment)
        self.namespace = ''
        self.parameters = []  # of <set_parameter>: dicts, and paths of parameter files
        self.remaps = []  # of <set_remap>: (from, to)
        self.file = ''
        self.includes = []  # files being read, outermost first
        # Shared by all scopes:
        self.anonymous = {}
        self.last_included = ['']  # what $(dirname) and $(filename) are about, as in Humble
        self.warnings = []
        self.log_folder = ''

    def fork(self):
        """A scope of its own; what is set in it ends with it."""
        inner = copy.copy(self)
        inner.variables, inner.environment = dict(self.variables), dict(self.environment)
        inner.parameters, inner.remaps = list(self.parameters), list(self.remaps)
        return inner

    def text(self, template):
        """`template` with its substitutions performed."""
        return substitution.perform(substitution.parse(template), self)

    def words(self, template):
        return substitution.split(template, self)

    def call(self, call):
        arguments = [substitution.perform(argument, self) for argument in call.arguments]
        try:
            return substitutions.perform(call, arguments, self)
        except LaunchError:
            raise
        except CommandError as error:  # a package or program that is not there
            raise LaunchError(str(error))

    def join_namespace(self, namespace):
        """`namespace` inside the present one; one that starts with a slash stands for itself."""
        if not namespace:
            return self.namespace
        if namespace.startswith('/'):
            return '/' + namespace.strip('/') if namespace.strip('/') else ''
        return f'{self.namespace}/{namespace.strip("/")}'
