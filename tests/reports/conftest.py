from __future__ import annotations

import pytest

from tests.results import answers
from wherefrom.results import SearchResult


@pytest.fixture
def query() -> bytes:
    return answers.QUERY


@pytest.fixture
def document() -> bytes:
    return answers.DOCUMENT


@pytest.fixture
def result() -> SearchResult:
    return answers.search_result()
