"""The page of a search. The process that searches also makes the page, because it has the texts of both sides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from heapq import nsmallest
from itertools import islice, zip_longest
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote, urlencode

from fastapi.responses import HTMLResponse
from markupsafe import Markup, escape

from wherefrom.errors import DiffError, UsageError, WherefromError
from wherefrom.extend import LANGUAGES, fitting_names, is_purl, package_parts, parse_diff, permalink
from wherefrom.model import RepositoryRecord
from wherefrom.options import CheckOptions, SearchOptions
from wherefrom.public import Index, PostBlock
from wherefrom.reports.check import words
from wherefrom.reports.check.html import section
from wherefrom.reports.figures import evidence, match, nearest, reasons, too_short
from wherefrom.reports.hit_fields import MEANINGS, MODEL_FIGURES, brief, figures, notes
from wherefrom.reports.layout import NOT_AT_HAND, count
from wherefrom.reports.pages.sides import ShownSide, facing
from wherefrom.reports.sides import Row, TextLines, rows
from wherefrom.results import Hit, HitPlace, Lines, LinkedCode, Refused, SearchResult
from wherefrom.results.locations import Texts
from wherefrom.results.regions import line_range
from wherefrom.serve.calls import Defaults
from wherefrom.serve.web import facets
from wherefrom.serve.web.assets import page
from wherefrom.serve.web.facets import Narrowed
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, replace

SHOWN_HITS = 20  # the default number of hits on a page

MOST_HITS = 100

WITH_CODE = 30  # at most this many hits are shown with code. The others only name their lines
SHORT, LONG = 60, 400  # with fewer tokens than `SHORT`, more code may be found; with more than `LONG`, a part of it

GONE = f"{NOT_AT_HAND}. To see it, index it again with --keep-source."

_WORD = re.compile(r"\S{5,500}")

_URL = re.compile(r"https?://\S{5,500}")  # a URL and nothing else

MOST_RECORDS = 1_000
"""The first page reads the records of at most this many repositories. If there are more, it tells only how many."""

TRIED_REPOSITORIES, TRIED_FILES = 5, 60
"""At most this many repositories are listed, and this many files read, to find an example."""

EXAMPLE_TOKENS = range(60, 3_000)  # the tokens of a file that is an example
EXAMPLE_BYTES = 1_500  # an example of code has at most this many bytes


MOST_ENTRIES = 100  # of a diff, at most this many pieces that are elsewhere are shown

PostReader: TypeAlias = Callable[[str], Sequence[PostBlock]]
"""Fetches the code blocks of a post by its URL."""


@dataclass(frozen=True, slots=True)
class WebDefaults(Defaults):
    """The settings of the server's owner, with the function that fetches posts from Stack Exchange."""

    posts: PostReader


@dataclass(frozen=True, slots=True)
class SearchForm:
    """The form on the page, each field as the user typed it."""

    code: str = ""  # the snippet
    name: str = ""  # of its file
    language: str = ""  # empty to have it guessed
    source: str = ""  # the URL of the snippet's source
    repository: str = ""  # filters, separated by commas
    path: str = ""  # filters, separated by commas
    without: tuple[str, ...] | None = None  # names of boilerplate sets; None for those of the owner
    limit: str = ""  # the highest number of hits; empty for `SHOWN_HITS`
    oldest: str = ""  # not empty to show the oldest hits first
    chosen: facets.Chosen = ()  # the chosen values of facets

    @property
    def shown(self) -> int:
        """The highest number of hits to show."""
        if self.limit and self.limit not in map(str, range(1, MOST_HITS + 1)):
            raise UsageError(f"the number of hits must be from 1 to {MOST_HITS}, not {self.limit[:20]!r}")
        return int(self.limit) if self.limit else SHOWN_HITS

    def options(self, given: SearchOptions) -> SearchOptions:
        """The options of the search, except its limit: `given` with the fields of the form."""
        return replace(
            given,
            without=given.without if self.without is None else self.without,
            allow_missing_sets=self.without is None,
            name=self.name.strip() or "pasted code",
            language=self.language or None,
            sources=_listed(self.source),
            repositories=_listed(self.repository),
            paths=_listed(self.path),
            oldest=bool(self.oldest),
            explain=True,
            without_terms=True,
        )


def search_page(index: Index, form: SearchForm, defaults: WebDefaults, may_read: bool) -> HTMLResponse:
    """The page with the hits of a form, or facts about the index for a form without code. If its code is the URL of
    a post, the page lists the code blocks of the post, each with a button to search it. The code of a permalink is read
    from the index and searched, and for a package URL the page lists the indexed packages. A diff is checked file by
    file. The page also shows errors of the form. It shows the indexed code only with `may_read`.
    """
    sets = index.boilerplate_names(built_in=True)
    patterns = defaults.search.without if form.without is None else form.without
    values: dict[str, Any] = {
        "form": form,
        # Unlike code that is only shown, the code in the form keeps its control characters.
        "code": escape(form.code),
        "languages": [*LANGUAGES],
        "sets": sets,
        "left_out": {name for pattern in patterns for name in fitting_names(pattern, sets)},
        "problem": "",
        "answer": None,
        "tips": (),
        "blocks": (),
        "packages": None,
        "taken": "",
        "check": None,
        "meanings": MEANINGS,
        "facts": (),
        "examples": (),
    }
    status = 200
    text = form.code.strip()
    if not text:
        values |= _start(index, may_read=may_read)
    else:
        try:
            if text.startswith("pkg:") and _WORD.fullmatch(text):
                values["taken"], values["packages"] = "a package URL", _packages(index, text)
                return page("search", **values)
            is_url = _URL.fullmatch(text) is not None
            link = permalink(text) if is_url else None
            if link is None and is_url:
                values["taken"], values["blocks"] = "the URL of a post", _blocks(text, defaults.posts)
                return page("search", **values)
            if is_diff(form.code):
                values["taken"] = "a diff; what it adds is looked up file by file, in all repositories and languages"
                values["check"] = _checked(index, form, defaults.check, may_read=may_read)
                return page("search", **values)
            most, options = form.shown, form.options(defaults.search)
            code: str | bytes = form.code
            if link is not None:
                linked = index.linked_code(text)
                code, values["taken"] = linked.content, _taken(linked)
                options = replace(options, name=linked.name, lines=linked.lines, sources=linked.sources)
            found = facets.search(index, code, options, form.chosen)
            values["answer"] = _answer(found, most, may_read=may_read)
            values["tips"] = [] if found.hits else [*_tips(index, form, found)]
        except WherefromError as error:
            values["problem"], status = str(error), 422
    return page("search", status, **values)


def _start(index: Index, *, may_read: bool) -> dict[str, Any]:
    """The values of the template for an empty form: `facts` about the index, and `examples` as words and addresses.
    Without `may_read`, no example has code.
    """
    keys = index.repository_keys()
    packages = sum(map(is_purl, keys))
    records = index.repositories(*keys[:MOST_RECORDS]) if keys else []
    days = sorted(record.indexed_at[:10] for record in records) if len(records) == len(keys) else []
    facts = [
        ("repositories", f"{len(keys) - packages:,}"),
        *([("packages", f"{packages:,}")] if packages else []),
    ]
    if days:
        files = sum(record.files for record in records)
        facts += [("files", f"{files:,}"), ("indexed since", days[0]), ("last run", days[-1])]
    found = [*_examples(index, records, may_read=may_read)]
    return {"facts": facts, "examples": [(words, f"/search?{urlencode({'code': code})}") for words, code in found]}


def _examples(index: Index, records: Sequence[RepositoryRecord], *, may_read: bool) -> Iterator[tuple[str, str]]:
    """What to put into the form, each with words for it."""
    package = next((record.key for record in records if record.is_package), None)
    if package is not None:
        yield "a package", package_parts(package)[0]
    # Small repositories are listed quickly.
    smallest = nsmallest(TRIED_REPOSITORIES, (record for record in records if record.files), attrgetter("files"))
    files = (at for record in smallest for at in index.files(record.key))
    for at in islice(files, TRIED_FILES):
        try:
            document = index.document(at.blob)
            if document.tokens not in EXAMPLE_TOKENS or not LANGUAGES[document.language].grammar:
                continue
            content = document.content()
        except WherefromError:
            continue
        link = next((place.url for place in document.locations if place.url), None)
        if link is not None and permalink(link) is not None:
            yield "a permalink", link.partition("#")[0]  # without lines
        if may_read:
            yield "some code", content[:EXAMPLE_BYTES].rpartition(b"\n")[0].decode("utf-8", "replace")
        return


def is_diff(text: str) -> bool:
    """True for a diff that changes a file."""
    try:
        return bool(parse_diff(text.encode("utf-8", "surrogatepass")))
    except DiffError:
        return False


def _checked(index: Index, form: SearchForm, options: CheckOptions, *, may_read: bool) -> dict[str, Any]:
    """What of the diff in a form is elsewhere: a summary, and sections of HTML with the path of their file."""
    without = options.without if form.without is None else form.without
    report = index.check_diff(form.code, replace(options, jobs=1, without=without))
    found = words.entries(report, accepted=True)
    lines_of = cache(lambda path: TextLines(report.contents[path]))
    sections = [(entry.path, section(entry, report, lines_of, code=may_read)) for entry in found[:MOST_ENTRIES]]
    return {"summary": words.summary(report), "sections": sections, "more": max(len(found) - MOST_ENTRIES, 0)}


def _taken(linked: LinkedCode) -> str:
    lines = "" if linked.lines is None else f", lines {Lines(*linked.lines)}"
    other = (
        "" if linked.is_as_asked else f", at the indexed revision, since {visible(linked.asked)} is not in the clone"
    )
    return f"a permalink of {visible(linked.name)}{lines}{other}"


def _packages(index: Index, purl: str) -> list[tuple[str, str]]:
    """The indexed packages that a package URL names: names and addresses. Without a version, all versions of it."""
    wanted = purl.partition("?")[0].partition("#")[0]
    keys = index.repository_keys()
    return [(key, file_url(key, "")) for key in keys if key == wanted or key.startswith(f"{wanted}@")]


def _blocks(url: str, posts: PostReader) -> list[dict[str, str]]:
    return [
        {
            "name": block.name,
            # The button sends `code`, with its control characters. The reader sees `shown`, which makes them visible.
            "code": escape(block.content.decode("utf-8", "replace")),
            "shown": Markup("\n").join(visible(line) for line in block.content.decode("utf-8", "replace").split("\n")),
            "source": block.post.source_url,
            "license": block.post.license,
        }
        for block in posts(url)
    ]


def file_url(repository: str, path: str, lines: Lines | None = None) -> str:
    """The address of the page of a file, or of lines of it."""
    # A key may be a path. Its first slash is encoded, because the URL would otherwise begin with `/r//`.
    key = quote(repository, safe="/:@~", errors="surrogatepass")
    key = f"%2F{key[1:]}" if key.startswith("/") else key
    shown = "" if lines is None else f"#L{lines}"
    return f"/r/{key}/{quote(path, safe='/:@~', errors='surrogatepass')}{shown}"


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _answer(found: Narrowed, most: int, *, may_read: bool) -> dict[str, Any]:
    result = found.result
    query = result.query
    text, snippet = result.texts.query() if may_read else None, None
    if text is not None:
        snippet = _Snippet(TextLines(text), query.language, result.texts.colors(text) if result.hits else ())
    with_code = found.hits[: min(most, WITH_CODE)] if snippet is not None else ()
    contents = [*result.texts.each((hit.blob, hit.occurrences) for hit in with_code)]
    hits = [
        _hit(rank, hit, result, _sides(result.texts, hit, snippet, content))
        for rank, (hit, content) in enumerate(zip_longest(found.hits[:most], contents), 1)
    ]
    total = result.total if len(found.hits) == len(result.hits) else len(found.hits)
    narrowed = f"{total:,} of " if total != found.found else ""
    shown = f", showing {len(hits):,}" if total > len(hits) else ""
    head = too_short(query) or (
        f"{narrowed}{count(found.found, 'hit')} found{shown}" if found.found else "nothing found"
    )
    is_narrowed = any(value.is_chosen for _, values in found.facets for value in values)
    left_out = [
        *([f"{count(query.excluded_tokens, 'token')} left out as boilerplate"] if query.excluded_tokens else []),
        *(
            [f"{count(query.excluded['max_df'], 'short piece')} left out as too frequent"]
            if query.excluded.get("max_df")
            else []
        ),
        *(["the search stopped early; there may be more"] if result.truncated and result.hits else []),
        *result.warnings,
    ]
    return {
        "head": head[0].upper() + head[1:],
        "facts": [
            ("language", query.language or "unknown"),
            ("tokens", f"{query.tokens:,}"),
            ("always found", f"{count(query.guarantee, 'token')} in a row that are the same"),
            ("time", f"{found.took_ms / 1000:.2f} s"),
        ],
        "left_out": left_out,
        "nearest": None if result.refused is None else _nearest(result.refused),
        "hits": hits,
        "facets": found.facets,
        "is_narrowed": is_narrowed,
        "counted": [*_counted(found, is_narrowed=is_narrowed)],
        "next": min(MOST_HITS, total) if total > len(hits) and most < MOST_HITS else 0,
    }


def _tips(index: Index, form: SearchForm, found: Narrowed) -> Iterator[str]:
    query = found.result.query
    if query.language:
        contents = index.stats().languages.get(query.language, 0)
        yield f"The index has {count(contents, 'different file')} in {query.language}." + (
            "" if contents else " Choose another language, or index a project in this one."
        )
    if query.excluded_tokens:
        yield "Some of this code was left out as boilerplate. Clear the boxes under “Leave out” to search it too."
    if form.repository or form.path or form.chosen:
        yield "Only some repositories and files were searched. Clear the filters to search all."
    if query.tokens < SHORT:
        yield "Paste more of the code. A whole function is found more surely than a few lines."
    elif query.tokens > LONG:
        yield "Search one function of it alone. A short piece is found more easily without the code around it."


def _counted(found: Narrowed, *, is_narrowed: bool) -> Iterator[str]:
    """Sentences that explain the numbers of the facets, if these do not count all hits."""
    if found.counted < found.found:
        yield f"The numbers count the best {found.counted:,} of {count(found.found, 'hit')}."
    if is_narrowed:
        yield "Each number is how many hits you see with that choice."


def _nearest(refused: Refused) -> dict[str, Any]:
    """The best candidate that is not a hit: a sentence about it, the address of its page, and its evidence."""
    at = refused.occurrences[0]
    text = nearest(refused)
    return {
        "text": text[0].upper() + text[1:],
        "url": file_url(at.repository, at.path, line_range(refused.matched_regions)),
        "model": [*evidence(refused.evidence)],
    }


class _Snippet(NamedTuple):
    """The searched snippet: its lines, language and colors."""

    text: TextLines
    language: str
    colors: Sequence[tuple[int, int, str]]


def _hit(rank: int, hit: Hit, result: SearchResult, sides: tuple[ShownSide, ...]) -> dict[str, Any]:
    place = hit.places[0]
    return {
        "rank": rank,
        "match": match(hit),
        **_place(place),
        "host_url": place.location.url,
        "figures": figures(hit, result.query)[1:],
        "notes": notes(place),
        "others": [_place(other) for other in hit.places[1 : facets.PLACES + 1]],
        "more": max(len(hit.occurrences) - 1 - facets.PLACES, 0),
        "sides": sides,
        "lines": [f"lines {pair.query.lines} here: lines {pair.document.lines} there" for pair in hit.regions[:10]],
        "model": [", ".join(figures(hit, result.query, MODEL_FIGURES)), *reasons(hit.explanation)],
    }


def _place(place: HitPlace) -> dict[str, Any]:
    at, extent = place.occurrence, place.lines or Lines(1, 1)
    verdict = "" if place.attribution is None else str(place.attribution.verdict)
    return {
        "title": f"{at.repository}  {at.path}:{extent}",
        "url": file_url(at.repository, at.path, extent),
        "verdict": verdict,
        "brief": brief(place),
    }


def _sides(read: Texts, hit: Hit, snippet: _Snippet | None, content: bytes | None) -> tuple[ShownSide, ...]:
    if snippet is None or content is None or not hit.regions or hit.by_terms:
        return ()
    texts = snippet.text, TextLines(content)
    shown = rows(hit.regions, texts)
    path = hit.locations[0].occurrence.path
    colors = read.colors(content, hit.blob, _bytes_of(shown, texts[1]))
    sides = ShownSide("yours", "", None, snippet.language), ShownSide("found", path, None, hit.language)
    return facing(shown, texts, hit.regions, sides, (snippet.colors, colors))


def _bytes_of(shown: Sequence[Row], text: TextLines) -> tuple[int, int]:
    """The range of bytes of a document from the first to the last shown line."""
    numbers = [cell for _, cell in shown if isinstance(cell, int)]
    return text.start(min(numbers, default=1)), text.start(max(numbers, default=0) + 1)
