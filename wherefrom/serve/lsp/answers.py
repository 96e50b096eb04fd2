"""What an editor asks about a text, and the answers: small values, whose texts are short and fit for a screen.

The functions that take an index are those of calls (`wherefrom.serve.calls`). Comments that credit or accept code are
written only where they change nothing else in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import quote

from wherefrom.extend import Analyzer, Checkout, CommentWords, CommentWriter, InsertedLines
from wherefrom.model import Rule
from wherefrom.options import CheckOptions, Limits, SearchOptions
from wherefrom.public import CheckReport, Finding, Index
from wherefrom.reports.check.words import ages, place_lines, sentence
from wherefrom.reports.hit_fields import brief, figures, license_names
from wherefrom.reports.layout import count
from wherefrom.results import Lines
from wherefrom.results.locations import Identified
from wherefrom.results.regions import line_range
from wherefrom.support.printable import one_line, visible
from wherefrom.support.values import dataclass

MOST_FINDINGS = 200  # an editor shows at most this many findings of a file
MOST_ROWS = 5  # a table lists at most this many places

LONGEST_NAME, LONGEST_LICENSE, LONGEST_MESSAGE, LONGEST_URL = 160, 60, 600, 2000
"""Names, licenses and messages with more characters are cut; a longer URL is left out."""

ERROR, WARNING, INFORMATION, HINT = 1, 2, 3, 4  # the severities of the protocol

_VERDICTS = {
    Rule.COPIED_UNATTRIBUTED: "not credited",
    Rule.COPIED_ATTRIBUTED: "credited",
    Rule.LICENSE_CONFLICT: "license may not fit",
}


@dataclass(frozen=True, slots=True)
class EditorPlace:
    """A place of code, as commands of an editor name it. `url` and `licenses` are empty if they are not known. `words`
    are what is known about it: `brief` of a hit, or the licenses.
    """

    repository: str
    path: str
    blob: str
    url: str
    first_line: int
    last_line: int
    licenses: str
    words: str = ""

    @staticmethod
    def of(place: Identified, lines: Lines, licenses: Sequence[str], words: Sequence[str] | None = None) -> EditorPlace:
        """The place of a finding or a hit."""
        licensed = shortened(license_names(licenses), LONGEST_LICENSE)
        at, url = place.occurrence, place.url or ""
        is_fit = url.startswith(("https://", "http://", "file://")) and len(url) <= LONGEST_URL
        return EditorPlace(
            shortened(at.repository, LONGEST_NAME),
            shortened(at.path, LONGEST_NAME),
            at.blob,
            url if is_fit else "",
            lines.first,
            lines.last,
            licensed,
            licensed if words is None else shortened(" · ".join(words), LONGEST_MESSAGE),
        )

    def __str__(self) -> str:
        lines = Lines(self.first_line, self.last_line)
        known = f" · {self.words}" if self.words else ""
        return f"{self.repository} {self.path}:{lines}{known}"


@dataclass(frozen=True, slots=True)
class EditorFinding:
    """A finding in a text; `start` and `end` are characters of the text, 0-based and half-open. The severity is that of
    the protocol, and the verdict is the rule in two or three words. `days` tells since when the code is here and there;
    empty if it is not known. The best places come first; `more` counts the others.
    """

    rule: str
    severity: int
    verdict: str
    message: str
    days: str
    start: int
    end: int
    places: tuple[EditorPlace, ...]
    more: int

    @property
    def title(self) -> str:
        """The finding in a few words, such as `3 places · GPL-2.0-only · not credited`."""
        licenses = (place.licenses for place in self.places[:1] if place.licenses)
        return " · ".join([count(len(self.places) + self.more, "place"), *licenses, self.verdict])

    def table(self, *, is_markdown: bool) -> str:
        """What is known about the finding: a sentence and a short table."""
        rows = [_row(place, is_markdown=is_markdown) for place in self.places[:MOST_ROWS]]
        hidden = len(self.places) + self.more - len(rows)
        tail = ([f"and {hidden:,} more"] if hidden else []) + ([self.days] if self.days else [])
        if not is_markdown:
            return "\n".join([self.message, *map("  ".join, rows), *tail])
        lines = ["| place | lines | license |", "| --- | --- | --- |", *(f"| {' | '.join(row)} |" for row in rows)]
        return "\n\n".join([escaped(self.message), "\n".join(lines), *map(escaped, tail)])


def findings_of(report: CheckReport) -> Iterator[EditorFinding]:
    """The findings of a check of one file that nobody accepted."""
    for finding in [found for found in report.findings if found.accepted is None][:MOST_FINDINGS]:
        content, region = report.contents[finding.path], finding.region
        places = tuple(EditorPlace.of(at, place_lines(at, finding), at.licenses) for at in finding.places)
        yield EditorFinding(
            rule=finding.rule,
            severity=_severity(finding, report),
            verdict="older here" if finding.is_older else _VERDICTS[finding.rule],
            message=shortened(sentence(finding), LONGEST_MESSAGE),
            days=next((days for at in finding.places if (days := ages(at, finding))), ""),
            start=_characters(content[: region.start_byte]),
            end=_characters(content[: region.end_byte]),
            places=places,
            more=finding.more,
        )


def shortened(text: str, longest: int) -> str:
    """A text on one line, cut after some characters."""
    line = visible(text) if len(text) <= longest else f"{visible(text[: longest - 1])}…"
    return one_line(line)


def escaped(text: str) -> str:
    """A text for Markdown, with no meaning there."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>()#+-.!|~&:@$^=\"'" else letter for letter in text)


def _row(place: EditorPlace, *, is_markdown: bool) -> list[str]:
    name, lines = f"{place.repository} {place.path}", str(Lines(place.first_line, place.last_line))
    if not is_markdown:
        return [name, lines, place.licenses]
    link = place.url.replace("(", "%28").replace(")", "%29")
    return [f"[{escaped(name)}]({link})" if link else escaped(name), escaped(lines), escaped(place.licenses)]


def _severity(finding: Finding, report: CheckReport) -> int:
    if finding.rule is Rule.COPIED_ATTRIBUTED:
        return HINT
    if not report.is_failing(finding):
        return INFORMATION
    return ERROR if finding.rule is Rule.LICENSE_CONFLICT else WARNING


def _characters(content: bytes) -> int:
    return len(content.decode("utf-8", "replace"))


LONGEST_REASON = 300  # a reason is cut after this many characters

_SAFE = "/:@%+=&?,~#"
"""The characters of an address that stay as they are, beside letters, digits and `-._`: no comment ends with them."""

_LICENSE = re.compile(r"[A-Za-z0-9.+ -]+")

_ENDINGS = re.compile(r"[\\<>{}|*\[\]()]+")
"""The characters that can end a comment or join it with the next line, such as `*/`, `-->`, `?>` and a backslash."""


def crediting(place: EditorPlace) -> CommentWords:
    """The words that credit a place."""
    address = quote(place.url or f"{place.repository}/{place.path}", safe=_SAFE, errors="replace")
    above = [f"From {address}", "SPDX-SnippetBegin"]
    if _LICENSE.fullmatch(place.licenses):
        above.append(f"SPDX-License-Identifier: {place.licenses}")
    return CommentWords(tuple(above), ("SPDX-SnippetEnd",))


def accepting(reason: str) -> CommentWords:
    """The words that accept code for a reason. Without one, the user writes it behind them."""
    words = " ".join(_ENDINGS.sub(" ", one_line(reason)[:LONGEST_REASON]).split())
    return CommentWords((f"wherefrom: ok {words}".rstrip(),))


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
