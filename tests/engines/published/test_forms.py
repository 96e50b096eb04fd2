"""The forms of published files: what is written is read back, and other bytes are errors."""

from __future__ import annotations

import io
import json
import struct
import tempfile
from bisect import bisect_right
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engines.conftest import SCHEMES
from wherefrom.engines.kinds import parse_location
from wherefrom.engines.published import frames, tree
from wherefrom.engines.published.address import PublishedAddress, parse
from wherefrom.engines.published.blocks import BlockNames, ContentBlock
from wherefrom.engines.published.layout import TREES, Manifest, PublishedFile, file_name
from wherefrom.engines.published.pages import PAGE, SHARED, FolderPlace, PagedFile, Pages, PageWriter, Span
from wherefrom.engines.published.publishing import load_leaf
from wherefrom.errors import UnusableIndex, UsageError

ERRORS = (ValueError, LookupError, TypeError, AttributeError, RecursionError, struct.error)
"""What the engine turns into `IndexDamaged`."""


class Written:
    """A file in pages, in a folder."""

    def __init__(self, folder: Path, parts: list[bytes]) -> None:
        self.data = b"".join(parts)
        self.path = folder / "file"
        buffer = io.BytesIO()
        writer = PageWriter(buffer)
        self.offsets = [writer.append(part) for part in parts]
        digest = writer.finish()
        self.path.write_bytes(buffer.getvalue())
        self.file = PagedFile("file", len(buffer.getvalue()), digest, writer.sums)

    def pages(self) -> Pages:
        return Pages(FolderPlace(self.path.parent), [self.file])


sizes = st.one_of(
    st.integers(0, 3000),
    st.sampled_from([PAGE, PAGE + 1, SHARED * PAGE - 1, SHARED * PAGE, SHARED * PAGE + 1, 2 * SHARED * PAGE + 5]),
)


@given(st.lists(sizes, min_size=1, max_size=4), st.data())
def test_any_span_is_read_back(lengths: list[int], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        written = Written(Path(folder), [bytes([at + 1]) * length for at, length in enumerate(lengths)])
        assert written.file.data_size == len(written.data)
        size = len(written.data)
        ends = st.tuples(st.integers(0, size), st.integers(0, size)).map(sorted)
        spans = [Span("file", *found) for found in data.draw(st.lists(ends, max_size=5))]
        pages = written.pages()
        assert pages.read(spans) == [written.data[begin:end] for _, begin, end in spans]
        with pytest.raises(ValueError, match="has no bytes"):
            pages.read([Span("file", 0, size + 1)])


@given(st.integers(1, 3 * PAGE), st.data())
def test_a_changed_byte_is_an_error_or_is_not_read_at_all(size: int, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        written = Written(Path(folder), [bytes(at % 251 for at in range(size))])
        content = bytearray(written.path.read_bytes())
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] ^= data.draw(st.integers(1, 255))
        written.path.write_bytes(content)
        with pytest.raises(ValueError, match="checksums"):
            written.pages().read([Span("file", 0, size)])
        begin = data.draw(st.integers(0, size))
        end = data.draw(st.integers(begin, size))
        with suppress(ValueError):
            assert written.pages().read([Span("file", begin, end)]) == [written.data[begin:end]]


keys = st.one_of(st.binary(max_size=3), st.binary(min_size=490, max_size=510))


@pytest.mark.thorough
@given(st.lists(st.tuples(keys, st.binary(max_size=40)), max_size=60), st.lists(st.tuples(keys, keys), max_size=8))
@pytest.mark.parametrize(("node", "root", "key"), [(1000, 1 << 17, 500), (1000, 1600, 500), (30, 80, 12)])
def test_a_tree_finds_what_a_sorted_list_has(
    node: int, root: int, key: int, rows: list[tuple[bytes, bytes]], ranges: list[tuple[bytes, bytes]]
) -> None:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(tree, "NODE", node)
        patch.setattr(tree, "MOST_IN_ROOT", root)
        patch.setattr(tree, "KEY", key)
        rows.sort()
        path = Path(folder, "file")
        with path.open("wb") as file:
            pages = PageWriter(file)
            writer = tree.TreeWriter(pages)
            for name, leaf in rows:
                writer.add(name, leaf)
            top = writer.finish()
            digest = pages.finish()
        opened = Pages(FolderPlace(path.parent), [PagedFile("file", path.stat().st_size, digest, pages.sums)])
        found = tree.Tree(top, "file", opened)
        assert list(found.leaves()) == [leaf for _, leaf in rows]
        ranges = [(min(pair), max(pair)) for pair in ranges]
        cut = [name[:key] for name, _ in rows]
        for (low, high), leaves in zip(ranges, found.between(ranges), strict=True):
            numbers = [leaf.number for leaf in leaves]
            needed = [at for at, name in enumerate(cut) if low[:key] <= name <= high[:key]]
            before = bisect_right(cut, low[:key]) - 1
            assert {*needed, *([before] if before >= 0 else [])} <= {*numbers}
            assert numbers == list(range(numbers[0], numbers[-1] + 1)) if numbers else not needed
            assert found.read(leaves) == [rows[at][1] for at in numbers]
        for name in [low[:key] for low, _ in ranges]:
            [nearest] = found.find([name])
            place = bisect_right(cut, name) - 1
            assert (None if nearest is None else nearest.number) == (None if place < 0 else place)


def test_a_tree_that_refers_to_itself_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_LEAVES", 100_000)
    children = 40
    size = 18 + 6 * children
    header = struct.pack("<HQQ", children, 0, 0)
    node = (
        header
        + struct.pack(f"<{children}H", *[0] * children)
        + struct.pack(f"<{children}I", size, *[0] * (children - 1))
    )
    written = Written(tmp_path, [node])
    again = header + struct.pack(f"<{children}H", *[0] * children) + struct.pack(f"<{children}I", *[size] * children)
    for top in (node, again):
        found = tree.Tree(bytes([250]) + top, "file", written.pages())
        with pytest.raises(ERRORS):
            list(found.leaves())


postings = st.lists(st.tuples(st.integers(0, (1 << 48) - 1), st.integers(0, (1 << 31) - 1)), min_size=1, max_size=600)


@given(postings, st.integers(0, 3))
def test_any_postings_are_read_back(rows: list[tuple[int, int]], representation: int) -> None:
    rows.sort()
    terms, documents = np.array([row[0] for row in rows], np.uint64), np.array([row[1] for row in rows], np.int64)
    dumped = list(frames.dump(representation, terms, documents))
    loaded = [frames.load(frame) for _, frame in dumped]
    assert np.concatenate([frame.terms for frame in loaded]).tolist() == terms.tolist()
    assert np.concatenate([frame.documents for frame in loaded]).tolist() == documents.tolist()
    assert {frame.representation for frame in loaded} == {representation}
    assert [key for key, _ in dumped] == sorted(key for key, _ in dumped)


@pytest.mark.thorough
@given(st.binary(max_size=300))
def test_other_bytes_are_no_frame_leaf_or_block(data: bytes) -> None:
    for read in (frames.load, load_leaf, lambda given: ContentBlock(given, BlockNames([], []))):
        with suppress(*ERRORS):
            read(data)


def manifest() -> Manifest:
    digest = "ab" * 32
    files = {kind: PublishedFile(file_name(kind, digest), 5, digest) for kind in ("root", *TREES)}
    return Manifest(SCHEMES, 48, True, files, PublishedFile(file_name("history", digest), 5, digest))


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda values: st.one_of(st.lists(values, max_size=3), st.dictionaries(st.text(max_size=5), values, max_size=3)),
    max_leaves=6,
)


def test_a_manifest_is_read_back() -> None:
    assert Manifest.load(manifest().dump(), "here", SCHEMES) == manifest()


@given(st.data(), json_values)
def test_a_manifest_with_other_values_is_an_error_or_the_same(data: st.DataObject, value: Any) -> None:
    values = json.loads(manifest().dump())
    at: Any = values
    while isinstance(at, dict) and at:
        name = data.draw(st.sampled_from(sorted(at)))
        if not isinstance(at[name], dict) or data.draw(st.booleans()):
            at[name] = value
            break
        at = at[name]
    with suppress(UnusableIndex, *ERRORS):
        loaded = Manifest.load(json.dumps(values).encode(), "here", SCHEMES)
        assert all(file.name == file_name(kind, file.sha256) for kind, file in loaded.files.items())


@pytest.mark.parametrize(
    ("given", "place", "pin"),
    [
        ("https://example.com/code/", "https://example.com/code/", None),
        ("https://example.com/code", "https://example.com/code/", None),
        ("https://example.com", "https://example.com/", None),
        ("https://EXAMPLE.com:8443/a/wherefrom-published.json", "https://example.com:8443/a/", None),
        (f"https://example.com/a/#sha256={'AB' * 32}", "https://example.com/a/", "ab" * 32),
        ("http://localhost:8000/x", "http://localhost:8000/x/", None),
        ("http://127.0.0.1/x", "http://127.0.0.1/x/", None),
        ("http://[::1]:80/x", "http://[::1]:80/x/", None),
    ],
)
def test_addresses(given: str, place: str, pin: str | None) -> None:
    found = parse(given)
    assert (found.place, found.pin) == (place, pin)
    assert parse(str(found)) == found


@pytest.mark.parametrize(
    "given",
    [
        "http://example.com/x",
        "http://10.0.0.1/x",
        "http://localhost.example.com/",
        "https://",
        "https:///x",
        "https://example.com/x?query",
        "https://example.com/x#other",
        "https://example.com/x#sha256=abc",
        "https://example.com/\n",
        "https://exa mple.com/",
        "https://example.com:99999/",
        "https://[::bad/",
        "https://ex\u00e4mple.com/",
    ],
)
def test_what_is_no_address(given: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse(given)
    assert "\n" not in str(raised.value)


def test_a_password_in_an_address_is_not_repeated() -> None:
    with pytest.raises(UsageError, match="netrc") as raised:
        parse("https://me:s3cret@example.com/")
    assert "s3cret" not in str(raised.value)


def test_a_folder_with_a_pin(tmp_path: Path) -> None:
    pin = "cd" * 32
    assert parse_location(f"published:made#sha256={pin}", tmp_path).address == PublishedAddress(tmp_path / "made", pin)
    assert parse_location("published:made", tmp_path).address == PublishedAddress(tmp_path / "made")
    for wrong in ("published:", "published:a#sha256=5", "published:\0", "published:~no-such-user/x"):
        with pytest.raises(UsageError):
            parse_location(wrong, tmp_path)
