"""Public data sets in the layouts in which they are given out: OCD, and SOCO-14's training part.

OCD: `resources/tests/PROGRAM/VERSION/*.java` and cluster files (`file,cluster,method`) in `resources`. SOCO-14: a
folder of files for each language and `SOCO14-LANGUAGE.qrel`, two file names a line that are one re-used from the other.
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
"""What stands in a cluster file's column `method` where the whole file is meant."""

PROGUARD = "_pg_"
"""In the name of a version that ProGuard has obfuscated."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """Documents and which of them are copies of each other.

    Attributes:
        name: what reports call it.
        language: of all documents.
        documents: name to content; a name ends as a file of the language does.
        relevant: for each document that is a query the others that are to be found, at least one.
    """

    name: str
    language: str
    documents: Mapping[str, bytes]
    relevant: Mapping[str, frozenset[str]]


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
    return DataSet("OCD files", "java", dict(sorted(documents.items())), _others(clusters.values()))


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
    name = "OCD methods, all versions" if proguard else "OCD methods"
    return DataSet(name, "java", documents, _others(clusters.values()))


def soco(folder: Path, language: str) -> DataSet:
    """SOCO-14, `java` or `c`: what pairs connect, at whatever length, is relevant to each other.

    Raises:
        OSError: the folder has another layout.
    """
    lines = (folder / f"SOCO14-{language}.qrel").read_text().splitlines()
    documents = {path.name: path.read_bytes() for path in sorted((folder / language).iterdir())}
    pairs = [(pair[0], pair[1]) for line in lines if (pair := line.split())]
    return DataSet(f"SOCO-14 {language}", language, documents, _others(connected(pairs)))


def connected(pairs: Iterable[tuple[str, str]]) -> list[set[str]]:
    """The groups that pairs connect."""
    group_of: dict[str, set[str]] = {}
    for one, other in pairs:
        joined = group_of.get(one, {one}) | group_of.get(other, {other})
        group_of.update(dict.fromkeys(joined, joined))
    return list({id(group): group for group in group_of.values()}.values())


def java_methods(source: bytes) -> Iterator[tuple[tuple[str, ...], bytes]]:
    """The methods and constructors with a body: (the header's tokens without modifiers before it, the text)."""
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
    """The first method with this signature; the order of its modifiers is not looked at."""
    ((wanted, _),) = java_methods(b"class Any { %b { } }" % signature.encode())
    for name, header in headers.items():
        if header == wanted:
            return name
    raise KeyError(f"no method {signature!r} among {sorted(' '.join(header) for header in headers.values())}")


def _cluster_rows(path: Path) -> Iterator[tuple[str, str, str]]:
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            yield row["file"], row["cluster"], row["method"]


def _others(groups: Iterable[set[str]]) -> dict[str, frozenset[str]]:
    relevant = {each: frozenset(group - {each}) for group in groups for each in group if len(group) > 1}
    return dict(sorted(relevant.items()))
