"""The draw of packages that is measured at every change: on two packages of a registry on this machine."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from packageurl import PackageURL

from benchmarks import quality
from benchmarks.background import listed
from benchmarks.quality import (
    CHANGE,
    HELD_BACK,
    LANGUAGES,
    PLANS,
    RECORD,
    SLOWER,
    Quality,
    Row,
    at_least,
    losses,
    page,
    read,
)
from tests.benchmarks.test_draws import OTHER, TOTALS
from tests.sources.packages.registries import pypi_file, serving, tar

KIND = ("function, rewritten", "python")


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with serving() as server:
        for name, code in (("known", f"import os\n\n{TOTALS}"), ("other", OTHER * 2)):
            content = tar({f"{name}-1.0/{name}.py": f"# long enough to be drawn\n{code}".encode()})
            server.put(f"/simple/{name}/", {"files": [pypi_file(server, f"{name}-1.0.tar.gz", content)]})
        monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple/")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        numbers = dict.fromkeys(("functions", "inside", "unrelated"), 2)
        packages = {"indexed": ["pkg:pypi/known@1.0"], "unknown": ["pkg:pypi/other@1.0"]}
        monkeypatch.setitem(PLANS, CHANGE, {"seed": 1, **numbers, **packages})
        yield


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["quality", *arguments, "--packages", str(folder / "packages")])
    quality.main()


@pytest.mark.thorough
@pytest.mark.usefixtures("plan")
def test_what_is_recorded_is_compared_with_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "quality.jsonl"
    monkeypatch.setattr(quality, "RECORD", record)
    monkeypatch.setattr(quality, "SLOWER", 1000.0)
    run(monkeypatch, tmp_path, "--record")
    recorded = read(record.read_text())[CHANGE]
    assert recorded.rows[KIND] == Row(1, set())
    assert recorded.rows["unrelated function", "python"] == Row(1, set())
    assert page({CHANGE: recorded}) == record.with_suffix(".md").read_text()
    run(monkeypatch, tmp_path, "--check")
    record.write_text(record.read_text().replace('"cases": 1,', '"cases": 2,'))
    with pytest.raises(SystemExit, match="the draw has other cases"):
        run(monkeypatch, tmp_path, "--check")


def of(wrong: set[int], **others: object) -> Quality:
    values: dict[str, object] = {"sure": {0.9: (100, 99), 0.99: (90, 90)}, "times": 50.0, **others}
    return Quality({KIND: Row(100, wrong)}, **values)  # type: ignore[arg-type]


FEW = {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        (of(set()), of(set(range(6))), []),
        (of(set()), of(set(range(7))), ["7 cases are worse and 0 better"] * 3),  # of the kind, the language and all
        (of(FEW), of(set(range(4, 13))), []),  # nine are worse and four better
        (of(FEW), of(FEW, sure={0.9: (100, 92), 0.99: (90, 89)}), ["of answers from 0.9 on 92 of 100 are right"]),
        (of(FEW), of(FEW, times=50 * SLOWER - 1), []),
        (of(FEW), of(FEW, times=50 * SLOWER + 1), ["a search takes"]),
    ],
)
def test_a_loss_is_more_than_chance(before: Quality, now: Quality, found: list[str]) -> None:
    messages = list(losses(now, before))
    assert len(messages) == len(found)
    assert all(part in line for part, line in zip(found, messages, strict=True))


def test_a_probability_is_that_of_the_binomial_distribution() -> None:
    assert at_least(7, 7, 0.5) == pytest.approx(1 / 128)
    assert at_least(2, 3, 0.25) == pytest.approx(10 / 64)
    assert at_least(0, 5000, 0.01) == pytest.approx(1)


def test_the_page_has_the_recorded_figures_of_both_draws() -> None:
    recorded = read(RECORD.read_text())
    assert list(recorded) == [CHANGE, HELD_BACK]
    assert [[*losses(each, each)] for each in recorded.values()] == [[], []]
    assert RECORD.with_suffix(".md").read_text() == page(recorded)
    assert {language for _, language in recorded[CHANGE].rows} == set(LANGUAGES)


def test_no_package_is_in_two_draws_or_in_the_model_of_code() -> None:
    purls = [
        PackageURL.from_string(each) for each in chain(*((*it["indexed"], *it["unknown"]) for it in PLANS.values()))
    ]
    names = [(purl.type, purl.namespace, purl.name) for purl in purls]
    assert len(set(names)) == len(names)
    assert all(purl.version for purl in purls)
    named = {f"{purl.namespace}/{purl.name}" if purl.type == "npm" and purl.namespace else purl.name for purl in purls}
    counted = {re.split(r"=|(?<!^)@", project)[0] for origin, project in listed() if origin != "maven"}
    counted |= {project.split(":")[1] for origin, project in listed() if origin == "maven"}
    assert not named & counted
