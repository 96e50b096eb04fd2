"""From repositories of every kind to the index, and what becomes of it when they change."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import tarfile
import time
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Report, Wherefrom, harmless, module_source, wait_for_parsing
from tests.end_to_end.runs import start
from tests.processes import HANGS, children
from tests.repositories import Repository
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.sources.source import blob_id

HEAPQ, TEXTWRAP, BISECT, SHLEX, QUOPRI = map(module_source, ("heapq", "textwrap", "bisect", "shlex", "quopri"))


def function(source: bytes, name: str) -> bytes:
    """A top-level function of a module."""
    begin = source.index(b"\ndef %s(" % name.encode()) + 1
    return source[begin : source.index(b"\n\n\n", begin)] + b"\n"


MERGE, DEDENT, INSORT, JOIN, ENCODE = (
    function(HEAPQ, "merge"),
    function(TEXTWRAP, "dedent"),
    function(BISECT, "insort_right"),
    function(SHLEX, "quote"),
    function(QUOPRI, "encode"),
)


def test_clones_of_every_kind_are_found_and_what_forks_share_is_parsed_once(wherefrom: Wherefrom) -> None:
    first = Repository.make(wherefrom.folder / "clones/first", {"heap.py": HEAPQ, "lib/wrap.py": TEXTWRAP})
    bare = wherefrom.folder / "clones/deep/down/bare.git"
    first.git("clone", "--quiet", "--bare", first.folder, bare)
    Repository(bare).git("remote", "remove", "origin")
    fork = Repository.make(wherefrom.folder / "clones/fork", {"src/heap.py": HEAPQ, "bisect.py": BISECT})
    fork.git("worktree", "add", "--quiet", "--detach", wherefrom.folder / "clones/linked")
    report = wherefrom.indexes("clones")
    assert {name: item["files"] for name, item in report.repositories.items()} == {
        "first": 2,
        "bare.git": 2,
        "fork": 2,
        "linked": 2,
    }
    assert (report.parsed, sum(item["parsed"] for item in report.repositories.values())) == (3, 3)
    assert wherefrom.counts() == (4, 8, 3)
    places = ["bare.git/heap.py", "first/heap.py", "fork/src/heap.py", "linked/src/heap.py"]
    assert wherefrom.places(MERGE) == places
    assert report["bare.git"]["revision"] == first.git("rev-parse", "HEAD")


def test_a_renamed_file_is_not_parsed_again(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "clone", {"heap.py": HEAPQ, "wrap.py": TEXTWRAP})
    wherefrom.indexes("clone")
    made.git("mv", "heap.py", "queue.py")
    revision = made.commit()
    report = wherefrom.indexes("clone")
    counts = {"files": 2, "parsed": 0, "known": 2, "retired": 1, "skipped": {}, "renewed": 0, "kept": 0}
    assert report["clone"] == {"status": "indexed", "revision": revision, **counts, "error": None}
    assert (report.parsed, report.swept) == (0, 0)
    [hit] = wherefrom.search(MERGE)["hits"]
    assert [(at["path"], at["revision"]) for at in hit["occurrences"]] == [("queue.py", revision)]
    [unmoved] = wherefrom.search(DEDENT)["hits"]
    assert unmoved["occurrences"][0]["revision"] == revision


def test_a_new_revision_parses_what_is_new_and_retires_what_is_gone(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "clone", {"heap.py": HEAPQ, "wrap.py": TEXTWRAP, "same.py": QUOPRI})
    wherefrom.indexes("clone")
    (made.folder / "heap.py").unlink()
    made.commit({"wrap.py": SHLEX, "new/bisect.py": BISECT})
    report = wherefrom.indexes("clone")
    assert (report["clone"]["parsed"], report["clone"]["known"], report["clone"]["retired"]) == (2, 1, 2)
    assert report.swept == 2
    assert wherefrom.counts() == (1, 3, 3)
    assert wherefrom.places(MERGE) == []
    assert wherefrom.places(DEDENT) == []
    assert wherefrom.places(INSORT) == ["clone/new/bisect.py"]
    assert wherefrom.indexes("clone")["clone"]["status"] == "unchanged"

    older = wherefrom.indexes("clone", "--rev", "HEAD~1")
    assert (older["clone"]["parsed"], older["clone"]["known"]) == (2, 1)
    assert older["clone"]["revision"] == made.git("rev-parse", "HEAD~1") != made.git("rev-parse", "HEAD")
    assert wherefrom.places(MERGE) == ["clone/heap.py"]
    assert wherefrom.places(INSORT) == []


NAMES = (b"caf\xe9.py", b"100%\xff.py", b"line\nend.py", b"\x1b[31mred\x07.py", "\u202eyp.py".encode(), b"a\tb\x7f.py")


def test_names_that_are_no_text_are_never_printed_raw(wherefrom: Wherefrom) -> None:
    folder = wherefrom.folder / "clones" / "re\npo\x1b[2J"
    made = Repository.make(folder)
    for name in NAMES:
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(HEAPQ + b'"\x1b[31m\xff\x07"\n' + name)
    made.commit()
    assert len(NAMES) == wherefrom.indexes("clones").parsed
    assert "caf%E9.py" in wherefrom("search", "-", "--explain", "--limit", "20", stdin=MERGE)
    assert "100%25%FF.py" in wherefrom("search", "-", "--format", "csv", stdin=MERGE)
    assert "␛[2J" in wherefrom("list")
    found = {at["path"] for hit in wherefrom.search(MERGE)["hits"] for at in hit["occurrences"]}
    assert found == {"caf%E9.py", "100%25%FF.py", *(name.decode() for name in NAMES[2:])}
    [key] = [item["repository"] for item in wherefrom.json("list")["repositories"]]
    assert key.endswith("/re\npo\x1b[2J")
    assert len(wherefrom.json("similar", f"{key}:caf%E9.py")["hits"]) == len(NAMES) - 1
    assert "no indexed file" in wherefrom("similar", f"{key}:caf\x1b.py", code=2)
    assert wherefrom("remove", key)


def zoo(folder: Path) -> Repository:
    """One file of every kind that is not indexed, and one that is."""
    made = Repository.make(folder)
    made.write(
        {
            "good.py": HEAPQ,
            "empty.py": b"",
            "blank.py": b" \n\t\n",
            "huge.py": b"x = 1\n" * 200_000,
            "binary.py": b"\x7fELF" + bytes(12) + HEAPQ,
            "data.json": b'{"a": [1, 2, 3]}',
            "min.min.js": b"var a=1;" * 10,
            "long.js": b"f(a,b);" * 1000,
            "api_pb2.py": TEXTWRAP,
            "made.py": b"# Code generated by a tool. DO NOT EDIT.\n" + BISECT,
            "third/party.py": SHLEX,
            "out/made.py": QUOPRI,
            "model.bin": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            ".gitattributes": b"third/** linguist-vendored\nout/** linguist-generated\n",
        }
    )
    (made.folder / "link.py").symlink_to("good.py")
    other = Repository.make(folder.parent / "other", {"a.py": b"a = 1\n"})
    made.git("submodule", "--quiet", "add", "--", other.folder, "sub")
    made.commit()
    shutil.rmtree(other.folder)
    return made


def test_what_is_skipped_is_counted_by_its_reason(wherefrom: Wherefrom) -> None:
    zoo(wherefrom.folder / "clones" / "zoo")
    Repository.make(wherefrom.folder / "clones" / "nothing")
    report = wherefrom.indexes("clones/zoo", "clones/nothing")
    text = {".gitattributes", ".gitmodules", "good.py"}
    assert report["zoo"]["files"] == len(text)
    always = {"binary": 1, "empty": 2, "git_lfs": 1, "submodule": 1, "symlink": 1, "too_large": 1}
    unwanted = {"data_file": 1, "generated": 3, "minified": 2, "vendored": 1}
    assert report["zoo"]["skipped"] == always | unwanted
    assert (report["nothing"]["status"], report["nothing"]["files"]) == ("indexed", 0)
    assert wherefrom.json("stats")["skipped"] == report["zoo"]["skipped"]
    assert wherefrom.indexes("clones/zoo", "--max-file-size", "2000000")["zoo"]["files"] == len(text) + 1

    everything = wherefrom.indexes("clones/zoo", "--include-generated", "--include-data")
    assert everything["zoo"]["skipped"] == always
    assert wherefrom.places(DEDENT) == ["zoo/api_pb2.py"]
    assert wherefrom.places(ENCODE) == ["zoo/out/made.py"]


def test_folders_archives_and_urls_are_sources_too(wherefrom: Wherefrom) -> None:
    files = {"src/heap.py": HEAPQ, "src/wrap.py": TEXTWRAP}
    for path, content in files.items():
        (wherefrom.folder / "plain" / path).parent.mkdir(parents=True, exist_ok=True)
        (wherefrom.folder / "plain" / path).write_bytes(content)
    with zipfile.ZipFile(wherefrom.folder / "all.zip", "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    with tarfile.open(wherefrom.folder / "all.tar.gz", "w:gz") as tar:
        for path, content in files.items():
            member = tarfile.TarInfo(path)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    remote = Repository.make(wherefrom.folder / "remote", files)
    url = f"file://{remote.folder}"
    report = wherefrom.indexes("plain", "all.zip", "all.tar.gz", url)
    assert {name: item["files"] for name, item in report.repositories.items()} == dict.fromkeys(
        ("plain", "all.zip", "all.tar.gz", "remote"), 2
    )
    assert report.parsed == 2
    assert {item["kind"] for item in wherefrom.json("list")["repositories"]} == {"directory", "archive", "git"}
    assert len(wherefrom.places(MERGE)) == 4
    for name in ("plain", "all.zip", "all.tar.gz", "remote"):
        shown = wherefrom("search", "-", "--repository", f"*{name}", stdin=MERGE, COLUMNS="160")
        assert shown.count("def merge(*iterables, key=None, reverse=False):") == 2

    cache = wherefrom.folder / "home" / ".cache" / "wherefrom" / "clones"
    assert len([path for path in cache.iterdir() if path.is_dir()]) == 1
    remote.commit({"src/bisect.py": BISECT})
    again = wherefrom.indexes("plain", "all.zip", "all.tar.gz", url)
    assert [again[name]["status"] for name in ("plain", "all.zip", "all.tar.gz")] == ["unchanged"] * 3
    assert (again["remote"]["parsed"], again["remote"]["files"]) == (1, 3)
    time.sleep(0.01)
    (wherefrom.folder / "plain/src/heap.py").write_bytes(BISECT)
    changed = wherefrom.indexes("plain")["plain"]
    assert (changed["status"], changed["parsed"], changed["known"], changed["retired"]) == ("indexed", 0, 2, 1)


def test_sources_come_from_a_list_too(wherefrom: Wherefrom) -> None:
    for name, content in (("one", HEAPQ), ("two words", TEXTWRAP), ("three", BISECT)):
        Repository.make(wherefrom.folder / name, {"code.py": content})
    (wherefrom.folder / "list").write_text("# all\none\n\n  two words\n")
    assert {"one", "two words", "three"} == {*wherefrom.indexes("three", "--from", "list").repositories}
    assert {"two words"} == {*wherefrom.indexes("--from", "-", stdin=b"two words\0").repositories}
    assert "not/there" in wherefrom("index", "--from", "-", code=2, stdin=b"one\nnot/there\n")


def test_a_source_that_breaks_half_way_takes_nothing_from_the_others(wherefrom: Wherefrom) -> None:
    shared = {f"src/{number:03}.py": b"# %d\n" % number + HEAPQ for number in range(110)}
    broken = Repository.make(wherefrom.folder / "clones/broken", {"a.py": QUOPRI, **shared})
    partial = Repository.make(wherefrom.folder / "clones/partial", {"wrap.py": TEXTWRAP, "bisect.py": BISECT})
    Repository.make(wherefrom.folder / "clones/sound", {**shared, "wrap.py": TEXTWRAP})
    for path in shared:
        blob = broken.git("rev-parse", f"HEAD:{path}")
        file = broken.folder / ".git/objects" / blob[:2] / blob[2:]
        file.chmod(0o600)
        file.write_bytes(zlib.compress(b"blob %d\0" % len(shared[path]) + shared[path])[:-4] + bytes(4))
    blob = partial.git("rev-parse", "HEAD:wrap.py")
    (partial.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()

    report = wherefrom.indexes("clones", code=2)
    assert "objects are broken" in report["broken"]["error"]
    assert (report["partial"]["files"], report["partial"]["skipped"]) == (1, {"unreadable": 1})
    assert (report["sound"]["files"], report["sound"]["skipped"]) == (111, {})
    assert wherefrom.places(DEDENT) == ["sound/wrap.py"]
    assert {place.partition("/")[0] for place in wherefrom.places(MERGE)} == {"sound"}
    assert wherefrom.counts() == (2, 112, 112)
    assert wherefrom.places(ENCODE) == []


def test_a_clone_that_git_would_wait_for_or_never_end_to_list_takes_nothing_from_the_others(
    wherefrom: Wherefrom, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = Repository.make(wherefrom.folder / "clones/a", {"heap.py": HEAPQ})
    blob = waits.git("rev-parse", "HEAD:heap.py")
    place = waits.folder / ".git/objects" / blob[:2] / blob[2:]
    place.unlink()
    os.mkfifo(place)
    Repository.make(wherefrom.folder / "clones/b", {f"{number}.py": b"" for number in range(11)})
    Repository.make(wherefrom.folder / "clones/c", {"wrap.py": TEXTWRAP})
    monkeypatch.setattr("wherefrom.sources.source.MOST_FILES", 10)
    done, output, _ = wherefrom.run_here("index", "clones", "--format", "json", stdin=b"")
    report = Report(json.loads(output))
    assert done == 2
    assert "is a pipe or a device and not a file; clone it again" in report["a"]["error"]
    assert "lists more than 10 files" in report["b"]["error"]
    assert (report["c"]["status"], report["c"]["files"]) == ("indexed", 1)
    assert wherefrom.places(DEDENT) == ["c/wrap.py"]


def test_a_clone_that_is_read_from_elsewhere_is_a_warning_or_refused(wherefrom: Wherefrom) -> None:
    private = Repository.make(wherefrom.folder / "private", {"heap.py": HEAPQ})
    wherefrom.folder.joinpath("clone").mkdir()
    wherefrom.folder.joinpath("clone/.git").write_text(f"gitdir: {private.folder}/.git\n")
    refused = wherefrom("index", "clone", "--strict", code=2)
    warning = f"{wherefrom.folder}/clone is read from {private.folder}/.git, outside of the named folder; leave it out"
    assert warning in refused
    assert refused.endswith("and index without --strict\n")
    assert not Path(wherefrom.index).exists()
    done, output, errors = wherefrom.run("index", "clone")
    assert (done, errors.startswith(f"wherefrom: warning: {warning}"), errors.count("\n")) == (0, True, 1)
    assert "1 indexed" in output
    done, output, errors = wherefrom.run("index", "clone", "--format", "json", "--quiet")
    assert json.loads(output)["warnings"] == [errors.removeprefix("wherefrom: warning: ").strip()]


def test_a_clone_that_lies_about_its_objects_misleads_nobody(wherefrom: Wherefrom) -> None:
    liar = Repository.make(wherefrom.folder / "clones/a", {"heap.py": HEAPQ, "bisect.py": BISECT})
    Repository.make(wherefrom.folder / "clones/b", {"heap.py": HEAPQ})
    blob = liar.git("rev-parse", "HEAD:heap.py")
    file = liar.folder / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o600)
    file.write_bytes(zlib.compress(b"blob %d\0" % len(TEXTWRAP) + TEXTWRAP))
    report = wherefrom.indexes("clones")
    assert (report["a"]["files"], report["a"]["skipped"]) == (1, {"unreadable": 1})
    assert wherefrom.places(DEDENT) == []
    assert wherefrom.places(MERGE) == ["b/heap.py"]


def test_what_one_repository_refuses_another_may_index(wherefrom: Wherefrom) -> None:
    made = b"# Code generated by a tool. DO NOT EDIT.\n" + HEAPQ
    Repository.make(wherefrom.folder / "clones/a", {"made.py": made, "list.csv": TEXTWRAP})
    Repository.make(
        wherefrom.folder / "clones/b",
        {"made.py": made, "wrap.py": TEXTWRAP, ".gitattributes": b"made.py -linguist-generated"},
    )
    report = wherefrom.indexes("clones")
    assert (report["a"]["files"], report["a"]["skipped"]) == (0, {"data_file": 1, "generated": 1})
    assert (report["b"]["files"], report["b"]["skipped"]) == (3, {})
    assert wherefrom.places(MERGE) == ["b/made.py"]
    assert wherefrom.places(DEDENT) == ["b/wrap.py"]


def test_a_clone_that_was_moved_is_read_at_its_new_place(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "before", {"heap.py": HEAPQ})
    made.git("remote", "add", "origin", "https://example.org/team/heap.git")
    assert wherefrom.indexes("before")["heap"]["status"] == "indexed"
    made.folder.rename(wherefrom.folder / "after")
    assert wherefrom.indexes("after").parsed == 0
    [record] = wherefrom.json("list")["repositories"]
    assert (record["repository"], Path(record["location"]).name) == ("example.org/team/heap", "after")
    assert "--keep-source" not in wherefrom("search", "-", stdin=MERGE)
    assert wherefrom.indexes("after")["heap"]["status"] == "unchanged"


def test_removing_a_repository_leaves_what_others_hold(wherefrom: Wherefrom) -> None:
    Repository.make(wherefrom.folder / "clones/one", {"heap.py": HEAPQ, "wrap.py": TEXTWRAP})
    Repository.make(wherefrom.folder / "clones/two", {"queue.py": HEAPQ})
    wherefrom.indexes("clones")
    [one] = [item["repository"] for item in wherefrom.json("list")["repositories"] if item["files"] == 2]
    assert wherefrom("remove", one) == f"removed {one}: 2 files\n"
    assert wherefrom.counts() == (1, 1, 1)
    assert wherefrom.places(MERGE) == ["two/queue.py"]
    assert wherefrom.places(DEDENT) == []
    assert wherefrom("sweep") == "removed 0 contents\n"
    assert "wherefrom list" in wherefrom("remove", one, code=2)
    assert wherefrom.indexes("clones").parsed == 1


def test_hostile_contents_stop_nothing(wherefrom: Wherefrom) -> None:
    depth = 100_000
    files = {
        "a.c": b"int x = " + b"(" * depth + b"1" + b")" * depth + b";\n",
        "b.py": b"x = " + b"[" * depth + b"]" * depth + b"\n",
        "c.js": b"let x = " + b"{a:{\n" * depth + b"1" + b"}}\n" * depth + b"\n",
        "d.html": b"<div>\n" * depth,
        "e.py": b"x = (" * depth,
        "f.rb": b'x = "#{' * depth,
        "g.ipynb": b"[" * depth,
        "h.md": b"```python\n" * 10_000,
        "i.py": b"\xef\xbb\xbf\xff\xfe" + "é\u2028".encode() * 10_000,
        "j.min.js": b"!function(){" * 10_000,
        "k.js": b"a" * 900_000,
        "l.py": (b"a, " * 200_000) + b"b = 1\n",
        "m.py": "".join(f"\tdef f{n}():\r" for n in range(10_000)).encode(),
        "good.py": HEAPQ,
    }
    Repository.make(wherefrom.folder / "clone", files)
    done, output, errors = wherefrom.run("index", "clone", "--parse-seconds", "1", "--format", "json")
    report = Report(json.loads(output))
    # The warning, if there is one, names the files that were not parsed in whole; some may take too long instead.
    assert (done, errors) == (0, printed(report.warnings))
    assert len(report.warnings) <= 1
    assert report["clone"]["status"] == "indexed"
    assert report["clone"]["files"] + sum(report["clone"]["skipped"].values()) == len(files)
    assert report["clone"]["skipped"].get("worker_died", 0) == 0
    assert report["clone"]["skipped"]["minified"] == 2  # `j.min.js` and `k.js`
    assert "clone/good.py" in wherefrom.places(MERGE)


def many_files(folder: Path) -> Repository:
    """A repository whose files take some seconds to parse."""
    files = {f"{number:04}.py": b"value = %d\n" % number + HEAPQ + TEXTWRAP for number in range(150)}
    return Repository.make(folder, files)


def test_a_worker_that_is_killed_once_loses_nothing(wherefrom: Wherefrom) -> None:
    many_files(wherefrom.folder / "clone")
    running = start(wherefrom, *wherefrom.command, "index", "clone", "--jobs", "2", "--format", "json")
    os.kill(wait_for_parsing(running)[0], signal.SIGKILL)
    output, errors = running.communicate(timeout=120)
    assert (running.returncode, errors) == (0, b"")
    report = Report(json.loads(harmless(output)))
    assert (report["clone"]["files"], report["clone"]["skipped"]) == (150, {})
    assert wherefrom.counts() == (1, 150, 150)


def test_a_run_whose_workers_are_all_killed_ends_with_an_error_and_the_next_one_goes_on(wherefrom: Wherefrom) -> None:
    """As where there is no memory for a second try: the repository is not recorded as complete."""
    many_files(wherefrom.folder / "clone")
    running = start(wherefrom, *wherefrom.command, "index", "clone", "--jobs", "2")
    wait_for_parsing(running)
    while running.poll() is None:
        for child in children(running.pid):
            with suppress(FileNotFoundError, ProcessLookupError):
                if not Path(f"/proc/{child}/cmdline").read_bytes().startswith(b"git"):  # a worker, which may be a fork
                    os.kill(child, signal.SIGKILL)
    output, errors = map(harmless, running.communicate(timeout=120))
    assert (running.returncode, output) == (2, "")
    assert errors.startswith(
        "wherefrom: error: a worker process ended before it began (exit code -9); free some memory"
    )
    assert wherefrom.counts() == (0, 0, 0)
    report = wherefrom.indexes("clone")
    assert (report["clone"]["status"], report["clone"]["files"]) == ("indexed", 150)


@pytest.mark.nightly
def test_a_run_that_is_stopped_for_longer_than_the_limits_loses_nothing(wherefrom: Wherefrom) -> None:
    files = {f"{number}.py": (b"def f%d(a):\n    return a + 1\n" % number) * 15_000 for number in range(6)}
    Repository.make(wherefrom.folder / "clone", files)
    options = ("--jobs", "1", "--parse-seconds", "2.5", "--format", "json")
    running = start(wherefrom, *wherefrom.command, "index", "clone", *options)
    wait_for_parsing(running)
    os.killpg(running.pid, signal.SIGSTOP)
    time.sleep(4.0)
    os.killpg(running.pid, signal.SIGCONT)
    output, errors = running.communicate(timeout=120)
    assert (running.returncode, errors) == (0, b"")
    report = Report(json.loads(harmless(output)))
    assert (report["clone"]["files"], report["clone"]["skipped"]) == (6, {})


def printed(warnings: Sequence[str]) -> str:
    """The warnings as the command prints them."""
    return "".join(f"wherefrom: warning: {warning}\n" for warning in warnings)


BOMBS = {"a.java": b"a<" * 100_000, "b.cs": b"b<" * 100_000, "c.c": b"a => " * 1_500}
"""Without a limit the first two take 24 GB each, and the last one takes 0.8 GB."""


def bounded(wherefrom: Wherefrom, *arguments: str) -> Report:
    """Indexes in processes that the system keeps from taking all of its memory where wherefrom does not."""
    command = ("sh", "-c", 'ulimit -v 3000000; exec "$@"', "sh", *wherefrom.command, "index", *arguments)
    running = start(wherefrom, *command, "--format", "json")
    output, errors = running.communicate(timeout=HANGS)
    report = Report(json.loads(output))
    assert (running.returncode, errors.decode()) == (0, printed(report.warnings))
    return report


def test_files_that_take_too_much_memory_to_parse_are_skipped_and_remembered(wherefrom: Wherefrom) -> None:
    clone = Repository.make(wherefrom.folder / "clone", {**BOMBS, "good.py": HEAPQ})
    report = bounded(wherefrom, "clone", "--parse-memory", "300000000")
    assert (report["clone"]["files"], report["clone"]["skipped"]) == (1, {"worker_died": 3})
    assert wherefrom.indexes("clone", "--parse-memory", "300000000")["clone"]["status"] == "unchanged"
    with closing(open_engine(wherefrom.index, schemes=scheme_ids())) as engine:
        refused = engine.refusals(list(map(blob_id, BOMBS.values())))
    assert {(item.reason, item.memory, bool(item.analysis)) for item in refused.values()} == {
        ("worker_died", 300_000_000, True)
    }
    assert len(refused) == 3
    clone.git("rm", "--quiet", "a.java", "b.cs")
    clone.commit()
    report = bounded(wherefrom, "clone", "--parse-memory", "2500000000")
    assert (report["clone"]["files"], report["clone"]["skipped"]) == (2, {})
