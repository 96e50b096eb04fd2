"""A call takes its options as one object or as keywords, and `help` and `inspect` show both."""

from __future__ import annotations

import dataclasses
import inspect
import pydoc
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import wherefrom
from tests.repositories import Repository
from wherefrom import Index, public
from wherefrom.errors import UsageError
from wherefrom.options import CheckOptions, CorpusOptions, LearnOptions, SearchOptions, SimilarOptions, SourcesOptions
from wherefrom.options.calls import takes
from wherefrom.options.fields import Options, Whole, option


def takes_options(value: object) -> bool:
    return "options" in getattr(getattr(value, "__wrapped__", None), "__annotations__", ())


FUNCTIONS = {name: value for name in dir(public) if takes_options(value := getattr(public, name))}
METHODS = {name: value for name, value in vars(Index).items() if takes_options(value)}
CALLS: dict[str, Any] = {**FUNCTIONS, **{f"Index.{name}": call for name, call in METHODS.items()}}

CODE = textwrap.dedent("""
    def area_of_polygon(points):
        total = 0
        for (x, y), (next_x, next_y) in zip(points, points[1:] + points[:1]):
            total += x * next_y - next_x * y
        return abs(total) / 2
""")


@dataclass(frozen=True, kw_only=True)
class Little(Options):
    """Options of the calls below."""

    limit: int = option(10, Whole(at_least=1), "How many.", flag=False)
    times: int = option(1, Whole(at_least=1), "How often.", flag=False)


@dataclass(frozen=True, kw_only=True)
class Less(Options):
    """Other options."""


@takes(Little)
def repeated(text: str, options: Little) -> str:
    """Repeats a text."""
    return text[: options.limit] * options.times


class Machine:
    """Has methods with and without an argument before their options."""

    def __init__(self, mark: str) -> None:
        self.mark = mark

    @takes(Little)
    def shown(self, options: Little) -> str:
        """Shows its mark."""
        return self.mark * options.times

    @takes(Little)
    def joined(self, text: str, options: Little) -> str:
        """Joins a text to its mark."""
        return (self.mark + text[: options.limit]) * options.times


def test_an_object_and_keywords_mean_the_same() -> None:
    machine = Machine("x")
    for call, leading in (
        (repeated, ["abc"]),
        (machine.shown, []),
        (machine.joined, ["abc"]),
        (Machine.shown, [machine]),
        (Machine.joined, [machine, "abc"]),
    ):
        free: Callable[..., str] = call
        assert free(*leading) == free(*leading, Little())
        assert free(*leading, limit=2, times=3) == free(*leading, Little(limit=2, times=3))
    assert repeated("abc", limit=2, times=3) == "ababab"
    assert machine.shown(times=3) == "xxx"
    assert machine.joined("abc", Little(limit=1, times=2)) == "xaxa"


@pytest.mark.parametrize(
    ("arguments", "keywords", "message"),
    [
        (("abc", Little()), {"limit": 2}, "repeated takes options or their fields as keywords, not both"),
        (("abc", Less()), {}, "the options of repeated must be Little, not Less"),
        (("abc", 3), {}, "the options of repeated must be Little, not int"),
        (("abc", None), {}, "the options of repeated must be Little, not NoneType"),
        (("abc", Little(), Little()), {}, "repeated takes one object of options, not 2 more arguments"),
        (("abc",), {"limit": 0}, "limit must be a whole number, at least 1, not 0"),
    ],
)
def test_contradicting_arguments_are_refused(
    arguments: tuple[Any, ...], keywords: dict[str, Any], message: str
) -> None:
    free: Callable[..., str] = repeated
    with pytest.raises(UsageError) as raised:
        free(*arguments, **keywords)
    assert str(raised.value) == message


def test_a_keyword_that_is_not_there_is_a_type_error() -> None:
    free: Callable[..., str] = repeated
    with pytest.raises(TypeError, match="limt"):
        free("abc", limt=3)
    with pytest.raises(TypeError, match="needs its argument 'text'"):
        free(limit=3)


def test_an_argument_of_a_subclass_of_the_options_is_taken() -> None:
    @dataclass(frozen=True, kw_only=True)
    class More(Little):
        pass

    assert repeated("abc", More(limit=1)) == "a"


# The calls of the library.


def test_every_call_with_options_is_known_here() -> None:
    assert {*FUNCTIONS} >= {"copy_index", "index_sources", "measure_frequencies", "measure_noise", "measure_samplers"}
    assert {*METHODS} >= {"check", "learn_boilerplate", "search", "search_posts", "similar", "sources"}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_shows_its_arguments_its_fields_and_its_meaning(name: str) -> None:
    call = CALLS[name]
    signature = inspect.signature(call)
    hints = get_type_hints(call, localns=vars(public))
    options, result = hints["options"], hints["return"]
    fields = {field.name: field.default for field in dataclasses.fields(options)}
    by_keyword = [parameter for parameter in signature.parameters.values() if parameter.kind is parameter.KEYWORD_ONLY]
    leading = [parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.KEYWORD_ONLY]
    assert {parameter.name: parameter.default for parameter in by_keyword} == fields
    assert {parameter.kind for parameter in leading} == {inspect.Parameter.POSITIONAL_ONLY}
    assert [parameter.name for parameter in leading if parameter.name != "self"] == [
        key for key in hints if key not in {"options", "return"}
    ]
    assert result is not None
    assert signature.return_annotation == call.__wrapped__.__annotations__["return"]
    assert "options" not in signature.parameters
    assert (call.__doc__ or "").strip()
    assert call.__doc__ == call.__wrapped__.__doc__
    assert call.__qualname__ == name


def test_help_shows_the_calls_as_it_shows_functions() -> None:
    page = pydoc.plain(pydoc.render_doc(Index))
    for name in METHODS:
        assert f" |  {name}(self, " in page
    assert "limit: 'int' = 10" in page
    assert "index_sources(sources: " in pydoc.plain(pydoc.render_doc(wherefrom.index_sources))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("calls")
    for name in ("one", "two", "three"):
        Repository.make(folder / name, {f"{name}.py": f"{name} = 1\n{CODE}".encode()})
    wherefrom.index_sources([folder / name for name in ("one", "two", "three")], folder / "index", jobs=1)
    with wherefrom.open_index(folder / "index") as opened:
        yield opened


def without_times(result: Any) -> dict[str, Any]:
    return {key: value for key, value in result.to_dict().items() if key not in {"took_ms", "seconds"}}


def test_a_bound_call_has_no_self(index: Index) -> None:
    assert [*inspect.signature(index.search).parameters][:2] == ["code", "earlier"]
    assert index.search.__doc__ == Index.search.__doc__
    shown = pydoc.plain(pydoc.render_doc(index.search, title="Help on %s"))
    assert shown.startswith("Help on method search in module wherefrom.index\n\nsearch(code: 'str | bytes | ")


@pytest.mark.slow
def test_the_methods_answer_alike_either_way(index: Index, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CODE)
    [hit] = index.search(CODE).hits
    target = f"{hit.occurrences[0].repository}:{hit.occurrences[0].path}"
    for by_keyword, by_object, plain in (
        (index.search(CODE, name="a"), index.search(CODE, SearchOptions(name="a")), index.search(CODE)),
        (index.sources(CODE, name="a"), index.sources(CODE, SourcesOptions(name="a")), index.sources(CODE)),
        (
            index.similar(target, explain=True),
            index.similar(target, SimilarOptions(explain=True)),
            index.similar(target),
        ),
        (
            index.check([tmp_path], min_tokens=500),
            index.check([tmp_path], CheckOptions(min_tokens=500)),
            index.check([tmp_path]),
        ),
    ):
        assert without_times(by_keyword) == without_times(by_object) != without_times(plain)
    assert index.learn_boilerplate(limit=1).to_dict() == index.learn_boilerplate(LearnOptions(limit=1)).to_dict()


def test_the_functions_answer_alike_either_way(index: Index, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CODE)
    one = wherefrom.measure_noise([tmp_path], cache=tmp_path)
    assert one == wherefrom.measure_noise([tmp_path], CorpusOptions(cache=tmp_path))
