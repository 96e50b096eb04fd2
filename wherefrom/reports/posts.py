"""Writes posts: each block of code with its hits, the sites of a store, and the progress of imports and searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from wherefrom.reports.figures import match, query_facts
from wherefrom.reports.hit_fields import FIELDS, FoundPlace, figures, location, more_locations, sentences
from wherefrom.reports.layout import SEPARATOR, as_lines, clip, count, duration, percent, size, table
from wherefrom.reports.renderer import Look, Renderer, cell, dumps, list_formats, row
from wherefrom.results import Hit, HitPlace
from wherefrom.support.contract import FORMAT
from wherefrom.support.printable import visible

if TYPE_CHECKING:  # `--help` does not wait for them
    from wherefrom.public import ImportProgress, ImportReport, PostAnswer, PostsProgress, PostsReport, SiteCounts

SKIPPED = {
    "too_short": "too short",
    "boilerplate": "boilerplate",
    "unreadable": "unreadable",
    "worker_died": "crashed or stalled the analysis",
}
"""The words for each `BlockSkip`."""

_POST: Mapping[str, Callable[[PostAnswer], Any]] = {
    "post": lambda answer: answer.block.post.url,
    "question": lambda answer: answer.block.post.question_url,
    "block": lambda answer: answer.block.block.number,
    "created": lambda answer: answer.block.post.created.isoformat(),
    "post_license": lambda answer: answer.block.post.license,
    "language": lambda answer: answer.result and answer.result.query.language,
    "tokens": lambda answer: answer.result and answer.result.query.tokens,
}
"""The fields of the post, which come before the fields of the hit."""

_HIT = [field for field in FIELDS if "posts" in field.csv]

COLUMNS = (*_POST, *(field.name for field in _HIT))
"""The columns of CSV, and the keys of a line of JSON; `docs/how-to/posts.md` says what each of them is."""


def import_line(progress: ImportProgress, width: int = 100) -> str:
    """The progress of an import on one line of at most `width` columns, without a newline."""
    parts = [size(progress.position), count(progress.posts, "post")]
    if progress.total:
        parts[0] = f"{size(progress.position)} of {size(progress.total)}"
        parts.append(percent(min(progress.position / progress.total, 1.0)))
    return clip(SEPARATOR.join(parts), width)


def import_summary(report: ImportReport) -> str:
    """The summary of an import."""
    if report.is_repeated:
        return f"{visible(report.site)}: this dump was imported already; nothing to do\n"
    rows = [
        ("posts with code, new or changed", report.written),
        ("posts with code, known already", report.known),
        ("blocks of code", report.blocks),
        ("posts without code", report.without_code),
        ("posts with other tags", report.other_tags),
        *((f"rows skipped: {reason.replace('_', ' ')}", number) for reason, number in sorted(report.skipped.items())),
    ]
    shown = table((visible(report.site), "number"), [(name, f"{number:,}") for name, number in rows if number], (1,))
    went_on = f", gone on with at byte {report.start:,}" if report.start else ""
    return as_lines([*shown, f"{duration(report.seconds)}{went_on}"])


def search_line(progress: PostsProgress, width: int = 100) -> str:
    """The progress of a search on one line of at most `width` columns, without a newline."""
    report = progress.report
    done = f"{report.blocks:,}/{count(progress.total, 'block')}"
    return clip(SEPARATOR.join([done, f"{report.found:,} found", count(report.rows, "row")]), width)


def search_summary(report: PostsReport) -> str:
    """The summary of a search, on one line."""
    numbers = {str(reason): number for reason, number in report.skipped.items() if number}
    skipped = ", ".join(f"{numbers[reason]:,} {words}" for reason, words in SKIPPED.items() if reason in numbers)
    found = f"{count(report.blocks, 'block')}: {report.found:,} found ({count(report.rows, 'row')})"
    return f"{found}, skipped: {skipped}" if skipped else found


def _write_text(answer: PostAnswer, _look: Look) -> Iterator[str]:
    result, post = answer.result, answer.block.post
    if result is None or not result.hits:
        return
    posted = post.created.isoformat()
    yield f"{visible(answer.block.name)}  ({query_facts(result.query)}, {posted}, {visible(post.license)})\n"
    for hit in result.hits:
        least = _least_attributed(hit)
        where = location(least.occurrence, hit.regions, revision=True)
        words = figures(hit, result.query, "probability by_terms translated_from")
        lines = ["  ".join([f"  {match(hit):>4}", *words, where])]
        others = [place for place in hit.places if place != least]
        if others:
            lines.append(f"        and {more_locations(others)}")
        if least.attribution:
            lines += (f"        {sentence}" for sentence in sentences(least.attribution, posted=posted))
        yield as_lines(lines)


def _rows(answer: PostAnswer) -> Iterator[dict[str, Any]]:
    if answer.result is not None:
        post = {name: value(answer) for name, value in _POST.items()}
        for rank, hit in enumerate(answer.result.hits, 1):
            found = FoundPlace(answer.result, rank, hit, _least_attributed(hit))
            yield post | {field.name: field.value(found) for field in _HIT}


def _least_attributed(hit: Hit) -> HitPlace:
    return next(place for place in hit.places if place.attribution == hit.attribution)


def _write_lines(answer: PostAnswer, _look: Look) -> Iterator[str]:
    for found in _rows(answer):
        quotes = {key: None if found[key] is None else asdict(found[key]) for key in ("evidence", "hint")}
        yield dumps({"format": FORMAT, **found, **quotes}, is_one_line=True)


def _write_sites(sites: Iterable[SiteCounts], _look: Look) -> Iterator[str]:
    rows = [
        (
            visible(site.site),
            f"{site.posts:,}",
            f"{site.blocks:,}",
            site.first or "",
            site.last or "",
            f"{site.unfinished:,}" if site.unfinished else "",
        )
        for site in sites
    ]
    header = ("site", "posts", "blocks", "first", "last", "dumps not read to their end")
    yield as_lines(table(header, rows, (1, 2, 5)))


RENDERERS: Mapping[str, Renderer[PostAnswer]] = {
    "text": Renderer(_write_text),
    "csv": Renderer(lambda answer, _: (row(map(cell, it.values())) for it in _rows(answer)), header=row(COLUMNS)),
    "jsonl": Renderer(_write_lines),
}


def rows(name: str) -> tuple[str, Callable[[PostAnswer], Iterable[str]]]:
    """The header of a format, and what writes the rows of an answer in it."""
    renderer = RENDERERS[name]
    return renderer.header, lambda answer: renderer.write(answer, Look())


SITES = list_formats(_write_sites, "sites")
