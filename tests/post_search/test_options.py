"""Options that cannot be right are refused when they are made."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from wherefrom.errors import UsageError
from wherefrom.post_search import PostsOptions, PostsReportOptions
from wherefrom.post_search.options import PostsFormat


@pytest.mark.parametrize("name", ["sites", "tags", "posts", "without"])
@pytest.mark.parametrize("value", ["ab", b"ab", Path("ab")])
def test_one_value_for_a_list_is_refused(name: str, value: object) -> None:
    with pytest.raises(UsageError, match=rf"^{name} takes a list, not one value; pass \[b?'ab'\]$"):
        PostsOptions(**{name: value})  # type: ignore[arg-type]  # that is the test


@pytest.mark.parametrize(("name", "value"), [("after", -1), ("limit", 0)])
def test_a_number_out_of_its_range_is_refused(name: str, value: int) -> None:
    with pytest.raises(UsageError, match=f", not {value}$"):
        PostsOptions(**{name: value})  # type: ignore[arg-type]  # one of those that are numbers


def test_a_format_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="'xml' is not a format; give one of text, csv, jsonl"):
        PostsReportOptions(format=cast(PostsFormat, "xml"))


def test_lists_are_kept_as_they_were_given() -> None:
    tags = ["a"]
    options = PostsOptions(tags=tags)
    tags.append("b")
    assert options == PostsOptions(tags=("a",))
