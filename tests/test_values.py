"""The data classes of this package behave like those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any, ClassVar

import pytest

from wherefrom.support import values


@values.dataclass(frozen=True, slots=True, order=True)
class Ours:
    """A value."""

    name: str
    sizes: tuple[int, ...] = ()
    words: list[str] = values.field(default_factory=list, compare=False, repr=False)


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Standard:
    """The same value."""

    name: str
    sizes: tuple[int, ...] = ()
    words: list[str] = dataclasses.field(default_factory=list, compare=False, repr=False)


@values.dataclass
class Open:
    """A value that may change."""

    name: str


@pytest.mark.parametrize("made", [Ours, Standard])
def test_a_value_is_that_of_its_fields(made: Any) -> None:
    one, other = made("a", (1,)), made("a", sizes=(1,), words=["x"])
    assert one == other
    assert hash(one) == hash(other)
    assert one < made("b")
    assert repr(one) == f"{made.__name__}(name='a', sizes=(1,))"
    assert values.replace(one, name="b") == made("b", (1,))
    assert values.asdict(other) == {"name": "a", "sizes": (1,), "words": ["x"]}
    assert [pickle.loads(pickle.dumps(one)), copy.deepcopy(one)] == [one, one]
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.name = "b"
    with pytest.raises(dataclasses.FrozenInstanceError):
        del one.name
    with pytest.raises(TypeError):
        made()
    with pytest.raises(TypeError):
        made("a", (), [], 1)


def kinds(dataclass: Any) -> Any:
    """A class with fields of every kind, and its parent."""

    @dataclass
    class Parent:
        name: str
        size: int = 1

    @dataclass(kw_only=True, slots=True)
    class Child(Parent):
        """A value."""

        kind: ClassVar[str] = "child"
        size: int = 2
        words: list[str] = values.field(default_factory=list)
        total: int = values.field(default=7, init=False)
        length: int = values.field(init=False, compare=False)

        def __post_init__(self) -> None:
            self.length = len(self.words)

    return Child


@pytest.mark.parametrize("dataclass", [values.dataclass, dataclasses.dataclass])
def test_the_first_values_are_like_later_ones(dataclass: Any) -> None:
    made = kinds(dataclass)
    assert [each.name for each in values.fields(made)] == ["name", "size", "words", "total", "length"]
    assert made.__match_args__ == ("name",)
    assert made.kind == "child"
    assert "words" in made.__slots__
    for wrong in ({}, {"name": "a", "other": 1}, {"name": "a", "total": 1}):
        with pytest.raises(TypeError, match="__init__"):
            kinds(dataclass)(**wrong)
    for wrong_places in (("a", 1), ("a", "b", "c")):
        with pytest.raises(TypeError, match="positional"):
            kinds(dataclass)(*wrong_places)
    for _ in range(values.FIRST + 2):
        one = made("a", words=["b"])
        assert one == made(name="a", size=2, words=["b"])
        assert (one.total, one.length) == (7, 1)
        assert made("a").words is not made("a").words


def test_a_subclass_may_have_attributes_beside_the_fields() -> None:
    child: Any = type("Child", (Ours,), {})("a")
    child.other = 1
    assert child.other == 1
    del child.other
    with pytest.raises(dataclasses.FrozenInstanceError):
        child.name = "b"


@pytest.mark.parametrize("dataclass", [values.dataclass, dataclasses.dataclass])
def test_a_class_may_have_parents_and_children_of_either_kind(dataclass: Any) -> None:
    parent: Any = dataclass(frozen=True)(type("Parent", (), {"__annotations__": {"name": str}}))
    for child_of in (values.dataclass, dataclasses.dataclass):
        body = {"__annotations__": {"size": int}, "size": 0}
        child: Any = child_of(frozen=True)(type("Child", (parent,), body))
        assert child("a", 1) != child("a")
        with pytest.raises(dataclasses.FrozenInstanceError):
            child("a").size = 2
        assert parent.__dataclass_params__.frozen


def test_a_value_that_is_not_frozen_may_change() -> None:
    value = Open("a")
    value.name = "b"
    assert value == Open("b")
    with pytest.raises(TypeError):
        hash(value)
