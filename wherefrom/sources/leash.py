"""The program that runs a command of git over the network: the command ends with the process that wanted it.

git would go on fetching for hours after a SIGKILL of the process that started it, with nobody to use what it brings.

Usage: `leash.py BYTES COMMAND [ARGUMENT...]`, as the first process of a session, each of which may claim so many bytes
of memory. Standard input is a pipe that nobody writes to: it ends when the process at its other end does, and then the
whole session is killed. The exit code is that of the command; 128 plus its number for a signal. It imports the standard
library alone.
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
