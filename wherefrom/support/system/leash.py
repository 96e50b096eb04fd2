"""A program that runs a network command of git, and kills the command when wherefrom ends.

Otherwise git would go on fetching for hours after a SIGKILL of wherefrom.

Usage: `leash.py BYTES COMMAND [ARGUMENT...]`, as the first process of a session. BYTES is the memory limit of each
process in the session. Standard input is a pipe from wherefrom, which never writes to it. The pipe ends when wherefrom
ends, and then `leash.py` kills the whole session. The exit code is the command's, or 128 plus the number of the signal
that ended the command. This file imports only the standard library.
"""

from __future__ import annotations

import _thread
import os
import resource
import signal
import sys


def main() -> None:
    """Runs the command to its end."""
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = int(sys.argv[1]) if most == resource.RLIM_INFINITY else min(int(sys.argv[1]), most)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    no_input = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
    command = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ, file_actions=[no_input])
    _thread.start_new_thread(_end_with_parent, ())
    code = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
    os._exit(code if code >= 0 else 128 - code)


def _end_with_parent() -> None:
    while os.read(0, 1):
        pass
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
