from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wherefrom.reports import layout
from wherefrom.support.printable import visible


@given(st.text(alphabet=st.characters(codec="utf-8")), st.integers(0, 30))
@example("漢字漢字", 5)
@example("e\u0301e\u0301e\u0301", 2)
def test_clipped_text_fits(value: str, width: int) -> None:
    shown = visible(value)
    cut = layout.clip(shown, width)
    assert layout.columns(cut) <= width
    assert cut == shown or width == 0 or (cut.endswith("…") and shown.startswith(cut[:-1]))


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (["ann", "bob"], ["ann", "bob"]),
        (["Ann_1_assignsubmission_file", "Bob_1_assignsubmission_file"], ["Ann_1_assignsub…", "Bob_1_assignsub…"]),
        (["exercise/one/of/ann.c", "exercise/one/of/bob.c"], ["…se/one/of/ann.c", "…se/one/of/bob.c"]),
        (["Ann Miller_1/hw1.zip/q.c", "Bob Smith_27/part2/q.cpp"], ["Ann Mil….zip/q.c", "Bob Smi…t2/q.cpp"]),
        ([f"{'a' * 30}1{'b' * 30}", f"{'a' * 30}2{'b' * 30}"], [f"…{'a' * 13}1…", f"…{'a' * 13}2…"]),
    ],
)
def test_clipped_names_stay_different(texts: list[str], shown: list[str]) -> None:
    assert layout.clip_apart(texts, 16) == shown


@given(st.lists(st.text(alphabet="ab漢", max_size=40), min_size=1, max_size=4), st.integers(4, 30))
def test_texts_that_are_clipped_apart_fit(texts: list[str], width: int) -> None:
    cut = layout.clip_apart(texts, width)
    assert all(layout.columns(text) <= width for text in cut)
    assert [
        text for text, whole in zip(cut, texts, strict=True) if layout.columns(whole) <= width and text != whole
    ] == []


def test_wide_and_combining_characters_are_counted_in_columns() -> None:
    assert layout.columns("漢e\u0301a") == 4


def test_table_columns_are_aligned() -> None:
    assert layout.table(("name", "n"), [("漢字", "5"), ("longer", "1,000")], right=(1,)) == [
        "name        n",
        "漢字        5",
        "longer  1,000",
    ]


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0.0 s"),
        (9.96, "10 s"),
        (59.6, "1 min 00 s"),
        (185, "3 min 05 s"),
        (3599.9, "1 h 00 min"),
        (7620, "2 h 07 min"),
    ],
)
def test_durations(seconds: float, shown: str) -> None:
    assert layout.duration(seconds) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (999.7, "1 kB"),
        (1234, "1.23 kB"),
        (1_500_000, "1.5 MB"),
        (2e9, "2 GB"),
        (3e15, "3,000.0 TB"),
    ],
)
def test_sizes(number: float, shown: str) -> None:
    assert layout.size(number) == shown


@pytest.mark.parametrize(
    ("share", "shown"), [(0, "0%"), (0.001, "under 1%"), (0.29, "29%"), (0.999, "99%"), (1.0, "100%")]
)
def test_percent_is_100_only_for_the_whole(share: float, shown: str) -> None:
    assert layout.percent(share) == shown


def test_counts() -> None:
    assert layout.count(1, "repository", "repositories") == "1 repository"
    assert layout.count(1234, "file") == "1,234 files"


def test_wrapped_lines_lose_nothing() -> None:
    parts = [f"lib/{at}.py" for at in range(9)]
    lines = layout.wrapped(", ".join(parts), 30)
    assert len(lines) > 1
    assert " ".join(line.strip() for line in lines) == ", ".join(parts)
