"""Lines of files, permalinks of code hosts and wrapped snippets, as they are given to the installed command."""

from __future__ import annotations

import html
import inspect
import json
import re
import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Wherefrom
from tests.repositories import Repository
from wherefrom import Index
from wherefrom.errors import AnalysisError, NoSuchLines, UsageError

WRAP = inspect.getsource(textwrap.TextWrapper._wrap_chunks)
SPLIT = inspect.getsource(textwrap.TextWrapper._split)
LINES = (3, 2 + WRAP.count("\n"))
"""The first and the last line of `WRAP` in `lib/wrap.py`."""

OLD = f"import re\n\n{WRAP}\n{SPLIT}".encode()
NEW = b"# A line more.\n" + OLD
SITE = "https://github.com/me/tools/blob"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """A clone of github.com/Me/Tools at its second commit, which moved the lines of `lib/wrap.py`; a branch that only
    the remote has; and projects that hold the code as well.
    """
    folder = tmp_path_factory.mktemp("inputs")
    upstream = Repository.make(
        folder / "upstream", {"lib/wrap.py": OLD, "other.py": b"import os\n\nprint(os.environ['HOME'])\n"}
    )
    upstream.git("tag", "v1")
    upstream.git("branch", "only/old")
    upstream.git("checkout", "--quiet", "-b", "feature/x")
    upstream.commit({"lib/new name.py": SPLIT.encode()})
    upstream.git("checkout", "--quiet", "main")
    upstream.commit({"lib/wrap.py": NEW})
    upstream.git("clone", "--quiet", folder / "upstream", folder / "clones/tools")
    tools = Repository(folder / "clones/tools")
    tools.git("remote", "set-url", "origin", "https://github.com/Me/Tools.git")
    for name, host in (("copy", "https://gitlab.com/you/copy"), ("thanks", "https://codeberg.org/you/thanks")):
        credit = b"# From https://github.com/me/tools\n\n" if name == "thanks" else b""
        clone = Repository.make(folder / "clones" / name, {f"{name}.py": credit + WRAP.encode()})
        clone.git("remote", "add", "origin", host)
    made = Wherefrom(folder)
    made.indexes("clones")
    return made


@pytest.fixture
def index(world: Wherefrom) -> Iterator[Index]:
    with world.open() as opened:
        yield opened


@pytest.fixture
def file(world: Wherefrom) -> Path:
    file = world.folder / "mine.py"
    file.write_bytes(OLD)
    return file


def verdicts(answer: dict) -> dict[str, str]:  # type: ignore[type-arg] # JSON
    return {
        f"{at['repository']}:{at['path']}": at["attribution"]["verdict"]
        for hit in answer["hits"]
        for at in hit["occurrences"]
    }


def test_lines_of_a_file_are_looked_up_where_they_stand(world: Wherefrom, file: Path) -> None:
    first, last = LINES
    for fragment in (f"L{first}-L{last}", f"L{first}-{last}"):
        answer = world.json("search", f"mine.py#{fragment}")
        assert answer["query"]["name"] == f"mine.py#L{first}-L{last}"
        assert answer["query"]["language"] == "python"
        best = answer["hits"][0]
        assert best["containment"] == 1.0
        [region] = best["regions"]
        assert (region["query"]["start_line"], region["query"]["end_line"]) == LINES
        start, end = region["query"]["start_byte"], region["query"]["end_byte"]
        assert OLD[start:end].startswith(b"def _wrap_chunks(")
        assert OLD[start:end] in WRAP.encode()
    whole = world.json("search", "mine.py")
    assert whole["query"]["tokens"] > answer["query"]["tokens"]
    assert "mine.py#L1" in world("search", "mine.py#L1", code=1)


@pytest.mark.parametrize("name", ["mine.py#L1", "mine.py:1", "mine.py:1-2", "C:12"])
def test_a_file_of_that_very_name_wins(world: Wherefrom, file: Path, name: str) -> None:
    odd = world.folder / name
    odd.write_bytes(WRAP.encode())
    try:
        assert world.json("search", name)["query"]["name"] == name
        for lines in ("#L1-L2", ":1-2"):
            _, output, _ = world.run("search", f"{name}{lines}", "--format", "json")
            assert json.loads(output)["query"]["name"] == f"{name}#L1-L2"
    finally:
        odd.unlink()


@pytest.mark.parametrize("command", ["search", "sources", "similar"])
def test_lines_are_taken_as_answers_print_them(world: Wherefrom, file: Path, command: str) -> None:
    first, last = LINES
    as_fragment, as_printed = (
        world.json(command, f"mine.py{lines}") for lines in (f"#L{first}-L{last}", f":{first}-{last}")
    )
    assert as_printed["query"] == as_fragment["query"]
    assert as_printed["query"]["name"] == f"mine.py#L{first}-L{last}"


def test_what_a_location_prints_is_looked_up_in_the_clone(world: Wherefrom, file: Path) -> None:
    words = world("search", f"mine.py:{LINES[0]}-{LINES[1]}", "--brief").split()
    printed = next(word for word in words if re.fullmatch(r".+:\d+-\d+", word))
    [clone] = [place for place in (world.folder / "clones").iterdir() if (place / printed.partition(":")[0]).is_file()]
    assert world("search", f"{clone}/{printed}", "--brief")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mine.py#L1000", "mine.py has {lines} lines, so #L1000 is not there; name lines that it has"),
        ("mine.py#L2-L1000", "mine.py has {lines} lines, so #L2-L1000 is not there; name lines that it has"),
        ("mine.py#L0", "'mine.py#L0' names no lines; name them as #L10 or #L10-L20, from 1"),
        ("mine.py#L9-L3", "'mine.py#L9-L3' names no lines; name them as #L10 or #L10-L20, from 1"),
        ("mine.py:1000", "mine.py has {lines} lines, so #L1000 is not there; name lines that it has"),
        ("mine.py:0", "'mine.py:0' names no lines; name them as #L10 or #L10-L20, from 1"),
        ("clones:1", "clones is a folder; name one file"),
        ("gone.py#L1", "gone.py is not there; check the path"),
        ("clones#L1", "clones is a folder; name one file"),
    ],
)
@pytest.mark.parametrize("command", ["search", "sources", "similar"])
def test_lines_that_are_not_there_are_an_error_of_one_line(
    world: Wherefrom, file: Path, command: str, name: str, message: str
) -> None:
    error = world(command, name, code=2)
    assert error == f"wherefrom: error: {message.format(lines=len(OLD.splitlines()))}\n"


def test_a_batch_goes_on_after_lines_that_are_not_there(world: Wherefrom, file: Path) -> None:
    code, output, errors = world.run("search", "mine.py#L1000", "mine.py#L3-L20", "--format", "jsonl")
    assert (code, output.count("\n"), errors.count("\n")) == (2, 1, 1)


def test_the_library_takes_lines(index: Index) -> None:
    found = index.search(OLD, name="a.py", lines=LINES)
    assert found.query.name == f"a.py#L{LINES[0]}-L{LINES[1]}"
    whole = index.search(WRAP, name="a.py")
    assert [hit.containment for hit in found.hits] == [hit.containment for hit in whole.hits]
    utf16 = OLD.decode().encode("utf-16")
    assert index.search(utf16, lines=LINES).query.tokens == found.query.tokens
    assert index.search(OLD, lines=(2, 2)).query.tokens == 0
    with pytest.raises(NoSuchLines):
        index.search("one\n", lines=(1, 2))
    for lines in ((0, 1), (3, 2), (1,), "10"):
        with pytest.raises(UsageError, match="first and the last line"):
            index.search(OLD, lines=lines)  # type: ignore[arg-type] # what a user without types may give


def test_a_permalink_is_read_from_the_clone_and_is_the_source(world: Wherefrom) -> None:
    first, last = LINES
    for url in (f"{SITE}/v1/lib/wrap.py#L{first}-L{last}", f"{SITE}/main/lib/wrap.py#L{first + 1}-L{last + 1}"):
        answer = world.json("search", url)
        assert answer["query"]["name"].startswith("github.com/Me/Tools:lib/wrap.py#L")
        assert verdicts(answer) == {
            "github.com/Me/Tools:lib/wrap.py": "source",
            "gitlab.com/you/copy:copy.py": "unattributed",
            "codeberg.org/you/thanks:thanks.py": "attributed",
        }
        assert all(hit["containment"] == 1.0 for hit in answer["hits"])
    assert verdicts(world.json("search", url, "--unattributed")) == {"gitlab.com/you/copy:copy.py": "unattributed"}


def test_a_branch_with_slashes_that_only_the_remote_has(world: Wherefrom) -> None:
    found = world.json("search", f"{SITE}/feature/x/lib/new%20name.py")
    assert found["query"]["name"] == "github.com/Me/Tools:lib/new name.py"
    assert found["hits"][0]["occurrences"][0]["path"] == "lib/wrap.py"


def test_of_other_hosts(world: Wherefrom) -> None:
    answer = world.json("search", "https://gitlab.com/you/copy/-/blob/main/copy.py#L1-20")
    assert verdicts(answer)["gitlab.com/you/copy:copy.py"] == "source"
    answer = world.json("search", "https://codeberg.org/you/thanks/src/branch/main/thanks.py#L3-L20")
    assert verdicts(answer)["codeberg.org/you/thanks:thanks.py"] == "source"


def test_sources_and_similar_take_permalinks_and_lines(world: Wherefrom, file: Path) -> None:
    url = f"{SITE}/v1/lib/wrap.py#L{LINES[0]}-L{LINES[1]}"
    for name in (url, f"mine.py#L{LINES[0]}-L{LINES[1]}"):
        paths = [at["path"] for at in world.json("sources", name)["documents"][0]["occurrences"]]
        assert set(paths) <= {"copy.py", "thanks.py", "lib/wrap.py"}
        alike = world.json("similar", name)
        assert alike["query"]["name"].endswith(f"#L{LINES[0]}-L{LINES[1]}")
        assert alike["hits"][0]["containment"] == 1.0


def test_what_is_not_indexed_is_refused_with_the_remedy(world: Wherefrom) -> None:
    message = world("search", "https://github.com/you/unknown/blob/main/a.py#L1", code=2)
    assert message == (
        "wherefrom: error: github.com/you/unknown is not in this index; index it first: "
        "wherefrom index https://github.com/you/unknown\n"
    )
    for end in ("v1/lib/nothing.py", "v1/lib", "HEAD~1/lib/wrap.py", "--help/lib/nothing.py"):
        assert "has no file" in world("search", f"{SITE}/{end}", code=2) or end.startswith("HEAD~1")
    assert "names no file" in world("search", f"{SITE}/v1/..%2f..%2fetc%2fpasswd", code=2)


def test_without_the_clone_the_indexed_revision_is_read_and_said(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "clone", {"wrap.py": NEW})
    made.git("remote", "add", "origin", "https://github.com/Me/Tools")
    url = "https://github.com/Me/Tools/blob/v9/wrap.py#L4-L20"
    wherefrom.indexes("clone", "--keep-source")
    code, _, errors = wherefrom.run("search", url, "--format", "json")
    assert code == 0
    assert errors == (
        "wherefrom: v9 is not in the clone of github.com/Me/Tools:wrap.py; this is the indexed revision of it\n"
    )
    shutil.rmtree(made.folder)
    assert wherefrom.run("search", url, "--format", "json")[0] == 0


def test_without_the_clone_and_the_source_the_remedy_is_said(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "clone", {"wrap.py": NEW})
    made.git("remote", "add", "origin", "https://github.com/Me/Tools")
    wherefrom.indexes("clone")
    shutil.rmtree(made.folder)
    assert "with --keep-source" in wherefrom("search", "github.com/Me/Tools/blob/main/wrap.py", code=2)


def test_similar_takes_a_file_that_is_not_indexed(world: Wherefrom, file: Path, index: Index) -> None:
    for name, stdin in (("mine.py", b""), ("-", OLD), ("answer.txt", b"")):
        (world.folder / "answer.txt").write_text(f"<pre><code>{html.escape(OLD.decode())}</code></pre>")
        hits = world.json("similar", name, "--limit", "1", stdin=stdin)["hits"]
        assert hits[0]["occurrences"][0]["path"] == "lib/wrap.py"
        assert hits[0]["containment"] == 1.0
    alike = index.similar("github.com/Me/Tools:lib/wrap.py", by="resemblance")
    given = index.similar_to(NEW, name="wrap.py", by="resemblance")
    assert [hit.blob for hit in given.hits] == [given.hits[0].blob, *(hit.blob for hit in alike.hits)]
    assert given.hits[0].score == 1.0
    assert [hit.score for hit in given.hits[1:]] == [hit.score for hit in alike.hits]


def test_an_existing_file_wins_over_an_indexed_one(world: Wherefrom, index: Index) -> None:
    name = "github.com/Me/Tools:lib/wrap.py"
    indexed = world.json("similar", name)
    assert all("Tools" not in at["repository"] for hit in indexed["hits"] for at in hit["occurrences"])
    file = world.folder / name
    file.parent.mkdir(parents=True)
    try:
        file.write_bytes(NEW)
        hits = world.json("similar", name)["hits"]
        assert hits[0]["occurrences"][0]["repository"] == "github.com/Me/Tools"
    finally:
        shutil.rmtree(world.folder / "github.com")
    assert "is neither a file nor an indexed one" in world("similar", "mistyped.py", code=2)
    with pytest.raises(UsageError, match="leave language and lines out"):
        index.similar(name, lines=(1, 2))
    with pytest.raises(AnalysisError):
        index.similar_to(b"\0" * 100)


@pytest.mark.parametrize("name", ["answer.txt", "answer.py", "-"])
def test_a_snippet_as_a_web_page_has_it_is_found_as_the_bare_one(world: Wherefrom, name: str) -> None:
    forms = {
        "bare": WRAP,
        "html": f'<pre class="lang-py s-code-block"><code class="hljs">{html.escape(WRAP)}</code></pre>\r\n',
        "fence": f"This is how the library does it:\n\n```python\n{WRAP}```\n\nIt is from the standard library.\n",
        "mail": "".join(f"> {line}\n" for line in WRAP.splitlines()),
    }
    found = {}
    for form, text in forms.items():
        if name != "-":
            (world.folder / name).write_text(text, newline="")
        answer = world.json("search", name, stdin=text.encode() if name == "-" else b"")
        found[form] = [(hit["blob"], hit["containment"], hit["longest_run"]) for hit in answer["hits"]]
    assert found["bare"]
    assert all(hits == found["bare"] for hits in found.values())
