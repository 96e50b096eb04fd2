"""How Sphinx builds the site."""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from docs.generators import write  # noqa: E402 -- found by the line above

write(ROOT / "docs" / "reference")

project = "wherefrom"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["generators"]
html_theme = "furo"
html_theme_options: dict[str, list[str]] = {"top_of_page_buttons": []}
html_title = "wherefrom"
html_show_copyright = False
html_show_sphinx = False
html_show_sourcelink = False
html_copy_source = False
myst_heading_anchors = 4
default_role = "code"  # docstrings write code in single backticks
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True

ACCESSIBLE = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    '<aside class="toc-drawer no-toc">': '<aside class="toc-drawer no-toc" aria-label="On this page">',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
}
"""Replacements in the theme's HTML, for keyboards and screen readers."""


def setup(app: Sphinx) -> None:
    """Registers the step that makes the pages accessible."""
    app.connect("build-finished", make_accessible)


def make_accessible(app: Sphinx, exception: Exception | None) -> None:
    """Makes the built pages accessible."""
    if exception is None:
        for page in Path(app.outdir).rglob("*.html"):
            text = page.read_text(encoding="utf-8")
            for found, better in ACCESSIBLE.items():
                text = text.replace(found, better)
            page.write_text(text, encoding="utf-8")
