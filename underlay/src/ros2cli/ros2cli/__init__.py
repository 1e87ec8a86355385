# SPDX-License-Identifier: Apache-2.0
"""The Python half of the ros2 command line. What talks to the middleware is C++ (folder src)."""
