"""Labels and tags name languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.analyzers.wrapping import labelled
from wherefrom.languages import LANGUAGES


@pytest.mark.parametrize(
    ("labels", "language"),
    [
        (["py"], "python"),
        (["C#"], "csharp"),
        (["python-3.x"], "python"),
        (["python3.11"], "python"),
        (["c++11"], "cpp"),
        (["java-8"], "java"),
        (["html5"], "html"),
        (["none"], "text"),
        (["prettyprint", "js"], "javascript"),
        (["jquery"], "javascript"),
        (["jquery", "css"], "css"),
        (["ruby-on-rails-4"], "ruby"),
        (["opacity", "winforms"], "csharp"),
        (["dna", "sequence"], None),
        (["", "-", "1.0", "\x1b[31m"], None),
        ([], None),
    ],
)
def test_labels(labels: list[str], language: str | None) -> None:
    assert labelled(labels) == language


@given(st.lists(st.text()))
def test_any_labels_name_a_language_or_none(labels: list[str]) -> None:
    assert labelled(labels) in {None, *LANGUAGES}
