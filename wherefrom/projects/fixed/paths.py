"""Which files are tests, by their paths."""

from __future__ import annotations

import re

_TEST = re.compile(
    r"(?:^|/)(?:tests?|testing|testdata|testsuite|specs?|__tests__|t)/"
    r"|(?:^|/)(?:test[_-][^/]*|[^/]*[_-](?:test|tests|spec)\.[^/.]+|[^/]*\.(?:test|spec)\.[^/]+|conftest\.py)$"
    r"|(?:^|/)[^/]*Tests?\.(?:java|kt|scala|cs|swift|php|groovy)$"
)


def is_test(path: str) -> bool:
    """Whether a path is that of a test, by its name or a folder."""
    return _TEST.search(path) is not None
