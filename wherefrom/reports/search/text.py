"""Writes the answer to a query for a person, as blocks of text with or without color.

A line that differs from its neighbors by color also has a mark, so that text in a pipe shows the same.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from wherefrom.reports.age_text import here_since, short_age
from wherefrom.reports.attribution_text import decisive_line, sentences
from wherefrom.reports.figures import by_sign, explained, match, matched, nearest, query_facts, reasons, too_short
from wherefrom.reports.hit_fields import figures
from wherefrom.reports.layout import NOT_AT_HAND, as_lines, clip, columns, count, percent, table, wrapped
from wherefrom.reports.location_text import best_location, location, more_locations, region_lines
from wherefrom.reports.look import Look
from wherefrom.reports.sides import Cell, Hidden, ShownPiece, TextLines, pieces, rows
from wherefrom.results import Explanation, Hit, HitPlace, QueryInfo, Region, RegionPair, SearchResult
from wherefrom.support.printable import one_line, visible

SIDE_BY_SIDE = 140
"""Both sides are shown beside each other if the terminal has at least this many columns."""

REGIONS = 12
"""If the source of a hit is not at hand, at most this many of its regions are listed."""

OCCURRENCES = 5
"""A hit lists at most this many further locations."""

TERMS = 20
"""An explanation lists at most this many terms; the JSON formats have all of them."""

MARK, MARK_IN_PART = ">", "~"
"""The mark before a line that matches by half or more, and the mark before a line that matches by less."""

GONE = f"{NOT_AT_HAND}. To see it, index it again without --discard-clones, or into a new index with --keep-source."


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
        return [f"{name}: {short}", *_excluded(query)]
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
    return [f"{name}: {found}", *guarantee, *_excluded(query)]


def _nearest(result: SearchResult, look: Look) -> Iterator[str]:
    """The nearest miss, and with `--explain` its signs."""
    if result.refused is not None:
        yield from wrapped(nearest(result.refused), look.width)
        if look.explain:
            yield from by_sign(result.refused.signs, result.refused.log_odds)


def _excluded(query: QueryInfo) -> list[str]:
    parts = [f"{count(query.excluded_tokens, 'token')} as boilerplate"] if query.excluded_tokens else []
    parts += [
        f"{count(number, 'k-gram')} as {'too frequent (--max-df)' if cause == 'max_df' else one_line(cause)}"
        for cause, number in sorted(query.excluded.items())
        if number and cause != "boilerplate"
    ]
    if not parts:
        return []
    rest = "; nothing was left to look up" if query.fingerprints == 0 and query.needed is None else ""
    return [f"left out of the query: {', '.join(parts)}{rest}"]


def _hit(
    rank: int, hit: Hit, sides: tuple[TextLines | None, TextLines | None], info: QueryInfo, look: Look
) -> Iterator[str]:
    query, document = sides
    best = hit.best_place
    yield look.bold(f"{rank}. {match(hit)}  {best_location(hit)}")
    yield look.dim(f"   {' · '.join([*figures(hit)[1:], visible(hit.language)])}")
    if info.excluded_tokens and not hit.by_terms:
        yield f"   {matched(hit, info)}"
    if best and best.attribution:
        yield from (line for sentence in sentences(best.attribution) for line in _hanging(sentence, look))
    if best and best.index:
        yield f"   in the index {visible(best.index)}"
    if best and best.age:
        yield from _hanging(here_since(best.age), look)
    yield from _others([place for place in hit.places if place != best], look)
    if look.explain:
        yield from _identifiers(hit)
    if look.explain and hit.explanation is not None:
        yield from _explanation(hit.score, hit.explanation, look)
    if not hit.regions:
        return
    yield ""
    if hit.by_terms:
        yield from _regions(hit.regions, look)
    elif document is None:
        yield from _regions(hit.regions, look)
        yield from map(look.dim, _hanging(GONE, look))
    else:
        path = best.occurrence.path if best else hit.blob
        yield from _sides(hit.regions, query, document, (info.name, path), look)


def _hanging(text: str, look: Look) -> list[str]:
    return [f"   {line}" for line in wrapped(text, look.width - 3)]


def _others(others: Sequence[HitPlace], look: Look) -> Iterator[str]:
    if not others:
        return
    yield f"   and {more_locations(others)}:"
    is_mixed = len({place.attribution.verdict for place in others if place.attribution}) > 1
    for place in others[:OCCURRENCES]:
        verdict = f"  {place.attribution.verdict}" if is_mixed and place.attribution else ""
        where = location(place.occurrence, place.content.regions)
        age = f"  {short_age(place.age)}" if place.age else ""
        index = f"  in {visible(place.index)}" if place.index else ""
        yield look.dim(f"     {match(place.content)}  {where}{verdict}{age}{index}")
        for line in decisive_line(place.attribution) if place.attribution else ():
            yield from (look.dim(f"       {part}") for part in wrapped(line, look.width - 7))
    if len(others) > OCCURRENCES:
        yield look.dim(f"     ... {len(others) - OCCURRENCES:,} more (--locations lists all)")


def _identifiers(hit: Hit) -> list[str]:
    """The identifiers of a location in other tools, each on one line however long, so that it can be copied."""
    best = hit.best_place
    named = [hit.swhid] if best is None else [best.location.swhid, best.location.purl]
    return [f"   {name}" for name in named if name is not None]


def _regions(regions: Sequence[RegionPair], look: Look) -> list[str]:
    document = "file" if look.file is None else "other file"
    shown = [
        f"   {region_lines(pair.query)} of the {look.query}: {region_lines(pair.document)} of the {document}"
        + (f" ({count(pair.tokens, 'token')}, {pair.representation})" if pair.tokens else "")
        for pair in regions[:REGIONS]
    ]
    more = len(regions) - REGIONS
    return shown + ([f"   ... {count(more, 'more region')} (--format json lists all)"] if more > 0 else [])


class _Column:
    """One side of a hit, laid out in a column of the terminal.

    Args:
        text: the text.
        regions: the regions that match.
        cells: for each row, the cell of this side.
        room: the columns for line numbers, marks and code.
    """

    def __init__(self, text: TextLines, regions: Sequence[Region], cells: Sequence[Cell], room: int) -> None:
        self.text = text
        self.regions = sorted(regions, key=lambda region: region.start_line)
        # For each region, the last line of this region and of all regions before it. This ascends, so `at` can bisect.
        self.reaches = list(accumulate((region.end_line for region in self.regions), max))
        self.digits = len(str(max((cell for cell in cells if isinstance(cell, int)), default=0)))
        self.width = max(room - self.digits - 3, 2)

    def set(self, cell: Cell, look: Look) -> tuple[str, int]:
        """The text of a cell, and the columns that it takes."""
        if cell is None:
            return "", 0
        if isinstance(cell, Hidden):
            text = clip(f"{'':>{self.digits}} ... {_hidden(cell)} ...", self.digits + 3 + self.width)
            return look.dim(text), columns(text)
        matches = [(*ends, "match") for ends in self.text.spans(cell, self.at(cell))]
        shown = pieces(self.text.line(cell), matches, self.width)
        prefix = f"{cell:>{self.digits}} {_mark(shown)} "
        taken = len(prefix) + sum(columns(piece.text) for piece in shown)
        painted = (look.matched(piece.text) if piece.match else look.dim(piece.text) for piece in shown)
        return look.dim(prefix) + "".join(painted), taken

    def at(self, line: int) -> list[Region]:
        """The regions that have a part of this line (1-based)."""
        first = bisect_left(self.reaches, line)
        behind = bisect_right(self.regions, line, key=lambda region: region.start_line)
        return [region for region in self.regions[first:behind] if line <= region.end_line]


def _hidden(cell: Hidden) -> str:
    if cell.unmatched:
        return count(cell.lines, "unmatched line")
    return f"{count(cell.lines, 'more line')} (--max-lines 0 shows all)"


def _mark(shown: Sequence[ShownPiece]) -> str:
    """The mark of a line; a blank if nothing of it matches."""
    matched = sum(len("".join(piece.text.split())) for piece in shown if piece.match)
    whole = sum(len("".join(piece.text.split())) for piece in shown)
    if not matched:
        return " "
    return MARK if 2 * matched >= whole else MARK_IN_PART


def _sides(
    pairs: Sequence[RegionPair], query: TextLines | None, document: TextLines, names: tuple[str, str], look: Look
) -> Iterator[str]:
    shown = rows(pairs, (query, document), look.context, look.max_lines)
    beside = query is not None and look.width >= SIDE_BY_SIDE
    # The margin takes three columns, and so does the line between two sides.
    room = (look.width - 6) // 2 if beside else look.width - 3
    left = None if query is None else _Column(query, [pair.query for pair in pairs], [row[0] for row in shown], room)
    right = _Column(document, [pair.document for pair in pairs], [row[1] for row in shown], room)
    headings = tuple(clip(text, room) for text in (f"{look.query} {one_line(names[0])}", f"file {visible(names[1])}"))
    if look.legend:
        yield look.dim(f"   {MARK} the line matches   {MARK_IN_PART} less than half of it does")
    if left is not None and beside:
        yield "   " + look.dim(_beside(headings[0], columns(headings[0]), headings[1], room))
        for of_query, of_document in shown:
            text, taken = left.set(of_query, look)
            yield "   " + _beside(text, taken, right.set(of_document, look)[0], room, look)
    else:
        if left is not None:
            yield "   " + look.dim(headings[0])
            yield from _below(left.set(of_query, look) for of_query, _ in shown)
            yield ""
        yield "   " + look.dim(headings[1])
        yield from _below(right.set(of_document, look) for _, of_document in shown)


def _below(cells: Iterable[tuple[str, int]]) -> list[str]:
    return [f"   {text}".rstrip() for text, taken in cells if taken]


def _beside(left: str, taken: int, right: str, room: int, look: Look | None = None) -> str:
    line = "│" if look is None else look.dim("│")
    return f"{left}{' ' * (room - taken)} {line} {right}".rstrip()


def _explanation(score: float, explanation: Explanation, look: Look) -> Iterator[str]:
    total = " + ".join(f"{chain.representation} {chain.score:.2f}" for chain in explanation.chains)
    windows = f" in {explanation.windows:,} windows of the {look.query} together" if explanation.windows > 1 else ""
    factors = ((1 + explanation.literal_share, "literals"), (explanation.agreement, "tokens in their places"))
    if factors_shown := [f"x {factor:.2f} ({name})" for factor, name in factors if factor != 1]:
        total = " ".join((f"({total})", *factors_shown))
    yield f"   score {score:.2f} = {total}{windows}"
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
    if chains:
        yield from _indented(
            table(("chain", "score", "k-grams", "covers", "longest run"), chains, right=(1, 2, 3, 4)), look
        )
    ordered = sorted(explanation.terms, key=lambda term: (-term.idf, term.representation, term.term))
    terms = [
        (
            str(term.representation),
            f"{term.term:016x}",
            f"{term.document_frequency:,} of {explanation.blobs[term.representation]:,}"
            if term.representation in explanation.blobs
            else f"{term.document_frequency:,}",
            f"{term.idf:.2f}",
        )
        for term in ordered[:TERMS]
    ]
    if terms:
        yield from _indented(table(("shared", "term", "in blobs", "idf"), terms, right=(2, 3)), look)
        if len(ordered) > TERMS:
            yield look.dim(f"     ... and {len(ordered) - TERMS:,} more (all of them with --format json)")


def _indented(shown: Sequence[str], look: Look) -> list[str]:
    return [f"     {look.dim(line) if at == 0 else line}" for at, line in enumerate(shown)]
