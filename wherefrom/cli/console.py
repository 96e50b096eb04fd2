"""Standard output and error: results on the one, all else on the other."""

import contextlib
import io
import os
import select
import signal
import sys
from collections.abc import Callable
from typing import Self, TextIO, TypeVar

import typer

from wherefrom.errors import WherefromError
from wherefrom.reports.look import Look
from wherefrom.reports.renderer import Renderer
from wherefrom.support.printable import one_line, visible

_Answer = TypeVar("_Answer")

INTERRUPTED = 128 + signal.SIGINT
"""The exit code of a command that the user has interrupted."""

WIDTH = 120
"""Columns where there is no terminal and COLUMNS is not set: few lines of code are longer and would be cut."""


def prepare() -> None:
    """Makes standard output take every character: one that its encoding lacks is written as an escape."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def emit(text: str) -> None:
    """Writes a result.

    Raises:
        WherefromError: standard output is closed or full.
        BrokenPipeError: nobody reads it any longer.
    """
    if sys.stdout is None:
        raise WherefromError("standard output is closed; send it to a file, a pipe or a terminal")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise WherefromError(f"cannot write to standard output: {error.strerror}; send it somewhere else") from error


def render(renderer: Renderer[_Answer], answer: _Answer, look: Look) -> None:
    """Writes an answer, as `emit` does."""
    for part in renderer.write(answer, look):
        emit(part)


def say(message: str) -> None:
    """Writes one line to standard error, if there is one; what a terminal would act on is made visible."""
    say_as_it_is(one_line(message))


def say_as_it_is(line: str) -> None:
    """As `say`, but white space is kept."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{visible(line)}\n")
            sys.stderr.flush()


def fail(message: str) -> None:
    """Says what went wrong."""
    say(f"wherefrom: error: {message}")


def can_ask() -> bool:
    """Whether there is someone to ask: both standard input and standard error are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def confirm(question: str) -> bool:
    """Asks a question on standard error; anything but yes is no."""
    sys.stderr.write(f"{visible(question)} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def warn(message: str) -> None:
    """Says what can hardly be meant; the command goes on."""
    say(f"wherefrom: warning: {message}")


def discard_output() -> None:
    """Sends what standard output still holds to nowhere, so that the interpreter does not fail on it at its end."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


def reader_is_gone() -> bool:
    """Whether nobody reads standard output any longer."""
    try:
        watch = select.poll()
        watch.register(sys.stdout.fileno(), 0)
        return bool(watch.poll(0))
    except (AttributeError, OSError, ValueError):
        return False


def look(color: str, *, explain: bool = False) -> Look:
    """How text is set on standard output: `color` is `auto`, `always` or `never`."""
    width = _columns(sys.stdout)
    colored = color == "always" or (color == "auto" and _takes_escapes(sys.stdout) and not os.environ.get("NO_COLOR"))
    return Look(color=colored, width=max(width, 40), explain=explain)


def _columns(stream: TextIO | None) -> int:
    """Columns of a stream; COLUMNS wins over the terminal's own width, and replaces it in a pipe."""
    if (named := os.environ.get("COLUMNS", "")).isdecimal() and int(named):
        return int(named)
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDTH if stream is not None else WIDTH
    except (OSError, ValueError):
        return WIDTH


def _takes_escapes(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


class LiveLine:
    """One line on standard error that is written over; nothing at all where that is not a terminal.

    In a `with` block it shows how far the work is, and goes at the end.

    Args:
        line: makes the line of an event, whose values come before the columns that it may take.
        quiet: never show anything.
        interrupted: what the user is told where the work is interrupted, which then ends the command.
    """

    def __init__(
        self, line: Callable[..., str] | None = None, *, quiet: bool = False, interrupted: str | None = None
    ) -> None:
        self._line, self._interrupted = line, interrupted
        self._shown = False
        self.active = not quiet and _takes_escapes(sys.stderr)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self.clear()
        if isinstance(error, KeyboardInterrupt) and self._interrupted is not None:
            say(f"wherefrom: interrupted; {self._interrupted}")
            raise typer.Exit(INTERRUPTED) from None

    @property
    def report(self) -> Callable[..., None] | None:
        """Shows an event; None where nothing is shown."""
        line = self._line
        return None if line is None or not self.active else lambda *event: self.show(line(*event, self.width))

    @property
    def width(self) -> int:
        """Columns that a line may take; the last one stays free, since some terminals wrap there."""
        return max(_columns(sys.stderr) - 1, 20)

    def show(self, line: str) -> None:
        """Writes the line over the one before."""
        self._write(f"\r\x1b[K{line}")
        self._shown = True

    def clear(self) -> None:
        """Takes the line away."""
        if self._shown:
            self._write("\r\x1b[K")
            self._shown = False

    def _write(self, text: str) -> None:
        if self.active:
            with contextlib.suppress(OSError):
                sys.stderr.write(text)
                sys.stderr.flush()
