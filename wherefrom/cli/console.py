"""Standard output for results, standard error for everything else."""

import contextlib
import errno
import io
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self, TextIO, TypeVar

from wherefrom.errors import WherefromError
from wherefrom.support.printable import one_line, visible

if TYPE_CHECKING:
    from wherefrom.reports.renderer import Look, Renderer

_Answer = TypeVar("_Answer")

INTERRUPTED = 128 + signal.SIGINT  # the exit code of a command that the user interrupted
LONGEST = 500  # this many characters of both ends of a very long message are shown
LOG_SECONDS = 60.0  # without a terminal, progress is written once in this many seconds
WIDTH = 120  # the width of output in columns if neither a terminal nor COLUMNS tells it. Few lines of code are longer


def prepare() -> None:
    """Makes standard output accept every character: characters that its encoding lacks become escapes. Lines end alike
    on all systems.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace", newline="\n")
        if sys.stdout.encoding != "utf-8":
            from wherefrom.support.system import system  # noqa: PLC0415 -- `--version` seldom needs it

            sys.stdout.reconfigure(encoding=system.ENCODING)


def emit(text: str) -> None:
    """Writes a result. Raises WherefromError if standard output is closed or full, and BrokenPipeError if its reader
    has gone away.
    """
    if sys.stdout is None:
        raise WherefromError("standard output is closed; send it to a file, a pipe or a terminal")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        from wherefrom.support.system import system  # noqa: PLC0415 -- few outputs fail

        if error.errno in system.PIPE_ENDED:
            raise BrokenPipeError(errno.EPIPE, error.strerror) from error
        discard_output()
        raise WherefromError(f"cannot write to standard output: {error.strerror}; send it somewhere else") from error


def need_both_streams() -> None:
    """Raises `WherefromError` if standard input or output is closed, for a command that a program talks to."""
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output")):
        if stream is None:
            raise WherefromError(f"standard {name} is closed; a program that talks to this command opens both")


def render(renderer: "Renderer[_Answer]", answer: _Answer, color: str = "never", **form: Any) -> None:
    """Writes an answer to standard output. `color` and `form` are passed to `look`."""
    for part in renderer.write(answer, look(color, **form)):
        emit(part)


def say(message: str) -> None:
    """Writes one line to standard error, if that is open. Control characters are made visible."""
    say_as_it_is(one_line(message))


def say_as_it_is(line: str) -> None:
    """Writes one line like `say`, but keeps its white space."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{visible(line)}\n")
            sys.stderr.flush()


def fail(message: str) -> None:
    """Writes an error message to standard error; a very long one, such as with a long path, without its middle."""
    cut = f"{message[:LONGEST]} ... {message[-LONGEST:]}" if len(message) > 3 * LONGEST else message
    say(f"wherefrom: error: {cut}")


def can_ask() -> bool:
    """True if someone can answer a question: standard input and standard error are terminals."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def confirm(question: str) -> bool:
    """Asks a question on standard error; returns True only for the answer yes, and False if nobody can answer."""
    if not can_ask():
        return False
    sys.stderr.write(f"{visible(question)} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def warn(*messages: str) -> None:
    """Writes warnings to standard error."""
    for message in messages:
        say(f"wherefrom: warning: {message}")


def discard_output() -> None:
    """Drops the unwritten rest of standard output, so that the interpreter does not fail on it at exit."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


def reader_is_gone(error: Exception) -> bool:
    """True if an error comes from a pipe, and the reader of standard output has gone away."""
    from wherefrom.support.system import system  # noqa: PLC0415 -- `--version` does not wait for it

    try:
        is_of_pipe = isinstance(error, OSError) and error.errno in system.PIPE_ENDED
        return is_of_pipe and not system.has_reader(sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):
        return False


def look(color: str, **form: Any) -> "Look":
    """How text on standard output looks: `color` is `auto`, `always` or `never`, `form` has other fields of `Look`."""
    from wherefrom.reports.renderer import Look  # noqa: PLC0415 -- `--version` does not wait for it

    width = _columns(sys.stdout)
    colored = color == "always" or (color == "auto" and _takes_escapes(sys.stdout) and not os.environ.get("NO_COLOR"))
    return Look(color=colored, width=max(width, 40), **form)


def _columns(stream: TextIO | None) -> int:
    """The width of a stream in columns. COLUMNS wins over the width of the terminal."""
    if (named := os.environ.get("COLUMNS", "")).isdecimal() and int(named):
        return int(named)
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDTH if stream is not None else WIDTH
    except (OSError, ValueError):
        return WIDTH


def _takes_escapes(stream: TextIO | None) -> bool:
    if stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
        return False
    from wherefrom.support.system import system  # noqa: PLC0415 -- `--version` does not wait for it

    return system.takes_escapes(stream.fileno())


class LiveLine:
    """A progress line on standard error, shown in a `with` block and removed at its end. Without a terminal, it is
    written once a minute, as a line of a log. `line` formats it from the values of an event and the highest number of
    columns; if it is empty, the last one stays. If the user interrupts, the command ends with the message `interrupted`
    and the code `INTERRUPTED`.
    """

    def __init__(self, line: Callable[..., str], *, quiet: bool = False, interrupted: str | None = None) -> None:
        self._line, self._interrupted = line, interrupted
        self._shown = False
        self._is_live = _takes_escapes(sys.stderr)
        self._said = time.monotonic()
        self.active = not quiet

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self.clear()
        if isinstance(error, KeyboardInterrupt) and self._interrupted is not None:
            say(f"wherefrom: interrupted; {self._interrupted}")
            import typer  # noqa: PLC0415 -- `--version` does not wait for it

            raise typer.Exit(INTERRUPTED) from None

    @property
    def report(self) -> Callable[..., None] | None:
        """The function that shows the values of an event, for `progress` options; None if nothing is shown."""
        return self._show if self.active else None

    def _show(self, *event: Any) -> None:
        if not self._is_live:
            if time.monotonic() - self._said >= LOG_SECONDS and (line := self._line(*event, WIDTH)):
                say(f"wherefrom: {line}")
                self._said = time.monotonic()
            return
        # Some terminals begin a new line after a text in the last column, so that column stays free.
        if line := self._line(*event, max(_columns(sys.stderr) - 1, 20)):
            self._write(line)
            self._shown = True

    def clear(self) -> None:
        """Removes the line."""
        if self._shown:
            self._write("")
            self._shown = False

    def _write(self, line: str) -> None:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
