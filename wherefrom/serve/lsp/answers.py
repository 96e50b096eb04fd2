"""What an editor asks about a text. Each function is that of a call (`wherefrom.serve.calls`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.index import Index
from wherefrom.options import CheckOptions, Limits, SearchOptions
from wherefrom.reports.hit_fields import brief, figures
from wherefrom.results import Lines
from wherefrom.results.regions import line_range
from wherefrom.serve.lsp.comments import CommentWords, CommentWriter, InsertedLines
from wherefrom.serve.lsp.places import EditorFinding, EditorPlace, findings_of
from wherefrom.sources.checkout import Checkout


def check_text(index: Index, path: str, text: str, options: CheckOptions) -> list[EditorFinding]:
    """Which functions of a file appear elsewhere? The text replaces the file, which need not exist."""
    report = index.check([path], replace(options, texts={path: text.encode()}, jobs=1))
    return list(findings_of(report))


def where_else(index: Index, path: str | None, code: str, options: SearchOptions) -> tuple[list[EditorPlace], int]:
    """Where else are some lines of a text? The best places, and the number of further hits. Places in the project of
    the file at `path` do not count.
    """
    own = index.repository_keys(*Checkout.of([path], (path,))[0].keys()) if path else []
    result = index.search(code, replace(options, own=[*options.own, *own]))
    places = []
    for hit in result.hits:
        if (best := hit.best_place) is not None:
            lines = line_range(best.content.matched_regions) or Lines(1, 1)
            words = [*figures(hit, result.query), *brief(best)]
            places.append(EditorPlace.of(best.location, lines, best.licenses or (), words))
    return places, result.total - len(places)


def other_side(index: Index, blob: str) -> bytes:
    """The text at a place."""
    return index.document(blob).content()


def comments_around(
    _index: Index, name: str, lines: Sequence[str], about: tuple[int, int], words: CommentWords
) -> list[InsertedLines]:
    """Where do comments go that are about some lines, 0-based and inclusive?"""
    limits = Limits()
    return CommentWriter(Analyzer(limits.parse_memory), name, lines, limits).around(*about, words)
