"""What differs between operating systems: `system` is `posix` or `windows`, two modules with the same names.

A worker process loads this package before it can find any other one, so all of it imports only the standard library.
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    from wherefrom.support.system import windows as system
else:
    from wherefrom.support.system import posix as system

__all__ = ["system"]
