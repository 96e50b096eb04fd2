"""The requests in the documentation for operators; the tests send the same ones."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "elasticsearch.md"

REQUEST = re.compile(r"^(PUT|POST) (/\S+)\n(\{$.*?^\})$", re.DOTALL | re.MULTILINE)


class Request(NamedTuple):
    """A request on the page."""

    method: str
    path: str
    body: dict[str, Any]


def requests(prefix: str) -> list[Request]:
    """The requests with a path that begins with this."""
    found = [Request(method, path, json.loads(body)) for method, path, body in REQUEST.findall(PAGE.read_text())]
    return [request for request in found if request.path.startswith(prefix)]
