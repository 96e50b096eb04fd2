"""A snippet planted in real projects, with and without naming its source: every verdict is right."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from tests import repositories
from tests.end_to_end.conftest import Wherefrom, module_source
from tests.end_to_end.edits import renamed
from tests.repositories import Repository

ANSWER = "https://stackoverflow.com/a/3431838"
QUESTION = "https://stackoverflow.com/questions/3431825"
POST = f"{QUESTION}/generating-an-md5-checksum-of-a-file#3431838"

SNIPPET = """def digest_of_file(path, algorithm="md5", chunk_size=4096):
    hasher = hashlib.new(algorithm)
    remaining = os.path.getsize(path)
    with open(path, "rb") as stream:
        while remaining > 0:
            block = stream.read(min(chunk_size, remaining))
            if not block:
                raise IOError("unexpected end of %s" % path)
            hasher.update(block)
            remaining -= len(block)
    return hasher.hexdigest().lower(), hasher.digest_size * 8
"""

MIT = (Path(__file__).parents[2] / "LICENSE").read_text()

PADDING = "".join(f"OPTION_{number} = {number}\n" for number in range(40))


def planted(module: str, *, above: str = "", head: str = "", code: str = SNIPPET) -> bytes:
    """A module of the standard library with the snippet at its end, far from its beginning."""
    return f"{head}{module_source(module).decode()}\n{PADDING}\n\n{above}{code}".encode()


def in_snippet(code: str) -> str:
    """Code between the tags of an SPDX snippet that names the post."""
    return f"# SPDX-SnippetBegin\n# SPDX-SnippetComment: {ANSWER}\n{code}# SPDX-SnippetEnd\n"


PROJECTS: dict[str, tuple[dict[str, bytes], str, str | None, str | None]] = {
    # name: files, verdict, where and path of the evidence, or of the hint where nothing speaks for the code
    "at-the-match": (
        {"tools.py": planted("csv", above=f"# Taken from {ANSWER}, thanks.\n")},
        *("attributed", "match", "tools.py"),
    ),
    "share-link": (
        {"tools.py": planted("shlex", above=f"# see {ANSWER}/1203882\n")},
        *("attributed", "match", "tools.py"),
    ),
    "in-a-docstring": (
        {
            "tools.py": planted(
                "netrc",
                code=SNIPPET.replace("\n", f'\n    """The digest and its bits.\n\n    {POST}\n    """\n', 1),
            )
        },
        *("attributed", "match", "tools.py"),
    ),
    "file-head": (
        {"tools.py": planted("heapq", head=f"# Contains code from {POST}\n")},
        *("attributed", "file", "tools.py"),
    ),
    "question-link": (
        {"lib/tools.py": planted("sched", above=f"# {QUESTION}/generating-an-md5-checksum-of-a-file\n")},
        *("attributed", "match", "lib/tools.py"),
    ),
    "notice": (
        {"src/deep/tools.py": planted("cmd"), "NOTICE": f"digest_of_file: {POST}\n".encode()},
        *("attributed", "notice", "NOTICE"),
    ),
    "notice-of-its-folder": (
        {"src/deep/tools.py": planted("bdb"), "src/deep/NOTICE": f"digest_of_file: {POST}\n".encode()},
        *("attributed", "notice", "src/deep/NOTICE"),
    ),
    "reuse-licenses": (
        {"src/tools.py": planted("pprint"), "src/LICENSES/LicenseRef-SO.txt": f"{ANSWER}\n(c) 2010 Jane".encode()},
        *("attributed", "notice", "src/LICENSES/LicenseRef-SO.txt"),
    ),
    "notice-of-another-folder": (
        {"src/tools.py": planted("code"), "deps/NOTICE": f"{POST}\n".encode()},
        *("unattributed", "elsewhere", "deps/NOTICE"),
    ),
    "readme": (
        {"src/tools.py": planted("copy"), "docs/README.md": f"# Thanks\n\n[digest]({ANSWER})\n".encode()},
        *("unattributed", "elsewhere", "docs/README.md"),
    ),
    "readme-of-the-root": (
        {"src/tools.py": planted("filecmp"), "README.md": f"Learned much from {ANSWER}.\n".encode()},
        *("unattributed", "elsewhere", "README.md"),
    ),
    "authors": (
        {"src/tools.py": planted("glob"), "AUTHORS": f"Jane, of {ANSWER}\n".encode()},
        *("unattributed", "elsewhere", "AUTHORS"),
    ),
    "spdx-snippet": (
        {"tools.py": planted("fnmatch", code=in_snippet(SNIPPET))},
        *("attributed", "match", "tools.py"),
    ),
    "nested-spdx-snippet": (
        {"tools.py": planted("colorsys", code=in_snippet(f"# SPDX-SnippetBegin\n{SNIPPET}# SPDX-SnippetEnd\n"))},
        *("attributed", "match", "tools.py"),
    ),
    "another-spdx-snippet": (
        {"tools.py": planted("stat", head=in_snippet("OTHER = 1\n"))},
        *("unattributed", "elsewhere", "tools.py"),
    ),
    "silent": ({"tools.py": planted("queue"), "README.md": b"# Tools\n"}, "unattributed", None, None),
    "names-another": (
        {"tools.py": planted("reprlib", above="# https://stackoverflow.com/a/999999\n")},
        *("unattributed", None, None),
    ),
    "in-a-string": (
        {"tools.py": planted("types", above=f'SEE = "{ANSWER}"\n\n\n')},
        *("unattributed", None, None),
    ),
    "renamed-and-silent": (
        {"tools.py": planted("numbers", code=renamed(SNIPPET))},
        *("unattributed", None, None),
    ),
}


@pytest.fixture(scope="module")
def wherefrom(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """An index of all projects."""
    folder = tmp_path_factory.mktemp("attribution")
    for name, (files, *_) in PROJECTS.items():
        Repository.make(folder / "clones" / name, {**files, "LICENSE": MIT.encode()})
    made = Wherefrom(folder)
    made.indexes(folder / "clones", "--jobs", "1")
    return made


def reported(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What each occurrence of the snippet says, by repository."""
    return {
        at["repository"].rpartition("/")[2]: at["attribution"] for hit in answer["hits"] for at in hit["occurrences"]
    }


@pytest.mark.parametrize("named", [[POST], [ANSWER, QUESTION]])
def test_every_verdict_is_right_and_quotes_its_evidence(wherefrom: Wherefrom, named: list[str]) -> None:
    options = [part for url in named for part in ("--source", url)]
    found = reported(wherefrom.search(SNIPPET.encode(), "--limit", "50", *options))
    assert found.keys() == PROJECTS.keys()
    for name, (files, verdict, where, path) in PROJECTS.items():
        printed = found[name]
        assert printed["verdict"] == verdict, name
        assert printed["licenses"] == (["LicenseRef-unknown"] if name == "reuse-licenses" else ["MIT"])
        assert printed["first_seen"] == "2024-01-01"
        assert printed["is_older"] is None
        assert printed["decided_by"] == {None: "nothing", "elsewhere": "hint"}.get(where, where)
        is_attributed = verdict == "attributed"
        assert bool(printed["evidence"]) == is_attributed
        if where is None or path is None:
            assert printed["hints"] == []
            continue
        best = printed["evidence" if is_attributed else "hints"][0]
        assert (best["where"], best["path"]) == (where, path), name
        assert files[path].decode().splitlines()[best["line"] - 1].strip() == best["text"]


def test_an_answer_alone_may_be_one_of_a_named_question(wherefrom: Wherefrom) -> None:
    found = reported(wherefrom.search(SNIPPET.encode(), "--limit", "50", "--source", ANSWER))
    assert found["question-link"]["verdict"] == "unknown"
    assert (
        found["question-link"]["evidence"][0]["value"] == f"https://stackoverflow.com/q/{QUESTION.rpartition('/')[2]}"
    )
    for name, (_, verdict, _, _) in PROJECTS.items():
        if name != "question-link":
            assert found[name]["verdict"] == verdict


def test_unattributed_leaves_out_what_names_the_source_before_the_best_are_cut_off(wherefrom: Wherefrom) -> None:
    options = ("--source", POST, "--unattributed")
    silent = {name for name, (_, verdict, _, _) in PROJECTS.items() if verdict == "unattributed"}
    answer = wherefrom.search(SNIPPET.encode(), "--limit", "50", *options)
    assert reported(answer).keys() == silent
    few = wherefrom.search(SNIPPET.encode(), "--limit", "1", *options)
    assert len(few["hits"]) == 1
    assert reported(few).keys() <= silent
    assert reported(wherefrom.search(SNIPPET.encode(), "--license", "MIT", "--unattributed")).keys() == {
        "reuse-licenses"
    }


def test_without_a_source_nothing_is_said(wherefrom: Wherefrom) -> None:
    answer = wherefrom.search(SNIPPET.encode(), "--limit", "50")
    assert {hit["attribution"] for hit in answer["hits"]} == {None} == set(reported(answer).values())


def test_a_repository_is_the_source_itself_and_others_name_it(tmp_path: Path) -> None:
    url = "https://github.com/Someone/digests"
    original = Repository.make(tmp_path / "original", {"digest.py": planted("csv")})
    original.git("remote", "add", "origin", "git@github.com:someone/digests.git")
    Repository.make(
        tmp_path / "honest", {"copy.py": planted("cmd", above=f"# {url}/blob/0123456789abcdef/digest.py#L3-L9\n")}
    )
    Repository.make(tmp_path / "silent", {"copy.py": planted("shlex", above="# by Someone\n")})
    Repository.make(
        tmp_path / "author", {"copy.py": planted("sched", above="# Author: Someone Else <s@example.org>\n")}
    )
    made = Wherefrom(tmp_path)
    made.indexes(*(tmp_path / name for name in ("original", "honest", "silent", "author")), "--jobs", "1")
    found = reported(made.search(SNIPPET.encode(), "--source", url, "--author", "someone else"))
    assert {name: printed["verdict"] for name, printed in found.items()} == {
        "digests": "source",
        "honest": "attributed",
        "silent": "unattributed",
        "author": "attributed",
    }
    assert (found["author"]["evidence"][0]["kind"], found["author"]["licenses"]) == ("author", [])


def test_a_license_is_told_by_the_nearest_file_and_by_a_tag(tmp_path: Path) -> None:
    apache = "# SPDX-License-Identifier: apache-2.0\n"
    Repository.make(
        tmp_path / "mixed",
        {
            "LICENSE": MIT.encode(),
            "a/own.py": planted("csv", head=apache),
            "a/other.py": planted("cmd"),
            "vendor/LICENSE": b"SPDX-License-Identifier: GPL-3.0-only\n",
            "vendor/deep/copy.py": planted("sched"),
        },
    )
    made = Wherefrom(tmp_path)
    made.indexes(tmp_path / "mixed", "--jobs", "1")
    answer = made.search(SNIPPET.encode(), "--license", "MIT", "--license", "gpl-3.0-only")
    found = {at["path"]: at["attribution"] for hit in answer["hits"] for at in hit["occurrences"]}
    assert {path: (printed["verdict"], printed["licenses"]) for path, printed in found.items()} == {
        "a/own.py": ("unstated", ["Apache-2.0"]),  # the license of the folder is not that of this file
        "a/other.py": ("stated", ["MIT"]),
        "vendor/deep/copy.py": ("stated", ["GPL-3.0-only"]),
    }
    printed = made("search", "--code", SNIPPET, "--license", "MIT")
    assert "attributed" not in printed
    assert "the license is stated" in printed


def test_a_search_names_the_license_of_each_place(tmp_path: Path) -> None:
    Repository.make(
        tmp_path / "mixed",
        {
            "a/own.py": b"# SPDX-License-Identifier: Apache-2.0\n" + planted("csv"),
            "a/LICENSE": b"SPDX-License-Identifier: MIT\n",
            "a/other.py": planted("cmd"),
            "b/none.py": planted("sched"),
        },
    )
    made = Wherefrom(tmp_path)
    made.indexes(tmp_path / "mixed", "--jobs", "1")
    answer = made.search(SNIPPET.encode())
    found = {at["path"]: (at["attribution"], at["licenses"]) for hit in answer["hits"] for at in hit["occurrences"]}
    expected = {"a/own.py": ["Apache-2.0"], "a/other.py": ["MIT"], "b/none.py": []}
    assert found == {path: (None, licenses) for path, licenses in expected.items()}
    rows = csv.DictReader(made("search", "--code", SNIPPET, "--format", "csv").splitlines())
    assert {row["path"]: row["licenses"] for row in rows} == {
        path: " ".join(licenses) for path, licenses in expected.items()
    }
    printed = made("search", "--code", SNIPPET)
    assert all(printed.count(license) == 1 for license in ("Apache-2.0", "MIT"))


def test_a_vendored_file_with_the_header_of_its_origin_is_the_origins(tmp_path: Path) -> None:
    header = "# Copyright (C) {} Jane Doe and John Roe <roe@example.org>\n"
    original = Repository.make(
        tmp_path / "original",
        {"digest.py": planted("csv", head=header.format("1995-2024")), "LICENSE": MIT.encode()},
    )
    original.git("remote", "add", "origin", "https://github.com/someone/digests")
    for name, files in {
        "older-copy": {"deps/digests/digest.py": planted("cmd", head=header.format("1995-2003"))},
        "license-kept": {
            "deps/digests/digest.py": planted("shlex"),
            "deps/digests/LICENSE": b"Copyright 1995 Jane Doe and John Roe\n",
        },
        "license-elsewhere": {
            "src/digest.py": planted("sched"),
            "deps/digests/LICENSE": b"Copyright 1995 Jane Doe and John Roe\n",
        },
        "stripped": {"src/digest.py": planted("queue", head="# Copyright 2024 Somebody Else\n")},
    }.items():
        Repository.make(tmp_path / name, files)
    made = Wherefrom(tmp_path)
    names = ("original", "older-copy", "license-kept", "license-elsewhere", "stripped")
    made.indexes(*(tmp_path / name for name in names), "--jobs", "1")
    for source in ("https://github.com/Someone/Digests", "https://github.com/someone/digests/blob/main/digest.py"):
        found = reported(made.search(SNIPPET.encode(), "--source", source))
        assert {name: (printed["verdict"], printed["decided_by"]) for name, printed in found.items()} == {
            "digests": ("source", "remote"),
            "older-copy": ("attributed", "file"),
            "license-kept": ("attributed", "notice"),
            "license-elsewhere": ("unattributed", "hint"),
            "stripped": ("unattributed", "nothing"),
        }
        assert found["older-copy"]["evidence"][0]["text"] == header.format("1995-2003").strip()
    unattributed = reported(made.search(SNIPPET.encode(), "--source", source, "--unattributed"))
    assert unattributed.keys() == {"license-elsewhere", "stripped"}


def test_of_a_source_without_a_license_file_the_files_at_its_root_name_the_holder(tmp_path: Path) -> None:
    notice = "Copyright (C) 1994-2012 Lua.org, PUC-Rio. All rights reserved.\n"
    original = Repository.make(
        tmp_path / "original", {"digest.py": planted("csv"), "digest.h": f"/* {notice} */\n".encode()}
    )
    original.git("remote", "add", "origin", "https://github.com/someone/digests")
    Repository.make(tmp_path / "copy", {"deps/d/digest.py": planted("cmd"), "deps/d/COPYRIGHT": notice.encode()})
    made = Wherefrom(tmp_path)
    made.indexes(tmp_path / "original", tmp_path / "copy", "--jobs", "1")
    printed = reported(made.search(SNIPPET.encode(), "--source", "https://github.com/someone/digests"))["copy"]
    assert (printed["verdict"], printed["decided_by"]) == ("attributed", "notice")
    assert printed["evidence"][0]["text"] == notice.strip()


def test_a_license_whose_text_is_not_recognized_is_unknown(tmp_path: Path) -> None:
    own_words = "# Permission is hereby granted to everybody on a ship to use and copy this, on Tuesdays.\n"
    Repository.make(
        tmp_path / "mixed",
        {
            "LICENSE": MIT.encode(),
            "a/own.py": planted("csv", head=own_words),
            "a/other.py": planted("cmd"),
            "vendor/COPYING": b"Copyright 2020 Frob Inc. Frob at will, and on no account on Mondays.\n",
            "vendor/deep/copy.py": planted("sched"),
        },
    )
    made = Wherefrom(tmp_path)
    made.indexes(tmp_path / "mixed", "--jobs", "1")
    answer = made.search(SNIPPET.encode(), "--license", "MIT")
    found = {at["path"]: at["attribution"] for hit in answer["hits"] for at in hit["occurrences"]}
    assert {path: (printed["verdict"], printed["licenses"]) for path, printed in found.items()} == {
        "a/own.py": ("unstated", ["LicenseRef-unknown"]),
        "a/other.py": ("stated", ["MIT"]),
        "vendor/deep/copy.py": ("unstated", ["LicenseRef-unknown"]),
    }
    printed = made("search", "--code", SNIPPET, "--license", "MIT")
    assert printed.count("license unknown (its text is not recognized)") == 2


def test_a_file_that_is_older_than_the_post_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module, day in (("older", "csv", "2009-05-06"), ("younger", "cmd", "2012-07-08")):
        for variable in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            monkeypatch.setitem(repositories.ENVIRONMENT, variable, f"{day}T12:00:00Z")
        made = Repository.make(tmp_path / name, {"first.py": planted(module)})
        for variable in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            monkeypatch.setitem(repositories.ENVIRONMENT, variable, "2020-01-01T00:00:00Z")
        made.git("mv", "first.py", "second.py")
        made.commit(message="Rename")
    made.git("clone", "--quiet", "--depth", "1", f"file://{tmp_path / 'older'}", tmp_path / "shallow")
    wherefrom = Wherefrom(tmp_path)
    for name in ("older", "younger", "shallow"):
        wherefrom.indexes(tmp_path / name, "--jobs", "1", "--name", name)
    found = reported(wherefrom.search(SNIPPET.encode(), "--source", ANSWER, "--written", "2010-08-07"))
    assert {
        name: (printed["verdict"], printed["first_seen"], printed["is_older"]) for name, printed in found.items()
    } == {
        "older": ("earlier", "2009-05-06", True),
        "younger": ("unattributed", "2012-07-08", False),
        "shallow": ("unattributed", None, None),
    }
    dated = ("--source", ANSWER, "--written", "2010-08-07")
    assert found["older"]["decided_by"] == "date"
    assert reported(wherefrom.search(SNIPPET.encode(), *dated, "--unattributed")).keys() == {"younger", "shallow"}
    kept = reported(wherefrom.search(SNIPPET.encode(), *dated, "--unattributed", "--earlier"))
    assert kept.keys() == {"older", "younger", "shallow"}
    assert "--earlier keeps locations" in wherefrom("search", "--code", SNIPPET, *dated, "--earlier", code=2)
    printed = wherefrom("search", "--code", SNIPPET, *dated)
    assert "earlier: these lines are older than the source, and the file does not name it" in printed
    assert "there since 2009-05-06, before the source was written" in printed
    for name in ("sched", "heapq"):
        for variable in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            monkeypatch.setitem(repositories.ENVIRONMENT, variable, "2008-01-01T00:00:00Z")
        Repository.make(tmp_path / name, {"first.py": b"NAME = 1\n" + planted(name)})
        wherefrom.indexes(tmp_path / name, "--jobs", "1", "--name", name)
    left_out = (*dated, "--unattributed", "--not-repository", "shallow")
    few, many = (wherefrom.search(SNIPPET.encode(), *left_out, "--limit", limit) for limit in ("1", "50"))
    assert few["total"] == many["total"] == 1
    assert few["truncated"] is many["truncated"] is False


def test_what_is_older_than_the_oldest_line_of_a_permalink_is_earlier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dated(day: str) -> None:
        for variable in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            monkeypatch.setitem(repositories.ENVIRONMENT, variable, f"{day}T12:00:00Z")

    code = f"import os\n\n{SNIPPET}".encode()
    dated("2008-01-02")
    Repository.make(tmp_path / "older", {"copy.py": planted("csv")})
    dated("2009-05-06")
    original = Repository.make(tmp_path / "original", {"digest.py": b"import os\n", "all.py": b"import os\n"})
    original.git("remote", "add", "origin", "https://github.com/someone/digests")
    dated("2010-03-04")
    vendored = Repository.make(tmp_path / "vendored", {"digest.py": b"import os\n"})
    dated("2012-07-08")
    original.commit({"digest.py": code})
    dated("2015-09-10")
    vendored.commit({"digest.py": code})  # as one that is kept up to date
    original.commit({"digest.py": b"import os\n", "moved.py": code})
    wherefrom = Wherefrom(tmp_path)
    for name in ("older", "original", "vendored"):
        wherefrom.indexes(tmp_path / name, "--jobs", "1")
    for path in ("digest.py", "moved.py"):
        revision = "main~1" if path == "digest.py" else "main"
        named = original.git("rev-parse", revision.replace("main", "HEAD"))
        url = f"https://github.com/someone/digests/blob/{named}/{path}#L3-L13"
        found = reported(wherefrom.json("search", url))
        verdicts = {name: printed["verdict"] for name, printed in found.items()}
        assert (verdicts["older"], verdicts["vendored"]) == ("earlier", "unattributed")
        assert "older" not in reported(wherefrom.json("search", url, "--unattributed"))
        assert reported(wherefrom.json("search", url, "--written", "2008-01-01"))["older"]["verdict"] == "unattributed"


def test_a_commit_of_a_day_that_never_was_tells_no_day(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "made", {"first.py": planted("csv")})
    who = f"A <a@example.org> {'9' * 26} +0000"
    commit = f"tree {made.git('rev-parse', 'HEAD^{tree}')}\nauthor {who}\ncommitter {who}\n\nx\n"
    made.git(
        "update-ref",
        "HEAD",
        made.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=commit.encode()),
    )
    wherefrom = Wherefrom(tmp_path)
    wherefrom.indexes(made.folder, "--jobs", "1", "--name", "made")
    [printed] = reported(wherefrom.search(SNIPPET.encode(), "--source", ANSWER)).values()
    assert (printed["verdict"], printed["first_seen"]) == ("unattributed", None)


def test_the_reports_for_people_and_for_tables(wherefrom: Wherefrom) -> None:
    printed = wherefrom("search", "--code", SNIPPET, "--source", POST, "--limit", "50", COLUMNS="200")
    assert f"attributed, beside the match: tools.py:{_line('at-the-match')}: # Taken from {ANSWER}, thanks." in printed
    assert "attributed, in a notice for its folder: NOTICE:1: digest_of_file:" in printed
    assert "unattributed: neither the file nor a notice for its folder names the source" in printed
    assert f"hint, elsewhere in the repository: README.md:1: Learned much from {ANSWER}." in printed
    assert "license MIT; there since 2024-01-01" in printed
    table = wherefrom("search", "--code", SNIPPET, "--source", POST, "--limit", "50", "--format", "csv")
    rows = {row["repository"].rpartition("/")[2]: row for row in csv.DictReader(io.StringIO(table))}
    for name, (_, verdict, where, _) in PROJECTS.items():
        is_attributed = verdict == "attributed"
        assert (rows[name]["verdict"], rows[name]["where"] or None) == (verdict, where if is_attributed else None)
        assert bool(rows[name]["hint"]) == (where == "elsewhere")
        assert rows[name]["licenses"] == ("LicenseRef-unknown" if name == "reuse-licenses" else "MIT")
    assert rows["notice"]["evidence"].startswith("NOTICE:1: ")


def _line(name: str) -> int:
    lines = PROJECTS[name][0]["tools.py"].decode().splitlines()
    return next(number for number, line in enumerate(lines, 1) if ANSWER in line)


def test_bad_questions_are_one_line(wherefrom: Wherefrom) -> None:
    def refuses(*options: str) -> str:
        return wherefrom("search", "--code", SNIPPET, *options, code=2)

    assert "is not the URL of a source; give one such as" in refuses("--source", "no url")
    assert "--unattributed needs --source, --author or --license" in refuses("--unattributed")
    assert "--written needs --source, --author or --license" in refuses("--written", "2020-01-01")
    assert "names nobody" in refuses("--author", "-")
    assert "is not an SPDX identifier of one license" in refuses("--license", "Apache 2.0")
    assert "--written must be a day such as 2024-12-31, not 'yesterday'" in refuses(
        "--source", ANSWER, "--written", "yesterday"
    )
