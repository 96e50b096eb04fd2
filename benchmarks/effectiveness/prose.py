"""Passages of documentation, as they are and edited as people edit prose, looked up among documentation and code.

Projects are divided into two halves, A and B: parameters are tuned on A and judged on B. One project in four of each
half is not indexed. Its passages are on the same subjects, and no search may find any of them. Such a passage is left
out if an indexed file has `COPIED` of its letters in a row. Exits with 1 if a figure falls below `expected.json` or,
for sources that `expected.json` lacks, below the targets.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import wherefrom
from benchmarks.effectiveness import passages
from benchmarks.effectiveness.metrics import mean
from benchmarks.effectiveness.mutation import EXPECTED, Figures, fallen
from benchmarks.effectiveness.passages import EDITS, Document, squashed
from benchmarks.timing import percentile, table
from wherefrom.analyzers.content import skip_reason
from wherefrom.languages import LANGUAGES
from wherefrom.options import Limits, SearchOptions
from wherefrom.sources.discover import discover
from wherefrom.sources.source import Entry, Source

ENDINGS = (".rst", ".txt", ".md", ".adoc")
CODE_ENDINGS = tuple(
    ending
    for name in ("c", "cpp", "go", "java", "javascript", "php", "python", "ruby", "rust", "typescript")
    for ending in LANGUAGES[name].extensions
)
LEAST_BYTES, MOST_BYTES = 1_500, 150_000
"""Smaller and larger files are not chosen."""

HELD_OUT = 4
COPIED = 95
YEARS = 4
"""`REVISED` takes its passages from a revision that is this many years older than the newest commit."""

NAMES = ("", ".txt", ".rst", ".md")
"""The names of exact passages, in turn: none, or one with this ending, whatever the ending of the document is."""

EXACT, REVISED, UNKNOWN = "exact", "revised since", "not indexed"
UNKNOWN_LINES = f"{UNKNOWN}, lines"
ALL_EXACT, ALL_EDITED = "exact, all", "edited, all"

LEAST_EXACT, LEAST_EDITED, LEAST_UNKNOWN = 0.99, 0.9, 0.97
_HITS = 10


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents that are looked up, and those that are indexed.

    Attributes:
        indexed: documents that are indexed.
        code: files of code that are indexed beside them.
        unknown: documents of projects that are not indexed.
        older: the versions of indexed documents `YEARS` before, by their places.
        halves: `A` or `B` for each project.
    """

    indexed: Sequence[Document]
    code: Sequence[Document]
    unknown: Sequence[Document]
    older: Mapping[str, Document]
    halves: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """A query: its set and half, the right places (empty if there must be no hit), text, file name and origin."""

    kind: str
    half: str
    places: frozenset[str]
    text: str
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a case: the rank of the first right hit, whether there is a wrong hit, and a note on the hits."""

    case: Case
    rank: int | None
    has_wrong: bool
    why: str

    @property
    def is_right(self) -> bool:
        """Whether a right file is first; if there is no right file, whether nothing is found."""
        return self.rank == 1 if self.case.places else not self.has_wrong


def load(specs: Sequence[str], number: int, seed: int, cache: Path) -> Corpus:
    """Chooses files; the same ones for the same sources and seed.

    Args:
        specs: sources, as `wherefrom index` takes them; each is a project.
        number: at most this many documents of each project, and files of code.
        seed: of every random choice.
        cache: folder for clones of URLs.
    """
    sources = {"/".join(each.key.rstrip("/").split("/")[-2:]): each for each in discover(specs, cache=cache)}
    order = sorted(sources)
    random.Random(f"{seed} projects").shuffle(order)
    halves = {name: "AB"[at % 2] for at, name in enumerate(order)}
    held_out = {name for at, name in enumerate(order) if at // 2 % HELD_OUT == HELD_OUT - 1}
    seen: set[str] = set()
    indexed: list[Document] = []
    code: list[Document] = []
    unknown: list[Document] = []
    older: dict[str, Document] = {}
    for name, source in sorted(sources.items()):
        chance = random.Random(f"{seed} {name}")
        entries = [
            entry
            for entry in source.entries()
            if entry.skip is None and (entry.size is None or LEAST_BYTES <= entry.size <= MOST_BYTES)
        ]
        documents = []
        for document in read_documents(name, source, _ending(entries, ENDINGS, number, chance)):
            letters = squashed(document.text)
            if letters not in seen:
                seen.add(letters)
                documents.append(document)
        if name in held_out:
            unknown += documents
        else:
            indexed += documents
            code += read_documents(name, source, _ending(entries, CODE_ENDINGS, number, chance))
            older |= _older(source, documents)
    return Corpus(indexed, code, unknown, older, halves)


def _ending(entries: Sequence[Entry], endings: tuple[str, ...], number: int, chance: random.Random) -> list[Entry]:
    """`number` of the entries with one of these endings, or fewer if there are fewer, in their order."""
    there = [entry for entry in entries if entry.path.lower().endswith(endings)]
    return [there[at] for at in sorted(chance.sample(range(len(there)), min(number, len(there))))]


def read_documents(project: str, source: Source, entries: Sequence[Entry]) -> list[Document]:
    """The documents among the entries that are UTF-8 and would be indexed."""
    found = []
    for entry, content in source.read(entries):
        if isinstance(content, bytes) and skip_reason(entry.path, content, Limits()) is None:
            try:
                found.append(Document(project, entry.path, content.decode().replace("\r\n", "\n")))
            except UnicodeDecodeError:
                continue
    return found


def _older(source: Source, documents: Sequence[Document]) -> dict[str, Document]:
    """The versions of documents `YEARS` before, by their places, if the documents had the same path then."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", source.location, *arguments]
        return subprocess.run(command, capture_output=True, check=False).stdout.decode(errors="replace")

    if source.kind != "git":
        return {}
    before = int(git("log", "-1", "--format=%ct", source.revision)) - YEARS * 365 * 86_400
    revision = git("rev-list", "-1", f"--before={before}", source.revision).strip()
    if not revision:
        return {}
    texts = {
        each.place: Document(each.project, each.path, git("show", f"{revision}:{each.path}")) for each in documents
    }
    return {place: each for place, each in texts.items() if each.text}


def cases(corpus: Corpus, number: int, seed: int) -> Iterator[Case]:
    """The cases of every set: at most `number` passages of each indexed project, four times as many of the others."""
    letters = {each.place: squashed(each.text) for each in (*corpus.indexed, *corpus.code)}
    for project, documents in _by_project(corpus.indexed):
        half, chance = corpus.halves[project], random.Random(f"{seed} {project} passages")
        for at in range(number):
            document = chance.choice(documents)
            passage = passages.lines(document, chance)
            if passage is not None:
                ending = NAMES[at % len(NAMES)]
                kind, name = (f"{EXACT} ({ending})", f"passage{ending}") if ending else (f"{EXACT} (no name)", "")
                yield Case(kind, half, _holding(letters, [passage]), passage, name, f"{document.place}, {at}")
        for document, sentences in _sampled(documents, number, chance):
            places = _holding(letters, sentences)
            words = passages.vocabulary(document)
            for kind, edit in EDITS.items():
                text = passages.paragraph(edit(sentences, words, chance))
                yield Case(kind, half, places, text, "", document.place)
        here = {each.place: each for each in documents}
        before = [corpus.older[place] for place in here if place in corpus.older]
        revised = [
            (each, sentences)
            for each, sentences in _sampled(before, None, chance)
            if passages.is_revised(sentences, here[each.place].text)
        ]
        for each, sentences in revised[:number]:
            text = passages.paragraph(sentences)
            yield Case(REVISED, half, frozenset({each.place}), text, "", each.place)
    runs = frozenset(_runs(letters.values(), step=16))
    for project, documents in _by_project(corpus.unknown):
        half, chance = corpus.halves[project], random.Random(f"{seed} {project} passages")
        found = [
            (UNKNOWN, document.place, passages.paragraph(sentences))
            for document, sentences in _sampled(documents, 4 * number, chance)
        ]
        for _ in range(number):
            document = chance.choice(documents)
            passage = passages.lines(document, chance)
            if passage is not None:
                found.append((UNKNOWN_LINES, document.place, passage))
        for kind, place, text in found:
            if runs.isdisjoint(_runs([squashed(text)], step=1)):
                yield Case(kind, half, frozenset(), text, "", place)


def _by_project(documents: Iterable[Document]) -> list[tuple[str, list[Document]]]:
    found: dict[str, list[Document]] = defaultdict(list)
    for each in documents:
        found[each.project].append(each)
    return sorted(found.items())


def _sampled(
    documents: Iterable[Document], number: int | None, chance: random.Random
) -> list[tuple[Document, list[str]]]:
    """At most `number` passages of prose of these documents, or all if it is None."""
    found = [(document, sentences) for document in documents for sentences in passages.prose(document)]
    return chance.sample(found, len(found) if number is None else min(number, len(found)))


def _holding(letters: Mapping[str, str], parts: Iterable[str]) -> frozenset[str]:
    """The places that have all of some texts. `letters` has the letters of the file at each place."""
    needles = [squashed(part) for part in parts]
    return frozenset(place for place, held in letters.items() if all(needle in held for needle in needles))


def _runs(texts: Iterable[str], *, step: int) -> Iterator[int]:
    """A hash of every run of `COPIED` letters that begins at a multiple of `step`."""
    for text in texts:
        yield from (hash(text[at : at + COPIED]) for at in range(0, len(text) - COPIED + 1, step))


def lay_out(corpus: Corpus, folder: Path) -> None:
    """Writes the files that are indexed."""
    for each in (*corpus.indexed, *corpus.code):
        path = folder / each.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(each.text)


def answer(index: wherefrom.Index, case: Case) -> Answer:
    """Looks a case up."""
    result = index.search(case.text, limit=_HITS, name=case.name or SearchOptions.name)
    right = [bool(case.places & {each.path for each in hit.occurrences}) for hit in result.hits]
    wrong = [hit for hit, is_right in zip(result.hits, right, strict=True) if not is_right]
    why = f"{result.query.tokens} tokens as {result.query.language}"
    if wrong:
        why += f", first wrong {wrong[0].occurrences[0].path} {wrong[0].score:.1f}, {wrong[0].match:.0f}%"
    return Answer(case, right.index(True) + 1 if any(right) else None, bool(wrong), why)


def figures(answers: Iterable[Answer]) -> dict[str, Figures]:
    """The figures of each set in each half (`set: half`), and of the sets of exact and edited passages together."""
    groups: dict[str, list[Answer]] = defaultdict(list)
    for each in answers:
        kind = each.case.kind
        groups[f"{kind}: {each.case.half}"].append(each)
        if kind.startswith(EXACT):
            groups[f"{ALL_EXACT}: {each.case.half}"].append(each)
        if kind in EDITS:
            groups[f"{ALL_EDITED}: {each.case.half}"].append(each)
    return {
        name: Figures(
            mean([float(each.is_right) for each in group]),
            mean([float(each.is_right or each.rank is not None) for each in group]),
        )
        for name, group in groups.items()
    }


def targets() -> dict[str, dict[str, float]]:
    """The figures that are expected of sources that `expected.json` does not have."""
    wanted = {ALL_EXACT: LEAST_EXACT, ALL_EDITED: LEAST_EDITED, UNKNOWN: LEAST_UNKNOWN}
    return {f"{kind}: {half}": {"top_1": least} for kind, least in wanted.items() for half in "AB"}


def digest(every: Iterable[Case], corpus: Corpus) -> str:
    """A hash of the files and the passages."""
    state = hashlib.sha256()
    for text in (*(each.text for each in (*corpus.indexed, *corpus.code)), *(each.text for each in every)):
        state.update(text.encode())
    return state.hexdigest()[:16]


def report(answers: Sequence[Answer], seen: Mapping[str, Figures]) -> str:
    """The table."""
    kinds = dict.fromkeys(each.case.kind for each in answers)
    rows = []
    for kind in (*kinds, ALL_EXACT, ALL_EDITED):
        cells = []
        for half in "AB":
            group = [each for each in answers if each.case.half == half and _is_of(each.case.kind, kind)]
            cells += [str(len(group)), f"{seen[f'{kind}: {half}'].top_1:.4f}" if group else ""]
        letters = [len(squashed(each.case.text)) for each in answers if _is_of(each.case.kind, kind)]
        rows.append((kind, f"{percentile(letters, 0.5):.0f}", *cells))
    return table(("passages", "letters, p50", "A", "right, A", "B", "right, B"), rows)


def _is_of(kind: str, wanted: str) -> bool:
    if wanted == ALL_EXACT:
        return kind.startswith(EXACT)
    return kind in EDITS if wanted == ALL_EDITED else kind == wanted


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options by which passages are chosen."""
    parser.add_argument("sources", nargs="+", help="what `wherefrom index` takes; each is a project")
    parser.add_argument("--files", type=int, default=30, help="documents of each project (default: %(default)d)")
    parser.add_argument("--passages", type=int, default=12, help="of each project (default: %(default)d)")
    parser.add_argument("--seed", type=int, default=5, help="of every choice (default: %(default)d)")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.prose", description=__doc__)
    add_options(parser)
    parser.add_argument("--failures", type=int, default=50, help="cases that are named (default: %(default)d)")
    parser.add_argument("--update", metavar="NAME", help="write what is seen to expected.json, by this name")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        folder = Path(scratch)
        corpus = load(options.sources, options.files, options.seed, folder / "clones")
        every = list(cases(corpus, options.passages, options.seed))
        lay_out(corpus, folder / "files")
        wherefrom.index_sources([str(folder / "files")], folder / "index", jobs=1)
        with wherefrom.open_index(folder / "index") as index:
            blobs = index.stats().blobs
            begin = time.process_time()
            answers = [answer(index, case) for case in every]
            spent = (time.process_time() - begin) / len(every)
    seen = figures(answers)
    name = digest(every, corpus)
    print(f"{blobs} blobs, {len(every)} cases, {1000 * spent:.1f} ms of a processor for each; {name}\n")
    print(report(answers, seen))
    failed = [each for each in answers if not each.is_right]
    if failed:
        print(f"\n{len(failed)} cases failed:\n")
    for each in failed[: options.failures]:
        print(f"- {each.case.kind}, {each.case.half}: {each.case.label}: rank {each.rank}; {each.why}")
    known = json.loads(EXPECTED.read_text())
    if options.update is not None:
        known[name] = {"name": options.update, "figures": {key: asdict(seen[key]) for key in sorted(seen)}}
        EXPECTED.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
        return
    lines = fallen(seen, known[name]["figures"] if name in known else targets())
    if lines:
        sys.exit("\n".join(["\nbelow what is expected:", *lines]))


if __name__ == "__main__":
    main()
