# SPDX-License-Identifier: Apache-2.0
"""XML launch files: `reader` gives elements, `actions` turn them into a `plan`, `supervisor` runs it."""
