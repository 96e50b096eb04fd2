"""The lines that count as added are those that git finds, for any texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wherefrom.sources.history import added_lines

LINES = st.lists(
    st.sampled_from([b"a", b"b", b"+++ b/x", b"--- a/x", b"@@ -1 +1 @@", b"diff --git a/1 b/1", b"\\ x", b""])
)


def test_the_added_lines() -> None:
    pairs = [
        (b"a\nb\nc\n", b"a\nx\ny\nb\nc\nz\n"),
        (b"", b"one\ntwo"),
        (b"a\nb\n", b"b\n"),
        (b"a\nb\n", b"a\r\nb\r\n"),
        (b"same", b"same"),
        (b"a", b"a\nb"),
    ]
    assert added_lines(pairs) == [[(2, 3), (6, 6)], [(1, 2)], [], [], [], [(2, 2)]]
    assert added_lines([]) == []


@given(st.lists(st.tuples(LINES, LINES), min_size=1, max_size=8), st.booleans())
def test_the_old_text_and_the_added_lines_contain_the_new_text(
    drawn: list[tuple[list[bytes], list[bytes]]], is_ended: bool
) -> None:
    end = b"\n" if is_ended else b""
    pairs = [(b"\n".join(old) + end, b"\n".join(new) + end) for old, new in drawn]
    for (old, new), ranges in zip(pairs, added_lines(pairs), strict=True):
        numbers = {line for first, last in ranges for line in range(first, last + 1)}
        lines = new.removesuffix(b"\n").split(b"\n") if new else []
        assert numbers <= set(range(1, len(lines) + 1))
        # Without the added lines the new text is a subsequence of the old one.
        left = iter(old.removesuffix(b"\n").split(b"\n") if old else [])
        kept = [line for number, line in enumerate(lines, 1) if number not in numbers]
        assert all(any(line == other for other in left) for line in kept)
