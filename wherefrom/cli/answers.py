"""Answers of `search` and `similar`, written one after the other."""

from dataclasses import dataclass, replace
from types import TracebackType
from typing import Annotated, Self

from wherefrom.cli import console
from wherefrom.cli.flags import format_option
from wherefrom.errors import UsageError
from wherefrom.options.fields import Flag, Options, Whole, option
from wherefrom.reports.layout import count
from wherefrom.reports.look import Look
from wherefrom.reports.renderer import Renderer
from wherefrom.reports.search import RENDERERS, SHORT_FORMS, short
from wherefrom.reports.sides import CONTEXT, MOST_LINES
from wherefrom.results import SearchResult

ResultFormat = Annotated[
    str, format_option(RENDERERS, "How the answer is written; json is an array for several snippets.")
]

FOUND, NOTHING, ERROR = 0, 1, 2

SHOWN = 3
"""Blocks that are named where they are left out."""


@dataclass(frozen=True, kw_only=True)
class Form(Options):
    """How answers are written as text."""

    brief: bool = option(
        False, Flag(), "One line for each hit: match, location, lines and attribution.", flag="--brief"
    )
    locations: bool = option(
        False,
        Flag(),
        "Only the locations of the hits (see --limit), one on each line: REPOSITORY:PATH:LINE, the first that matches.",
        flag="--locations -l",
    )
    count: bool = option(
        False,
        Flag(),
        "Only the number of locations of the hits (see --limit); for several snippets NAME:NUMBER.",
        flag="--count",
    )
    context: int | None = option(
        None,
        Whole(at_least=0),
        "Unmatched lines shown before and after those that match.",
        flag="--context",
        default_help=str(CONTEXT),
    )
    max_lines: int | None = option(
        None,
        Whole(at_least=0),
        "Lines of each side shown of a hit, 0 for all.",
        flag="--max-lines",
        default_help=str(MOST_LINES),
    )

    def check_together(self) -> None:
        """See `Options`."""
        if len(self.short_forms) > 1:
            raise UsageError(f"{' and '.join(self.short_forms[:2])} do not go together; give one of them")

    @property
    def short_forms(self) -> list[str]:
        """The flags of short forms that are given: at most one."""
        given = {"--brief": self.brief, "--locations": self.locations, "--count": self.count}
        return [name for name in SHORT_FORMS if given[name]]

    def renderer(self, output: str) -> Renderer[SearchResult]:
        """What writes the answers of one run in a format.

        Raises:
            UsageError: the flags do not go together.
        """
        numbers = {"--context": self.context, "--max-lines": self.max_lines}
        of_code = [name for name, value in numbers.items() if value is not None]
        of_text = [*self.short_forms, *of_code]
        if of_text and output != "text":
            raise UsageError(f"{of_text[0]} is for text; leave it out, or leave out --format {output}")
        if self.short_forms and of_code:
            raise UsageError(f"{of_code[0]} is for code, which {self.short_forms[0]} does not show; give one of them")
        return SHORT_FORMS[self.short_forms[0]]() if self.short_forms else RENDERERS[output]


class Answers:
    """Writes answers one after the other, and keeps the exit code. At the end of its `with` block what was begun is
    ended in any case, so that an array of JSON is whole where an error comes after its first answers.

    Args:
        form: how text is written.
        renderer: what writes them: of the form.
        look: how text is set, but for what the form says of it.
        several: whether there are several, or may be.
    """

    def __init__(self, form: Form, renderer: Renderer[SearchResult], look: Look, *, several: bool) -> None:
        self.renderer = renderer.several if several and renderer.several is not None else renderer
        self.look = replace(
            look,
            context=look.context if form.context is None else form.context,
            max_lines=look.max_lines if form.max_lines is None else form.max_lines or None,
        )
        self.is_short = bool(form.short_forms)
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
