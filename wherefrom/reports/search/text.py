"""Writes the answer to a query for a person, as blocks of text with or without color.

A line that differs from its neighbors by color also has a mark, so that text in a pipe shows the same. The short forms
have a line for each hit, a line for each location, or a number.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from wherefrom.reports.figures import evidence, explained, left_out, match, nearest, query_facts, reasons, too_short
from wherefrom.reports.hit_fields import (
    FIGURES,
    FILE_FIGURES,
    MODEL_FIGURES,
    best_location,
    brief,
    decisive_line,
    figures,
    location,
    more_locations,
    notes,
    region_lines,
)
from wherefrom.reports.layout import NOT_AT_HAND, as_lines, clip, columns, count, percent, probable, table, wrapped
from wherefrom.reports.renderer import Look, Renderer
from wherefrom.reports.sides import Cell, Hidden, TextLines, pieces, rows
from wherefrom.results import Explanation, Hit, HitPlace, QueryInfo, Region, RegionPair, SearchResult
from wherefrom.results.regions import line_range
from wherefrom.support.printable import one_line, visible

SIDE_BY_SIDE = 140  # both sides are shown beside each other if the terminal has at least this many columns
REGIONS = 12  # if the source of a hit is not at hand, at most this many of its regions are listed
OCCURRENCES = 5  # a hit lists at most this many further locations
TERMS = 20  # an explanation lists at most this many terms; the JSON formats have all of them

MARK, MARK_IN_PART = ">", "~"
"""The mark before a line that matches by half or more, and the mark before a line that matches by less."""

INDENT = "   "

GONE = f"{NOT_AT_HAND}. To see it, name a clone with --read-from, or an index that was made with --keep-source."


def write(result: SearchResult, look: Look) -> Iterator[str]:
    """The answer, block by block: the query, each hit, and whether more may be found. Each block ends with a newline.
    The contents of the next hits are read just before their blocks.
    """
    yield as_lines([*_head(result, look), *_nearest(result, look)])
    query = result.texts.query() if result.hits else None
    snippet = None if query is None else TextLines(query)
    sources = result.texts.each((hit.blob, hit.occurrences) for hit in result.hits)
    for rank, (hit, source) in enumerate(zip(result.hits, sources, strict=True), 1):
        document = None if source is None else TextLines(source)
        yield as_lines(["", *_hit(rank, hit, (snippet, document), result.query, look)])
        if document is not None and hit.regions and not hit.by_terms:
            look = replace(look, legend=False)
    if together := explained(result, look.query):
        yield as_lines(["", together])
    if result.truncated and result.hits:
        if look.file is None:
            yield as_lines(["", "The search stopped here; there may be more locations (--limit)."])
        else:
            yield as_lines(["", f"Only the {look.file.compared:,} files that share most with it were compared."])


def live_line(name: str, tokens: int, width: int = 100) -> str:
    """The message during a long search, on one line of at most `width` columns, without a newline."""
    return clip(f"looking up {count(tokens, 'token')} of {one_line(name)}; this takes a while", width)


def _head(result: SearchResult, look: Look) -> list[str]:
    query = result.query
    name = f"{look.bold(one_line(query.name))} ({query_facts(query)})"
    if short := too_short(query):
        return [f"{name}: {short}", *left_out(query)]
    if result.hits:
        found = count(result.total, "hit")
        if result.total > len(result.hits):
            found += f", the best {len(result.hits):,} shown"
    elif result.total:
        found = f"{count(result.total, 'hit')}, none shown"
    elif look.file is not None:
        found = f"no similar file (at least {look.file.least(result.query.tokens):.2g} is needed)"
        if result.truncated:
            found += f" among the {look.file.compared:,} that share most with it"
    else:
        found = "nothing found"
        if result.truncated:
            found += " before the search stopped"
    seen = f"any shared run of {count(query.guarantee, 'token')} or more is sure to be found (window {query.window})"
    guarantee = [look.dim(seen)] if look.explain else []
    return [f"{name}: {found}", *guarantee, *left_out(query)]


def _nearest(result: SearchResult, look: Look) -> Iterator[str]:
    if result.refused is not None:
        yield from wrapped(nearest(result.refused), look.width)
        if look.explain:
            yield from evidence(result.refused.evidence)


def _hit(
    rank: int, hit: Hit, sides: tuple[TextLines | None, TextLines | None], info: QueryInfo, look: Look
) -> Iterator[str]:
    query, document = sides
    best = hit.best_place
    yield look.bold(f"{rank}. {match(hit)}  {best_location(hit)}")
    named = FIGURES if look.file is None else FILE_FIGURES
    yield from map(look.dim, wrapped(" · ".join(figures(hit, info, named)[1:]), look.width, INDENT))
    for note in notes(best) if best else ():
        yield from wrapped(note, look.width, INDENT)
    yield from _others([place for place in hit.places if place != best], look)
    if look.explain:
        # The identifiers in other tools are on one line each, however long, so that they can be copied.
        identifiers = [hit.swhid] if best is None else [best.location.swhid, best.location.purl]
        yield from (f"   {name}" for name in identifiers if name is not None)
        if hit.explanation is not None:
            yield f"   {', '.join(figures(hit, info, MODEL_FIGURES))}"
            yield from _explanation(hit.explanation, look)
    is_whole = hit.match == 100 and not any(pair.changed for pair in hit.regions)
    if not hit.regions or (is_whole and look.file is not None):  # both sides of the same file show nothing new
        return
    yield ""
    if hit.by_terms or document is None:
        yield from _regions(hit.regions, look)
        if not hit.by_terms:
            yield from map(look.dim, wrapped(GONE, look.width, INDENT))
    else:
        path = best.occurrence.path if best else hit.blob
        yield from _sides(hit.regions, query, document, (info.name, path), look)


def _others(others: Sequence[HitPlace], look: Look) -> Iterator[str]:
    if not others:
        return
    yield f"   and {more_locations(others)}:"
    for place in others[:OCCURRENCES]:
        where = location(place.occurrence, place.content.regions)
        yield look.dim(f"     {'  '.join([match(place.content), where, *brief(place)])}")
        for line in decisive_line(place.attribution) if place.attribution else ():
            yield from map(look.dim, wrapped(line, look.width, f"{INDENT}    "))
    if len(others) > OCCURRENCES:
        yield look.dim(f"     ... {len(others) - OCCURRENCES:,} more (--locations lists all)")


def _regions(regions: Sequence[RegionPair], look: Look) -> list[str]:
    document = "file" if look.file is None else "other file"
    shown = [
        f"   {region_lines(pair.query)} of the {look.query}: {region_lines(pair.document)} of the {document}"
        + (f" ({count(pair.tokens, 'token')}, {pair.representation})" if pair.tokens else "")
        for pair in regions[:REGIONS]
    ]
    more = len(regions) - REGIONS
    return shown + ([f"   ... {count(more, 'more region')} (--format json lists all)"] if more > 0 else [])


def _column(
    text: TextLines, regions: Sequence[Region], cells: Sequence[Cell], room: int, look: Look
) -> list[tuple[str, int]]:
    """One side of a hit, laid out in `room` columns of the terminal: the text of each cell, and its columns."""
    around = regions_around(regions)
    digits = len(str(max((cell for cell in cells if isinstance(cell, int)), default=0)))
    width = max(room - digits - 3, 2)
    set_cells = []
    for cell in cells:
        if cell is None:
            set_cells.append(("", 0))
        elif isinstance(cell, Hidden):
            shown_all = "" if cell.unmatched else " (--max-lines 0 shows all)"
            hidden = f"{count(cell.lines, 'unmatched line' if cell.unmatched else 'more line')}{shown_all}"
            note = clip(f"{'':>{digits}} ... {hidden} ...", digits + 3 + width)
            set_cells.append((look.dim(note), columns(note)))
        else:
            matches = [(*ends, "match") for ends in text.spans(cell, around(cell))]
            shown = pieces(text.line(cell), matches, width)
            letters = [(len("".join(piece.text.split())), piece.match) for piece in shown]
            matched_letters, all_letters = sum(n for n, match in letters if match), sum(n for n, _ in letters)
            mark = " " if not matched_letters else MARK if 2 * matched_letters >= all_letters else MARK_IN_PART
            prefix = f"{cell:>{digits}} {mark} "
            painted = (look.matched(piece.text) if piece.match else look.dim(piece.text) for piece in shown)
            taken = len(prefix) + sum(columns(piece.text) for piece in shown)
            set_cells.append((look.dim(prefix) + "".join(painted), taken))
    return set_cells


def regions_around(regions: Sequence[Region]) -> Callable[[int], list[Region]]:
    """A function that returns the regions that have a part of a line (1-based)."""
    ordered = sorted(regions, key=lambda region: region.start_line)
    # For each region, the last line of this region and of all regions before it. This ascends, so it can be bisected.
    reaches = list(accumulate((region.end_line for region in ordered), max))

    def around(line: int) -> list[Region]:
        behind = bisect_right(ordered, line, key=lambda region: region.start_line)
        return [region for region in ordered[bisect_left(reaches, line) : behind] if line <= region.end_line]

    return around


def _sides(
    pairs: Sequence[RegionPair], query: TextLines | None, document: TextLines, names: tuple[str, str], look: Look
) -> Iterator[str]:
    shown = rows(pairs, (query, document), look.context, look.max_lines)
    beside = query is not None and look.width >= SIDE_BY_SIDE
    # The margin takes three columns, and so does the line between two sides.
    room = (look.width - 6) // 2 if beside else look.width - 3
    sides = [
        (clip(name, room), _column(text, [(pair.query, pair.document)[at] for pair in pairs], cells, room, look))
        for at, (text, name, cells) in enumerate(
            (
                (query, f"{look.query} {one_line(names[0])}", [row[0] for row in shown]),
                (document, f"file {visible(names[1])}", [row[1] for row in shown]),
            )
        )
        if text is not None
    ]
    if look.legend:
        yield look.dim(f"   {MARK} the line matches   {MARK_IN_PART} less than half of it does")
    if beside:
        (left_name, left), (right_name, right) = sides
        yield "   " + look.dim(f"{left_name}{' ' * (room - columns(left_name))} │ {right_name}".rstrip())
        for (here, taken), (there, _) in zip(left, right, strict=True):
            yield "   " + f"{here}{' ' * (room - taken)} {look.dim('│')} {there}".rstrip()
        return
    for number, (name, cells) in enumerate(sides):
        if number:
            yield ""
        yield "   " + look.dim(name)
        yield from (f"   {text}".rstrip() for text, taken in cells if taken)


def _explanation(explanation: Explanation, look: Look) -> Iterator[str]:
    yield from (f"     {reason}" for reason in reasons(explanation))
    chains = [
        (
            str(chain.representation),
            f"{chain.score:.2f}",
            f"{chain.kgrams:,}",
            percent(chain.coverage),
            f"{chain.longest_run:,}",
        )
        for chain in explanation.chains
    ]
    ordered = sorted(explanation.terms, key=lambda term: (-term.idf, term.representation, term.term))
    blobs = explanation.blobs
    terms = [
        (
            str(kind := term.representation),
            f"{term.term:016x}",
            f"{term.document_frequency:,}{f' of {blobs[kind]:,}' if kind in blobs else ''}",
            f"{term.idf:.2f}",
        )
        for term in ordered[:TERMS]
    ]
    if chains:
        yield from _indented(table(("chain", "score", "k-grams", "covers", "longest run"), chains, (1, 2, 3, 4)), look)
    if terms:
        yield from _indented(table(("shared", "term", "in blobs", "idf"), terms, (2, 3)), look)
    if len(ordered) > TERMS:
        yield look.dim(f"     ... and {len(ordered) - TERMS:,} more (all of them with --format json)")


def _indented(shown: Sequence[str], look: Look) -> list[str]:
    return [f"     {look.dim(line) if at == 0 else line}" for at, line in enumerate(shown)]


def brief_lines() -> Renderer[SearchResult]:
    """One line for each hit: match, location, verdict, and the number of further locations.

    With several snippets, each line begins with the name of its snippet.
    """
    return _named(lambda result, look: [f"{_brief_line(hit, result.query, look)}\n" for hit in result.hits], ": ")


def location_lines() -> Renderer[SearchResult]:
    """One line for each location: `REPOSITORY:PATH:LINE`, the first matching line. Each line is written only once."""
    written: set[str] = set()

    def write(result: SearchResult, _look: Look) -> Iterator[str]:
        for place in (place for hit in result.hits for place in hit.locations):
            at, matched = place.occurrence, line_range(place.matched_regions)
            line = f"{visible(at.repository)}:{visible(at.path)}{f':{matched.first}' if matched else ''}\n"
            if line not in written:
                written.add(line)
                yield line

    return Renderer(write)


def location_count() -> Renderer[SearchResult]:
    """The number of locations; with several snippets one line `NAME:NUMBER` for each."""
    return _named(
        lambda result, _look: [f"{len({(at.repository, at.path) for hit in result.hits for at in hit.occurrences})}\n"],
        ":",
    )


def _named(write: Callable[[SearchResult, Look], list[str]], separator: str) -> Renderer[SearchResult]:
    """Writes lines; with several snippets, each line after the name of its snippet and the separator."""

    def write_named(result: SearchResult, look: Look) -> Iterator[str]:
        yield from (f"{one_line(result.query.name)}{separator}{line}" for line in write(result, look))

    return Renderer(write, several=Renderer(write_named))


def missing_places(result: SearchResult) -> str | None:
    """One line that says that the answer is incomplete, which a short form does not show; None if it is complete."""
    query = result.query
    if too_few := too_short(query):
        return f"{one_line(query.name)} ({count(query.tokens, 'token')}) is {too_few}"
    if result.hits and (result.truncated or result.total > len(result.hits)):
        return f"there may be more locations of {one_line(query.name)} (--limit)"
    return None


def _brief_line(hit: Hit, query: QueryInfo, look: Look) -> str:
    best = hit.best_place
    # Unlike in the longer text, the figures are aligned in columns.
    evidence = [] if hit.probability is None else [f"{hit.strength:<6}", probable(hit.probability)]
    parts = [f"{match(hit):>4}", *evidence, look.bold(best_location(hit))]
    parts += figures(hit, query, "by_terms translated_from")
    parts += brief(best) if best else []
    others = [place for place in hit.places if place != best]
    if others:
        parts.append(look.dim(f"and {more_locations(others)}"))
    return "  ".join(parts)
