"""The mutation benchmark: functions of real files, edited as copiers edit, looked up in an index of those files.

Every function is looked up in every variant of `variants`, by its code alone, and so are functions of projects that are
not indexed, which must have no hits. A file with the function's tokens is a true file, and a hit is right if one of its
occurrences is a true file. Exits with 1 if a figure falls below `expected.json` or, for files that `expected.json`
lacks, below the targets.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import wherefrom
from benchmarks.effectiveness.corpus import Corpus, File, add_choice_options, load, standard_library
from benchmarks.effectiveness.metrics import mean
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.effectiveness.variants import (
    VARIANTS,
    Function,
    embedded,
    functions,
    is_editable,
    numbered,
    slots,
    text,
)
from benchmarks.timing import percentile, table
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.model import Representation

EXPECTED = Path(__file__).with_name("expected.json")
LINES = (6, 40)
"""A function has this many lines of code, from and to."""

HOST_LINES = (300, 2000)
"""A file that a function is put into has this many lines, from and to."""

LEAST_TOP_1, LEAST_TOP_10, MOST_LOST = 0.99, 1.0, 0.005
STUB = SCHEMES[Representation.EXACT].guarantee
"""A shared run of tokens is surely noticed from this length on."""

UNKNOWN = "not indexed"
EMBEDDED = "embedded"
_HITS = 10


@dataclass(frozen=True, slots=True)
class Case:
    """A query. `places` are the true files; empty if there must be no hit. `tokens` counts those of the original."""

    variant: str
    language: str
    label: str
    places: frozenset[str]
    code: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a case: the rank of the first right hit and its score, and the score of the best wrong hit."""

    case: Case
    rank: int | None
    score: float
    wrong: float
    tokens: int
    why: str

    @property
    def is_stub(self) -> bool:
        """Whether the function, or what is left of it, has fewer tokens than a shared run needs to be noticed."""
        return min(self.tokens, self.case.tokens) < STUB


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a variant: the share of cases whose true file is first, or among the first ten. For code that is not
    indexed, the share of cases without a hit.
    """

    top_1: float
    top_10: float


def cases(corpus: Corpus, number: int, seed: int, *, strangers: int | None = None) -> Iterator[Case]:
    """Every chosen function in every variant, and `strangers` functions that are not indexed (default: `number`)."""
    most = number if strangers is None else strangers
    for language in corpus.indexed:
        chance = random.Random(f"{seed} {language} functions")
        runs = {file.place: _run(file.content, file.analysis.tokens) for file in corpus.indexed[language]}
        hosts = [file for file in corpus.unknown[language] if _is_host(file)]
        for file, function in _chosen(language, corpus.indexed[language], number, chance):
            needle = _needle(function)
            places = frozenset(place for place, run in runs.items() if needle in run)
            label = f"{function.name} ({file.place})"
            made = {name: text(change(function, chance)) for name, change in VARIANTS.items()}
            made["numbered"] = numbered(language, function.source, chance)
            if hosts:
                host = chance.choice(hosts)
                for name, source in ((EMBEDDED, function.source), (f"{EMBEDDED}, renamed", made["renamed"])):
                    made[name] = embedded(source, host.content, slots(language, host.content), chance)
            size = len(function.tokens)
            yield from (Case(name, language, label, places, code, size) for name, code in made.items())
        unknown = _chosen(language, corpus.unknown[language], 2 * most, chance)
        unrelated = [
            (file, function) for file, function in unknown if not any(_needle(function) in run for run in runs.values())
        ]
        for file, function in unrelated[:most]:
            label = f"{function.name} ({file.place})"
            yield Case(UNKNOWN, language, label, frozenset(), function.source, len(function.tokens))


def _chosen(language: str, files: Sequence[File], number: int, chance: random.Random) -> list[tuple[File, Function]]:
    """One function from each of `number` files, or fewer if there are fewer files."""
    shuffled = list(files)
    chance.shuffle(shuffled)
    found = []
    for file in shuffled:
        fitting = [each for each in functions(language, file.content, file.analysis, LINES) if is_editable(each)]
        if fitting:
            found.append((file, chance.choice(fitting)))
        if len(found) == number:
            break
    return found


def _run(content: bytes, tokens: object) -> str:
    """All tokens of a file in one text, each between null characters."""
    starts, ends = tokens.starts.tolist(), tokens.ends.tolist()  # type: ignore[attr-defined]
    return "\0" + "\0".join(content[a:b].decode() for a, b in zip(starts, ends, strict=True)) + "\0"


def _needle(function: Function) -> str:
    return "\0" + "\0".join(token.text for token in function.tokens) + "\0"


def _is_host(file: File) -> bool:
    lines = file.content.count(b"\n")
    return HOST_LINES[0] <= lines <= HOST_LINES[1] and bool(slots(file.analysis.language, file.content))


def lay_out(corpus: Corpus, folder: Path) -> None:
    """Writes the files that are indexed."""
    for files in corpus.indexed.values():
        for file in files:
            path = folder / file.place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)


def answer(index: wherefrom.Index, case: Case, *, tell_language: bool = False) -> Answer:
    """Looks a case up."""
    language = case.language if tell_language else None
    result = index.search(case.code, limit=_HITS, language=language)
    right = [bool(case.places & {each.path for each in hit.occurrences}) for hit in result.hits]
    rank = right.index(True) + 1 if any(right) else None
    wrong = [hit for hit, is_right in zip(result.hits, right, strict=True) if not is_right]
    why = f"{result.query.tokens} tokens as {result.query.language}"
    if wrong:
        why += f", first wrong {wrong[0].occurrences[0].path} {wrong[0].score:.1f}"
    return Answer(
        case=case,
        rank=rank,
        score=result.hits[rank - 1].score if rank else 0.0,
        wrong=wrong[0].score if wrong else 0.0,
        tokens=result.query.tokens,
        why=why,
    )


def figures(answers: Iterable[Answer]) -> dict[str, Figures]:
    """The figures of each variant, and of each variant in each language (`variant: language`)."""
    groups = defaultdict(list)
    for each in answers:
        groups[each.case.variant].append(each)
        groups[f"{each.case.variant}: {each.case.language}"].append(each)
    return {name: _figures(group) for name, group in groups.items()}


def _figures(group: Sequence[Answer]) -> Figures:
    if not group[0].case.places:
        nothing = mean([float(each.wrong == 0) for each in group])
        return Figures(nothing, nothing)
    return Figures(
        mean([float(each.rank == 1) for each in group]), mean([float(each.rank is not None) for each in group])
    )


def fallen(seen: Mapping[str, Figures], expected: Mapping[str, Mapping[str, float]]) -> list[str]:
    """A line for each figure that is below what is expected, or is missing."""
    lines = []
    for name, wanted in expected.items():
        got = asdict(seen[name]) if name in seen else {}
        lines += [
            f"{name}, {measure}: {got.get(measure, 0.0):.4f}, expected {value:.4f}"
            for measure, value in wanted.items()
            if got.get(measure, 0.0) < value - 1e-9
        ]
    return lines


def targets(languages: Iterable[str]) -> dict[str, dict[str, float]]:
    """The figures that are expected of files that `expected.json` does not have."""
    names = [*VARIANTS, "numbered"]
    return {
        f"{name}: {language}": {"top_1": LEAST_TOP_1, "top_10": LEAST_TOP_10}
        for name in names
        for language in languages
    }


def digest(corpus: Corpus, number: int, seed: int, *, tell_language: bool) -> str:
    """A hash of the choice of files and functions, and of how they are looked up."""
    state = hashlib.sha256(f"{number} {seed} {tell_language}".encode())
    for files in (*corpus.indexed.values(), *corpus.unknown.values()):
        for file in files:
            state.update(file.content)
    return state.hexdigest()[:16]


def report(answers: Sequence[Answer], seen: Mapping[str, Figures]) -> str:
    """The tables."""
    languages = sorted({each.case.language for each in answers})
    variants = list(dict.fromkeys(each.case.variant for each in answers))
    rows = []
    for variant in variants:
        group = [each for each in answers if each.case.variant == variant]
        found = [each.score for each in group if each.rank] or [0.0]
        cells = [f"{seen[f'{variant}: {one}'].top_1:.3f}" if f"{variant}: {one}" in seen else "" for one in languages]
        whole = seen[variant]
        longer = [each for each in group if not each.is_stub]
        ranks = [f"{whole.top_1:.4f}", f"{whole.top_10:.4f}", f"{_figures(longer).top_1:.4f}" if longer else ""]
        scores = [f"{min(found):.1f}", f"{max(each.wrong for each in group):.1f}"]
        tokens = f"{percentile([each.tokens for each in group], 0.5):.0f}"
        rows.append((variant, f"{len(group)} ({len(group) - len(longer)})", tokens, *cells, *ranks, *scores))
    ranks = ["top-1", "top-10", "top-1, no stubs"]
    head = ("variant", "cases (stubs)", "tokens, p50", *languages, *ranks, "weakest true", "strongest other")
    return table(head, rows)


def gaps(answers: Sequence[Answer]) -> str:
    """For each language the weakest true hit of all variants beside the strongest hit for code that is not indexed."""
    rows = []
    for language in sorted({each.case.language for each in answers}):
        group = [each for each in answers if each.case.language == language]
        found = [each for each in group if each.rank]
        if not found:
            continue
        weakest = min(found, key=lambda each: each.score)
        strangers = [each for each in group if not each.case.places]
        strongest = max((each.wrong for each in strangers), default=0.0)
        below = sum(each.score <= strongest for each in found)
        kind = f"{weakest.case.variant}, {weakest.tokens} tokens"
        rows.append(
            (language, f"{weakest.score:.1f}", kind, f"{strongest:.1f}", f"{weakest.score - strongest:.1f}", str(below))
        )
    return table(("language", "weakest true", "of", "strongest not indexed", "gap", "true hits not above it"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.mutation", description=__doc__)
    parser.add_argument(
        "sources", nargs="*", help="what `wherefrom index` takes: clones, folders of clones, archives, URLs"
    )
    parser.add_argument("--quick", action="store_true", help="a few functions of the running Python's standard library")
    add_choice_options(parser, functions=20)
    parser.add_argument("--files", type=int, default=300, help="of each language (default: %(default)d)")
    parser.add_argument("--tell-language", action="store_true", help="name the language with each query")
    parser.add_argument(
        "--failures", type=int, default=100, help="cases that are named, at most (default: %(default)d)"
    )
    parser.add_argument("--update", metavar="NAME", help="write what is seen to expected.json, by this name")
    options = parser.parse_args()
    if bool(options.sources) == options.quick:
        parser.error("give sources, or --quick")
    if options.quick:
        options.sources, options.language, options.files, options.functions = [standard_library()], ["python"], 60, 6
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folder = Path(scratch)
        languages = sorted(options.language or SHAPES)
        corpus = load(options.sources, languages, options.files, options.seed, folder / "clones")
        every = list(cases(corpus, options.functions, options.seed))
        lay_out(corpus, folder / "files")
        wherefrom.index_sources([str(folder / "files")], folder / "index", jobs=1)
        with wherefrom.open_index(folder / "index") as index:
            blobs = index.stats().blobs
            answers = [answer(index, case, tell_language=options.tell_language) for case in every]
    seen = figures(answers)
    name = (
        "quick"
        if options.quick
        else digest(corpus, options.functions, options.seed, tell_language=options.tell_language)
    )
    print(f"{blobs} blobs, {len(every)} cases, {time.perf_counter() - begin:.0f} s; {name}\n")
    print(report(answers, seen), gaps(answers), sep="\n\n")
    failed = [each for each in answers if each.wrong if not each.case.places] + [
        each for each in answers if each.case.places and each.rank != 1
    ]
    if failed:
        print(f"\n{len(failed)} cases failed:\n")
    for each in failed[: options.failures]:
        rank = f"rank {each.rank}, {each.score:.1f}" if each.rank else "not found"
        rank += " (a stub)" if each.is_stub else ""
        print(f"- {each.case.variant}, {each.case.language}: {each.case.label}: {rank}; {each.why}")
    _finish(name, seen, languages, options.update)


def _finish(name: str, seen: Mapping[str, Figures], languages: Sequence[str], update: str | None) -> None:
    known = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    if update is not None:
        known[name] = {"name": update, "figures": {key: asdict(value) for key, value in sorted(seen.items())}}
        EXPECTED.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
        return
    lines = fallen(seen, known[name]["figures"] if name in known else targets(languages))
    if lines:
        against = known[name]["name"] if name in known else "the targets: no figures are expected of these files"
        sys.exit("\n".join([f"\nbelow {against}:", *lines]))


if __name__ == "__main__":
    main()
