"""What every report in HTML is made of: escaped text, code with its matches marked, the style of both.

Whatever a file or a path holds is escaped, and what a browser would not show is made visible.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from wherefrom.printable import visible
from wherefrom.reports.layout import NOT_AT_HAND
from wherefrom.reports.sides import pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wherefrom.reports.sides import Text
    from wherefrom.results import Region

COLUMNS = 160
"""Characters of a line that are shown."""

VARIABLES = "--line: #8884; --match: #2a92; --soft: #888;"
"""The colors that `STYLE` needs."""

STYLE = """\
section { border: 1px solid var(--line); border-radius: 6px; padding: .8em 1em; margin: 1em 0; }
section.failing { border-left: 4px solid #c33; }
section.accepted, section.note { border-left: 4px solid var(--soft); }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1em; }
@media (max-width: 60em) { .sides { grid-template-columns: 1fr; } }
.sides > div { min-width: 0; }
pre { font: 13px/1.4 ui-monospace, monospace; margin: 0; overflow-x: auto; }
pre { border: 1px solid var(--line); padding: .5em; }
mark { background: var(--match); color: inherit; }
.number, .soft { color: var(--soft); } .number { user-select: none; }
ul { margin: .4em 0; padding-left: 1.4em; } li { overflow-wrap: anywhere; }
blockquote { margin: .3em 0; border-left: 3px solid var(--line); padding-left: .8em; }
"""
"""Rules of CSS, in a page or nested in a rule."""

GONE = f'<p class="soft">{NOT_AT_HAND}.</p>\n'
"""In place of a content that cannot be read."""


def text(value: str) -> str:
    """A text for an element or a quoted attribute."""
    return escape(visible(str(value)))


def link(url: str | None, shown: str) -> str:
    """A text as a link, where there is a page on the web to lead to."""
    if url is None or not url.startswith("https://"):
        return text(shown)
    return f'<a href="{escape(url)}" rel="noreferrer">{text(shown)}</a>'


def code_line(source: Text, number: int, regions: Sequence[Region]) -> str:
    """A line (1-based) with its number before it and what lies in the regions marked; it ends with a newline."""
    parts = "".join(
        f"<mark>{escape(piece.text)}</mark>" if piece.matched else escape(piece.text)
        for piece in pieces(source.line(number), source.spans(number, regions), COLUMNS)
    )
    return f'<span class="number">{number:>6}</span>  {parts}\n'
