"""The page of a search, made in the process that searches: it has the texts of both sides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from markupsafe import Markup, escape

from wherefrom.api import fetch_post
from wherefrom.errors import UsageError, WherefromError
from wherefrom.languages import LANGUAGES
from wherefrom.options import SearchOptions
from wherefrom.queries import fitting_names
from wherefrom.reports.attribution_text import license_names, sentences
from wherefrom.reports.figures import by_sign, match, matched, nearest, reasons, too_short
from wherefrom.reports.hit_fields import other_figures
from wherefrom.reports.layout import NOT_AT_HAND, count, lines, percent, probable
from wherefrom.reports.pages.sides import Side, facing
from wherefrom.reports.sides import Row, TextLines, rows
from wherefrom.results import Hit, Lines, Refused, SearchResult
from wherefrom.serve.web import facets
from wherefrom.serve.web.assets import page
from wherefrom.serve.web.facets import Narrowed
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from wherefrom.index import Index

SHOWN_HITS = 20
"""Hits of a page unless it says another number."""

MOST_HITS = 100

WITH_CODE = 30
"""Hits whose code is shown; of others the lines are named."""

GONE = f"{NOT_AT_HAND}. To see it, index it again with --keep-source."

_POST = re.compile(r"https?://\S{5,500}")
"""What may be the URL of a post: one word."""

TERMS = 5
"""Rarest terms of an explanation."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it is sent, with the status of HTTP."""

    html: bytes
    status: int = 200


@dataclass(frozen=True, slots=True)
class PostsAccess:
    """How posts of Stack Exchange are looked up, and no other host: the key of an application that is registered there,
    and the address of the API up to its version, None for the public one.
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
        without: names of boilerplate sets; None for those that the owner of the server has set.
        limit: hits at most, empty for `SHOWN_HITS`.
        chosen: what the hits are narrowed by.
    """

    code: str = ""
    name: str = ""
    language: str = ""
    source: str = ""
    repository: str = ""
    path: str = ""
    without: tuple[str, ...] | None = None
    limit: str = ""
    chosen: facets.Chosen = ()

    @property
    def shown(self) -> int:
        """Hits that are shown at most."""
        if self.limit and not (self.limit.isdecimal() and 1 <= int(self.limit) <= MOST_HITS):
            raise UsageError(f"the number of hits must be from 1 to {MOST_HITS}, not {self.limit[:20]!r}")
        return int(self.limit) if self.limit else SHOWN_HITS

    def options(self, given: SearchOptions) -> SearchOptions:
        """The options of the search but for its limit; those that the form leaves open are as the server's owner has
        set.
        """
        return replace(
            given,
            without=given.without if self.without is None else self.without,
            allow_missing_sets=self.without is None,
            name=self.name.strip() or "pasted code",
            language=self.language or None,
            sources=_listed(self.source),
            repositories=_listed(self.repository),
            paths=_listed(self.path),
            explain=True,
        )


def search_page(index: Index, form: SearchForm, given: SearchOptions, posts: PostsAccess) -> Page:
    """The page with what a form finds, or with the form alone where there is no code in it. In place of code the URL of
    a post gives the blocks of its code, each to be looked up. What is wrong with the form is on the page.
    """
    sets = index.boilerplate_names(built_in=True)
    patterns = given.without if form.without is None else form.without
    values: dict[str, Any] = {
        "form": form,
        # Its lines are kept: what a reader has typed is not made visible, but it is escaped.
        "code": escape(form.code),
        "languages": [*LANGUAGES],
        "sets": sets,
        "left_out": {name for pattern in patterns for name in fitting_names(pattern, sets)},
        "problem": "",
        "answer": None,
        "blocks": (),
    }
    status = 200
    if form.code.strip():
        try:
            if _POST.fullmatch(form.code.strip()):
                values["blocks"] = _blocks(form.code.strip(), posts)
                return Page(page("search", **values))
            most = form.shown
            found = facets.search(index, form.code, form.options(given), form.chosen)
            values["answer"] = _answer(index, found, most)
        except WherefromError as error:
            values["problem"], status = str(error), 422
    return Page(page("search", **values), status)


def _blocks(url: str, posts: PostsAccess) -> list[dict[str, str]]:
    """The blocks of code of a post; raises what `fetch_post` does."""
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


def _answer(index: Index, found: Narrowed, most: int) -> dict[str, Any]:
    result = found.result
    query = result.query
    snippet = _Snippet.of(index, result)
    hits = [
        _hit(index, rank, hit, result, snippet if rank <= WITH_CODE else None)
        for rank, hit in enumerate(found.hits[:most], 1)
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


def _counted(found: Narrowed, *, is_narrowed: bool) -> Iterator[str]:
    """What the numbers of the facets count, in sentences, where that is not all that was found."""
    if found.counted < found.found:
        yield f"The numbers count the best {found.counted:,} of {count(found.found, 'hit')}."
    if is_narrowed:
        yield "Each number is how many hits you see with that choice."


def _nearest(refused: Refused) -> dict[str, Any]:
    """What came nearest to a hit: in words, where the server shows it, and its signs."""
    regions = refused.matched_regions
    first = min((region.start_line for region in regions), default=None)
    last = max((region.end_line for region in regions), default=None)
    at = refused.occurrences[0]
    text = nearest(refused)
    return {
        "text": text[0].upper() + text[1:],
        "url": file_url(at.repository, at.path, first, last),
        "why": [*by_sign(refused.signs, refused.log_odds)],
    }


@dataclass(frozen=True, slots=True)
class _Snippet:
    """What was searched: its lines, language and colors."""

    text: TextLines
    language: str
    colors: Sequence[tuple[int, int, str]]

    @staticmethod
    def of(index: Index, result: SearchResult) -> _Snippet | None:
        """That of an answer, None where its text is not known."""
        content = result.texts.query()
        if content is None:
            return None
        language = result.query.language
        colors = index.highlights(result.query.name, content, language=language or None) if result.hits else ()
        return _Snippet(TextLines(content), language, colors)


def _hit(index: Index, rank: int, hit: Hit, result: SearchResult, snippet: _Snippet | None) -> dict[str, Any]:
    place = hit.places[0]
    at = place.occurrence
    matched_lines = place.lines or Lines(1, 1)
    extent = matched_lines.first, matched_lines.last
    licenses = index.licenses(at, [(region.start_line, region.end_line) for region in hit.matched_regions])
    content = result.texts.of(hit.blob, hit.occurrences) if snippet is not None else None
    return {
        "rank": rank,
        "match": match(hit),
        "strength": str(hit.strength or ""),
        "probable": "" if hit.probability is None else probable(hit.probability),
        "title": f"{at.repository}  {at.path}:{lines(*extent)}",
        "url": file_url(at.repository, at.path, *extent),
        "host_url": place.location.url,
        "verdict": str(place.attribution.verdict) if place.attribution else "",
        "notes": [*sentences(place.attribution)]
        if place.attribution
        else [f"license {license_names(licenses)}"]
        if licenses
        else [facets.NO_LICENSE],
        "figures": [*other_figures(hit), *([matched(hit, result.query)] if result.query.excluded_tokens else [])],
        "others": [*_others(hit)],
        "more": max(len(hit.occurrences) - 1 - facets.PLACES, 0),
        "sides": _sides(index, hit, snippet, content),
        "lines": [
            f"lines {lines(pair.query.start_line, pair.query.end_line)} here: "
            f"lines {lines(pair.document.start_line, pair.document.end_line)} there"
            for pair in hit.regions[:10]
        ],
        "why": [*_why(hit)],
    }


def _others(hit: Hit) -> Iterator[dict[str, str]]:
    for place in hit.places[1 : facets.PLACES + 1]:
        at = place.occurrence
        extent = next(((region.start_line, region.end_line) for region in place.content.matched_regions), None)
        yield {
            "title": f"{at.repository}  {at.path}",
            "url": file_url(at.repository, at.path, *(extent or ())),
            "verdict": str(place.attribution.verdict) if place.attribution else "",
        }


def _sides(index: Index, hit: Hit, snippet: _Snippet | None, content: bytes | None) -> tuple[Side, ...]:
    if snippet is None or content is None or not hit.regions:
        return ()
    texts = snippet.text, TextLines(content)
    shown = rows(hit.regions, texts)
    path = hit.locations[0].occurrence.path
    colors = index.highlights(path, content, language=hit.language, within=_bytes_of(shown, texts[1]))
    here, there = facing(shown, texts, hit.regions, (snippet.colors, colors))
    return (
        Side("yours", "", None, snippet.language, tuple(here), bool(snippet.colors)),
        Side("found", path, None, hit.language, tuple(there), bool(colors)),
    )


def _bytes_of(shown: Sequence[Row], text: TextLines) -> tuple[int, int]:
    """From the first byte of a document that is shown to the last."""
    numbers = [cell for _, cell in shown if isinstance(cell, int)]
    return text.start(min(numbers, default=1)), text.start(max(numbers, default=0) + 1)


def _why(hit: Hit) -> Iterator[str]:
    """What the score is made of, in words."""
    found = hit.explanation
    if found is None:
        return
    yield from reasons(found)
    for chain in found.chains:
        yield (
            f"{chain.representation}: {count(chain.kgrams, 'k-gram')} in order cover {percent(chain.coverage)} of the "
            f"code, the longest run {count(chain.longest_run, 'token')}, score {chain.score:.2f}"
        )
    rare = sorted(found.terms, key=lambda term: term.document_frequency)[:TERMS]
    if rare:
        counts = ", ".join(f"{term.document_frequency:,}" for term in rare)
        yield f"{count(len(found.terms), 'fingerprint')} shared; the rarest are in so many contents: {counts}"
