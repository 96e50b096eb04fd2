"""Archives of every kind are read in place, and a hostile archive does no harm."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import shutil
import stat
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import pytest
import zstandard

from wherefrom.errors import SourceError
from wherefrom.model import SkipReason
from wherefrom.sources.archive import ArchiveSource

FILES = {
    "pkg-1.0/README": b"read me\n",
    "pkg-1.0/src/a.py": b"print(1)\n" * 1000,
    "pkg-1.0/empty": b"",
    "pkg-1.0/é": b"e",
}
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".tar": bytes,
    ".tar.gz": gzip.compress,
    ".tgz": gzip.compress,
    ".tar.bz2": bz2.compress,
    ".tar.xz": lzma.compress,
    ".tar.zst": zstandard.ZstdCompressor().compress,
    ".TAR.GZ": gzip.compress,
}


def member(name: str, content: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def tarred(*members: tuple[tarfile.TarInfo, bytes], layout: int = tarfile.PAX_FORMAT) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=layout, encoding="utf-8", errors="surrogateescape") as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def plain_tar(files: dict[str, bytes]) -> bytes:
    return tarred(*(member(name, content) for name, content in files.items()))


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def put(path: Path, content: bytes) -> ArchiveSource:
    path.write_bytes(content)
    return ArchiveSource(path, key="key")


def contents(source: ArchiveSource) -> dict[str, bytes | SkipReason]:
    return {entry.path: content for entry, content in source.read(source.entries())}


@pytest.mark.parametrize("suffix", PACKERS)
def test_every_kind_of_tar(tmp_path: Path, suffix: str) -> None:
    folder, linked = member("pkg-1.0", type=tarfile.DIRTYPE), member("pkg-1.0/link", type=tarfile.SYMTYPE, linkname="x")
    packed = tarred(folder, *(member(name, content) for name, content in FILES.items()), linked)
    source = put(tmp_path / f"pkg{suffix}", PACKERS[suffix](packed))
    assert contents(source) == {**FILES, "pkg-1.0/link": SkipReason.SYMLINK}
    assert [entry.path for entry in source.entries()] == [*FILES, "pkg-1.0/link"]
    assert [entry.size for entry in source.entries()] == [*map(len, FILES.values()), None]
    assert (source.kind, source.location) == ("archive", str(tmp_path / f"pkg{suffix}"))


@pytest.mark.parametrize("suffix", [".zip", ".whl", ".jar"])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_every_kind_of_zip(tmp_path: Path, suffix: str, method: int) -> None:
    path = tmp_path / f"pkg{suffix}"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.mkdir("pkg-1.0")
        for name, content in FILES.items():
            archive.writestr(name, content)
        link = zipfile.ZipInfo("pkg-1.0/link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        pipe = zipfile.ZipInfo("pkg-1.0/pipe")
        pipe.external_attr = (stat.S_IFIFO | 0o666) << 16
        archive.writestr(pipe, "")
    source = ArchiveSource(path, key="key")
    assert contents(source) == {**FILES, "pkg-1.0/link": SkipReason.SYMLINK, "pkg-1.0/pipe": SkipReason.UNREADABLE}
    paths = [entry.path for entry in source.entries()]
    assert paths == sorted(paths)


def test_what_git_archives_is_read(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "f").write_bytes(b"1")
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "-C", tmp_path, "add", "f"], check=True)
    subprocess.run(["git", "-C", tmp_path, *identity, "commit", "-qm", "m"], check=True)
    for suffix in ("zip", "tar", "tar.gz"):
        path = tmp_path / f"out.{suffix}"
        subprocess.run(["git", "-C", tmp_path, "archive", "--prefix=top/", "-o", path, "HEAD"], check=True)
        assert contents(ArchiveSource(path, key="key")) == {"top/f": b"1"}


@pytest.mark.parametrize("layout", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_long_and_foreign_names(tmp_path: Path, layout: int) -> None:
    long = "d/" * 150 + "f"
    packed = tarred(member(long, b"1"), member(os.fsdecode(b"caf\xe9"), b"2"), layout=layout)
    assert contents(put(tmp_path / "a.tar", packed)) == {long: b"1", "caf%E9": b"2"}


def test_a_zip_name_without_the_flag_for_utf8_is_taken_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("cafXX", b"1")
        archive.writestr("latX1", b"2")
    path.write_bytes(path.read_bytes().replace(b"cafXX", "café".encode()).replace(b"latX1", b"lat\xe91"))
    assert contents(ArchiveSource(path, key="key")) == {"café": b"1", "lat%E91": b"2"}


def test_paths_that_lead_out_are_only_text(tmp_path: Path) -> None:
    files = {"../out": b"1", "/absolute": b"2", "./here//x": b"3", "a/../../b": b"4"}
    expected = {"../out": b"1", "absolute": b"2", "here/x": b"3", "a/../../b": b"4"}
    inside = tmp_path / "inside"
    inside.mkdir()
    with zipfile.ZipFile(inside / "a.zip", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    assert contents(ArchiveSource(inside / "a.zip", key="key")) == expected
    assert contents(put(inside / "a.tar", plain_tar(files))) == expected
    assert {path.name for path in tmp_path.rglob("*")} == {"inside", "a.zip", "a.tar"}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_members_at_one_path_the_last_counts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("f", b"old")
        archive.writestr("g", b"2")
        archive.writestr("f", b"new")
    assert contents(ArchiveSource(tmp_path / "a.zip", key="key")) == {"f": b"new", "g": b"2"}
    source = put(tmp_path / "a.tar", tarred(member("f", b"old"), member("g", b"2"), member("./f", b"new")))
    assert list(contents(source).items()) == [("g", b"2"), ("f", b"new")]


@pytest.mark.parametrize("suffix", [".zip", ".tar.gz"])
def test_a_repository_in_an_archive_is_one_entry(tmp_path: Path, suffix: str) -> None:
    folder = tmp_path / "project"
    (folder / "tests/objects").mkdir(parents=True)
    for name in ("a.py", "HEAD", "config", "tests/objects/b.py", "tests/HEAD"):
        (folder / name).write_text(name)
    for place in ("tests/bare.git", ".git", "tests/objects/.git"):
        subprocess.run(["git", "init", "--quiet", "--bare", folder / place], check=True)
        (folder / place / "objects/pack/pack-1.idx").touch()
    path = shutil.make_archive(str(tmp_path / "a"), "zip" if suffix == ".zip" else "gztar", tmp_path, "project")
    read = contents(ArchiveSource(Path(path), key="key"))
    repositories = ("tests/bare.git", ".git", "tests/objects/.git")
    assert read == {
        **{f"project/{name}": name.encode() for name in ("a.py", "HEAD", "config", "tests/objects/b.py", "tests/HEAD")},
        **{f"project/{place}": SkipReason.SUBMODULE for place in repositories},
    }


def test_a_path_of_very_many_folders_is_not_searched_for_repositories(tmp_path: Path) -> None:
    deep = "a/" * 100
    names = (
        "bare/HEAD",
        "bare/config",
        "bare/objects/1",
        *(f"{deep}{name}" for name in ("HEAD", "config", "objects/1")),
    )
    path = tmp_path / "a.tar"
    path.write_bytes(tarred(*(member(name, b"1") for name in names)))
    read = contents(ArchiveSource(path, key="key"))
    assert read == {"bare": SkipReason.SUBMODULE, **dict.fromkeys(names[3:], b"1")}


def test_hard_links_devices_and_pipes_are_not_read(tmp_path: Path) -> None:
    packed = tarred(
        member("f", b"1"),
        member("hard", type=tarfile.LNKTYPE, linkname="f"),
        member("null", type=tarfile.CHRTYPE),
        member("pipe", type=tarfile.FIFOTYPE),
    )
    assert contents(put(tmp_path / "a.tar", packed)) == {
        "f": b"1",
        "hard": SkipReason.SYMLINK,
        "null": SkipReason.UNREADABLE,
        "pipe": SkipReason.UNREADABLE,
    }


def test_an_encrypted_member_has_its_reason(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("secret", b"1")
        archive.writestr("open", b"2")
    raw = bytearray(path.read_bytes())
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(raw)
    assert contents(ArchiveSource(path, key="key")) == {"open": b"2", "secret": SkipReason.ENCRYPTED}


@pytest.mark.parametrize("suffix", [".tar", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst"])
def test_a_tar_is_read_in_one_pass_and_in_any_order(tmp_path: Path, suffix: str) -> None:
    files = {f"f{number:03}": b"%d" % number * number for number in range(200)}
    source = put(tmp_path / f"a{suffix}", PACKERS[suffix](plain_tar(files)))
    listed = list(source.entries())
    assert {entry.path: content for entry, content in source.read(listed[5::7])} == dict(list(files.items())[5::7])
    backwards = [content for _, content in source.read(listed[10:3:-1])]
    assert backwards == list(files.values())[10:3:-1]
    assert [content for _, content in source.read([listed[4], listed[4]])] == [files["f004"]] * 2


def test_one_pass_decompresses_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = 0
    unpack = gzip.GzipFile

    def counted(*, fileobj: BinaryIO) -> gzip.GzipFile:
        nonlocal opened
        opened += 1
        return unpack(fileobj=fileobj)

    # Sizes around the block of 512 bytes: a reader that steps back by one byte would start again for each member.
    files = {f"f{size}": b"x" * size for size in (511, 512, 513, 1024, 0, 10_240)}
    source = put(tmp_path / "a.tar.gz", gzip.compress(plain_tar(files)))
    listed = list(source.entries())
    monkeypatch.setattr(gzip, "GzipFile", counted)
    assert [content for _, content in source.read(listed)] == list(files.values())
    assert opened == 1


@pytest.mark.parametrize("suffix", [".zip", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst"])
def test_a_bomb_is_too_large(tmp_path: Path, suffix: str) -> None:
    zeros = bytes(2_000_000)
    path = tmp_path / f"bomb{suffix}"
    if suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("bomb", zeros)
            archive.writestr("fine", b"1")
    else:
        path.write_bytes(PACKERS[suffix](plain_tar({"bomb": zeros, "fine": b"1"})))
    source = ArchiveSource(path, key="key", max_bytes=1_000_000)
    assert contents(source) == {"bomb": SkipReason.TOO_LARGE, "fine": b"1"}


def test_a_zip_that_lies_about_a_size_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("liar", bytes(2_000_000))
    size = (2_000_000).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(size, (100).to_bytes(4, "little")))
    assert contents(ArchiveSource(path, key="key", max_bytes=1_000_000)) == {"liar": SkipReason.UNREADABLE}


def test_a_header_that_claims_gigabytes_is_not_read_into_memory(tmp_path: Path) -> None:
    info = tarfile.TarInfo("././@PaxHeader")
    info.type = tarfile.XHDTYPE
    info.size = 10 * 2**30
    header = info.tobuf(tarfile.GNU_FORMAT)
    path = tmp_path / "a.tar"
    with path.open("wb") as file:
        file.write(header)
        file.truncate(info.size + 2048)  # sparse: takes no room
    script = """
import resource, sys
from pathlib import Path
from wherefrom.errors import SourceError
from wherefrom.sources.archive import ArchiveSource
resource.setrlimit(resource.RLIMIT_AS, (2 * 2**30, 2 * 2**30))
try:
    list(ArchiveSource(Path(sys.argv[1]), key="key").entries())
except SourceError as error:
    print(error)
"""
    answer = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    assert "a header is too long" in answer.stdout


def test_headers_nested_without_end_are_an_error(tmp_path: Path) -> None:
    content = b"16 comment=abcd\n"
    info = tarfile.TarInfo("x")
    info.type = tarfile.XHDTYPE
    info.size = len(content)
    block = info.tobuf(tarfile.USTAR_FORMAT) + content.ljust(512, b"\0")
    with pytest.raises(SourceError, match=r"cannot read the archive"):
        list(put(tmp_path / "a.tar", block * 5000 + bytes(1024)).entries())


def test_an_xz_stream_that_claims_too_much_memory_is_refused(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 20}]
    packed = bytearray(lzma.compress(plain_tar(FILES), filters=filters, check=lzma.CHECK_NONE))
    source = put(tmp_path / "a.tar.xz", bytes(packed))
    assert contents(source) == FILES
    # Byte 12 begins the block header: size, flags, filter id, size of properties, dictionary size (40: 4 GiB - 1).
    header = bytearray(packed[12 : 12 + (packed[12] + 1) * 4])
    header[4] = 40
    header[-4:] = zlib.crc32(header[:-4]).to_bytes(4, "little")
    packed[12 : 12 + len(header)] = header
    with pytest.raises(SourceError, match=r"[Mm]emory"):
        list(put(tmp_path / "b.tar.xz", bytes(packed)).entries())


def test_joined_streams_are_read_to_the_end(tmp_path: Path) -> None:
    packed = plain_tar(FILES)
    for suffix in (".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst"):
        joined = PACKERS[suffix](packed[:5000]) + PACKERS[suffix](packed[5000:])
        assert contents(put(tmp_path / f"a{suffix}", joined)) == FILES


@pytest.mark.parametrize("suffix", [".zip", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst"])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.8])
def test_a_truncated_archive_is_an_error_of_one_line(tmp_path: Path, suffix: str, share: float) -> None:
    files = {f"f{number}": os.urandom(3000) for number in range(20)}
    stream = io.BytesIO()
    if suffix == ".zip":
        with zipfile.ZipFile(stream, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        packed = stream.getvalue()
    else:
        packed = PACKERS[suffix](plain_tar(files))
    length = int(len(packed) * share)
    source = put(tmp_path / f"cut\n{suffix}", packed[: length - length % 512 + 100 if length else 0])
    with pytest.raises(SourceError, match=r"cannot read the archive .*; fetch or pack it again") as caught:
        list(source.entries())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", [".zip", ".tar", ".tar.gz"])
def test_a_file_that_is_not_an_archive_is_an_error(tmp_path: Path, suffix: str) -> None:
    page = b"<html>Not found</html>" * 100
    with pytest.raises(SourceError, match=r"cannot read the archive"):
        list(put(tmp_path / f"a{suffix}", page).entries())
    with pytest.raises(SourceError, match=r"cannot read the archive .*[Ff]ile"):
        list(ArchiveSource(tmp_path / f"gone{suffix}", key="key").entries())
    with pytest.raises(SourceError, match=r"cannot read the archive .*[Ff]ile"):
        _ = ArchiveSource(tmp_path / f"gone{suffix}", key="key").revision


def test_only_the_damaged_member_of_a_zip_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("bad", b"to be damaged")
        archive.writestr("good", b"1")
    path.write_bytes(path.read_bytes().replace(b"to be damaged", b"to be DAMAGED"))
    assert contents(ArchiveSource(path, key="key")) == {"bad": SkipReason.UNREADABLE, "good": b"1"}


def test_the_revision_changes_with_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    first = put(path, plain_tar({"f": b"1"})).revision
    assert ArchiveSource(path, key="key").revision == first
    os.utime(path, ns=(10**18, 10**18))
    assert ArchiveSource(path, key="key").revision != first


def extended(content: bytes, kind: bytes = tarfile.XHDTYPE) -> bytes:
    """An extended header of a tar and the member that it describes."""
    info = tarfile.TarInfo("x")
    info.type = kind
    info.size = len(content)
    member = tarfile.TarInfo("f").tobuf(tarfile.USTAR_FORMAT)
    return info.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % 512) + member


def record(keyword: bytes, value: bytes) -> bytes:
    body = b" %s=%s\n" % (keyword, value)
    length = next(number for number in range(len(body), len(body) + 9) if number == len(b"%d" % number) + len(body))
    return b"%d%s" % (length, body)


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE])
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"1" * 900_000, id="digits"),
        pytest.param(record(b"comment", b"1" * 900_000), id="a record of digits"),
        pytest.param(b"5 aaa" * 180_000 + record(b"a", b""), id="records without a value"),
        pytest.param(b"0 a=\n" * 180_000, id="empty records"),
        pytest.param(record(b"comment", b"x" * 900_000)[:-1], id="a record that is cut off"),
        pytest.param(record(b"comment", b"x" * 1_100_000), id="too long"),
    ],
)
def test_an_extended_header_takes_no_more_time_than_it_is_long(tmp_path: Path, kind: bytes, content: bytes) -> None:
    with pytest.raises(SourceError, match=r"an extended header (is broken|has a number of a hundred)|is too long"):
        list(put(tmp_path / "a.tar", extended(content, kind) + bytes(1024)).entries())


def test_an_extended_header_of_many_kinds_of_records_is_read(tmp_path: Path) -> None:
    records = [
        record(b"path", "ä/f=g".encode()),
        record(b"comment", b"a1" * 40_000),
        record(b"SCHILY.xattr.user.x", bytes(range(256))),
        record(b"mtime", b"1700000000.123456789"),
        record(b"empty", b""),
    ]
    [entry] = put(tmp_path / "a.tar", extended(b"".join(records)) + bytes(1024)).entries()
    assert entry.path == "ä/f=g"


def test_global_headers_without_end_are_an_error(tmp_path: Path) -> None:
    headers = b"".join(extended(record(b"key%d" % number, b"x"), tarfile.XGLTYPE) for number in range(101))
    with pytest.raises(SourceError, match="it has too many global headers"):
        list(put(tmp_path / "a.tar", headers + bytes(1024)).entries())


def sparse_header(extensions: int) -> bytes:
    """A sparse member of the old GNU format, whose map of holes continues in more blocks."""
    info = tarfile.TarInfo("f")
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[156:157] = tarfile.GNUTYPE_SPARSE
    header[482] = 1
    header[148:156] = b"%06o\0 " % (sum(header) - sum(header[148:156]) + 8 * ord(" "))
    part = bytearray((b"%011o\0" % 1) * 42 + bytes(8))
    part[504] = 1
    return bytes(header + part * extensions)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(sparse_header(4_000), id="of old GNU tar"),
        pytest.param(
            extended(record(b"GNU.sparse.major", b"1") + record(b"GNU.sparse.minor", b"0"))
            + b"1000000\n"
            + b"0\n" * 2_000_000,
            id="of GNU tar in pax",
        ),
    ],
)
def test_a_map_of_holes_without_end_is_an_error(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(SourceError, match="a header is too long"):
        list(put(tmp_path / "a.tar.gz", gzip.compress(content)).entries())


def test_a_truncated_map_of_holes_is_an_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cannot read the archive .*; fetch or pack it again"):
        list(put(tmp_path / "a.tar", sparse_header(3)).entries())


@pytest.mark.parametrize("suffix", [".tar", ".zip"])
def test_more_members_than_fit_into_memory_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    files = {f"{number}": b"" for number in range(11)}
    source = put(tmp_path / f"a{suffix}", plain_tar(files) if suffix == ".tar" else zipped(files))
    assert len(list(source.entries())) == 11
    monkeypatch.setattr("wherefrom.sources.source.MOST_FILES", 10)
    with pytest.raises(SourceError, match=r"lists more than 10 files, or paths .*; leave it out, or index a folder"):
        list(source.entries())


def test_a_directory_that_does_not_fit_into_memory_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = put(tmp_path / "a.zip", zipped({f"{number}": b"" for number in range(11)}))
    monkeypatch.setattr("wherefrom.sources.archive.DIRECTORY_BYTES", 11 * 46)
    with pytest.raises(SourceError, match="it has too many members; fetch or pack it again"):
        list(source.entries())
    with pytest.raises(SourceError, match="it has too many members; fetch or pack it again"):
        list(source.read([]))


@pytest.mark.parametrize("suffix", [".tar.gz", ".zip"])
def test_an_archive_that_unpacks_without_end_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    files = {f"{number}": bytes(100_000) for number in range(11)}
    packed = gzip.compress(plain_tar(files)) if suffix == ".tar.gz" else zipped(files)
    source = put(tmp_path / f"a{suffix}", packed)
    entries = list(source.entries())
    monkeypatch.setattr("wherefrom.sources.archive.UNPACKED_BYTES", 1_000_000)
    reading = source.read(entries)
    assert [len(content) for _, content in islice(reading, 9) if isinstance(content, bytes)] == [100_000] * 9
    with pytest.raises(SourceError, match="it unpacks to more than 1,000,000 bytes; fetch or pack it again"):
        list(reading)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.slow
def test_a_zip_member_that_lies_about_its_size_is_not_unpacked_as_a_whole(tmp_path: Path, method: int) -> None:
    size = 500_000_000
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", method) as archive, archive.open("f", "w") as file:
        for _ in range(50):
            file.write(bytes(size // 50))
    lying = path.read_bytes().replace(size.to_bytes(4, "little"), (100).to_bytes(4, "little"))
    path.write_bytes(lying)
    script = """
import resource, sys
from pathlib import Path
from wherefrom.sources.archive import ArchiveSource
source = ArchiveSource(Path(sys.argv[1]), key="key")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for entry, content in source.read(source.entries()):
    print(entry.size)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    answer = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    claimed, kilobytes = map(int, answer.stdout.split())
    assert claimed == 100
    assert kilobytes < 200_000
