"""The matching runs of two files are the same with the kernel and without it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyzers.streams import Token, letters, stream, words
from tests.end_to_end.conftest import module_source
from wherefrom.analyzers import kernel
from wherefrom.analyzers.documents import document
from wherefrom.analyzers.tokens import encode
from wherefrom.compare.matching import ComparedText, Ignored, matching_runs
from wherefrom.model import SkipReason, StoredBlob
from wherefrom.options import Limits
from wherefrom.support import extension

pytestmark = pytest.mark.usefixtures("with_kernel")

CODE = st.lists(st.sampled_from(words('a b c d = = ; ( . 1 2 "s" "t"')), max_size=40)
PROSE = st.text("ab é1", max_size=40).map(letters)


class Masked(Ignored):
    """Masks the tokens that a test gives."""

    def __init__(self, masked: Sequence[bool]) -> None:
        super().__init__()
        object.__setattr__(self, "masked", np.array(masked, np.bool_))

    def mask(self, text: ComparedText) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        found = np.zeros(len(text.document.numbered), np.bool_)
        given: np.ndarray[tuple[int], np.dtype[np.bool_]] = self.masked  # type: ignore[attr-defined] # set above
        found[: len(given)] = given[: len(found)]
        return found


def made(tokens: Sequence[Token], masked: Sequence[bool] = ()) -> ComparedText:
    encoded = encode(stream(tokens))
    return ComparedText(StoredBlob("0" * 40, "python", 0, len(tokens), encoded), Masked(masked))


def shared(left: ComparedText, right: ComparedText, least: int) -> list[object]:
    """The runs, and the fingerprints of the left one."""
    found = {
        representation: (of.k, of.positions.tolist(), of.terms.tolist())
        for representation, of in left.fingerprints.items()
    }
    return [matching_runs(left, right, least=least), found]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[Token], list[Token]]:
    """Texts made of the same blocks, some of them repeated, in another order or with other names."""
    blocks = draw(st.lists(CODE | PROSE, min_size=1, max_size=4))
    sides = [[block for at in draw(st.lists(st.sampled_from(range(len(blocks))), max_size=6)) for block in blocks[at]]]
    order = draw(st.lists(st.sampled_from(range(len(blocks))), max_size=6))
    sides.append([token for at in order for token in blocks[at]])
    if draw(st.booleans()):
        places = draw(st.sets(st.integers(0, 200), max_size=5))
        other = words("z")[0]
        sides[1] = [other if at in places else token for at, token in enumerate(sides[1])]
    repeated = draw(st.sampled_from([1, 1, 1, 12]))
    return sides[0] * repeated, sides[1] * draw(st.sampled_from([1, repeated]))


@given(pairs(), st.lists(st.booleans(), max_size=30), st.lists(st.booleans(), max_size=30), st.integers(4, 20))
def test_runs(both: tuple[list[Token], list[Token]], masked: list[bool], masked_there: list[bool], least: int) -> None:
    def ask() -> list[object]:
        return shared(made(both[0], masked), made(both[1], masked_there), least)

    assert kernel.active() is not None
    found = ask()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(extension.VARIABLE, "0")
        assert kernel.active() is None
        assert found == ask()


def test_runs_of_real_files() -> None:
    sources = [module_source(name) for name in ("heapq", "bisect", "textwrap", "shlex", "fnmatch", "opcode")]
    sources.append(b"\n".join(reversed(sources[0].split(b"\n\n"))) + sources[2])
    texts = []
    for source in sources:
        stored = document("a.py", source, Limits())
        assert not isinstance(stored, SkipReason)
        texts.append(StoredBlob("0" * 40, stored.language, len(source), stored.token_count, stored.tokens))

    def ask() -> list[list[object]]:
        return [
            shared(ComparedText(left, Ignored()), ComparedText(right, Ignored()), 12)
            for left in texts
            for right in texts
            if left is not right
        ]

    found = ask()
    assert sum(len(runs) for runs, _ in found) > 50  # type: ignore[arg-type, misc] # a list
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(extension.VARIABLE, "0")
        assert found == ask()


def test_the_kernel_refuses_what_does_not_belong_together() -> None:
    native = kernel.active()
    assert native is not None
    text = made(words("a = b ; c = d ;"))
    rules = {"repeated": 8, "often": 16, "band": 4, "prose": 5}
    numbered = text.document.numbered
    with pytest.raises(ValueError, match="masked or not"):
        native.comparable(numbered, np.zeros(3, np.bool_), {}, **rules)
    ours = text.comparable
    assert ours is not None
    other = native.comparable(numbered, np.zeros(len(numbered), np.bool_), {}, **rules)
    with pytest.raises(ValueError, match="same representations"):
        native.matching_runs(ours, other, 12)
