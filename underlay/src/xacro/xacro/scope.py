# SPDX-License-Identifier: Apache-2.0
"""Named things - properties, macros, included namespaces - and where they are visible."""

from .errors import XacroError


class Property:
    """A text evaluated at first use, in the scope and for the file in which it was written."""

    def __init__(self, value, origin=None):
        self.value = value
        self.origin = origin  # the defining Element while not yet evaluated, else None


class Block:
    """XML content a name stands for. `content_only`: without the outer element."""

    def __init__(self, element, content_only, expanded):
        self.element, self.content_only, self.expanded = element, content_only, expanded


class Scope:
    def __init__(self, parent=None):
        self.parent = parent
        self.caller = None  # of a macro: where it is called, which need not be where its names come from
        self.properties, self.blocks, self.macros, self.namespaces = {}, {}, {}, {}

    def chain(self):
        scope = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def root(self):
        return list(self.chain())[-1]

    def owner(self, kind, name):
        """The innermost scope in which a `kind` ('properties', 'macros', ...) of this name is defined, or None."""
        return next((scope for scope in self.chain() if name in getattr(scope, kind)), None)

    def find(self, kind, name):
        owner = self.owner(kind, name)
        return None if owner is None else getattr(owner, kind)[name]

    def names(self, kind):
        return {name for scope in self.chain() for name in getattr(scope, kind)}

    def namespace(self, dotted):
        """The scope of `a.b`, or None."""
        scope = self
        for part in dotted:
            scope = scope.find('namespaces', part)
            if scope is None:
                return None
        return scope


class Evaluations:
    """Properties being evaluated now; a name that comes up twice is a definition in terms of itself."""

    def __init__(self):
        self.active = []

    def enter(self, scope, name):
        if (scope, name) in self.active:
            names = [n for _, n in self.active] + [name]
            raise XacroError(f"property '{name}' is defined in terms of itself: {' -> '.join(names)}"
                             '; for a counter, add lazy_eval="false" to the property')
        self.active.append((scope, name))

    def leave(self):
        self.active.pop()
