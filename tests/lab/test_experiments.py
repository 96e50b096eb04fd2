"""The experiments on real code: modules of the standard library."""

from __future__ import annotations

import argparse
import ast
import difflib
import heapq
import inspect
import shutil
import textwrap
import tokenize
from typing import TYPE_CHECKING

import numpy as np
import pytest

import wherefrom
from tests.repositories import Repository
from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.errors import NotFound, UsageError
from wherefrom.lab.corpus import Corpus
from wherefrom.lab.measures import ties
from wherefrom.model import OF_TOKENS, Representation
from wherefrom.sources.discover import discover

if TYPE_CHECKING:
    from pathlib import Path

    from wherefrom.lab.figures import CorpusProgress, FrequencyResult, SamplerFigures, SamplerResult

TABLE = b"TABLE = [\n" + b"    0, 0, 0, 0, 0,\n" * 300 + b"]\n"


def code(module: object) -> bytes:
    assert inspect.ismodule(module)
    return inspect.getsource(module).encode()


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two repositories of real code: `wrap.py` is in both, prose in the first, a table of low entropy in the second."""
    folder = tmp_path_factory.mktemp("clones")
    prose = (inspect.getdoc(argparse) or "").encode() * 3
    one = {"a.py": code(argparse), "b.py": code(difflib), "wrap.py": code(textwrap), "notes.txt": prose}
    other = {"c.py": code(ast), "d.py": code(tokenize), "heap.py": code(heapq), "copy.py": code(textwrap)}
    Repository.make(folder / "one", {**one, "data.csv": b"1,2\n" * 50})
    Repository.make(folder / "two", {**other, "table.py": TABLE})
    return folder


@pytest.fixture(scope="module")
def measured(clones: Path) -> SamplerResult:
    return wherefrom.measure_samplers([str(clones)], random_text=300_000)


def figures(result: SamplerResult, data: str) -> dict[str, SamplerFigures]:
    return {it.sampler: it for it in result.figures if it.data == data}


@pytest.mark.thorough
def test_each_different_content_is_read_once(clones: Path) -> None:
    corpus = Corpus.of_sources(discover([str(clones)], cache=clones))
    contents = list(corpus)
    assert [each.language for each in contents].count("text") == 1
    assert (corpus.size.repositories, corpus.size.contents, corpus.size.failed) == (2, 8, {})
    assert corpus.size.tokens == sum(len(each.symbols) for each in contents)
    assert len(list(corpus)) == 8


def test_each_different_content_of_a_folder_is_read_once_too(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "wrap.py").write_bytes(code(textwrap))
    assert len(list(Corpus.of_sources(discover([str(tmp_path)], cache=tmp_path)))) == 1


@pytest.mark.slow
def test_what_an_index_holds_is_measured_as_its_sources_are(clones: Path, tmp_path: Path) -> None:
    wherefrom.index_sources([str(clones)], tmp_path / "index", jobs=1)
    assert wherefrom.measure_frequencies([], index=tmp_path / "index") == wherefrom.measure_frequencies([str(clones)])
    assert wherefrom.measure_noise([], index=tmp_path / "index") == wherefrom.measure_noise([str(clones)])


@pytest.mark.thorough
@pytest.mark.parametrize("is_kept", [True, False])
def test_the_most_common_code_is_shown_if_the_index_or_its_clone_has_it(tmp_path: Path, is_kept: bool) -> None:
    """Code that the index keeps is shown without the clone; other code is read from the clone."""
    clone = tmp_path / "clone"
    Repository.make(clone, {"wrap.py": code(textwrap)})
    wherefrom.index_sources([str(clone)], tmp_path / "index", keep_source=is_kept, jobs=1)
    for is_there in (True, False):
        (found, *_) = wherefrom.measure_frequencies([], index=tmp_path / "index").frequencies
        shown = [common.code for common in found.common]
        if is_there or is_kept:
            assert all(it and it in code(textwrap).decode() for it in shown)
        else:
            assert not any(shown)
        shutil.rmtree(clone, ignore_errors=True)


@pytest.mark.slow
def test_on_random_text_the_densities_are_those_of_theory(measured: SamplerResult) -> None:
    random = figures(measured, "random text, k=50")
    assert {it.kgrams for it in random.values()} == {300_000 - 49}
    for name in ("winnow", "robust_winnow", "mod_p", "safe_mod_p"):
        assert random[name].density == pytest.approx(random[name].expected, rel=0.05)
    assert random["open_closed"].density < 0.9 * random["winnow"].density


@pytest.mark.slow
def test_safe_mod_p_keeps_least_near_the_optimum_of_the_paper(measured: SamplerResult) -> None:
    safe = [it for it in measured.figures if (it.data, it.sampler) == ("random text, k=50", "safe_mod_p")]
    assert [it.parameters for it in safe] == ["w=100 p=22", "w=100 p=50"]
    assert [it.density for it in safe] == pytest.approx([0.055, 0.153], abs=0.003)


@pytest.mark.thorough
def test_what_keeps_the_guarantee_leaves_no_window_empty(measured: SamplerResult) -> None:
    for it in measured.figures:
        if it.sampler in {"winnow", "robust_winnow", "open_closed", "safe_mod_p"}:
            w = int(it.parameters.split()[0].removeprefix("w="))
            assert it.uncovered == 0
            assert it.longest_gap < w
    without = figures(measured, "random text, k=50")["mod_p"]
    assert without.uncovered > 0
    assert without.longest_gap > 100


@pytest.mark.thorough
def test_robust_winnowing_keeps_less_where_entropy_is_low(measured: SamplerResult) -> None:
    one_letter = figures(measured, "one letter, k=50")
    assert one_letter["robust_winnow"].density == pytest.approx(0.01, rel=0.01)
    assert one_letter["winnow"].density > 0.99
    low = figures(measured, "renamed, low entropy")
    assert low["winnow"].density > 2 * low["robust_winnow"].density
    assert figures(measured, "renamed")["winnow"].kgrams > low["winnow"].kgrams > 2_000


def test_ties_are_hashes_that_come_again_within_a_window() -> None:
    assert ties(np.array([1, 2, 1, 3, 3, 2], np.uint64), 3) == pytest.approx(2 / 6)
    assert ties(np.empty(0, np.uint64), 3) == 0


@pytest.mark.thorough
def test_k_and_window_are_those_of_the_call(clones: Path) -> None:
    result = wherefrom.measure_samplers([str(clones)], k=1, window=3, random_text=0)
    assert {it.data.split(",")[0] for it in result.figures} == {"one letter", "exact", "renamed", "p_match", "text"}
    exact = figures(result, "exact")
    assert exact["winnow"].parameters == "w=3"
    assert exact["winnow"].kgrams + figures(result, "text")["winnow"].kgrams == result.corpus.tokens


@pytest.fixture(scope="module")
def frequencies(clones: Path) -> FrequencyResult:
    return wherefrom.measure_frequencies([str(clones)])


def test_frequencies_are_those_of_the_fingerprints(clones: Path, frequencies: FrequencyResult) -> None:
    found = {it.representation: it for it in frequencies.frequencies}
    assert set(found) == set(OF_TOKENS)
    hashes = []
    for content in Corpus.of_sources(discover([str(clones)], cache=clones)):
        grams = sampled_kgrams(content.symbols, SCHEMES[Representation.EXACT])
        hashes.append(grams.hashes[sample(grams, SCHEMES[Representation.EXACT])])
    _, counts = np.unique(np.concatenate(hashes), return_counts=True)
    exact = found[Representation.EXACT]
    assert (exact.fingerprints, exact.distinct, exact.sampled) == (counts.sum(), len(counts), 1)
    assert exact.points[0] == (1, counts.max())
    assert exact.points[-1] == (len(counts), 1)
    shares = [np.mean(counts == times) for times in (1, 2, 3)]
    assert [exact.once, exact.twice, exact.thrice] == pytest.approx(shares)
    assert exact.slope is not None
    assert exact.slope < -0.3


def test_all_kgrams_are_counted_beside_those_that_are_selected(clones: Path, frequencies: FrequencyResult) -> None:
    selected = {it.representation: it for it in frequencies.frequencies}
    every = {it.representation: it for it in frequencies.kgrams}
    assert every.keys() == selected.keys()
    exact = every[Representation.EXACT]
    assert exact.fingerprints == sum(
        len(kgrams(content.symbols, Representation.EXACT, 8).hashes)
        for content in Corpus.of_sources(discover([str(clones)], cache=clones))
    )
    density = selected[Representation.EXACT].fingerprints / exact.fingerprints
    assert density == pytest.approx(0.184, rel=0.1)  # of open-closed sampling on random tokens
    assert exact.points[0][1] >= selected[Representation.EXACT].points[0][1]


@pytest.mark.slow
def test_the_most_common_fingerprints_are_shown_as_code(clones: Path, tmp_path: Path) -> None:
    [exact] = [it for it in wherefrom.measure_frequencies([str(clones)]).frequencies if it.representation == "exact"]
    assert [common.frequency for common in exact.common] == [frequency for _, frequency in exact.points[:5]]
    best = exact.common[0]
    assert best.code is not None
    assert sorted(best.code.translate(str.maketrans("", "", "\n ()"))) == sorted("0,0,0,0,")
    gone = tmp_path / "gone"
    Repository.make(gone, {"table.py": TABLE})
    wherefrom.index_sources([gone], tmp_path / "index", jobs=1)
    indexed = wherefrom.measure_frequencies([], index=tmp_path / "index").frequencies[0].common[0]
    assert indexed.code is not None
    assert indexed.code in TABLE.decode()
    shutil.rmtree(gone)
    assert wherefrom.measure_frequencies([], index=tmp_path / "index").frequencies[0].common[0].code is None


def test_noise_falls_as_k_grows_and_copied_files_are_none(clones: Path) -> None:
    curves = {it.representation: it for it in wherefrom.measure_noise([str(clones)]).curves}
    assert set(curves) == set(OF_TOKENS) - {Representation.TEXT}
    for curve in curves.values():
        assert (curve.language, curve.repositories) == ("python", 2)
        medians = [median for _, median, _ in curve.shares]
        assert medians == sorted(medians, reverse=True)
        assert medians[0] > 0.01
        assert medians[-1] < 0.01
        assert all(greatest >= median for _, median, greatest in curve.shares)
    of_8 = {each: next(median for k, median, _ in curve.shares if k == 8) for each, curve in curves.items()}
    assert of_8[Representation.EXACT] < of_8[Representation.RENAMED]


def test_one_repository_alone_has_no_noise(clones: Path) -> None:
    assert wherefrom.measure_noise([str(clones / "one")]).curves == ()


def test_a_repository_that_cannot_be_read_does_not_stop_the_others(clones: Path, tmp_path: Path) -> None:
    broken = Repository.make(tmp_path / "broken", {"a.py": b"x = 1\n"})
    tree = broken.git("rev-parse", "HEAD^{tree}")
    (broken.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    result = wherefrom.measure_frequencies([str(broken.folder), str(clones)])
    assert list(result.corpus.failed) == [str(broken.folder)]
    assert result.corpus.contents == 8


def test_progress_ends_with_all_that_was_read(clones: Path) -> None:
    events: list[CorpusProgress] = []
    result = wherefrom.measure_noise([str(clones)], progress=events.append)
    last = events[-1]
    assert (last.repositories, last.repositories_total) == (2, 2)
    assert (last.contents, last.tokens) == (result.corpus.contents, result.corpus.tokens)


def test_arguments_that_cannot_be_right_are_refused(clones: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="either sources or an index"):
        wherefrom.measure_noise([])
    with pytest.raises(UsageError, match="either sources or an index"):
        wherefrom.measure_noise([str(clones)], index=tmp_path)
    with pytest.raises(UsageError, match=r"^k must be a whole number, 1 to 64, not 65"):
        wherefrom.measure_samplers([str(clones)], k=65)
    with pytest.raises(UsageError, match=r"^window must be a whole number, at least 1, not 0"):
        wherefrom.measure_samplers([str(clones)], window=0)
    with pytest.raises(UsageError, match=r"^random_text must be a whole number, at least 0, not -1"):
        wherefrom.measure_samplers([str(clones)], random_text=-1)
    with pytest.raises(NotFound):
        wherefrom.measure_frequencies([str(tmp_path / "nothing")])
