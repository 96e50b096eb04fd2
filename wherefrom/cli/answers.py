"""Writes the answers of `search`, `similar` and `first`, one after the other."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Annotated, Generic, Self, TypeAlias, TypeVar

import typer

from wherefrom.cli import console
from wherefrom.cli.flags import argument, format_option
from wherefrom.errors import AnalysisError, BinaryContent, NoSuchLines, UsageError
from wherefrom.options.fields import Options, Whole, option, switch
from wherefrom.reports.layout import count
from wherefrom.reports.look import Look
from wherefrom.reports.renderer import Renderer
from wherefrom.reports.search import RENDERERS, SHORT_FORMS
from wherefrom.reports.search.text import missing_places
from wherefrom.reports.sides import CONTEXT, MOST_LINES
from wherefrom.results import FirstResult, SearchResult
from wherefrom.support.values import dataclass, replace

_Answer = TypeVar("_Answer", SearchResult, FirstResult)

answers_format = partial(format_option, meaning="The format of the answer; json is an array for several snippets.")
"""The option `--format` of a command that takes several snippets."""

RESULT_FORMAT = answers_format(RENDERERS)

Snippets: TypeAlias = Annotated[
    list[str] | None,
    argument(
        "FILE|URL|-",
        "Snippets: files, folders, lines of a file (`FILE:10-20`), permalinks of code hosts, URLs of Stack Exchange "
        "posts, `-` for stdin.",
    ),
]

Code: TypeAlias = Annotated[str | None, typer.Option("--code", metavar="TEXT", help="The snippet itself.")]

SHOWN = 3
"""At most this many blocks are named in the message about blocks that are too short."""


@dataclass(frozen=True, kw_only=True)
class TextForm(Options):
    """How answers look as text."""

    brief: bool = switch("Write one line for each hit: match, location, lines, attribution and age.")
    locations: bool = switch(
        "Write only the locations of the hits (see --limit), one a line: REPOSITORY:PATH:LINE, with the first matched "
        "line.",
        flag="--locations -l",
    )
    count: bool = switch(
        "Write only the number of locations of the hits (see --limit); for several snippets NAME:NUMBER.",
    )
    context: int | None = option(
        None,
        Whole(at_least=0),
        "Number of unmatched lines to show before and after matched ones.",
        default_help=str(CONTEXT),
    )
    max_lines: int | None = option(
        None,
        Whole(at_least=0),
        "The highest number of lines to show of each side of a hit; 0 for all.",
        default_help=str(MOST_LINES),
    )

    def check_together(self) -> None:
        """Raises `UsageError` if several short forms are given."""
        if len(self.short_forms) > 1:
            raise UsageError(f"{' and '.join(self.short_forms[:2])} do not go together; give one of them")

    @property
    def short_forms(self) -> list[str]:
        """The given flags that choose a short form. `check_together` allows at most one."""
        given = {"--brief": self.brief, "--locations": self.locations, "--count": self.count}
        return [name for name in SHORT_FORMS if given[name]]

    def renderer(self, output: str) -> Renderer[SearchResult]:
        """The renderer for the flags and the format `output`.

        Raises:
            UsageError: the flags and the format exclude each other.
        """
        numbers = {"--context": self.context, "--max-lines": self.max_lines}
        of_code = [name for name, value in numbers.items() if value is not None]
        of_text = [*self.short_forms, *of_code]
        if of_text and output != "text":
            raise UsageError(f"{of_text[0]} is for text; leave it out, or leave out --format {output}")
        if self.short_forms and of_code:
            raise UsageError(f"{of_code[0]} is for code, which {self.short_forms[0]} does not show; give one of them")
        return SHORT_FORMS[self.short_forms[0]]() if self.short_forms else RENDERERS[output]


class AnswerWriter(Generic[_Answer]):
    """Writes answers one after the other, and computes the exit code. The end of its `with` block writes the end of the
    output, so that an array of JSON is valid even if an error follows its first answers. `several` is True if there may
    be several answers.
    """

    def __init__(self, renderer: Renderer[_Answer], look: Look, *, several: bool) -> None:
        self.renderer: Renderer[_Answer] = (several and renderer.several) or renderer
        self.look = look
        self._found = self._failed = False
        self._too_short: list[str] = []
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
        if error is None and self._too_short:
            shown = "; ".join(self._too_short[:SHOWN]) + ("; ..." if len(self._too_short) > SHOWN else "")
            console.say(f"wherefrom: {count(len(self._too_short), 'block')} too short to be looked up: {shown}")

    def problem(self, message: str) -> None:
        """Reports a snippet that could not be looked up."""
        console.fail(message)
        self._failed = True

    @contextmanager
    def reporting(self, name: str) -> Iterator[None]:
        """Reports a snippet of this name if it cannot be looked up, so that the others are."""
        try:
            yield
        except (BinaryContent, NoSuchLines) as error:
            self.problem(str(error))
        except AnalysisError as error:
            self.problem(f"{name}: {error}")

    def write(self, result: _Answer, *, is_block: bool = False) -> None:
        """Writes one answer. Blocks of posts that are too short to be looked up are only named at the end."""
        if is_block and result.query.needed is not None:
            self._too_short.append(result.query.name)
            return
        before = self.renderer.separator if self._is_begun else ""
        for part in self.renderer.write(result, self.look):
            if not self._is_begun:
                # Set before the header is written: if an interrupt comes right after that, the footer must follow.
                self._is_begun = True
                console.emit(self.renderer.header)
            console.emit(before + part)
            before = ""
        self._written(result)
        for warning in result.warnings:
            if warning not in self._warned:
                console.warn(warning)
        self._warned.update(result.warnings)
        self._found = self._found or result.total > 0

    def _written(self, result: _Answer) -> None:
        """Called after an answer was written, before its warnings."""

    @property
    def exit_code(self) -> int:
        """2 if a snippet could not be looked up; otherwise 0 if something was found, and 1 if not."""
        return 2 if self._failed else 0 if self._found else 1


class SearchWriter(AnswerWriter[SearchResult]):
    """Writes the answers of searches. The flags in `form` change how text looks."""

    def __init__(self, form: TextForm, renderer: Renderer[SearchResult], look: Look, *, several: bool) -> None:
        context = look.context if form.context is None else form.context
        max_lines = look.max_lines if form.max_lines is None else form.max_lines or None
        super().__init__(renderer, replace(look, context=context, max_lines=max_lines), several=several)
        self.is_short = bool(form.short_forms)

    def _written(self, result: SearchResult) -> None:
        if self.is_short and (missing := missing_places(result)) is not None:
            console.say(f"wherefrom: {missing}")
        if result.hits:
            self.look = replace(self.look, legend=False)
