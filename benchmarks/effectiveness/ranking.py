"""Whole files and methods of public data sets, each ranked by wherefrom against all others.

Every data set is indexed as a plain folder, and each labelled document is compared, by the resemblance of
`wherefrom.queries.similarity`, with the documents that share a term with it, as wherefrom does, and with all. The
difference is what the first stage misses. Exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import wherefrom
from benchmarks.effectiveness.datasets import DataSet, ocd_files, ocd_methods, soco, soco_java_clusters
from benchmarks.effectiveness.metrics import average_precision, judged, mean, r_precision, recall_at, reciprocal_rank
from benchmarks.timing import table
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.model import Candidate
from wherefrom.queries.similarity.similar_files import Compared, Target, rank
from wherefrom.sources.source import blob_id

RECALL_AT = 10

TARGETS: Mapping[str, tuple[float, float]] = {
    "OCD files": (0.98, 0.984),
    "OCD methods": (0.86, 0.90),
    "SOCO-14 java": (0.993, 0.995),
    "SOCO-14 c": (0.90, 0.93),
}
"""The least MAP of each data set, with the query left out, and with the query counted in."""

COMPARED_WITH_ALL = "all"
"""The ranking to which the targets apply."""

Ranked = Mapping[str, Sequence[tuple[str, float]]]
"""For each query the (document, score) pairs, best first; the query is among them."""


@dataclass(frozen=True, slots=True)
class Figures:
    """MAP with the query left out and counted in; the rest with the query left out."""

    map_without: float
    map_with: float
    mrr: float
    recall: float
    arp: float

    @property
    def row(self) -> tuple[str, ...]:
        """The figures as a row of a table."""
        return tuple(f"{value:.4f}" for value in (self.map_without, self.map_with, self.mrr, self.recall, self.arp))


HEAD = ("MAP, query left out", "MAP, query counted in", "MRR", f"recall@{RECALL_AT}", "ARP")


def ranked_by_product(data: DataSet) -> dict[str, Ranked]:
    """Indexes the documents as a folder. Ranks for each query the documents that share a term with it, and all
    documents; equal scores are ordered by name.
    """
    with tempfile.TemporaryDirectory(prefix="wherefrom-benchmark-") as scratch:
        for name, content in data.documents.items():
            path = Path(scratch, "documents", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        wherefrom.index_sources([str(Path(scratch, "documents"))], Path(scratch, "index"), jobs=1)
        names = defaultdict(list)
        for name, content in sorted(data.documents.items()):
            names[blob_id(content)].append(name)
        first_stage, everything = {}, {}
        with closing(open_engine(Path(scratch, "index"), schemes=scheme_ids())) as engine:
            stored = engine.blobs(list(names))
            for query in data.relevant:
                blob = stored[blob_id(data.documents[query])]
                ranking = rank(engine, blob, by="resemblance", wanted=len(names))
                first_stage[query] = _by_name(ranking.compared, names)
                target = Target(blob)
                compared = [target.compare(Candidate(0.0, other), "resemblance") for other in stored.values()]
                everything[query] = _by_name(compared, names)
    return {"those that share a term": first_stage, COMPARED_WITH_ALL: everything}


def _by_name(compared: Iterable[Compared], names: Mapping[str, Sequence[str]]) -> list[tuple[str, float]]:
    pairs = [(name, each.score) for each in compared for name in names[each.document.blob.blob]]
    return sorted(pairs, key=lambda pair: (-round(pair[1], 9), pair[0]))


def figures(ranked: Ranked, relevant: Mapping[str, frozenset[str]]) -> Figures:
    """The measures over all queries."""
    left_out, counted_in = (
        [
            (judged([name for name, _ in ranked[q]], found, q, count_query=count), len(found) + count)
            for q, found in relevant.items()
        ]
        for count in (False, True)
    )
    return Figures(
        map_without=mean([average_precision(flags, number) for flags, number in left_out]),
        map_with=mean([average_precision(flags, number) for flags, number in counted_in]),
        mrr=mean([reciprocal_rank(flags) for flags, _ in left_out]),
        recall=mean([recall_at(flags, number, min(RECALL_AT, len(flags))) for flags, number in left_out]),
        arp=mean([r_precision(flags, number) for flags, number in left_out]),
    )


def failures(ranked: Ranked, relevant: Mapping[str, frozenset[str]]) -> list[str]:
    """A line for each query if some other document ranks before one of its copies: the worst first."""
    found = []
    for query, copies in relevant.items():
        others = [(name, score) for name, score in ranked[query] if name != query]
        flags = [name in copies for name, _ in others]
        precision = average_precision(flags, len(copies))
        if precision == 1:
            continue
        parts = [f"- {query}: precision {precision:.2f} of {len(copies)}"]
        parts += [f"first other {name} {score:.2f}" for name, score in others if name not in copies][:1]
        ranks = [rank for rank, flag in enumerate(flags, 1) if flag]
        if ranks:
            name, score = others[ranks[-1] - 1]
            parts.append(f"last copy {name} {score:.2f} at rank {ranks[-1]}")
        if len(ranks) < len(copies):
            parts.append(f"{len(copies) - len(ranks)} share no term")
        found.append((precision, "; ".join(parts)))
    return [line for _, line in sorted(found)]


def data_sets(ocd: Path | None, soco_folder: Path | None) -> Iterable[DataSet]:
    """The data sets whose folders are given."""
    if ocd is not None:
        yield ocd_files(ocd)
        yield ocd_methods(ocd, proguard=False)
        yield ocd_methods(ocd, proguard=True)
    if soco_folder is not None:
        yield soco(soco_folder, "java", None if ocd is None else soco_java_clusters(ocd))
        yield soco(soco_folder, "c")


def add_folder_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ocd", type=Path, metavar="FOLDER", help="the OCD data set")
    parser.add_argument("--soco", type=Path, metavar="FOLDER", help="the training part of SOCO-14")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.effectiveness.ranking", description=__doc__)
    add_folder_options(parser)
    parser.add_argument("--failures", type=int, default=0, metavar="N", help="name the N worst queries of each set")
    options = parser.parse_args()
    if options.ocd is None and options.soco is None:
        parser.error("give the folder of at least one data set: --ocd or --soco")
    rows, missed, named = [], [], []
    for data in data_sets(options.ocd, options.soco):
        for (label, relevant), (compared, ranked) in product(data.judgements.items(), ranked_by_product(data).items()):
            seen = figures(ranked, relevant)
            rows.append((data.name, label, compared, str(len(data.documents)), str(len(relevant)), *seen.row))
            if compared != COMPARED_WITH_ALL or relevant is not data.relevant:
                continue
            failed = failures(ranked, relevant)
            named.append(f"\n{data.name}: {len(failed)} of {len(relevant)} queries are not perfect\n")
            named += failed[: options.failures]
            least = TARGETS.get(data.name, (0.0, 0.0))
            if seen.map_without < least[0] or seen.map_with < least[1]:
                reached = f"{seen.map_without:.4f} / {seen.map_with:.4f}"
                missed.append(f"{data.name}: MAP {reached}, wanted {least[0]} / {least[1]}")
    print(table(("data set", "relevant by", "compared with", "documents", "queries", *HEAD), rows))
    if options.failures:
        print("\n".join(named))
    if missed:
        sys.exit("\n" + "\n".join(missed))


if __name__ == "__main__":
    main()
