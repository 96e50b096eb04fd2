"""Every form of one index, and every call that reads one; `test_forms.py` compares the answers."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from soak.answer_calls import make_world
from tests.end_to_end.conftest import Wherefrom
from tests.engines.published.server import serve

FIRST, SECOND = ("clones/r0", "clones/r1", "clones/r2"), ("clones/r3", "clones/r4", "packed.zip", "plain")
"""The sources of an index, in two parts."""


@dataclass(slots=True)
class World:
    """The sources and the queries, in a folder. `command` runs wherefrom there."""

    command: Wherefrom
    folder: Path
    location: Callable[[], str]
    """Makes a location on Elasticsearch."""
    made: int = 0

    @staticmethod
    def make(folder: Path, location: Callable[[], str]) -> World:
        """Makes the sources, and imports the posts."""
        make_world(folder)
        dump = (folder / "Posts.xml").read_bytes().splitlines(keepends=True)
        (folder / "Posts.xml").write_bytes(b"".join((*dump[:6], dump[-1])))
        command = Wherefrom(folder)
        command.environment["WHEREFROM_POSTS"] = str(folder / "posts.sqlite")
        command("posts", "import", "Posts.xml")
        return World(command, folder, location)

    def new(self, name: str) -> str:
        """The path of a new folder."""
        self.made += 1
        return str(self.folder / f"{name}{self.made}")

    def do(self, *words: str, index: str, code: int = 0) -> None:
        """Runs a command that writes an index."""
        done, output, errors = self.command.run(*words, WHEREFROM_INDEX=index)
        assert done == code, (words, output, errors)

    def index(self, *sources: str, index: str, options: Sequence[str] = ("--history", "--keep-source")) -> None:
        """Indexes sources, with code that is named as boilerplate and code that is watched for."""
        self.do("index", *sources, *options, "--jobs", "1", index=index)
        if "--fingerprints-only" in options:
            return
        self.do("boilerplate", "add", "shared", "snippets/two.py", index=index)
        self.command.run("watch", "add", "merge", "snippets/function.py", WHEREFROM_INDEX=index)


def at_once(world: World, index: str) -> str:
    world.index(*FIRST, *SECOND, index=index)
    return index


def in_two_runs(world: World, index: str, *, parts: Sequence[Sequence[str]] = (FIRST, SECOND)) -> str:
    for part in parts:
        world.index(*part, index=index)
    return index


def in_the_other_order(world: World, index: str) -> str:
    return in_two_runs(world, index, parts=(SECOND, FIRST))


def copied(world: World, index: str) -> str:
    parts = halves(world)
    world.do("copy", *parts, index, index=index)
    return index


def copied_over_an_older_state(world: World, index: str) -> str:
    world.index("clones/r0", "--rev", "HEAD~1", index=index)
    parts = halves(world)
    world.do("copy", *parts, index, index=index)
    return index


def halves(world: World) -> list[str]:
    """Two indexes, each of a part of the sources."""
    parts = [world.new("part"), world.new("part")]
    for part, sources in zip(parts, (FIRST, SECOND), strict=True):
        world.index(*sources, index=part)
    return parts


def updated(world: World, index: str) -> str:
    world.index(*(source for source in (*FIRST, *SECOND) if "clones" in source), "--rev", "HEAD~1", index=index)
    world.index(*FIRST, *SECOND, index=index)
    return index


def indexed_again(world: World, index: str) -> str:
    world.index(*FIRST, *SECOND, "handins", index=index)
    world.do("remove", "--yes", "*/r1", "*/r4", "*/handins", index=index)
    return at_once(world, index)


def with_wide_terms(world: World, index: str) -> str:
    world.index(*FIRST, *SECOND, "--wide-terms", index=index)
    return index


def without_code(world: World, index: str) -> str:
    world.index(*FIRST, *SECOND, index=index, options=("--fingerprints-only",))
    return index


def on_elasticsearch(world: World, _index: str) -> str:
    return at_once(world, world.location())


def published(world: World, index: str) -> str:
    at_once(world, index)
    world.do("publish", index, f"{index}-www", index=index)
    return f"{index}-www"


@dataclass(frozen=True, slots=True)
class Form:
    """A way to have the index.

    Attributes:
        name: its name.
        make: makes the index, given the path of a new folder, and returns the location.
        is_served: read it from a web server; what was read is kept (`is_warm`), or forgotten before each call.
        options: options of each `search`.
        variables: of the process of each call. With any, a call is a process of its own.
    """

    name: str
    make: Callable[[World, str], str]
    is_served: bool = False
    is_warm: bool = False
    options: tuple[str, ...] = ()
    variables: Mapping[str, str] | None = None

    def takes(self, call: str) -> bool:
        """Whether the call can be made of this form."""
        return bool(call)

    def compared(self, answer: tuple[int, Any]) -> tuple[int, Any]:
        """What is compared of an answer."""
        return answer

    @contextmanager
    def opened(self, world: World) -> Iterator[Callable[[str], tuple[int, Any]]]:
        """A block that can ask the index."""
        with ExitStack() as stack:
            location = self.make(world, world.new("index"))
            if self.is_served:
                location = stack.enter_context(serve(Path(location))).base
            yield lambda call: self._answer(world, location, call)

    def _answer(self, world: World, location: str, call: str) -> tuple[int, Any]:
        """The exit code and the answer to a call."""
        if self.is_served and not self.is_warm:
            shutil.rmtree(world.folder / "home" / ".cache", ignore_errors=True)
        words = shlex.split(call)
        words += self.options if words[0] == "search" else ()
        variables = {"WHEREFROM_INDEX": location, **(self.variables or {})}
        run = world.command.run_installed if self.variables else world.command.run_here
        code, output, errors = run(*words, stdin=b"", **variables)
        assert "Traceback" not in errors, errors
        if code == 2:
            return code, errors
        lines = output.splitlines() if "jsonl" in words else [output]
        return code, [plain(json.loads(line)) for line in lines]


class WithoutCode(Form):
    """An index without code, which has no history. The code of some of its repositories is read from clones."""

    def compared(self, answer: tuple[int, Any]) -> tuple[int, Any]:
        return answer[0], without_ages(answer[1])


def without_ages(value: Any) -> Any:
    """An answer without what only a history tells."""
    if isinstance(value, dict):
        return {key: without_ages(part) for key, part in value.items() if key not in {"age", "first_seen"}}
    return [without_ages(part) for part in value] if isinstance(value, list) else value


class Several(Form):
    """Two indexes that are searched together. Weights of terms, groups of similar contents and ranks are those of each
    index, so only the places are compared.
    """

    def takes(self, call: str) -> bool:
        return call.startswith("search") and not {"--explain", "--max-df", "--limit"} & {*call.split()}

    def compared(self, answer: tuple[int, Any]) -> tuple[int, Any]:
        code, parts = answer
        if code == 2:
            return answer
        hits = [hit for part in parts for hit in part["hits"]]
        return code, sorted(
            (at["repository"], at["path"], at["revision"], at["first_line"])
            for hit in hits
            for at in hit["occurrences"]
        )

    @contextmanager
    def opened(self, world: World) -> Iterator[Callable[[str], tuple[int, Any]]]:
        first, second = halves(world)
        yield lambda call: self._answer(world, first, f"{call} --index {first} --index {second}")


FORMS = (
    Form("in two runs", in_two_runs),
    Form("in the other order", in_the_other_order),
    Form("copied", copied),
    Form("copied over an older state", copied_over_an_older_state),
    Form("updated", updated),
    Form("indexed again", indexed_again),
    Form("with wide terms", with_wide_terms),
    Form("on elasticsearch", on_elasticsearch),
    Form("published", published),
    Form("served, nothing kept", published, is_served=True),
    Form("served, all kept", published, is_served=True, is_warm=True),
    Form("without the kernel", at_once, variables={"WHEREFROM_KERNEL": "0"}),
    WithoutCode("without code, with clones", without_code, options=("--read-from", "clones")),
    Several("several", at_once),
)

_WITH_SOURCE = "--source https://github.com/example/r0"

CALLS = {
    "search": [f"search snippets/{name}" for name in ("function.py", "two.py", "edited.py", "sample.java", "notes.md")],
    "filters": [
        *(f"search snippets/renamed.py --repository {name}" for name in ("r1", "'*r[23]'", "project:r1")),
        "search snippets/renamed.py --not-repository '*/r1' --path '{own,lib}*'",
        "search snippets/function.py --only-language python --own r0",
    ],
    "limits": [
        *(f"search snippets/function.py --limit {limit}" for limit in (1, 1000)),
        *(f"search snippets/two.py --min-strength strong --limit {limit}" for limit in (1, 1000)),
        "search snippets/two.py --max-df 0.5 --min-containment 0.2",
        "search snippets/function.py --explain",
    ],
    "boilerplate": [f"search snippets/two.py --without {name}" for name in ("shared", "none", "shar*")]
    + ["boilerplate list", "boilerplate show shared"],
    "credit": [
        "search snippets/function.py --license MIT",
        f"search snippets/function.py {_WITH_SOURCE}",
        f"search snippets/function.py {_WITH_SOURCE} --author Nobody --unattributed --written 2030-01-01",
    ],
    "time": [
        "search snippets/function.py --oldest",
        "first snippets/function.py",
        "first snippets/two.py --path 'lib/**' --without shared",
        "releases project/lib",
        "releases snippets/whole.py",
    ],
    "similar": [
        *(f"similar snippets/edited.py --limit {limit}" for limit in (1, 10, 1000)),
        "similar r0:own0.py --by containment",
        "sources snippets/two.py",
        "sources snippets/two.py --repository r1",
        "trace snippets/notes.md",
    ],
    "project": ["check project", "check project --own r0 --all", "fixed --project fixed --diff fixed/fix.patch"],
    "lists": ["list", "list r0", "list --projects", "stats", "watch list", "watch report --all"],
    "posts": ["posts search --limit 1 --format jsonl", "posts search --unattributed --format jsonl"],
}
"""Calls by their kind. Each answers as JSON."""


def calls_of(kind: str) -> list[str]:
    """The calls of a kind."""
    return [call if "jsonl" in call else f"{call} --format json" for call in CALLS[kind]]


_OF_THE_FORM = {
    *("engine", "location", "index_format", "stored", "took_ms", "seconds", "indexed_at", "since", "index"),
}
"""Fields that may differ: those of the engine, and times of the making of an index."""


def plain(value: Any) -> Any:
    """An answer without `_OF_THE_FORM`, and with rounded fractions."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items() if key not in _OF_THE_FORM}
    if isinstance(value, list):
        return [plain(part) for part in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value
