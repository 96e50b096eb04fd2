"""Common code: what everyone writes in a language, learned from many projects."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.tokens import Symbols, part
from wherefrom.fitted import RUN
from wherefrom.queries.preparation import common_code
from wherefrom.queries.preparation.common_code import common_tokens, leading

MODULE = """\
(function (root, factory) {
  if (typeof define === 'function' && define.amd) {
    define(['exports'], factory);
  } else if (typeof exports === 'object') {
    factory(exports);
  } else {
    factory((root.colors = {}));
  }
}(this, function (exports) {
"""

TABLE_TEST = """\
for _, tc := range testCases {
	t.Run(tc.name, func(t *testing.T) {
		got, err := parse(tc.input)
		if err != nil {
			t.Fatalf("unexpected error: %v", err)
		}
		if got != tc.want {
			t.Errorf("got %v, want %v", got, tc.want)
		}
	})
}
"""

MEDIAN = """\
def running_median(samples, width, *, centre=True):
    window = SortedRing(capacity=width)
    for offset, sample in enumerate(samples):
        window.push(sample if sample == sample else window.middle())
        if offset + 1 >= width or not centre:
            yield offset - (width // 2 if centre else 0), window.middle() * 0.5 + window.spread(0.25, 0.75)
    while centre and window.shrink() > width // 2:
        yield offset, window.middle(bias="left") ** 2 % samples.period
"""

SWITCH = """\
static unsigned crossfade(struct deck *left, struct deck *right, unsigned beat, const float curve[16])
{
    left->gain = curve[beat & 15] * left->trim - right->bleed / (1.0f + left->trim);
    right->gain ^= left->phase << 3 | (beat * 2654435761u) >> 27;
    return (left->queue[beat % 7].cue < right->pitch ? right->tempo - left->tempo : beat + 44100u / left->tempo);
}
"""


def share(code: str, language: str) -> float:
    return float(common_tokens(analyze_snippet(code.encode(), language=language).tokens).mean())


@pytest.mark.parametrize(("code", "language"), [(MODULE, "javascript"), (TABLE_TEST, "go")])
def test_what_everyone_writes_is_common(code: str, language: str) -> None:
    assert share(code, language) > 0.7


@pytest.mark.parametrize(("code", "language"), [(MEDIAN, "python"), (SWITCH, "c")])
def test_code_of_its_own_is_not_common(code: str, language: str) -> None:
    assert share(code, language) < 0.2


def test_common_code_stays_so_with_other_names_of_variables() -> None:
    renamed = re.sub(r"\b(tc|testCases|got|err)\b", r"\1Other", TABLE_TEST)
    assert renamed != TABLE_TEST
    assert share(renamed, "go") == share(TABLE_TEST, "go")


def test_a_text_among_other_code_is_as_common_as_alone() -> None:
    tokens = analyze_snippet((MODULE + "\n").encode(), language="javascript").tokens
    both = analyze_snippet(
        (MODULE + "var z = q[3] ^ ~q[4] * 7 << w[9] % 2 - 1;\n").encode(), language="javascript"
    ).tokens
    alone = common_tokens(tokens)
    assert common_tokens(both)[: len(tokens) - RUN].tolist() == alone[: len(tokens) - RUN].tolist()


def test_a_token_is_common_only_in_a_whole_kgram() -> None:
    tokens = analyze_snippet(TABLE_TEST.encode(), language="go").tokens
    covered = np.diff(np.concatenate([[0], common_tokens(tokens).astype(np.int8), [0]]))
    lengths = np.flatnonzero(covered == -1) - np.flatnonzero(covered == 1)
    assert lengths.min() >= RUN


@pytest.mark.parametrize("count", [0, 1, RUN - 1, RUN])
def test_a_short_text_has_an_answer_for_each_token(count: int) -> None:
    tokens = analyze_snippet(TABLE_TEST.encode(), language="go").tokens
    short = part(tokens, 0, count) if count else Symbols(tokens.codes[:0], tokens.classes[:0], np.zeros(1, np.int64))
    found = common_tokens(short)
    assert len(found) == count
    assert found.any() <= (count >= RUN)


def test_a_saved_file_has_the_kgrams_that_were_saved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tokens = analyze_snippet(MEDIAN.encode(), language="python").tokens
    prefixes = np.unique(leading(kgrams(tokens, common_code.REPRESENTATION, RUN).hashes))
    buffer = BytesIO()
    common_code.save(buffer, prefixes, ["a=1"])
    path = tmp_path / "common.npz"
    path.write_bytes(buffer.getvalue())
    assert common_code.load(path).tolist() == prefixes.tolist()


def test_the_file_is_at_most_a_megabyte() -> None:
    assert len(files("wherefrom.queries").joinpath("data", "common.npz").read_bytes()) <= 1_000_000


def test_the_list_has_every_project_that_was_counted() -> None:
    listed = tomllib.loads((Path(__file__).parents[2] / "benchmarks/common_code.toml").read_text("utf-8"))["source"]
    projects = [project for entry in listed for project in entry["projects"]]
    with np.load(str(files("wherefrom.queries").joinpath("data", "common.npz"))) as arrays:
        assert sorted(arrays["sources"].tolist()) == sorted(projects)


def test_no_project_that_was_counted_is_in_a_set_of_queries() -> None:
    listed = (Path(__file__).parents[2] / "benchmarks/common_code.toml").read_text("utf-8").lower()
    folder = Path(__file__).parents[2] / "benchmarks/effectiveness"
    lists = [folder / name for name in ("draws.py", "evidence.toml")]
    draws = "".join(path.read_text("utf-8") for path in lists if path.exists())
    names = re.findall(r'"([\w.-]+/[\w.-]+)[@"]', draws) or ["pallets/flask"]
    for name in names:
        assert f'"{name.lower()}@' not in listed


def test_it_is_read_only_when_it_is_needed() -> None:
    program = "import wherefrom.queries.preparation.common_code as c; print(c.known.cache_info().currsize)"
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout == "0\n"
