"""Words for code that was not read as code: files that were skipped, languages without a grammar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from wherefrom.extend import LANGUAGES, remedy
from wherefrom.reports.layout import table
from wherefrom.support.printable import visible

_Reason = TypeVar("_Reason", bound=str)


def without_grammar(counts: Mapping[str, int]) -> list[str]:
    """Lines about the languages that were read as text, with a remedy; an empty list if there are none."""
    missing = {name: number for name, number in counts.items() if name not in LANGUAGES or LANGUAGES[name].is_left_out}
    by_now = {name: number for name, number in counts.items() if name not in missing}
    how = remedy(LANGUAGES[name] for name in missing if name in LANGUAGES)
    parts = [f"read as text, since their grammars are not installed: {_counted(missing)}"] if missing else []
    parts += [f"  {how}"] if how else []
    if by_now:
        parts.append(f"read as text before their grammars were installed: {_counted(by_now)}; index them again")
    return parts


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{visible(name)} {number:,}" for name, number in sorted(counts.items()))


def skipped_rows(skipped: Mapping[_Reason, int]) -> list[tuple[str, str]]:
    """The reasons with their numbers of files, the most frequent first."""
    ordered = sorted(skipped.items(), key=lambda item: (-item[1], item[0]))
    return [(visible(reason.replace("_", " ")), f"{number:,}") for reason, number in ordered if number]


def skipped_table(skipped: Mapping[_Reason, int]) -> list[str]:
    """The lines of a table of reasons; an empty list if no file was skipped."""
    rows = skipped_rows(skipped)
    return table(("skipped", "files"), rows, (1,)) if rows else []
