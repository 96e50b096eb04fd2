"""Reads public data sets in their published layouts: OCD, and the training part of SOCO-14.

OCD: `resources/tests/PROGRAM/VERSION/*.java` and cluster files (`file,cluster,method`) in `resources`. SOCO-14: a
folder of files for each language and `SOCO14-LANGUAGE.qrel`, two file names a line: one file is re-used from the other.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.effectiveness.syntax import SHAPES, nodes, root

_OCD_TESTS = "resources/tests"
_OCD_FILES = "resources/cloplag_clone_clusters_FILE-LEVEL.csv"
_OCD_METHODS = "resources/cloplag_clone_clusters_METHOD-LEVEL.csv"
_WHOLE_FILE = "method"
"""The value of a cluster file's column `method` for a whole file."""

PROGUARD = "_pg_"
"""A name of a version that has this part is one that ProGuard has obfuscated."""


Judgements = Mapping[str, frozenset[str]]
"""For each query the documents that are to be found."""

_CLUSTERS = "cluster file"

SAME_IN_OCD = (
    (
        "InfixConverter/0_orig/InfixConverter.java",
        "guessword/0_orig/GuessWord.java",
        "public static String ReadString()",
    ),
    (
        "InfixConverter/0_orig/InfixConverter.java",
        "kaprekar/0_orig/Kaprekar_Transformation.java",
        "public static int ReadInteger()",
    ),
)
"""Methods that two programs of OCD share token for token, though the cluster file puts them into two clusters."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """Documents and which of them are copies of each other.

    Attributes:
        name: what reports call it.
        language: of all documents.
        documents: name to content; a name ends as a file of the language does.
        judgements: by name of the judgement. For each query, the documents that are to be found, at least one. The
            first judgement counts, the others are reported beside it.
    """

    name: str
    language: str
    documents: Mapping[str, bytes]
    judgements: Mapping[str, Judgements]

    @property
    def relevant(self) -> Judgements:
        """The first judgement, which counts."""
        return next(iter(self.judgements.values()))


def ocd_files(folder: Path) -> DataSet:
    """OCD, whole files.

    Raises:
        OSError, KeyError: the folder has another layout.
    """
    tests = folder / _OCD_TESTS
    clusters = defaultdict(set)
    for file, cluster, _ in _cluster_rows(folder / _OCD_FILES):
        clusters[cluster].add(file)
    documents = {name: (tests / name).read_bytes() for names in clusters.values() for name in names}
    return DataSet("OCD files", "java", dict(sorted(documents.items())), {_CLUSTERS: _others(clusters.values())})


def ocd_methods(folder: Path, *, proguard: bool) -> DataSet:
    """OCD, methods: every method with a body of every labelled file is a document, the labelled ones are queries.

    Args:
        folder: of the data set.
        proguard: the methods of the versions that ProGuard has obfuscated are documents too. The cluster file labels
            none of them, so each copy that is found there counts as wrong.

    Raises:
        OSError, KeyError: the folder has another layout, or a labelled method is not there.
    """
    tests = folder / _OCD_TESTS
    files = sorted(
        path.relative_to(tests).as_posix()
        for path in tests.glob("*/*/*.java")
        if proguard or PROGUARD not in path.parent.name
    )
    documents: dict[str, bytes] = {}
    headers: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for file in files:
        for number, (header, text) in enumerate(java_methods((tests / file).read_bytes())):
            name = f"{file.removesuffix('.java')}/{number}.java"
            documents[name], headers[file][name] = text, header
    clusters = defaultdict(set)
    for file, cluster, signature in _cluster_rows(folder / _OCD_METHODS):
        clusters[cluster].add(_labelled(headers[file], signature))
    same = [(_labelled(headers[one], header), _labelled(headers[other], header)) for one, other, header in SAME_IN_OCD]
    mended = connected([*same, *((name, each) for group in clusters.values() for name in group for each in group)])
    judgements = {_CLUSTERS: _others(clusters.values()), "cluster file, same methods joined": _others(mended)}
    return DataSet("OCD methods, all versions" if proguard else "OCD methods", "java", documents, judgements)


def soco(folder: Path, language: str, clusters: Path | None = None) -> DataSet:
    """The SOCO-14 files in `java` or `c`. Relevant for a file are its pairs; by a second judgement, what pairs connect.

    Args:
        folder: of the data set.
        language: `java` or `c`.
        clusters: a cluster file, which is then the judgement that counts. OCD has the one that was used for Siamese.

    Raises:
        OSError, KeyError: the folder, or the cluster file, has another layout.
    """
    lines = (folder / f"SOCO14-{language}.qrel").read_text().splitlines()
    documents = {path.name: path.read_bytes() for path in sorted((folder / language).iterdir())}
    pairs = [(pair[0], pair[1]) for line in lines if (pair := line.split())]
    judgements = {"pairs": _paired(pairs), "connected pairs": _others(connected(pairs))}
    if clusters is not None:
        groups = defaultdict(set)
        for file, cluster, _ in _cluster_rows(clusters):
            groups[cluster].add(file.rpartition("/")[2])
        judgements = {_CLUSTERS: _others(groups.values()), **judgements}
    return DataSet(f"SOCO-14 {language}", language, documents, judgements)


def soco_java_clusters(ocd: Path) -> Path:
    """The cluster file of SOCO-14's Java files, which is distributed with OCD."""
    return ocd / "resources/soco_clone_clusters_FILE-LEVEL.csv"


def connected(pairs: Iterable[tuple[str, str]]) -> list[set[str]]:
    """The groups of documents that pairs connect, directly or by a chain."""
    group_of: dict[str, set[str]] = {}
    for one, other in pairs:
        joined = group_of.get(one, {one}) | group_of.get(other, {other})
        group_of.update(dict.fromkeys(joined, joined))
    return list({id(group): group for group in group_of.values()}.values())


def java_methods(source: bytes) -> Iterator[tuple[tuple[str, ...], bytes]]:
    """The header (its tokens, without modifiers) and the text of each method and constructor with a body."""
    for node in nodes(root("java", source)):
        if node.type in SHAPES["java"].functions:
            parameters, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
            if parameters is not None and body is not None:
                begin = min((each.end_byte for each in node.children if each.type == "modifiers"), default=0)
                leaves = [leaf for leaf in nodes(node) if not leaf.child_count]
                header = tuple(
                    source[leaf.start_byte : leaf.end_byte].decode()
                    for leaf in leaves
                    if begin <= leaf.start_byte < parameters.end_byte
                )
                yield header, source[node.start_byte : node.end_byte]


def _labelled(headers: Mapping[str, tuple[str, ...]], signature: str) -> str:
    """The name of the first method with this signature; modifiers are ignored."""
    ((wanted, _),) = java_methods(b"class Any { %b { } }" % signature.encode())
    for name, header in headers.items():
        if header == wanted:
            return name
    raise KeyError(f"no method {signature!r} among {sorted(' '.join(header) for header in headers.values())}")


def _cluster_rows(path: Path) -> Iterator[tuple[str, str, str]]:
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            yield row["file"], row["cluster"], row["method"]


def _paired(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    others = defaultdict(set)
    for one, other in pairs:
        others[one].add(other)
        others[other].add(one)
    return {name: frozenset(others[name]) for name in sorted(others)}


def _others(groups: Iterable[set[str]]) -> dict[str, frozenset[str]]:
    relevant = {each: frozenset(group - {each}) for group in groups for each in group if len(group) > 1}
    return dict(sorted(relevant.items()))
