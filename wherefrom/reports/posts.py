"""Where the code of posts stands: one row for each hit of each block, as text, CSV or JSON Lines."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from wherefrom.contract import FORMAT
from wherefrom.printable import visible
from wherefrom.reports.attribution import quoted, sentences
from wherefrom.reports.cells import guarded
from wherefrom.reports.json import dumps
from wherefrom.reports.layout import count, lines, percent
from wherefrom.results import Evidence, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wherefrom.model import Occurrence
    from wherefrom.posts import PostBlock
    from wherefrom.queries import PostAnswer
    from wherefrom.results import Attribution, Hit, Region, SearchResult

COLUMNS = (
    "post",
    "question",
    "block",
    "created",
    "post_license",
    "language",
    "tokens",
    "rank",
    "score",
    "containment",
    "repository",
    "path",
    "revision",
    "query_lines",
    "document_lines",
    "occurrences",
    "unattributed",
    "verdict",
    "where",
    "evidence",
    "licenses",
    "first_seen",
    "is_older",
)
"""The columns of CSV, and the keys of a line of JSON; `docs/posts.md` says what each of them is."""


def header(output: str) -> str:
    """What stands before the first row."""
    return _csv(COLUMNS) if output == "csv" else ""


def rows(answer: PostAnswer, output: str) -> str:
    """The rows of a block, nothing where nothing was found.

    Args:
        answer: what was found of it.
        output: `text`, `csv` or `jsonl`.
    """
    if answer.result is None or not answer.result.hits:
        return ""
    if output == "text":
        return "".join(f"{line}\n" for line in _text(answer.block, answer.result))
    values = (_values(answer.block, answer.result, rank, hit) for rank, hit in enumerate(answer.result.hits, 1))
    if output == "csv":
        return "".join(_csv(map(_cell, each.values())) for each in values)
    return "".join(_json(each) for each in values)


def least_attributed(hit: Hit) -> tuple[Occurrence, Attribution]:
    """The occurrence of a hit that says least of the source, and what it says."""
    return next(
        (at, said) for at, said in zip(hit.occurrences, hit.attributions, strict=True) if said == hit.attribution
    )


def _values(block: PostBlock, result: SearchResult, rank: int, hit: Hit) -> dict[str, Any]:
    at, said = least_attributed(hit)
    evidence = said.evidence[0] if said.evidence else None
    values = (
        block.post.url,
        block.post.question_url,
        block.block.number,
        block.post.created.isoformat(),
        block.post.license,
        result.query.language,
        result.query.tokens,
        rank,
        hit.score,
        hit.containment,
        at.repository,
        at.path,
        at.revision,
        _lines(pair.query for pair in hit.regions),
        _lines(pair.document for pair in hit.regions),
        len(hit.occurrences),
        sum(each.verdict is Verdict.UNATTRIBUTED for each in hit.attributions),
        str(said.verdict),
        None if evidence is None else str(evidence.where),
        evidence,
        list(said.licenses),
        said.first_seen,
        said.is_older,
    )
    return dict(zip(COLUMNS, values, strict=True))


def _json(values: dict[str, Any]) -> str:
    evidence = values["evidence"]
    written = {"format": FORMAT, **values, "evidence": None if evidence is None else asdict(evidence)}
    return dumps(written, indent=None)


def _lines(regions: Iterable[Region]) -> list[list[int]]:
    return [[region.start_line, region.end_line] for region in regions]


def _cell(value: Any) -> str | int | float:
    """A value in CSV: lines as `L3-L9 L12-L12`, other lists with commas, nothing for None."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case int() | float():
            return value
        case [[_, _], *_]:
            return " ".join(f"L{first}-L{last}" for first, last in value)
        case list():
            return guarded(", ".join(value))
        case Evidence():
            return guarded(quoted(value))
        case _:
            return guarded(str(value))


def _csv(cells: Iterable[str | int | float]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _text(block: PostBlock, result: SearchResult) -> Iterator[str]:
    post = block.post
    facts = [
        result.query.language,
        count(result.query.tokens, "token"),
        post.created.isoformat(),
        visible(post.license),
    ]
    yield f"{visible(block.name)}  ({', '.join(facts)})"
    for hit in result.hits:
        at, said = least_attributed(hit)
        where = " ".join(lines(pair.document.start_line, pair.document.end_line) for pair in hit.regions[:1])
        others = f"  and {count(len(hit.occurrences) - 1, 'more place')}" if len(hit.occurrences) > 1 else ""
        yield f"  {percent(hit.containment):>4}  {visible(at.repository)}  {visible(at.path)}:{where}{others}"
        yield from (f"        {sentence}" for sentence in sentences(said))
