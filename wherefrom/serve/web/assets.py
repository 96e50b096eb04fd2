"""The styles and scripts of the pages, and the rendering of a page; the same in every process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Any

from fastapi.responses import HTMLResponse

from wherefrom.reports.pages.rendering import asset, render

STYLES = ("page.css", "code.css", "serve.css")

SCRIPTS = ("common.js", "serve.js")


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


def page(template: str, status: int = 200, headers: Mapping[str, str] | None = None, /, **values: Any) -> HTMLResponse:
    """The response with a template in `templates/serve`, named without its ending, and the values that it uses."""
    return HTMLResponse(str(render(f"serve/{template}.html", **_urls(), **values)), status, headers)
