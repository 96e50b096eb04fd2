"""wherefrom beside other tools: what each finds, its false answers, its speed and its memory.

    python -m benchmarks.beside --record   # installs the tools, measures, and writes benchmarks/results/beside.jsonl
    python -m benchmarks.beside --page     # draws the page beside that file

Everything comes from registries: the tools of `peer_list.py` and the packages of `quality.toml`. They are kept in
`--cache`. A tool that cannot be installed is named with the reason. `--record` also draws the page.

*Finding* is the task of `benchmarks.effectiveness.peers`. Each tool runs in each of its settings, wherefrom in its
default. Processor time and memory are those of that task.

*Speed* is bytes a second of processor time, one thread each, of what turns files into fingerprints: the median of
interleaved runs. The tools do different work in that time, which the table describes.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from benchmarks import pages
from benchmarks.effectiveness.corpus import Corpus, load
from benchmarks.effectiveness.mutation import cases
from benchmarks.effectiveness.peer_report import OURS
from benchmarks.effectiveness.peers import LANGUAGE_NAMES, measured
from benchmarks.effectiveness.verdicts import by_kind, figures
from benchmarks.files import File
from benchmarks.fingerprint import bare_parser, fingerprint_all, parse_all
from benchmarks.memory import run as run_command
from benchmarks.peer_environments import installed, versions
from benchmarks.peer_list import PEERS, Peer
from benchmarks.peers import ask
from benchmarks.timing import processor_seconds, table
from wherefrom.languages import LANGUAGES

RECORD = pages.ROOT / "benchmarks" / "results" / "beside.jsonl"

SEED = 7

FILES, FUNCTIONS = 40, 6
"""How many files and functions of each language are taken."""

ROUNDS = 3

WHAT = {
    OURS: "parsing with Tree-sitter, tokens, k-grams of every representation, winnowing, terms",
    "bare Tree-sitter": "parsing alone",
    "`wherefrom index`": "the whole command with `--jobs 1` and its start: the above, token streams, commit",
    **{name: peer.fingerprinting for name, peer in PEERS.items()},
}
"""The tools that are timed, each with its work in that time."""

MEASURES = {"first": False, "ten": False, "answered": True, "seconds": True, "megabytes": True}
"""The figures of finding; whether less is better."""

HEAD = ("true file first", "among the first ten", "strangers answered", "processor time, s", "memory, MB")


def written(files: Sequence[File], language: str, folder: Path) -> Path:
    """Writes the files into a new folder, with numbers for names."""
    folder.mkdir(parents=True)
    for number, file in enumerate(files):
        ending = next(each for each in LANGUAGES[language].extensions if file.path.endswith(each))
        (folder / f"{number:05}{ending}").write_bytes(file.content)
    return folder


def indexing_seconds(folder: Path, scratch: Path) -> float:
    """The processor seconds of a whole `wherefrom index` with one worker, start and imports included."""
    with tempfile.TemporaryDirectory(dir=scratch) as index:
        command = [
            sys.executable,
            "-m",
            "wherefrom",
            "index",
            str(folder),
            "--index",
            f"{index}/i",
            "--jobs",
            "1",
            "--quiet",
        ]
        finished = run_command(command)
    if finished.code:
        sys.exit(f"indexing failed: {finished.stderr.strip()}")
    return finished.processor


def throughputs(files: Sequence[File], language: str, peers: Path, ready: Mapping[str, Peer]) -> dict[str, float]:
    """MB/s of each tool; a peer that fails is reported and left out."""
    size = sum(len(file.content) for file in files)
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folder = written(files, language, Path(scratch, "files"))
        contents = [file.content for file in files]
        runs: dict[str, Callable[[], float]] = {
            OURS: partial(processor_seconds, partial(fingerprint_all, files)),
            "bare Tree-sitter": partial(processor_seconds, partial(parse_all, bare_parser(language), contents)),
            "`wherefrom index`": partial(indexing_seconds, folder, Path(scratch)),
        }
        for name, peer in ready.items():
            if peer.knows(language):
                runs[name] = partial(_peer_seconds, peer, peers, folder, language)
        fingerprint_all(files[:20])
        seconds: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(ROUNDS):
            for name in list(runs):
                try:
                    seconds[name].append(runs[name]())
                except subprocess.SubprocessError as error:
                    print(f"{name} failed on {language}: {error}", file=sys.stderr)
                    del runs[name]
    return {name: size / 1e6 / statistics.median(seconds[name]) for name in runs}


def _peer_seconds(peer: Peer, peers: Path, folder: Path, language: str) -> float:
    return ask(peer, peers, folder, None, peer.options(peer.default, language)).seconds


def recorded(cache: Path) -> Iterator[dict[str, Any]]:
    """Installs and measures. Gives the lines of the record."""
    state = pages.state()
    missing = installed(cache / "peers")
    ready = {name: PEERS[name] for name, why in missing.items() if not why}
    plan = tomllib.loads((pages.ROOT / "benchmarks" / "quality.toml").read_text())["change"]
    corpus = load([*plan["indexed"], *plan["unknown"]], LANGUAGE_NAMES, FILES, SEED, cache / "packages")
    yield {"state": state, "versions": versions(ready), "packages": len(plan["indexed"]) + len(plan["unknown"])}
    yield from ({"absent": name, "why": why} for name, why in missing.items() if why)
    yield from finding(corpus, cache / "peers", ready)
    for language, files in corpus.indexed.items():
        texts = [File(each.project, each.path, each.content) for each in files]
        size = sum(len(each.content) for each in texts)
        for name, speed in throughputs(texts, language, cache / "peers", ready).items():
            yield {"speed": name, "language": language, "bytes": size, "megabytes": round(speed, 2)}


def finding(corpus: Corpus, peers: Path, ready: Mapping[str, Peer]) -> Iterator[dict[str, Any]]:
    """A line for each tool and setting, and for each run that failed."""
    queries = cases(corpus, FUNCTIONS, SEED)
    verdicts, answers, notes = measured(corpus, queries, peers, ready)
    for (tool, setting), judged in verdicts.items():
        seen, costs = figures(judged), answers[tool, setting]
        yield {
            "tool": tool,
            "setting": setting,
            "queries": [len(kind) for kind in by_kind(judged)],
            "first": round(seen.first, 3),
            "ten": round(seen.short_list, 3),
            "answered": round(seen.answered, 3),
            "seconds": round(sum(each.seconds for each in costs), 1),
            "megabytes": round(max(each.megabytes for each in costs)),
        }
    yield from ({"note": note} for note in notes)


def page(lines: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The page of results."""
    run, found = lines[0], [line for line in lines if "tool" in line]
    speeds: dict[str, dict[str, float]] = {}
    for line in lines:
        if "speed" in line:
            speeds.setdefault(line["speed"], {})[line["language"]] = line["megabytes"]
    copies, strangers = found[0]["queries"]
    yield f"""# wherefrom beside other tools

`python -m benchmarks.beside --record` measures this, and writes [beside.jsonl](beside.jsonl) and this page. All tools
and all code come from registries: the {run["packages"]} packages of [quality.toml](../quality.toml).

State: {run["state"]}, {run["versions"]}.
"""
    yield from (f"Not run: {line['absent']}: {line['why'].rstrip('.')}." for line in lines if "absent" in line)
    yield from (line["note"] for line in lines if "note" in line)
    yield f"""
## Finding

{copies} edited functions of {", ".join(LANGUAGE_NAMES)}, and {strangers} functions that are in none of the files.
The time is that of one thread without its start; the memory is that of the largest process. For wherefrom, both
include making the index.
"""
    rows = [(line["tool"], line["setting"], *(f"{line[each]:g}" for each in MEASURES)) for line in found]
    yield table(("tool", "setting", *HEAD), rows)
    yield "\n## Speed\n\nMB/s of one thread.\n"
    cells = {name: [f"{of[each]:.2f}" if each in of else "" for each in LANGUAGE_NAMES] for name, of in speeds.items()}
    yield table(("tool", *LANGUAGE_NAMES, "what is timed"), [(name, *cells[name], WHAT[name]) for name in cells])
    yield "\n## Where another tool is better\n"
    yield from better(found, speeds)


def better(found: Sequence[Mapping[str, Any]], speeds: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """A line for each figure that is better than ours in a setting of a tool."""
    for (measure, is_less), name in zip(MEASURES.items(), HEAD, strict=True):
        sign = -1 if is_less else 1
        ours, best = found[0][measure], dict[str, float]()
        for line in found[1:]:
            if sign * line[measure] > sign * ours:
                best[line["tool"]] = max(best.get(line["tool"], line[measure]), line[measure], key=lambda it: sign * it)
        if best:
            yield f"- {name} ({ours:g}): {', '.join(f'{tool} {figure:g}' for tool, figure in best.items())}"
    for language in LANGUAGE_NAMES:
        ours = speeds[OURS][language]
        faster = [f"{name} {of[language]:.1f}" for name, of in speeds.items() if of.get(language, 0) > ours]
        if faster:
            yield f"- MB/s of {language} ({ours:.1f}): {', '.join(faster)}"


def main() -> None:
    """Measures, or draws the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--record", action="store_true")
    what.add_argument("--page", action="store_true")
    parser.add_argument("--cache", type=Path, default=user_cache_path("wherefrom-benchmarks"), help="(%(default)s)")
    options = parser.parse_args()
    if options.record:
        lines = [json.dumps(line) for line in recorded(options.cache)]
        RECORD.write_text("".join(f"{line}\n" for line in lines))
    drawn = "\n".join(page([json.loads(line) for line in RECORD.read_text().splitlines()]))
    RECORD.with_suffix(".md").write_text(f"{drawn}\n")


if __name__ == "__main__":
    main()
