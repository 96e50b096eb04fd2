"""Sends fuzzed sources through search, sources, check and all of their reports, on an index of hostile files."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from unicodedata import category

import jsonschema_rs

from soak.cases import Case, Outcome
from soak.inputs import fuzzed
from soak.world import Ground
from wherefrom import Index, open_index
from wherefrom.errors import WherefromError
from wherefrom.options import CheckOptions, SearchOptions, SimilarOptions, SourcesOptions
from wherefrom.reports import search
from wherefrom.reports.check.text import RENDERERS as CHECK
from wherefrom.reports.origins import SOURCES
from wherefrom.reports.renderer import Look, Renderer
from wherefrom.results import SearchResult
from wherefrom.support.workers import PARSE_MEMORY, Died
from wherefrom.support.workers.pool import Pool

INPUTS = 100
"""Inputs of a round."""

AGAIN = 5
"""One search in this number is repeated, and one input in this number is also given to `similar`."""

SECONDS = 120.0

SCHEMAS = Path(__file__).parents[1] / "wherefrom" / "reports" / "schemas"

LOOKS = (Look(), Look(color=True, width=20, explain=True), Look(width=200, lines=True))

URL = "https://stackoverflow.com/a/12345"

_STYLES = re.compile(r"\x1b\[[0-9;]*m")

_SCRIPT = re.compile(r"<script>.*?</script>", re.DOTALL)

_Answer = TypeVar("_Answer")


@cache
def opened(location: Path) -> tuple[Index, list[str]]:
    """The index, which stays open until the process ends, and its files as arguments of `similar`."""
    index = open_index(str(location))
    return index, [f"{at.repository}:{at.path}" for at in index._engine.occurrences()]


@cache
def _schema(kind: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(json.loads((SCHEMAS / f"{kind}-result.schema.json").read_text()))


def faults_of(kind: str, name: str, renderer: Renderer[Any], text: str, look: Look) -> Iterator[str]:
    """The failures in a report."""
    plain = _STYLES.sub("", text) if look.color else text
    raw = {letter for letter in plain if not (letter.isprintable() or letter == "\n" or category(letter) == "Zs")}
    if raw:
        yield f"{name} holds control characters: {raw}"
    if name in {"json", "jsonl", "sarif"}:
        value = json.loads(text)
        if not text.isascii():
            yield f"{name} is not ASCII"
        if name != "sarif":
            yield from (f"{name}: {error.message}" for error in _schema(kind).iter_errors(value))
    if name == "csv":
        header, *rows = csv.reader(io.StringIO(renderer.header + text))
        if {len(row) for row in rows} - {len(header)}:
            yield "csv has rows of different lengths"
        formulas = [cell for row in rows for cell in row if cell.lstrip()[:1] in tuple("=+-@")]
        if formulas:
            yield f"csv has formulas: {formulas}"
    if name == "html":
        others = _SCRIPT.sub("", text, count=1)  # without the page's one script; elements with JSON are allowed
        if re.search(
            r"<script(?! type=\"application/json\")|<img|<iframe|\son\w+=[^\"]|javascript:",
            re.sub(r">[^<]*<", "><", others),
        ):
            yield "html holds what a browser runs"


def reported(renderers: Mapping[str, Renderer[_Answer]], answer: _Answer) -> list[str]:
    """The failures in all reports of an answer."""
    found: list[str] = []
    tables: dict[str, object] = {"check": CHECK, "search": search.RENDERERS, "sources": SOURCES}
    [kind] = (kind for kind, table in tables.items() if table is renderers)
    for name, renderer in renderers.items():
        for look in LOOKS if name == "text" else LOOKS[:1]:
            text = "".join(renderer.write(answer, look))
            found.extend(faults_of(kind, name, renderer, text, look))
    return found


def _wrong_regions(result: SearchResult, content: bytes) -> list[str]:
    """Regions outside of the snippet, and shares outside of 0 to 1."""
    pairs = [pair.query for hit in result.hits for pair in hit.regions]
    outside = [region for region in pairs if not 0 <= region.start_byte < region.end_byte <= len(content)]
    shares = [hit.containment for hit in result.hits if not 0 <= hit.containment <= 1]
    return ([f"outside of the snippet: {outside}"] if outside else []) + ([f"shares: {shares}"] if shares else [])


def _searched(index: Index, content: bytes, dice: Random, counts: Counter[str]) -> list[str]:
    options = SearchOptions(
        limit=dice.choice((1, 3, 50)),
        language=dice.choice((None, None, None, "python", "c", "text", "html", "jupyter", "markdown")),
        explain=dice.random() < 0.5,
        sources=dice.choice(((), (URL,))),
        licenses=dice.choice(((), ("MIT",))),
        unattributed=dice.random() < 0.1,
        min_containment=dice.choice((0.0, 0.0, 0.5)),
        max_df=dice.choice((None, None, 0.2)),
    )
    if options.unattributed and not options.sources:
        options = SearchOptions(limit=10)
    result = index.search(content, options)
    counts["searches that found something"] += bool(result.hits)
    wrong = reported(search.RENDERERS, result) + _wrong_regions(result, content)
    if dice.randrange(AGAIN) == 0:
        again = index.search(content, options)
        if {**result.to_dict(), "took_ms": 0} != {**again.to_dict(), "took_ms": 0}:
            wrong.append("the same search gives another answer")
    return wrong


def _checked(index: Index, path: str, content: bytes, folder: Path, counts: Counter[str]) -> list[str]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        (folder / path.replace("/", "_")).write_bytes(content)
    except (OSError, ValueError):
        (folder / "plain.py").write_bytes(content)
    report = index.check([folder], CheckOptions())
    counts["checks that found something"] += bool(report.findings)
    return reported(CHECK, report)


def ask(case: Case, location: Path, folder: Path) -> tuple[Counter[str], list[str]]:
    """Sends an input to all calls of an index. Returns the numbers of calls, and the failures."""
    counts: Counter[str] = Counter(inputs=1)
    wrong: list[str] = []
    index, files = opened(location)
    dice = Random(f"{case.seed}".encode() + case.content)
    calls: dict[str, Callable[[], list[str]]] = {
        "searches": lambda: _searched(index, case.content, dice, counts),
        "sources": lambda: reported(SOURCES, index.sources(case.content, SourcesOptions())),
        "checks": lambda: _checked(index, case.path, case.content, folder, counts),
    }
    if dice.randrange(AGAIN) == 0:
        calls["similar"] = lambda: reported(
            search.RENDERERS, index.similar(dice.choice(files), SimilarOptions(limit=3))
        )
    for name, call in calls.items():
        counts[name] += 1
        try:
            wrong += [f"{name}: {fault}" for fault in call()]
        except MemoryError:
            raise
        except WherefromError as error:
            counts[f"refused: {type(error).__name__}"] += 1
            if "\n" in str(error):
                wrong.append(f"{name}: an error of several lines: {error}")
        except Exception:
            wrong.append(f"{name}: {traceback.format_exc()}")
    return counts, wrong


def made(seed: int, number: int, location: Path) -> Case:
    """An input: a fuzzed text, or a fuzzed copy of a part of an indexed file."""
    dice = Random(f"{seed}/{number}")
    path, content = fuzzed(dice)
    if dice.random() < 0.5:
        index, files = opened(location)
        found = index.target_source(dice.choice(files)) or b""
        start = dice.randrange(max(1, len(found) - 400))
        content = found[start : start + dice.randrange(200, 4000)] + dice.choice((b"", content[:200]))
    return Case("queries", seed, path, content)


def work(task: tuple[int, int, Path, Path]) -> tuple[Counter[str], list[str], Case | None]:
    """Sends one input to all calls, in a worker process."""
    seed, number, location, folder = task
    case = made(seed, number, location)
    counts, wrong = ask(case, location, folder / f"project{number}")
    shutil.rmtree(folder / f"project{number}", ignore_errors=True)
    return counts, wrong, case if wrong else None


def run(seed: int, ground: Ground, jobs: int) -> list[Outcome]:
    """A round: one outcome for the figures, and one for each input that failed."""
    location = ground.world().folder / "newer.wherefrom"
    total = Outcome(Case("queries", seed))
    found = [total]
    tasks = [(seed, number, location, ground.folder) for number in range(INPUTS)]
    with Pool(work, jobs=jobs, seconds=SECONDS, memory=PARSE_MEMORY) as pool:
        for results in pool.map([tasks[start : start + 5] for start in range(0, INPUTS, 5)]):
            for task, result in results:
                if isinstance(result, Died):
                    failure = f"the worker process ends: {result.reason}"
                    found.append(Outcome(made(seed, task[1], location), Counter(inputs=1), [failure]))
                    continue
                counts, wrong, kept = result
                total.counts += counts
                if kept is not None:
                    found.append(Outcome(kept, Counter(), wrong))
    return found


def _again(task: tuple[Case, Path, Path]) -> tuple[Counter[str], list[str]]:
    """Sends the input of a case to all calls, in a worker process."""
    return ask(*task)


def replay(case: Case, ground: Ground) -> Outcome:
    """Tries the input of a case again."""
    task = case, ground.world().folder / "newer.wherefrom", ground.folder / "project"
    with Pool(_again, jobs=1, seconds=SECONDS, memory=PARSE_MEMORY) as pool:
        [[(_, result)]] = pool.map([[task]])
    if isinstance(result, Died):
        return Outcome(case, Counter(inputs=1), [f"the process that asks ends: {result.reason}"])
    return Outcome(case, *result)
