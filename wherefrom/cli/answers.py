"""Answers of `search` and `similar`, written one after the other."""

from dataclasses import dataclass, replace
from types import TracebackType
from typing import Annotated, Self

import typer

from wherefrom.cli import console
from wherefrom.cli.flags import format_option
from wherefrom.errors import UsageError
from wherefrom.options.fields import Whole
from wherefrom.reports.layout import count
from wherefrom.reports.look import Look
from wherefrom.reports.renderer import Renderer
from wherefrom.reports.search import RENDERERS, SHORT_FORMS, short
from wherefrom.reports.sides import CONTEXT, MOST_LINES
from wherefrom.results import SearchResult

ResultFormat = Annotated[
    str, format_option(RENDERERS, "How the answer is written; json is an array for several snippets.")
]

Brief = Annotated[bool, typer.Option("--brief", help="One line for each hit: match, location, lines and attribution.")]

Locations = Annotated[
    bool,
    typer.Option(
        "--locations",
        "-l",
        help="Only the locations of the hits (see --limit), one on each line: REPOSITORY:PATH:LINE, the first that "
        "matches.",
    ),
]

Count = Annotated[
    bool,
    typer.Option(
        "--count", help="Only the number of locations of the hits (see --limit); for several snippets NAME:NUMBER."
    ),
]

Context = Annotated[
    int | None,
    typer.Option(
        "--context",
        metavar="N",
        help=f"Unmatched lines shown before and after those that match.  [default: {CONTEXT}]",
        show_default=False,
    ),
]

MaxLines = Annotated[
    int | None,
    typer.Option(
        "--max-lines",
        metavar="N",
        help=f"Lines of each side shown of a hit, 0 for all.  [default: {MOST_LINES}]",
        show_default=False,
    ),
]

FOUND, NOTHING, ERROR = 0, 1, 2

SHOWN = 3
"""Blocks that are named where they are left out."""


@dataclass(frozen=True, slots=True)
class Form:
    """How answers are written, as the flags of the same names say.

    Raises:
        UsageError: some of them do not go together, or a number is below 0.
    """

    output: str
    brief: bool
    locations: bool
    count: bool
    context: int | None
    max_lines: int | None

    def __post_init__(self) -> None:
        short_forms = self._short_forms()
        if len(short_forms) > 1:
            raise UsageError(f"{short_forms[0]} and {short_forms[1]} do not go together; give one of them")
        numbers = {"--context": self.context, "--max-lines": self.max_lines}
        of_code = [name for name, value in numbers.items() if value is not None]
        for name in of_code:
            Whole(at_least=0).check(numbers[name], name)
        of_text = [*short_forms, *of_code]
        if of_text and self.output != "text":
            raise UsageError(f"{of_text[0]} is for text; leave it out, or leave out --format {self.output}")
        if short_forms and of_code:
            raise UsageError(f"{of_code[0]} is for code, which {short_forms[0]} does not show; give one of them")

    def _short_forms(self) -> list[str]:
        given = {"--brief": self.brief, "--locations": self.locations, "--count": self.count}
        return [name for name in SHORT_FORMS if given[name]]

    @property
    def is_short(self) -> bool:
        """Whether it is a short form of text."""
        return bool(self._short_forms())

    def renderer(self) -> Renderer[SearchResult]:
        """What writes the answers of one run."""
        short_forms = self._short_forms()
        return SHORT_FORMS[short_forms[0]]() if short_forms else RENDERERS[self.output]

    def look(self, look: Look) -> Look:
        """The same with what the flags say of it."""
        return replace(
            look,
            context=look.context if self.context is None else self.context,
            max_lines=look.max_lines if self.max_lines is None else self.max_lines or None,
        )


class Answers:
    """Writes answers one after the other, and keeps the exit code; to be used in a `with` block.

    What was begun is ended in any case, so that an array of JSON is whole where an error comes after its first answers.

    Args:
        form: how they are written.
        look: how text is set, but for what the form says of it.
        several: whether there are several, or may be.
    """

    def __init__(self, form: Form, look: Look, *, several: bool) -> None:
        renderer = form.renderer()
        self.renderer = renderer.several if several and renderer.several is not None else renderer
        self.look = form.look(look)
        self.is_short = form.is_short
        self.found = False
        self.failed = False
        self.too_short: list[str] = []
        self._is_begun = False
        self._warned: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None and not self._is_begun:
            console.emit(self.renderer.header + self.renderer.footer)
        elif self._is_begun and not isinstance(error, BrokenPipeError):
            console.emit(self.renderer.footer)

    def problem(self, message: str) -> None:
        """Something could not be looked up; the rest goes on."""
        console.fail(message)
        self.failed = True

    def skip(self, result: SearchResult) -> None:
        """Leaves out a block of a post that is too short."""
        self.too_short.append(result.query.name)

    def say_skipped(self) -> None:
        """Says which blocks of posts were left out."""
        if self.too_short:
            shown = "; ".join(self.too_short[:SHOWN]) + ("; ..." if len(self.too_short) > SHOWN else "")
            console.say(f"wherefrom: {count(len(self.too_short), 'block')} too short to be looked up: {shown}")

    def write(self, result: SearchResult) -> None:
        """Writes one answer."""
        before = self.renderer.separator if self._is_begun else ""
        for part in self.renderer.write(result, self.look):
            if not self._is_begun:
                # Before the header, for an interrupt may come as soon as something is written.
                self._is_begun = True
                console.emit(self.renderer.header)
            console.emit(before + part)
            before = ""
        if self.is_short and (missing := short.missing(result)) is not None:
            console.say(f"wherefrom: {missing}")
        for warning in result.warnings:
            if warning not in self._warned:
                console.warn(warning)
        self._warned.update(result.warnings)
        if result.hits:
            self.found = True
            self.look = replace(self.look, legend=False)

    @property
    def exit_code(self) -> int:
        """2 where something failed, else 0 where something was found, else 1."""
        if self.failed:
            return ERROR
        return FOUND if self.found else NOTHING
