"""Fills in templates. Every text is escaped and made visible, and a page loads nothing."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from wherefrom.reports.layout import count, percent
from wherefrom.reports.pages.sides import code_lines
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass

_PACKAGE = "wherefrom.reports.pages"

_SEPARATORS = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
"""Escapes in JSON for characters that may end an element or a line of script."""


def asset(name: str) -> str:
    """The text of a file in `assets`."""
    return files(_PACKAGE).joinpath("assets", name).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Assets:
    """The style sheet and the script of a page, which may ask its server if `asks_server`."""

    style: Markup
    script: Markup
    asks_server: bool = False

    @property
    def policy(self) -> str:
        """The content security policy of a page with this style sheet and script. Nothing else is loaded or run."""
        asked = "connect-src 'self'; " if self.asks_server else ""
        return (
            f"default-src 'none'; style-src {_source(self.style)}; script-src {_source(self.script)}; {asked}"
            "base-uri 'none'; form-action 'none'"
        )


@cache
def assets(*scripts: str, asks_server: bool = False) -> Assets:
    """The style sheet of all pages, and a script made of these files in `assets`, in their order. The script of a page
    that only a server shows may ask it.
    """
    style = Markup(f"\n{asset('page.css')}{asset('code.css')}{asset('compare.css')}")  # noqa: S704 -- files of this package
    script = "".join(asset(name) for name in scripts)
    code = Markup(f'\n"use strict";\n(() => {{\n{script}}})();\n')  # noqa: S704 -- files of this package
    return Assets(style, code, asks_server)


@cache
def nested_style() -> Markup:
    """The rules for matches and their colors, to be nested in a rule of another page."""
    return Markup(f"{asset('notebook.css')}{asset('code.css')}")  # noqa: S704 -- files of this package


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def data(value: object) -> Markup:
    """A value as JSON for a `<script type="application/json">`. No text in it can end the element."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_SEPARATORS))  # noqa: S704 -- nothing in it can end the element


def with_code(text: str) -> Markup:
    """A text whose parts between backticks are code."""
    parts = [escape(visible(part)) for part in text.split("`")]
    return Markup("").join(
        part if at % 2 == 0 else Markup("<code>{}</code>").format(part) for at, part in enumerate(parts)
    )


def web_link(url: str | None) -> str | None:
    """The URL if it leads to a page on the web. None for other texts, such as paths or `javascript:` URLs."""
    return url if url is not None and url.startswith("https://") else None


def render(template: str, /, **values: Any) -> Markup:
    """A template, by its path in `templates`, filled in with values. A missing value is an error."""
    return Markup(environment().get_template(template).render(**values))  # noqa: S704 -- the templates escape


def stream(template: str, /, **values: Any) -> Iterator[str]:
    """A template filled in as by `render`, part by part."""
    yield from environment().get_template(template).generate(**values)


@cache
def environment() -> Environment:
    """The environment of the templates. It escapes every value and makes it visible."""
    made = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        loader=PackageLoader(_PACKAGE),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_shown,
    )
    filters = (percent, web_link, data, with_code, code_lines)
    made.filters |= {"counted": count, **{function.__name__: function for function in filters}}
    return made


def _shown(value: object) -> object:
    """A text with all characters visible; markup and other values as they are."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
