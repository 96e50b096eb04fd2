"""The page of a search, made in the process that searches: it has the texts of both sides."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from markupsafe import Markup, escape

from wherefrom.analyzers.guessing import guess
from wherefrom.api import fetch_post
from wherefrom.errors import UsageError, WherefromError
from wherefrom.languages import LANGUAGES
from wherefrom.options import SearchOptions
from wherefrom.printable import visible
from wherefrom.reports.attribution_text import license_names, sentences
from wherefrom.reports.figures import match, matched, other_figures, too_short
from wherefrom.reports.layout import NOT_AT_HAND, count, lines, percent
from wherefrom.reports.pages.sides import Side, facing
from wherefrom.reports.sides import Text, rows
from wherefrom.serve.assets import page
from wherefrom.service.calls import LONG

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wherefrom.index import Index
    from wherefrom.model import Occurrence
    from wherefrom.results import Attribution, Hit, SearchResult

SHOWN_HITS = 20
"""Hits of a page unless it says another number."""

MOST_HITS = 100

WITH_CODE = 30
"""Hits whose code is shown; of others the lines are named."""

PLACES = 200
"""Places that are listed of one hit."""

GONE = f"{NOT_AT_HAND}. To see it, index it again with --keep-source."

NO_LICENSE = "no license stated"

_POST = re.compile(r"https?://\S{5,500}")
"""What may be the URL of a post: one word."""

TERMS = 5
"""Rarest terms of an explanation."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it is sent.

    Attributes:
        html: the document.
        status: of HTTP.
    """

    html: bytes
    status: int = 200


@dataclass(frozen=True, slots=True)
class PostsAccess:
    """How posts of Stack Exchange are looked up; no other host is asked.

    Attributes:
        key: of an application that is registered there, None for none.
        base: the address of the API up to its version, None for the public one.
    """

    key: str | None = None
    base: str | None = None


@dataclass(frozen=True, slots=True)
class SearchForm:
    """What is asked on the page, each field as it was typed.

    Attributes:
        code: the snippet.
        name: of its file.
        language: empty to have it guessed.
        source: the URL that it is from.
        repository, path: filters, several with commas between them.
        without: names of boilerplate sets.
        limit: hits at most, empty for `SHOWN_HITS`.
    """

    code: str = ""
    name: str = ""
    language: str = ""
    source: str = ""
    repository: str = ""
    path: str = ""
    without: tuple[str, ...] = ()
    limit: str = ""

    def options(self, given: SearchOptions) -> SearchOptions:
        """The options of the search.

        Args:
            given: those that the owner of the server has set.

        Raises:
            UsageError: a field that cannot be right.
        """
        if self.limit and not (self.limit.isdecimal() and 1 <= int(self.limit) <= MOST_HITS):
            raise UsageError(f"the number of hits must be from 1 to {MOST_HITS}, not {self.limit[:20]!r}")
        return replace(
            given,
            name=self.name.strip() or "pasted code",
            language=self.language or None,
            sources=_listed(self.source),
            repositories=_listed(self.repository),
            paths=_listed(self.path),
            without=self.without,
            limit=int(self.limit) if self.limit else SHOWN_HITS,
            explain=True,
        )


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The page with what a form finds, or with the form alone where there is no code in it. In place of code the URL of
    a post gives the blocks of its code, each to be looked up.
    """

    form: SearchForm
    given: SearchOptions
    posts: PostsAccess

    @property
    def is_long(self) -> bool:
        """See `wherefrom.service.calls.Call`."""
        return len(self.form.code) > LONG

    def answer(self, index: Index) -> Page:
        """See there. What is wrong with the form is on the page."""
        values: dict[str, Any] = {
            "form": self.form,
            # Its lines are kept: what a reader has typed is not made visible, but it is escaped.
            "code": escape(self.form.code),
            "languages": [*LANGUAGES],
            "sets": index.boilerplate_names(),
            "problem": "",
            "answer": None,
            "blocks": (),
        }
        status = 200
        if self.form.code.strip():
            try:
                if _POST.fullmatch(self.form.code.strip()):
                    values["blocks"] = _blocks(self.form.code.strip(), self.posts)
                    return Page(page("search", **values))
                result = index.search(self.form.code, self.form.options(self.given))
                values["answer"] = _answer(index, result)
            except WherefromError as error:
                values["problem"], status = str(error), 422
        return Page(page("search", **values), status)


def _blocks(url: str, posts: PostsAccess) -> list[dict[str, str]]:
    """The blocks of code of a post.

    Raises:
        UsageError: it is not the URL of a post.
        NotFound: there is no such post, or no code in it.
        SourceError: the API cannot be reached or refuses.
    """
    found = fetch_post(url, key=posts.key, base=posts.base)
    return [
        {
            "name": block.name,
            # Its lines are kept where it is sent again, and made visible where it is shown.
            "code": escape(block.content.decode("utf-8", "replace")),
            "shown": Markup("\n").join(visible(line) for line in block.content.decode("utf-8", "replace").split("\n")),
            "source": block.post.source_url,
            "license": block.post.license,
        }
        for block in found
    ]


def file_url(repository: str, path: str, first: int | None = None, last: int | None = None) -> str:
    """Where the server shows a file, or lines of it."""
    # A key that is a path begins with a slash, which must not make an empty part of the URL.
    key = quote(repository, safe="/:@~", errors="surrogatepass")
    key = f"%2F{key[1:]}" if key.startswith("/") else key
    shown = "" if first is None else f"#L{first}" + ("" if last in {None, first} else f"-{last}")
    return f"/r/{key}/{quote(path, safe='/:@~', errors='surrogatepass')}{shown}"


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _answer(index: Index, result: SearchResult) -> dict[str, Any]:
    query = result.query
    text = result.texts.query()
    snippet = None if text is None else Text(text)
    hits = [
        _hit(index, rank, hit, result, snippet if rank <= WITH_CODE else None)
        for rank, hit in enumerate(result.hits, 1)
    ]
    shown = f", showing {len(hits):,}" if result.total > len(hits) else ""
    head = too_short(query) or (f"{count(result.total, 'hit')} found{shown}" if result.total else "nothing found")
    left_out = [
        *([f"{count(query.excluded_tokens, 'token')} left out as boilerplate"] if query.excluded_tokens else []),
        *(
            [f"{count(query.excluded['max_df'], 'k-gram')} left out as too frequent"]
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
            ("sure to be found", f"shared runs of {count(query.guarantee, 'token')}"),
            ("time", f"{result.took_ms / 1000:.2f} s"),
        ],
        "left_out": left_out,
        "hits": hits,
        "facets": [*_facets(hits)],
    }


def _hit(index: Index, rank: int, hit: Hit, result: SearchResult, snippet: Text | None) -> dict[str, Any]:
    best = hit.locations[0]
    at = best.occurrence
    regions = [pair.document for pair in hit.regions]
    extent = (
        (min(region.start_line for region in regions), max(region.end_line for region in regions))
        if regions
        else (1, 1)
    )
    attributions = dict(zip(hit.occurrences, hit.attributions, strict=False))
    licenses = index.licenses(at, [(region.start_line, region.end_line) for region in regions])
    content = result.texts.of(hit.blob, hit.occurrences) if snippet is not None else None
    verdict = str(attributions[at].verdict) if at in attributions else ""
    return {
        "rank": rank,
        "match": match(hit),
        "strength": str(hit.strength or ""),
        "title": f"{at.repository}  {at.path}:{lines(*extent)}",
        "url": file_url(at.repository, at.path, *extent),
        "host_url": best.url,
        "verdict": verdict,
        "notes": [*sentences(attributions[at])]
        if at in attributions
        else [f"license {license_names(licenses)}"]
        if licenses
        else [NO_LICENSE],
        "figures": [*other_figures(hit), *([matched(hit, result.query)] if result.query.excluded_tokens else [])],
        "others": [*_others(hit, attributions)],
        "more": max(len(hit.occurrences) - 1 - PLACES, 0),
        "sides": _sides(hit, snippet, content),
        "lines": [
            f"lines {lines(pair.query.start_line, pair.query.end_line)} here: "
            f"lines {lines(pair.document.start_line, pair.document.end_line)} there"
            for pair in hit.regions[:10]
        ],
        "why": [*_why(hit)],
        "facets": {
            "repository": sorted({visible(each.repository) for each in hit.occurrences}),
            "language": [hit.language],
            "license": list(licenses) or [NO_LICENSE],
            "verdict": sorted({str(each.verdict) for each in hit.attributions}),
        },
    }


def _others(hit: Hit, attributions: Mapping[Occurrence, Attribution]) -> Iterator[dict[str, str]]:
    for location in hit.locations[1 : PLACES + 1]:
        at = location.occurrence
        extent = next(((region.start_line, region.end_line) for region in location.matched_regions), None)
        yield {
            "title": f"{at.repository}  {at.path}",
            "url": file_url(at.repository, at.path, *(extent or ())),
            "verdict": str(attributions[at].verdict) if at in attributions else "",
        }


def _sides(hit: Hit, snippet: Text | None, content: bytes | None) -> tuple[Side, ...]:
    if snippet is None or content is None or not hit.regions:
        return ()
    texts = snippet, Text(content)
    here, there = facing(rows(hit.regions, texts), texts, hit.regions)
    path = hit.locations[0].occurrence.path
    language = guess(path, content)
    return Side("yours", "", None, language, tuple(here)), Side("found", path, None, language, tuple(there))


def _why(hit: Hit) -> Iterator[str]:
    """What the score is made of, in words."""
    found = hit.explanation
    if found is None:
        return
    reason = "the score is above what chance reaches" if found.reason == "score" else "so much of the code is covered"
    yield f"score {found.score:.2f}; hits by chance stay below {found.threshold:.2f}; found because {reason}"
    for chain in found.chains:
        yield (
            f"{chain.representation}: {count(chain.kgrams, 'k-gram')} in order cover {percent(chain.coverage)} of the "
            f"code, the longest run {count(chain.longest_run, 'token')}, score {chain.score:.2f}"
        )
    rare = sorted(found.terms, key=lambda term: term.document_frequency)[:TERMS]
    if rare:
        counts = ", ".join(f"{term.document_frequency:,}" for term in rare)
        yield f"{count(len(found.terms), 'fingerprint')} shared; the rarest are in so many contents: {counts}"


def _facets(hits: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """What the hits that are shown can be narrowed by: a name, and its values with the number of hits."""
    for name in ("repository", "language", "license", "verdict"):
        values: Iterable[str] = (value for hit in hits for value in hit["facets"][name])
        counted = sorted(Counter(values).items(), key=lambda item: (-item[1], item[0]))
        if counted:
            yield name, counted[:50]
