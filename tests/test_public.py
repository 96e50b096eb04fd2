"""`import wherefrom` offers every public name with its types, and loads no module before a name is used."""

from __future__ import annotations

import collections.abc
import inspect
import pathlib
import re
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import wherefrom
from wherefrom import extend, parts, public

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "wherefrom"


def test_the_public_names_are_those_of_the_module_of_all() -> None:
    given: dict[str, object] = {}
    exec("from wherefrom import *", given)
    del given["__builtins__"]
    assert [*given] == sorted([*dir(public), "__version__"])
    assert {name: value for name, value in given.items() if name != "__version__"} == {
        name: getattr(public, name) for name in dir(public)
    }
    assert {*given} <= {*dir(wherefrom)}


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    for name in ("nonsense", "_nonsense", "Path"):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
            getattr(wherefrom, name)


@pytest.mark.parametrize(
    ("module", "users"), [(extend, "cli reports serve"), (parts, "api.py index.py indexes.py")], ids=["extend", "parts"]
)
def test_each_name_of_a_list_is_loaded_and_used(module: types.ModuleType, users: str) -> None:
    files = [file for user in users.split() for file in [PACKAGE / user, *(PACKAGE / user).rglob("*.py")]]
    used = {word for file in files if file.is_file() for word in re.findall(r"\w+", file.read_text())}
    assert {*dir(module)} <= used
    assert all(getattr(module, name) is not None for name in dir(module))


@pytest.mark.parametrize("code", ["import wherefrom", "from wherefrom import errors, model"])
def test_importing_the_package_or_a_module_loads_none_of_the_library(code: str) -> None:
    program = (
        f"import sys\n{code}\nsys.exit(not {{'wherefrom.public', 'wherefrom.api', 'numpy'}}.isdisjoint(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0


# The types in the signatures.

NAMESPACE = {
    **vars(collections.abc),
    **vars(pathlib),
    **vars(types),
    **{name: getattr(public, name) for name in dir(public)},
    "Hashes": object,  # an array of NumPy, which only type checkers import here
    "re": re,
}
"""Names in annotations that only type checkers import."""


def signatures() -> Iterator[tuple[str, Any]]:
    """Everything public with annotations: functions, methods, properties, and classes for their fields."""
    for name in dir(public):
        value = getattr(public, name)
        yield name, value
        if inspect.isclass(value):
            for attribute, member in vars(value).items():
                if not attribute.startswith("_") and (function := function_of(member)) is not None:
                    yield f"{name}.{attribute}", function


def function_of(member: object) -> Callable[..., object] | None:
    """The function of a method or property; None for other members."""
    if isinstance(member, staticmethod | classmethod):
        member = member.__func__
    elif isinstance(member, property):
        member = member.fget
    elif isinstance(member, cached_property):
        member = member.func
    return member if inspect.isfunction(member) else None


def types_in(hint: Any) -> Iterator[type]:
    """The classes in a type."""
    if inspect.isclass(hint):
        yield hint
    for part in hint if isinstance(hint, list) else get_args(hint):
        yield from types_in(part)


def test_every_type_in_a_public_signature_is_public() -> None:
    looked_at = set()
    missing = []
    for name, value in signatures():
        for where, hint in get_type_hints(value, localns=NAMESPACE).items():
            for found in () if where.startswith("_") else types_in(hint):
                if found.__module__.partition(".")[0] == "wherefrom":
                    looked_at.add(found)
                    if getattr(public, found.__name__, None) is not found:
                        missing.append(f"{name}: {where} is {found.__qualname__}")
    assert not missing
    assert {public.Hit, public.BoilerplateSet, public.Verdict, public.EngineOptions, public.PostAnswer} <= looked_at


def test_every_public_name_has_a_docstring_of_its_own() -> None:
    for name, value in signatures():
        assert (value.__doc__ or "").strip(), name
        assert not (value.__doc__ or "").startswith(f"{name}("), f"{name} has only what dataclasses write"


# The messages of a type checker about a user's script.

SCRIPT = '''
"""A script of a user with types."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import assert_type

import wherefrom
from wherefrom import Hit, Index, SearchOptions, SearchResult, UsageError


def places(hits: Sequence[Hit]) -> list[str]:
    return [occurrence.path for hit in hits for occurrence in hit.occurrences]


def shown(at: wherefrom.IndexProgress) -> None:
    print(at.files)


def main(location: Path) -> None:
    report = wherefrom.index_sources(["clones", location], location, jobs=2, progress=shown)
    assert_type(report, wherefrom.IndexReport)
    wherefrom.index_sources([location], location, wherefrom.IndexOptions(keep_source=True))
    assert_type(wherefrom.copy_index(location, "other", replace=True), wherefrom.CopyReport)
    with wherefrom.open_index(location, wherefrom.ElasticsearchOptions(timeout=3)) as index:
        assert_type(index, Index)
        options = SearchOptions(limit=3, paths=["*.py"], written=date(2020, 1, 1), sources=["https://example.org/a"])
        assert_type(index.search("code", options), SearchResult)
        assert_type(index.search(b"code"), SearchResult)
        result = index.search("code", limit=3, languages=["python"], max_df=0.5)
        assert_type(result, SearchResult)
        print(places(result.hits), result.to_dict()["hits"])
        for hit in result.hits:
            verdict = hit.attribution.verdict if hit.attribution else wherefrom.Verdict.UNKNOWN
            print(verdict is wherefrom.Verdict.ATTRIBUTED, [pair.document.start_line for pair in hit.regions])
        assert_type(index.similar("repository:path", by="resemblance"), SearchResult)
        assert_type(index.sources("code", not_itself=True), wherefrom.SourcesResult)
        check = index.check([location], staged=True, fail_on=[wherefrom.Rule.COPIED_ATTRIBUTED])
        assert_type(check, wherefrom.CheckReport)
        assert_type(index.learn_boilerplate(limit=3), wherefrom.Proposals)
        assert_type(index.learn_boilerplate(wherefrom.LearnOptions(limit=3)), wherefrom.Proposals)
        with wherefrom.open_posts() as store:
            for answer in index.search_posts(store, tags=["python"]):
                assert_type(answer, wherefrom.PostAnswer)
    try:
        SearchOptions(limit=0)
    except UsageError as error:
        print(error)


PUBLIC: list[object] = [NAMES]
'''

WRONG = """
import wherefrom

index = wherefrom.open_index("here")
index.search("code", limt=3)  # a typo
index.search("code", limit="3")  # of another type
index.search("code", wherefrom.SourcesOptions())  # the options of another call
index.search("code", wherefrom.SearchOptions(), limit=3)  # both
index.similar("a:b", by="taste")  # not one of the words
index.check("folder/file", 3)  # no options at all
wherefrom.SearchOptions(limt=3)  # a typo
wherefrom.index_sources(["one"], "there", job=3)  # a typo
wherefrom.index_sources(["one"])  # no location
wherefrom.open_index("here", wherefrom.SearchOptions())  # not those of an engine
wherefrom.search("code")  # no such name
"""


def checked(folder: Path, script: str) -> list[str]:
    """The messages of mypy about a script."""
    (folder / "script.py").write_text(script)
    (folder / "mypy.ini").write_text(f"[mypy]\nstrict = true\nmypy_path = {ROOT}\nfollow_imports = silent\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", "--hide-error-context", "script.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if ": note:" not in line]


@pytest.mark.slow
def test_a_script_with_types_passes_and_its_mistakes_do_not(tmp_path: Path) -> None:
    names = ", ".join(f"wherefrom.{name}" for name in dir(public))
    assert checked(tmp_path, SCRIPT.replace("NAMES", names)) == []
    found = {int(line.split(":")[1]) for line in checked(tmp_path, WRONG)}
    wanted = {number for number, line in enumerate(WRONG.splitlines(), 1) if "  # " in line}
    assert found == wanted
