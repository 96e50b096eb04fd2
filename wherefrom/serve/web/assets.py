"""The styles and scripts of the pages, and the rendering of a page; the same in every process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from wherefrom.reports.pages.rendering import asset, render

STYLES = ("page.css", "code.css", "serve.css")

SCRIPTS = ("common.js", "serve.js")


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page in HTML, and the HTTP status."""

    html: bytes
    status: int = 200


@cache
def files() -> dict[str, tuple[str, str]]:
    """The text and the media type of each file."""
    script = "".join(map(asset, SCRIPTS))
    return {
        "style.css": ("".join(map(asset, STYLES)), "text/css"),
        "script.js": (f'"use strict";\n(() => {{\n{script}}})();\n', "text/javascript"),
    }


@cache
def _urls() -> dict[str, str]:
    """The address of each file. It changes with the file, so that browsers may cache it."""
    return {
        f"{name.partition('.')[0]}_url": f"/assets/{name}?{sha256(text.encode()).hexdigest()[:16]}"
        for name, (text, _) in files().items()
    }


def page(template: str, status: int = 200, /, **values: Any) -> RenderedPage:
    """Renders a template in `templates/serve`, named without its ending, with the values that it uses."""
    return RenderedPage(str(render(f"serve/{template}.html", **_urls(), **values)).encode(), status)
