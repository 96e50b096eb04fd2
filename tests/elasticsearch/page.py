"""The requests that the documentation tells operators to send, so that the tests send the same."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

PAGE = Path(__file__).parents[2] / "docs" / "elasticsearch.md"

REQUEST = re.compile(r"^(PUT|POST) (/\S+)\n(\{$.*?^\})$", re.DOTALL | re.MULTILINE)


class Request(NamedTuple):
    """What stands on the page."""

    method: str
    path: str
    body: dict[str, Any]


def requests(prefix: str) -> list[Request]:
    """Those whose path begins like this."""
    found = [Request(method, path, json.loads(body)) for method, path, body in REQUEST.findall(PAGE.read_text())]
    return [request for request in found if request.path.startswith(prefix)]
