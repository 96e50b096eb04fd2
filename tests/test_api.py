"""The library as its callers use it, and its errors if they use it wrongly."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import get_origin, get_type_hints

import pytest

import wherefrom
from tests.end_to_end.conftest import module_source
from tests.engines.conftest import document
from tests.repositories import Repository
from wherefrom import Index, public
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import DuplicateSource, IndexClosed, NotFound, SourceError, UsageError
from wherefrom.model import Occurrence
from wherefrom.options.fields import Options, Several, Words, fields_of
from wherefrom.posts.post import CodeBlock, Post, PostBlock
from wherefrom.posts.store import PostStore
from wherefrom.queries.learning import Proposals


def test_clones_of_urls_are_in_the_cache_that_is_named(tmp_path: Path) -> None:
    clone = Repository.make(tmp_path / "clone", {"queue.py": module_source("heapq")})
    url = clone.folder.as_uri()
    wherefrom.index_sources([url], tmp_path / "index", cache=tmp_path / "clones", jobs=1)
    with wherefrom.open_index(tmp_path / "index") as index:
        [stored] = index.repositories()
    assert (tmp_path / "clones") in Path(stored.location).parents


def test_an_index_can_be_closed_once_and_not_used_afterwards(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "queue.py").write_bytes(module_source("heapq"))
    wherefrom.index_sources([str(tmp_path / "src")], tmp_path / "index", jobs=1)
    with wherefrom.open_index(tmp_path / "index") as index:
        [hit] = index.search(module_source("heapq")).hits
        [stored] = index.repositories()
        index.close()
    index.close()
    target = f"{stored.key}:queue.py"
    for call in (
        lambda: index.search(module_source("heapq")),
        lambda: index.search("x"),
        lambda: index.sources(module_source("heapq")),
        lambda: index.similar(target),
        lambda: index.check([tmp_path / "src"]),
        lambda: index.source(hit.occurrences[0]),
        lambda: index.hit_source(hit),
        lambda: index.target_source(target),
        index.repositories,
        index.stats,
        lambda: index.remove(stored.key),
        lambda: index.files(stored.key),
        index.missing_sources,
        index.prune,
        index.sweep,
        lambda: index.add_boilerplate("set", [("a.py", module_source("heapq"))]),
        index.learn_boilerplate,
        index.boilerplate_names,
        lambda: index.boilerplate("set"),
        lambda: index.remove_boilerplate("set"),
    ):
        with pytest.raises(IndexClosed, match=r"is closed; open it again$"):
            call()


def public_calls() -> list[Callable[..., object]]:
    """Every function of the library, and every method of an open index."""
    names = [name for name in dir(public) if not isinstance(getattr(wherefrom, name), type)]
    functions = [getattr(wherefrom, name) for name in names]
    methods = [method for name, method in vars(Index).items() if name[0] != "_"]
    return [*functions, *methods]


def lists_of(call: Callable[..., object]) -> list[str]:
    """The parameters of a call that take several values, including those of its options."""
    hints = get_type_hints(call, localns=vars(public))
    options = hints.pop("options", None)
    fields = fields_of(options) if inspect.isclass(options) and issubclass(options, Options) else ()
    return [
        *(name for name, hint in hints.items() if name != "return" and get_origin(hint) in {Sequence, Iterable}),
        *(field.name for field in fields if isinstance(field.kind, Several | Words)),
    ]


def test_the_lists_of_the_library_are_found() -> None:
    assert {"repositories", "paths", "licenses", "without_texts"} <= {*lists_of(Index.search)}
    assert lists_of(wherefrom.index_sources) == ["sources"]
    assert sum(len(lists_of(call)) for call in public_calls()) > 25


@pytest.mark.matrix("call", "name")
@pytest.mark.parametrize("value", ["ab", b"ab", Path("/ab")])
@pytest.mark.parametrize(
    ("call", "name"),
    [pytest.param(call, name, id=f"{call.__name__}-{name}") for call in public_calls() for name in lists_of(call)],
)
def test_one_value_for_a_list_is_refused(
    call: Callable[..., object], name: str, value: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Posts.xml").write_bytes(b"<posts></posts>")
    block = PostBlock(Post("stackoverflow.com", 1, 1, date(2020, 1, 1), "", (), ""), CodeBlock(1, "", ()), 1)
    with Index(MemoryEngine(scheme_ids())) as index, PostStore(tmp_path / "posts.sqlite", create=True) as store:
        known: dict[str, object] = {
            "self": index,
            "code": "",
            "store": store,
            "block": block,
            "name": "set",
            "commit": None,
            "content": "",
            "text": "",
            "occurrence": Occurrence("repository", "a.py", "0" * 40, "1" * 40),
        }
        known |= {
            "location": tmp_path / "index",
            "locations": [tmp_path / "index"],
            "source": tmp_path / "index",
            "folder": tmp_path / "published",
            "dump": tmp_path / "Posts.xml",
            "proposals": Proposals(0, 0, 2, (), True, {}),
            "sources": [],
            "paths": [],
        }
        needed = [
            key
            for key, parameter in inspect.signature(call).parameters.items()
            if parameter.default is parameter.empty and parameter.kind is not parameter.KEYWORD_ONLY
        ]
        leading = [value if key == name else known[key] for key in needed]
        with pytest.raises(UsageError, match=rf"^{name} must be a list, not one value; use \["):
            call(*leading, **({} if name in needed else {name: value}))
    assert {path.name for path in tmp_path.iterdir()} == {"Posts.xml", "posts.sqlite"}


def test_a_rule_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with (
        Index(MemoryEngine(scheme_ids())) as index,
        pytest.raises(UsageError, match=r"^fail_on must be some of .*, not 'license-conflict', 'foo'$"),
    ):
        index.check([tmp_path], fail_on=["license-conflict", "foo"])  # type: ignore[list-item] # as untyped code does


def test_sources_are_paths_too(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_bytes(module_source("heapq"))
    report = wherefrom.index_sources([tmp_path / "code"], tmp_path / "index", jobs=1)
    assert [repository.status for repository in report.repositories] == ["indexed"]


@pytest.mark.parametrize("strict", [False, True])
def test_a_name_belongs_to_one_source(tmp_path: Path, strict: bool) -> None:
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_bytes(module_source("bisect"))
    wherefrom.index_sources([tmp_path / "one"], tmp_path / "index", name="app", jobs=1)
    with pytest.raises(DuplicateSource, match=r"^the index holds app already .*; use another name, or remove that"):
        wherefrom.index_sources([tmp_path / "other"], tmp_path / "index", name="app", strict=strict, jobs=1)
    with wherefrom.open_index(tmp_path / "index") as index:
        assert [stored.location for stored in index.repositories()] == [str(tmp_path / "one")]


def test_an_index_is_not_rebuilt_without_one_of_its_sources(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.py").write_bytes(module_source("bisect"))
    with pytest.raises(SourceError, match=r"^indexing failed for .*missing: .*; the index in use is as it was"):
        wherefrom.index_sources([tmp_path / "one", tmp_path / "missing"], tmp_path / "index", rebuild=True)
    assert not (tmp_path / "index").exists()


def test_a_content_without_a_place_is_not_a_document() -> None:
    """A run that is killed may leave one."""
    engine = MemoryEngine(scheme_ids())
    left = document("a", [1])
    with engine.writer() as writer:
        writer.add_blobs([left])
    with Index(engine) as index, pytest.raises(NotFound, match=r"use the blob of a hit$"):
        index.document(left.stored.blob)


@pytest.mark.parametrize(
    ("sources", "message"),
    [([], "no source to index"), ([3], "3 is not a path or a URL"), ([b"code"], "b'code' is not a path")],
)
def test_an_invalid_source_makes_no_index(sources: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        wherefrom.index_sources(sources, tmp_path / "index")
    assert not [*tmp_path.iterdir()]
