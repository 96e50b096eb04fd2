"""Templates filled in: every text is escaped and made visible, and a page needs nothing from elsewhere."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from wherefrom.reports.layout import count, lines, percent
from wherefrom.support.printable import visible

_PACKAGE = "wherefrom.reports.pages"

_SEPARATORS = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
"""What may end an element or a line of script, as JSON writes it otherwise."""


def asset(name: str) -> str:
    """The text of a file in `assets`: a part of the style sheet or of the script."""
    return files(_PACKAGE).joinpath("assets", name).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Assets:
    """What a page is shown with.

    Attributes:
        style: its rules of CSS.
        script: its script.
    """

    style: Markup
    script: Markup

    @property
    def policy(self) -> str:
        """The content security policy of a page that holds both: they apply, and nothing else is loaded or run."""
        return (
            f"default-src 'none'; style-src {_source(self.style)}; script-src {_source(self.script)}; "
            "base-uri 'none'; form-action 'none'"
        )


@cache
def assets(*scripts: str) -> Assets:
    """What a page is shown with: the style sheet that all pages share, and the parts of the script that it needs.

    Args:
        scripts: names of files in `assets`, in the order in which they are run.
    """
    style = Markup(f"\n{asset('page.css')}{asset('code.css')}{asset('compare.css')}")  # noqa: S704 -- files of this package
    script = "".join(asset(name) for name in scripts)
    return Assets(style, Markup(f'\n"use strict";\n(() => {{\n{script}}})();\n'))  # noqa: S704 -- files of this package


@cache
def nested_style() -> Markup:
    """The rules for matches and their colors, to be nested in a rule of a page that is not ours."""
    return Markup(f"{asset('notebook.css')}{asset('code.css')}")  # noqa: S704 -- files of this package


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def data(value: object) -> Markup:
    """A value as JSON in a `<script type="application/json">`, whatever its texts hold."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_SEPARATORS))  # noqa: S704 -- nothing in it can end the element


def web_link(url: str | None) -> str | None:
    """A URL that leads to a page on the web; None for any other, such as a path or a script."""
    return url if url is not None and url.startswith("https://") else None


def render(template: str, /, **values: Any) -> Markup:
    """A template filled in.

    Args:
        template: its path in `templates`.
        values: what it names; a name that is missing is an error.
    """
    return Markup(_template(template).render(**values))  # noqa: S704 -- the templates escape


def stream(template: str, /, **values: Any) -> Iterator[str]:
    """A template filled in, part by part; see `render`."""
    yield from _template(template).generate(**values)


def _template(name: str) -> Template:
    return environment().get_template(name)


@cache
def environment() -> Environment:
    """What renders the templates: all that is put into them is escaped, and shown as `visible` shows it."""
    made = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        loader=PackageLoader(_PACKAGE),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_shown,
    )
    made.filters |= {"counted": count, "percent": percent, "web_link": web_link, "data": data}
    made.globals |= {"line_range": lines}
    return made


def _shown(value: object) -> object:
    """A value as it is put into a page: a text without characters that are not seen; markup as it is."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return visible(value)
