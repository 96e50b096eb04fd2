"""Reads the snippets to look up (files and lines of them, permalinks of code hosts, URLs of Stack Exchange posts), and
writes the answers of `search`, `similar` and `first`, one after the other.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Generic, Self, TypeAlias, TypeVar

import typer

import wherefrom
from wherefrom.cli import console, files
from wherefrom.cli.commands import argument, format_option
from wherefrom.cli.settings import Settings
from wherefrom.errors import AnalysisError, BinaryContent, NoSuchLines, SourceError, UnknownRepository, UsageError
from wherefrom.options.fields import Options, Whole, option, switch
from wherefrom.options.shared import QueryOptions
from wherefrom.reports.layout import count
from wherefrom.reports.renderer import Look, Renderer
from wherefrom.reports.search import RENDERERS, SHORT_FORMS
from wherefrom.reports.search.text import missing_places
from wherefrom.reports.sides import CONTEXT, MOST_LINES
from wherefrom.results import FirstResult, SearchResult
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass, replace

if TYPE_CHECKING:
    from wherefrom.extend import Analyzer

_URL = later(r"https?://", re.IGNORECASE)
_FRAGMENT = later(r"(.+)#L([0-9]{1,9})(?:-L?([0-9]{1,9}))?", re.DOTALL)
_LINES = later(r"(.+):([0-9]{1,9})(?:-([0-9]{1,9}))?", re.DOTALL)
"""`FILE:10-20`, as answers print a location. File names may contain colons, so this only counts if FILE exists."""
_HOST = later(r"(?:[\w-]+\.)+[a-z]{2,}/", re.IGNORECASE)

_Query = TypeVar("_Query", bound=QueryOptions)


@dataclass(frozen=True, slots=True)
class GivenSnippet:
    """A snippet to look up: its name in the answer, and the bytes of the whole file or block of a post (`is_block`).
    Its sources are URLs of the post, or of the file at a code host. `written` is the day of the post or of the oldest
    line, if that is known. `lines` are the first and the last one to look up, 1-based and inclusive; None for all.
    """

    name: str
    text: bytes
    language: str | None = None
    sources: tuple[str, ...] = ()
    written: date | None = None
    lines: tuple[int, int] | None = None
    is_block: bool = False

    def options(self, given: _Query) -> _Query:
        """The options of a call about this snippet. A language that the user has given wins."""
        return replace(given, name=self.name, lines=self.lines, language=given.language or self.language)


def named(command: str, names: list[str], code: str | None) -> list[str]:
    """The names of snippets to read: those given, or else standard input if it is not a terminal; empty with `code`."""
    if code is not None:
        if names:
            raise UsageError("both files and --code are given; give one of them")
        if not code.strip():
            raise UsageError("--code is empty; give it the snippet")
        return []
    if names:
        return names
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(
            f"no snippet; usage: wherefrom {command} FILE... | wherefrom {command} - | wherefrom {command} --code TEXT"
        )
    return [files.STANDARD_INPUT]


def is_batch(names: list[str]) -> bool:
    """True if the names may give several snippets: if there are several names, or a name is a folder or a post."""
    return len(names) > 1 or any(files.is_folder(name) or (_is_url(name) and not _is_permalink(name)) for name in names)


def read_each(
    names: Iterable[str],
    given: Settings,
    index: "wherefrom.Index",
    analyzer: "Analyzer",
    *,
    code: str | None,
    problem: Callable[[str], None],
    dated: bool,
) -> Iterator[GivenSnippet]:
    """Reads the snippet of `--code`, and the named ones: files and folders, `-` for standard input, lines of a file
    (`FILE:10-20` or `FILE#L10-L20`), the code of a permalink from the index, and each code block of a post, whose
    language the analyzer recognizes. `problem` receives a one-line message for each name that cannot be read; the
    others are read. With `dated`, it finds out when the code of a permalink was written.
    """
    if code is not None:
        yield GivenSnippet("<code>", os.fsencode(code))
    for name in names:
        try:
            if _is_permalink(name):
                yield _linked(name, index, dated=dated)
            elif _is_url(name):
                yield from _blocks(name, given, analyzer)
            elif (part := _lines_of(name)) is not None:
                yield part
            else:
                yield from (GivenSnippet(*found) for found in files.read_files(name, problem))
        except (AnalysisError, SourceError, UnknownRepository, UsageError) as error:
            problem(str(error))


def read_one(name: str, index: "wherefrom.Index") -> GivenSnippet:
    """Reads one file or lines of it: a path, `-` for standard input, `FILE:10-20`, `FILE#L10-L20`, or a permalink of a
    code host.
    """
    return _linked(name, index) if _is_permalink(name) else read_plain(name)


def read_plain(name: str) -> GivenSnippet:
    """Reads one file or lines of it: a path, `-` for standard input, `FILE:10-20` or `FILE#L10-L20`."""
    return _lines_of(name) or GivenSnippet(*files.read_file(name))


def fingerprints(path: Path) -> "wherefrom.FingerprintedQuery":
    """Reads what `wherefrom fingerprint` wrote. Raises UsageError if it cannot be read."""
    from wherefrom.extend import MOST_FINGERPRINTED  # noqa: PLC0415 -- `--help` does not wait for it

    try:
        with path.open("rb") as file:
            data = file.read(MOST_FINGERPRINTED + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}; name what `wherefrom fingerprint` wrote") from error
    return wherefrom.FingerprintedQuery.load(data, str(path))


def is_readable(name: str) -> bool:
    """True if `read_one` reads this name; False if it names an indexed file."""
    return name == files.STANDARD_INPUT or os.path.lexists(name) or _is_permalink(name) or _split(name) is not None


def _is_url(name: str) -> bool:
    """True for a URL, and for the URL of a post without `https://`; False if there is a file of this name."""
    if os.path.lexists(name):
        return False
    if _HOST.match(name) is None:
        return _URL.match(name) is not None
    from wherefrom.extend import is_post  # noqa: PLC0415 -- `--help` does not wait for it

    return is_post(f"https://{name}")


def _is_permalink(name: str) -> bool:
    """True for the URL of a file at a code host; False if there is a file of this name."""
    if os.path.lexists(name) or not (_URL.match(name) or _HOST.match(name)):
        return False
    from wherefrom.extend import permalink  # noqa: PLC0415 -- `--help` does not wait for it

    try:
        return permalink(name) is not None
    except UsageError:
        return True  # The error is raised again when the snippet is read.


def _linked(url: str, index: "wherefrom.Index", *, dated: bool = False) -> GivenSnippet:
    found = index.linked_code(url, dated=dated)
    if not found.is_as_asked:
        console.say(f"wherefrom: {found.asked} is not in the clone of {found.name}; this is the indexed revision of it")
    return GivenSnippet(found.name, found.content, sources=found.sources, written=found.written, lines=found.lines)


def _lines_of(name: str) -> GivenSnippet | None:
    """The snippet for `FILE:10-20` or `FILE#L10-L20`; None for any other name, and if there is a file of this name."""
    split = _split(name)
    if split is None:
        return None
    from wherefrom.extend import line_range  # noqa: PLC0415 -- `--help` does not wait for it

    file, first, last = split
    lines = line_range(int(first), int(last or first), name)
    return replace(GivenSnippet(*files.read_file(file)), lines=lines)


def _split(name: str) -> tuple[str, str, str | None] | None:
    """Splits `FILE:10-20` or `FILE#L10-L20` into file, first and last line; None for other names (see `_lines_of`)."""
    if os.path.lexists(name):
        return None
    found = _FRAGMENT.fullmatch(name)
    if found is None:
        found = _LINES.fullmatch(name)
        if found is None or not os.path.lexists(found[1]):
            return None
    return found[1], found[2], found[3]


def _blocks(url: str, given: Settings, analyzer: "Analyzer") -> Iterator[GivenSnippet]:
    from wherefrom.extend import is_post, language_of_post, without_credentials  # noqa: PLC0415 -- as above

    if not is_post(url if _URL.match(url) else f"https://{url}"):
        raise UsageError(
            f"{without_credentials(url)[:200]!a} is neither a file at a code host nor a post of a Stack Exchange site; "
            "give a URL such as https://github.com/OWNER/REPO/blob/REV/PATH or https://stackoverflow.com/a/12345, or "
            "the code itself in a file"
        )
    for block in wherefrom.fetch_post(url, key=given.stackexchange_key, base=given.stackexchange_api):
        yield GivenSnippet(
            block.name,
            block.content,
            language_of_post(block, analyzer),
            (block.post.source_url,),
            block.post.created,
            is_block=True,
        )


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

SHOWN = 3  # at most this many blocks are named in the message about blocks that are too short


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
        "Write only the number of locations of the hits (see --limit); for several snippets NAME:NUMBER."
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
        """The renderer for the flags and the format `output`. Raises UsageError if they exclude each other."""
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
