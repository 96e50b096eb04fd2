"""The report of a comparison for the page that compares in a browser (`page/`), which has no Python.

`release.page` writes these parts as files of that page. `page/report.js` fills them.
"""

from __future__ import annotations

from markupsafe import Markup

from wherefrom.reports.compare.html import SCRIPTS, TEXTS
from wherefrom.reports.pages.rendering import asset, assets, render

TITLE, BLOCK_NAME, BLOCK = "%TITLE%", "%BLOCK-NAME%", "%BLOCK%"
"""The marks in the skeleton: the title; in a line of its own that is repeated, the name of a block and its text."""


def style() -> str:
    """The style sheet of the report."""
    return assets(*SCRIPTS).style


def drawing() -> str:
    """The ES module that draws the report; it exports `showReport`, and two functions of all pages."""
    return f"{''.join(map(asset, SCRIPTS))}\nexport {{ make, plural, showReport }};\n"


def report_markup() -> str:
    """The markup of a report, to be put below a heading of the first level."""
    return f'<dl class="facts" id="facts"></dl>\n{render("compare/report.html", plain=None, **TEXTS)}'


def skeleton() -> str:
    """The file of a comparison without a comparison: `TITLE`, `BLOCK_NAME` and `BLOCK` are where its data belongs."""
    return render(
        "compare/page.html",
        title=TITLE,
        assets=assets(*SCRIPTS, "embedded.js"),
        plain=None,
        reviews="",
        packed=[(BLOCK_NAME, Markup(BLOCK))],  # noqa: S704 -- a constant
        **TEXTS,
    )
