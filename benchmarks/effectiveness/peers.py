"""The mutation benchmark given to the peers: which file does each name for a copied function, and at what rank.

For each language and variant the chosen functions are planted as files of their own (or inside a long file of another
project), and each tool is asked for the pairs of a planted file and one of the others, once in its default setting and
once in each of some others. The best of these is chosen in hindsight on the very same functions, in the peers' favour;
whence has its default only. Files that a tool scores alike come in no order: what counts is the probability that a true
one is among the first.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import whence
from benchmarks.corpus import add_corpus_option, corpus_folder, projects
from benchmarks.effectiveness.corpus import File, load
from benchmarks.effectiveness.metrics import mean
from benchmarks.effectiveness.mutation import Case, cases
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.peers import NOT_RUN, PEERS, Scores, add_peers_option, ask, missing, peers_folder, with_language
from benchmarks.timing import table
from whence.analyzers.languages import LANGUAGES

LANGUAGE_NAMES = ("python", "java", "c")
OURS = "whence"
DEFAULT = "default"
FIRST, SHORT_LIST = 1, 10


def chance_among(scores: Mapping[str, float], places: Collection[str], k: int) -> float:
    """The probability that one of `places` is among the first `k` files, if ties are put in a random order."""
    best = max((scores[place] for place in places if place in scores), default=None)
    if best is None:
        return 0.0
    left = k - sum(score > best for score in scores.values())
    tied = sum(score == best for score in scores.values())
    true = sum(scores.get(place) == best for place in places)
    if left <= 0:
        return 0.0
    return 1 - math.comb(tied - true, left) / math.comb(tied, left) if left < tied else 1.0


def planted(chosen: Sequence[Case], folder: Path) -> dict[str, Case]:
    """Writes each query into a file of its own, those of a variant into one folder; the cases by these files."""
    ending = LANGUAGES[chosen[0].language].extensions[0]
    found = {f"{case.variant}/planted{number:03}{ending}": case for number, case in enumerate(chosen)}
    for name, case in found.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(case.code, encoding="utf-8")
    return found


def ours(index: whence.Index, queries: Mapping[str, Case]) -> Scores:
    """The answers of whence, which is told nothing but the code."""
    return {
        name: {hit.occurrences[0].path: hit.score for hit in index.search(case.code, limit=SHORT_LIST).hits}
        for name, case in queries.items()
    }


Judged = dict[tuple[str, str, str], list[tuple[float, float]]]
"""By tool, setting and variant: for each query the chances to be first and among the first ten."""


def judge(scores: Scores, queries: Mapping[str, Case]) -> dict[str, list[tuple[float, float]]]:
    """For each variant and query the chance that a true file is first, and that it is among the first ten."""
    judged = defaultdict(list)
    for name, case in queries.items():
        found = scores.get(name, {})
        judged[case.variant].append(
            (chance_among(found, case.places, FIRST), chance_among(found, case.places, SHORT_LIST))
        )
    return judged


def run(files: Sequence[File], chosen: Sequence[Case], scratch: Path, peers: Path, ready: Sequence[str]) -> Judged:
    """Asks every tool in every setting about the queries of one language."""
    folder, index = scratch / "files", scratch / "index"
    for file in files:
        path = folder / file.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    queries = planted(chosen, scratch / "planted")
    whence.index([str(folder)], index=index, jobs=1)
    answers: dict[tuple[str, str], Scores] = {}
    with whence.open_index(index) as opened:
        answers[OURS, DEFAULT] = ours(opened, queries)
    for name in ready:
        for setting, options in PEERS[name].settings.items():
            asked = with_language(PEERS[name], options, chosen[0].language)
            try:
                answers[name, setting] = ask(PEERS[name], peers, folder, scratch / "planted", asked).scores
            except subprocess.SubprocessError as error:
                # A run that fails has found nothing, and is said.
                print(f"{name} ({setting}) failed on {chosen[0].language}: {error}", file=sys.stderr)
                answers[name, setting] = {}
    return {
        (name, setting, variant): results
        for (name, setting), scores in answers.items()
        for variant, results in judge(scores, queries).items()
    }


def best_setting(judged: Judged, name: str) -> str:
    """The setting of a peer that puts the true file first most often over all variants, then among the first ten."""
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for (tool, setting, _), results in judged.items():
        if tool == name:
            groups[setting] += results
    return max(groups, key=lambda setting: tuple(mean([each[at] for each in groups[setting]]) for at in (0, 1)))


def report(judged: Judged, tools: Sequence[str]) -> str:
    """The table, each cell top-1 / top-10, in the default and in the best setting, and the settings."""
    columns = []
    for name in tools:
        first = next(setting for tool, setting, _ in judged if tool == name)
        best = best_setting(judged, name)
        columns += [(name, first, name)] + ([(name, best, f"{name}, best")] if best != first else [])
    variants = list(dict.fromkeys(variant for _, _, variant in judged))
    rows = []
    for variant in variants:
        cells = [_cell(judged[name, setting, variant]) for name, setting, _ in columns]
        rows.append([variant, str(len(judged[OURS, DEFAULT, variant])), *cells])
    totals = [
        [result for variant in variants for result in judged[name, setting, variant]] for name, setting, _ in columns
    ]
    rows.append(["all", str(len(totals[0])), *map(_cell, totals)])
    settings = sorted({(tool, setting) for tool, setting, _ in judged if tool in PEERS})
    of_settings = [
        [tool, setting, _cell([each for variant in variants for each in judged[tool, setting, variant]])]
        for tool, setting in settings
    ]
    head = ("variant", "queries", *(label for _, _, label in columns))
    return table(head, rows) + "\n\n" + table(("peer", "setting", "all"), of_settings)


def _cell(results: Sequence[tuple[float, float]]) -> str:
    return " / ".join(f"{mean([each[at] for each in results]):.2f}" for at in (0, 1))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.peers", description=__doc__)
    parser.add_argument("sources", nargs="*", help="what `whence index` takes (default: the projects of the corpus)")
    add_corpus_option(parser)
    add_peers_option(parser)
    parser.add_argument("--language", action="append", choices=sorted(SHAPES), help="may be repeated (default: three)")
    parser.add_argument("--files", type=int, default=70, help="of each language (default: %(default)d)")
    parser.add_argument("--functions", type=int, default=10, help="of each language (default: %(default)d)")
    parser.add_argument("--seed", type=int, default=7, help="of every choice (default: %(default)d)")
    options = parser.parse_args()
    specs = options.sources or [str(projects(corpus_folder(options.corpus))[0].folder.parent)]
    peers = peers_folder(options.peers)
    state = {name: missing(peer, peers) for name, peer in PEERS.items()}
    ready = [name for name, why in state.items() if not why]
    judged: Judged = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="whence-benchmark-") as scratch:
        corpus = load(specs, options.language or LANGUAGE_NAMES, options.files, options.seed, Path(scratch, "clones"))
        every = [case for case in cases(corpus, options.functions, options.seed) if case.places]
        for language, files in corpus.indexed.items():
            chosen = [case for case in every if case.language == language]
            for key, results in run(files, chosen, Path(scratch, language), peers, ready).items():
                judged[key] += results
    print(f"{', '.join(f'{name}: {len(files)} files' for name, files in corpus.indexed.items())}.\n")
    print(report(judged, [OURS, *ready]))
    for name, why in ({name: why for name, why in state.items() if why} | NOT_RUN).items():
        print(f"\nNot run: {name}: {why}.")


if __name__ == "__main__":
    main()
