"""The function of the worker in `test_search`, which imports this file by its name."""

from __future__ import annotations

import os
import signal
from functools import partial

from wherefrom.analyzers.analyzer import answer as answered

DEADLY = "kill_the_parser();\n"


def answer(call: partial[object]) -> object:
    """Kills its process if the code is a deadly block, as a crashing grammar would."""
    if any(DEADLY.encode() in argument for argument in call.args if isinstance(argument, bytes)):
        os.kill(os.getpid(), signal.SIGSEGV)
    return answered(call)
