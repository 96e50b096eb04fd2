"""One index, one answer: every form of an index answers every call alike, or a table says why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from tests.end_to_end.forms import CALLS, FORMS, Form, World, at_once, calls_of

Ask = Callable[[str], tuple[int, Any]]


class Other(NamedTuple):
    """Calls that forms answer differently.

    Attributes:
        forms: the beginnings of the names of the forms.
        calls: the beginnings of the calls.
        is_refused: whether they are an error. Otherwise they have another answer.
        reason: why that is right.
    """

    forms: tuple[str, ...]
    calls: tuple[str, ...]
    is_refused: bool
    reason: str


_NEED_CODE = "similar", "sources snippets/two.py --format", "trace", "check", "fixed", "releases project", "posts"
_NAME_SETS = "boilerplate show shared", "search snippets/two.py --without sha", "first snippets/two.py"

OTHER = (
    Other(("in two runs", "in the other order"), ("watch report",), False, "what comes after the watch is new"),
    Other(("with wide terms",), ("stats",), False, "the bits of a term are counted"),
    Other(("without the kernel",), ("stats",), False, "the analyzer is named"),
    Other(("published", "served"), ("watch report", "watch list"), False, "watches are not published"),
    Other(("published", "served"), ("releases project",), False, "has no clones whose lines can be compared"),
    Other(("without code",), _NEED_CODE, True, "has no code"),
    Other(("without code",), ("releases snippets",), False, "the lines are those of terms alone"),
    Other(("without code",), _NAME_SETS, True, "has no sets"),
    Other(("without code",), ("watch report", "watch list", "boilerplate list"), False, "has no sets and no watches"),
    Other(("without code",), ("stats", "first", "search snippets/function.py --oldest"), False, "has no history"),
)


def other(form: Form, call: str) -> Other | None:
    """The row of a form and a call; None if the answer is that of the first form."""
    return next((row for row in OTHER if form.name.startswith(row.forms) and call.startswith(row.calls)), None)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[World]:
    prefix = f"wherefrom-forms-{uuid4().hex[:12]}"
    used: list[Any] = []

    def location() -> str:
        server = request.getfixturevalue("elasticsearch")
        used.append(server)
        return str(server.index(f"{prefix}-{len(used)}"))

    yield World.make(tmp_path_factory.mktemp("forms") / "world", location)
    for server in used[:1]:
        server.remove(prefix)


@pytest.fixture(scope="module")
def opened(world: World) -> Iterator[Callable[[Form], Ask]]:
    """Makes each form once."""
    made: dict[str, Ask] = {}
    with ExitStack() as stack:

        def ask(form: Form) -> Ask:
            if form.name not in made:
                made[form.name] = stack.enter_context(form.opened(world))
            return made[form.name]

        yield ask


LIVE = {"on elasticsearch": [pytest.mark.live]}


@pytest.mark.matrix("form")
@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("form", [pytest.param(it, marks=LIVE.get(it.name, ()), id=it.name) for it in FORMS])
def test_every_form_answers_alike(form: Form, kind: str, opened: Callable[[Form], Ask]) -> None:
    first, ask = opened(Form("at once", at_once)), opened(form)
    for call in filter(form.takes, calls_of(kind)):
        expected, found, row = form.compared(first(call)), form.compared(ask(call)), other(form, call)
        assert expected[0] != 2, (call, expected)
        if row is None:
            assert found == expected, call
        else:
            assert found[0] == 2 if row.is_refused else found != expected, (call, row.reason)
