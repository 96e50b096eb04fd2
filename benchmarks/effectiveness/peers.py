"""The mutation benchmark given to the peers: which file does each name for a copied function, and at what rank.

For each language and variant the chosen functions are planted as files of their own (or inside a long file of another
project), and each tool names pairs of a planted file and another file, once in its default setting and once in each of
some others. Strangers are planted too: functions of projects that are not among the files, for which any answer is
wrong. A tool names the files that it shows in that setting with a score above 0. The best setting is chosen in
hindsight on the very same functions, in the peers' favour; wherefrom has its default only.

`--markdown PAGE` writes the tables into a page, between its marks `<!-- finding: begin -->` and
`<!-- finding: end -->`, unless the code has changed meanwhile; `--answers FILE` keeps every answer as JSON Lines.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import wherefrom
from benchmarks import pages
from benchmarks.corpus import add_corpus_option, corpus_folder, projects
from benchmarks.effectiveness.corpus import Corpus, File, load
from benchmarks.effectiveness.mutation import Case, cases
from benchmarks.effectiveness.peer_report import DEFAULT, OURS, Circumstances, Run, page
from benchmarks.effectiveness.syntax import SHAPES
from benchmarks.effectiveness.verdicts import SHORT_LIST, Verdict, judge
from benchmarks.peer_environments import add_peers_option, peers_folder, runnable, versions
from benchmarks.peer_list import Peer
from benchmarks.peers import Answer, Scores, ask
from benchmarks.peers import run as run_command
from wherefrom.languages import LANGUAGES

LANGUAGE_NAMES = ("python", "java", "c", "javascript")
MARK = "finding"


def planted(chosen: Sequence[Case], folder: Path) -> dict[str, Case]:
    """Writes each query into a file, with one folder for each variant. Returns the cases by their files."""
    ending = LANGUAGES[chosen[0].language].extensions[0]
    found = {f"{case.variant}/planted{number:03}{ending}": case for number, case in enumerate(chosen)}
    for name, case in found.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(case.code, encoding="utf-8")
    return found


def ours(files: Path, queries: Path) -> Answer:
    """The answer of wherefrom, which runs in a process of its own like the peers."""
    code = "import sys; from benchmarks.effectiveness.peers import found_here; found_here(*sys.argv[1:])"
    done = run_command((sys.executable, "-c", code, str(files), str(queries)), PYTHONPATH=str(pages.ROOT))
    answer = json.loads(done.stdout)
    return Answer(answer["seconds"], answer["scores"], done.megabytes)


def found_here(files: str, queries: str) -> None:
    """Indexes a folder, asks for each file of another one, and prints seconds and scores as JSON. wherefrom gets only
    the code. The files of a hit have its score.
    """
    begin = _processor()
    scores = {}
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as index:
        wherefrom.index_sources([files], Path(index, "index"), jobs=1)
        with wherefrom.open_index(Path(index, "index")) as opened:
            for path in sorted(path for path in Path(queries).rglob("*") if path.is_file()):
                hits = opened.search(path.read_text(encoding="utf-8"), limit=SHORT_LIST).hits
                named = {occurrence.path: hit.score for hit in hits for occurrence in hit.occurrences}
                scores[path.relative_to(queries).as_posix()] = named
    json.dump({"seconds": _processor() - begin, "scores": scores}, sys.stdout)


def _processor() -> float:
    """The processor seconds of this process and of those that it started."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def answers(
    files: Sequence[File], scratch: Path, peers: Path, ready: Mapping[str, Peer]
) -> Iterator[tuple[Run, Answer | str]]:
    """Runs every tool in every setting on the queries of a language in `scratch / "planted"`. Yields the answers of a
    run, or the reason why it has none.
    """
    folder = scratch / "files"
    for file in files:
        path = folder / file.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    yield (OURS, DEFAULT), ours(folder, scratch / "planted")
    language = files[0].analysis.language
    for name, peer in ready.items():
        if peer.is_exact:
            continue
        if not peer.knows(language):
            yield (name, "every setting"), f"it does not know {language}"
            continue
        for setting in peer.settings:
            try:
                answer = ask(peer, peers, folder, scratch / "planted", peer.options(setting, language))
            except subprocess.CalledProcessError as error:
                yield (name, setting), f"it failed on {language} with {error.returncode}: {_complaint(error.stderr)}"
            except subprocess.TimeoutExpired as error:
                yield (name, setting), f"it took more than {error.timeout:.0f} s on {language}"
            else:
                yield (name, setting), answer


def _complaint(words: str) -> str:
    """The first line with an error in the output of a failed program, else the last line."""
    lines = words.strip().splitlines() or ["no word"]
    return next((line for line in lines if re.search("error|exception", line, re.IGNORECASE)), lines[-1]).strip()


def keep(file: TextIO, run: Run, queries: Mapping[str, Case], scores: Scores) -> None:
    """Writes the first ten files that a tool in a setting names for each query."""
    for name, case in queries.items():
        named = sorted(scores.get(name, {}).items(), key=lambda each: (-each[1], each[0]))
        line = {
            "tool": run[0],
            "setting": run[1],
            "language": case.language,
            "variant": case.variant,
            "function": case.label,
            "true": sorted(case.places),
            "named": named[:SHORT_LIST],
        }
        file.write(json.dumps(line) + "\n")
    file.flush()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.peers", description=__doc__)
    parser.add_argument("sources", nargs="*", help="what `wherefrom index` takes (default: the projects of the corpus)")
    add_corpus_option(parser)
    add_peers_option(parser)
    parser.add_argument(
        "--language",
        action="append",
        choices=sorted(SHAPES),
        help=f"may be repeated (default: {', '.join(LANGUAGE_NAMES)})",
    )
    parser.add_argument("--files", type=int, default=70, help="of each language (default: %(default)d)")
    parser.add_argument("--functions", type=int, default=10, help="of each language (default: %(default)d)")
    parser.add_argument("--seed", type=int, default=7, help="of every choice (default: %(default)d)")
    parser.add_argument("--wrong", type=int, default=3, help="wrong answers named of each tool (default: %(default)d)")
    parser.add_argument("--markdown", type=Path, metavar="PAGE", help="write the tables between the marks of this page")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="write every answer to this file")
    options = parser.parse_args()
    if options.markdown:
        pages.check(options.markdown, MARK)
    state = pages.state()
    specs = options.sources or [str(projects(corpus_folder(options.corpus))[0].folder.parent)]
    peers = peers_folder(options.peers)
    ready, absent = runnable(peers)
    languages = options.language or LANGUAGE_NAMES
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as clones, ExitStack() as stack:
        kept = stack.enter_context(options.answers.open("w", encoding="utf-8")) if options.answers else None
        corpus = load(specs, languages, options.files, options.seed, Path(clones))
        chosen = cases(corpus, options.functions, options.seed)
        verdicts, _, notes = measured(corpus, chosen, peers, ready, kept)
    circumstances = Circumstances(
        state=f"{state}, {versions(ready)}",
        command=shlex.join(["python", "-m", "benchmarks.effectiveness.peers", *_repeated(options, languages)]),
        files={language: len(files) for language, files in corpus.indexed.items()},
        notes=[*(f"Not run: {name}: {why}." for name, why in absent.items()), *notes],
    )
    pages.publish(page(verdicts, circumstances, options.wrong), state, options.markdown, MARK)


def measured(
    corpus: Corpus, chosen: Iterable[Case], peers: Path, ready: Mapping[str, Peer], kept: TextIO | None = None
) -> tuple[dict[Run, list[Verdict]], dict[Run, list[Answer]], list[str]]:
    """Asks every tool. Gives its verdicts and its answers for each language, and why runs have no answer."""
    verdicts: dict[Run, list[Verdict]] = defaultdict(list)
    costs: dict[Run, list[Answer]] = defaultdict(list)
    notes = []
    every = list(chosen)
    for language, files in corpus.indexed.items():
        of_language = [case for case in every if case.language == language]
        if {bool(case.places) for case in of_language} != {True, False}:
            sys.exit(f"too few files of {language}: there is nothing to plant, or nothing that is not indexed")
        with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
            queries = planted(of_language, Path(scratch, "planted"))
            begin = time.perf_counter()
            for run, found in answers(files, Path(scratch), peers, ready):
                print(f"{language}, {', '.join(run)}: {time.perf_counter() - begin:.0f} s", file=sys.stderr)
                begin = time.perf_counter()
                if isinstance(found, str):
                    notes.append(f"Not run: {', '.join(run)}: {found}.")
                    continue
                verdicts[run] += judge(found.scores, queries)
                costs[run].append(found)
                if kept:
                    keep(kept, run, queries, found.scores)
    return verdicts, costs, notes


def _repeated(options: argparse.Namespace, languages: Sequence[str]) -> list[str]:
    """The options with which the same run can be repeated on the same corpus."""
    named = [part for language in languages for part in ("--language", language)]
    counts = ["--files", options.files, "--functions", options.functions, "--seed", options.seed]
    return [*options.sources, *named, *map(str, counts)]


if __name__ == "__main__":
    main()
