"""Passages of documentation, as they are and edited as people edit prose, looked up among documentation and code.

Projects are dealt to two halves: what is tuned is tuned on the first, and what it is worth is seen on the second. Of
each half one project in four is not indexed: its passages, on the same subjects, are to be answered with nothing. A
passage that an indexed file has in part, `COPIED` letters or digits in a row, is left out of these.
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
from dataclasses import dataclass
from pathlib import Path

import wherefrom
from benchmarks.effectiveness import passages
from benchmarks.effectiveness.passages import Document, squashed
from benchmarks.timing import percentile, table
from wherefrom.sources import discover
from wherefrom.sources.source import Entry, Source

EXPECTED = Path(__file__).with_name("expected_prose.json")
ENDINGS = (".rst", ".txt", ".md", ".adoc")
CODE_ENDINGS = (".py", ".c", ".h", ".js", ".ts", ".java", ".rs", ".go", ".rb", ".cpp", ".php")
LEAST_BYTES, MOST_BYTES = 1_500, 150_000
"""Smaller and larger files are not chosen."""

HELD_OUT = 4
COPIED = 95
EXACT, UNKNOWN, REVISED = "exact", "not indexed", "revised since"
NAMES = ("", ".txt", ".rst", ".md")
"""What the query is called: nothing, or a file name with that ending."""

YEARS = 4
"""How much older than the newest commit the revision is of which `REVISED` takes its passages."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents by whether their project is indexed, files of code that are indexed beside them, and what the
    documents said years ago.
    """

    indexed: Sequence[Document]
    unknown: Sequence[Document]
    code: Sequence[Document]
    older: Mapping[str, Document]
    halves: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Case:
    """A query: its set, its half, the places that are right, none where nothing is, its text, and the name it has."""

    kind: str
    half: int
    places: frozenset[str]
    text: str
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a case came to."""

    case: Case
    rank: int | None
    score: float
    wrong: float
    match: float
    why: str


def load(specs: Sequence[str], number: int, seed: int, cache: Path) -> Corpus:
    """Chooses documents, `number` of each project at most, and as many files of code."""
    by_project: dict[str, list[tuple[Source, Entry]]] = defaultdict(list)
    sources = {}
    for source in discover(specs, cache=cache):
        name = "/".join(source.key.removesuffix(".git").rstrip("/").split("/")[-2:])
        name = Path(source.location).parent.name if name.endswith("/repo") else name
        sources[name] = source
    order = sorted(sources)
    random.Random(f"{seed} projects").shuffle(order)
    halves = {name: at % 2 for at, name in enumerate(order)}
    held_out = {name for at, name in enumerate(order) if at // 2 % HELD_OUT == HELD_OUT - 1}
    seen: set[str] = set()
    indexed: list[Document] = []
    unknown: list[Document] = []
    code: list[Document] = []
    older: dict[str, Document] = {}
    for name in sorted(sources):
        source, chance = sources[name], random.Random(f"{seed} {name}")
        entries = [
            entry
            for entry in source.entries()
            if entry.skip is None and (entry.size is None or LEAST_BYTES <= entry.size <= MOST_BYTES)
        ]
        documents = _chosen(name, source, [e for e in entries if e.path.lower().endswith(ENDINGS)], number, chance)
        documents = [each for each in documents if squashed(each.text) not in seen]
        seen |= {squashed(each.text) for each in documents}
        if name in held_out:
            unknown += documents
            continue
        indexed += documents
        code += _chosen(name, source, [e for e in entries if e.path.lower().endswith(CODE_ENDINGS)], number, chance)
        older |= _older(source, documents)
    return Corpus(indexed, unknown, code, older, halves)


def _chosen(
    project: str, source: Source, entries: Sequence[Entry], number: int, chance: random.Random
) -> list[Document]:
    picked = sorted(chance.sample(range(len(entries)), min(number, len(entries))))
    found = []
    for entry, content in source.read([entries[at] for at in picked]):
        if isinstance(content, bytes):
            text = content.decode(errors="replace").replace("\r\n", "\n")
            if "\ufffd" not in text:
                found.append(Document(project, entry.path, text))
    return found


def _older(source: Source, documents: Sequence[Document]) -> dict[str, Document]:
    """What the documents said `YEARS` before, by their places, where they were there under the same path."""

    def git(*arguments: str) -> bytes:
        command = ["git", "-C", source.location, *arguments]
        return subprocess.run(command, capture_output=True, check=False).stdout

    newest = int(git("log", "-1", "--format=%ct", "HEAD") or 0)
    before = newest - YEARS * 365 * 86_400
    revision = git("rev-list", "-1", f"--before={before}", "HEAD").decode().strip()
    if not revision:
        return {}
    found = {}
    for each in documents:
        text = git("show", f"{revision}:{each.path}").decode(errors="replace")
        if text:
            found[each.place] = Document(each.project, each.path, text)
    return found


def cases(corpus: Corpus, seed: int, exact: int, edited: int) -> Iterator[Case]:
    """Every set: so many `exact` passages and `edited` ones of each project, at most."""
    whole = {each.place: squashed(each.text) for each in (*corpus.indexed, *corpus.code)}
    grams = _grams(whole.values())
    by_project: dict[str, list[Document]] = defaultdict(list)
    for each in corpus.indexed:
        by_project[each.project].append(each)
    for project, documents in sorted(by_project.items()):
        half, chance = corpus.halves[project], random.Random(f"{seed} {project} passages")
        for number in range(exact):
            document = chance.choice(documents)
            passage = passages.exact_passage(document, chance)
            if passage is None:
                continue
            needle = squashed(passage)
            places = frozenset(place for place, text in whole.items() if needle in text)
            ending = NAMES[number % len(NAMES)]
            name = f"passage{ending}" if ending else ""
            yield Case(f"{EXACT} ({ending or 'no name'})", half, places, passage, name, f"{number} {document.place}")
        found = [(document, passage) for document in documents for passage in passages.passages(document)]
        for document, sentences in chance.sample(found, min(edited, len(found))):
            needles = [squashed(sentence) for sentence in sentences]
            places = frozenset(place for place, text in whole.items() if all(each in text for each in needles))
            words = passages.vocabulary(document)
            for kind, edit in passages.EDITS.items():
                text = passages.wrapped(edit(sentences, words, chance))
                yield Case(kind, half, places, text, "", document.place)
        revised = [
            (document, sentences)
            for document in documents
            if document.place in corpus.older
            for sentences in passages.passages(corpus.older[document.place])
            if passages.is_revised(sentences, document)
        ]
        for document, sentences in chance.sample(revised, min(edited, len(revised))):
            yield Case(REVISED, half, frozenset({document.place}), passages.wrapped(sentences), "", document.place)
    by_project.clear()
    for each in corpus.unknown:
        by_project[each.project].append(each)
    for project, documents in sorted(by_project.items()):
        half, chance = corpus.halves[project], random.Random(f"{seed} {project} passages")
        found = [(document, passage) for document in documents for passage in passages.passages(document)]
        for document, sentences in chance.sample(found, min(8 * edited, len(found))):
            text = passages.wrapped(sentences)
            if not _is_copied(squashed(text), grams):
                yield Case(UNKNOWN, half, frozenset(), text, "", document.place)
        for number in range(exact):
            document = chance.choice(documents)
            passage = passages.exact_passage(document, chance)
            if passage is not None and not _is_copied(squashed(passage), grams):
                yield Case(f"{UNKNOWN}, as it is", half, frozenset(), passage, "", f"{number} {document.place}")


def _grams(texts: Iterable[str]) -> frozenset[int]:
    return frozenset(hash(text[at : at + COPIED]) for text in texts for at in range(0, len(text) - COPIED + 1, 16))


def _is_copied(text: str, grams: frozenset[int]) -> bool:
    run = 0
    return any(hash(text[at : at + COPIED]) in grams for at in range(len(text) - COPIED + 1)) or bool(run)


def lay_out(corpus: Corpus, folder: Path) -> None:
    """Writes the files that are indexed."""
    for each in (*corpus.indexed, *corpus.code):
        path = folder / each.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(each.text)


def answer(index: wherefrom.Index, case: Case) -> Answer:
    """Looks a case up."""
    result = index.search(case.text, name=case.name or "<code>", limit=10)
    right = [bool(case.places & {each.path for each in hit.occurrences}) for hit in result.hits]
    rank = right.index(True) + 1 if any(right) else None
    wrong = [hit for hit, is_right in zip(result.hits, right, strict=True) if not is_right]
    why = f"{result.query.tokens} tokens as {result.query.language}"
    if wrong:
        why += f", first wrong {wrong[0].occurrences[0].path} {wrong[0].score:.1f} {wrong[0].match}% run {wrong[0].longest_run}"
    return Answer(
        case,
        rank,
        result.hits[rank - 1].score if rank else 0.0,
        wrong[0].score if wrong else 0.0,
        result.hits[0].match if result.hits else 0.0,
        why,
    )
