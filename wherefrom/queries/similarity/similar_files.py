"""Compares whole files: finds those that are like a given one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from wherefrom.analyzers import kernel
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.guessing import guess
from wherefrom.analyzers.readings import read_in
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.engines.engine import Engine
from wherefrom.errors import UnknownRepository, UsageError
from wherefrom.fitted import LEAST_CONTAINED, LONG_FILE, RELATED, SHORT_RUN
from wherefrom.model import OF_TOKENS, Candidate, Occurrence, Representation, StoredBlob
from wherefrom.options import SimilarOptions
from wherefrom.queries.alignment.aligning import Aligned, Aligner
from wherefrom.queries.alignment.chains import Chain
from wherefrom.queries.alignment.documents import DocumentTokens
from wherefrom.queries.alignment.regions import explained_tokens, region_pairs
from wherefrom.queries.alignment.runs import Sides, unmasked
from wherefrom.queries.candidates import for_length
from wherefrom.queries.filters import AdmittedBlobs, Filters
from wherefrom.queries.judging.odds import ANSWER, probability, stated, strength
from wherefrom.queries.occurrences import content_at, current_occurrences, texts, with_records
from wherefrom.queries.preparation.background import Bits
from wherefrom.queries.preparation.preparing import evidence
from wherefrom.queries.preparation.query import LookedUpTerms, idf
from wherefrom.queries.repository_names import keys_of, unmatched
from wherefrom.queries.similarity.resemblance import InCommon, Original, dice, uniform_chain, uniform_grams
from wherefrom.queries.snippet import analyze_query, name_with_lines, stored_text
from wherefrom.queries.spans import Flags
from wherefrom.queries.translation.translating import Translations, with_copies
from wherefrom.results import (
    ChainExplanation,
    ContentMatch,
    Explanation,
    Hit,
    QueryInfo,
    RegionPair,
    SearchResult,
    TermExplanation,
)
from wherefrom.results.search import token_percent
from wherefrom.support.values import dataclass

CONTAINED: Mapping[Representation, int] = {
    Representation.RENAMED: SHORT_RUN,
    Representation.P_MATCH: SHORT_RUN,
    Representation.TEXT: SCHEMES[Representation.TEXT].k,
}
"""k of the k-grams that are chained for containment and regions. It is so large that a large file does not contain a
small one by chance, and so small that the order of the shared k-grams tells more than their length."""

COMPARED_FILES = 50  # this many files of the first stage are compared whole

LOOKED_AT = 8  # the first stage finds this many files for each that is compared: those that share most for their length
SHORTEST_REGION = SCHEMES[Representation.EXACT].k  # the tokens of the shortest region that is shown


def least_similar(by: str, tokens: int) -> float:
    """The least score at which a file counts as similar to a file of `tokens` tokens. Any file shares more with a tiny
    file by chance, so resemblance to a tiny file needs nearly twice the score of a long one.
    """
    return LEAST_CONTAINED if by == "containment" else RELATED * (2 - min(1.0, tokens / LONG_FILE))


@dataclass(frozen=True, slots=True)
class Containment:
    """The share of the target's `total` k-grams that a document has in the same order, and their chains."""

    share: float
    total: float
    chains: Mapping[Representation, Chain]


@dataclass(frozen=True, slots=True)
class Compared:
    """A document beside the target, ranked by `containment`, by resemblance (`shared` has its summands) or by both."""

    document: DocumentTokens
    first_stage: float
    score: float
    shared: tuple[InCommon, ...] = ()
    containment: Containment | None = None


class Target:
    """A file that others are compared with. Its `quiet` tokens are not evidence."""

    def __init__(self, stored: StoredBlob, quiet: Flags | None = None) -> None:
        self.document = DocumentTokens(stored)
        self._quiet = quiet
        self._original = Original(self.document)
        self._grams = {r: uniform_grams(self.document, r, k) for r, k in CONTAINED.items()}

    @cached_property
    def _bits(self) -> Bits:
        stream = self.document.stream
        return evidence(stream, np.zeros(len(stream), np.bool_) if self._quiet is None else self._quiet)

    @cached_property
    def _aligner(self) -> Aligner:
        return Aligner(self.document.stream, self._bits, 0, len(self.document.stream))

    def align(self, document: DocumentTokens) -> Aligned:
        """The best alignment with a document."""
        return self._aligner.align(document.text)

    def probability(self, document: DocumentTokens, aligned: Aligned, rarity: float) -> float:
        """How probable it is that the shorter of the target and an aligned document is a copy from the other one, by
        the rule of a search. `rarity` is the weight of the shared terms (`queries.judging.odds`).
        """
        tokens = min(self._bits.counted(self.document.stream), len(document.numbered))
        return probability(aligned.bits, tokens, rarity)

    def regions(
        self, document: DocumentTokens, aligned: Aligned, masked: Flags | None = None
    ) -> tuple[RegionPair, ...]:
        """The regions of the target and an aligned document that have at least `SHORTEST_REGION` tokens, outside of
        masked tokens.
        """
        runs = aligned.runs
        long = [run for run in (runs if masked is None else unmasked(runs, masked)) if run.tokens >= SHORTEST_REGION]
        return region_pairs(Sides.of(self.document.stream, document.stream), long)

    def compare(self, candidate: Candidate, by: str) -> Compared:
        """Compares a candidate by `containment`, by `resemblance`, or by the larger of both (`either`)."""
        document = DocumentTokens(read_in(candidate.blob, {self.document.blob.language: 1}))
        containment = None if by == "resemblance" else self.containment(document)
        shared = () if by == "containment" else self._original.shared(document)
        score = max(containment.share if containment else 0.0, dice(shared))
        document.forget()
        return Compared(document, candidate.score, score, shared, containment)

    def containment(self, document: DocumentTokens) -> Containment:
        """The share of the target's k-grams that a document has in the same order."""
        total = sum(grams.total for grams in self._grams.values())
        found = {key: uniform_chain(grams, document.grams(key, grams.k)) for key, grams in self._grams.items()}
        chains = {key: chain for key, chain in found.items() if chain.score}
        contained = sum(chain.score for chain in chains.values())
        return Containment(contained / total if total else 0.0, total, chains)


@dataclass(frozen=True, slots=True)
class RankedFiles:
    """The compared files of the first stage, the highest score first. There may be more files if `truncated`."""

    target: Target
    compared: tuple[Compared, ...]
    looked_up: LookedUpTerms
    truncated: bool


def rank(engine: Engine, stored: StoredBlob, *, by: str, wanted: int) -> RankedFiles:
    """Compares a file with the `wanted` files (perhaps including itself) that share most terms for their length."""
    target = Target(stored)
    terms = look_up(engine, target.document.stream)
    weights = terms.weights(terms.counts)
    candidates = engine.candidates(weights, limit=LOOKED_AT * wanted) if weights else []
    candidates.sort(key=for_length, reverse=True)
    compared = [target.compare(candidate, by) for candidate in candidates[:wanted]]
    compared.sort(key=lambda found: (-found.score, found.document.blob.blob))
    return RankedFiles(target, tuple(compared), terms, len(candidates) > wanted)


def similar(engine: Engine, target: str, options: SimilarOptions) -> SearchResult:
    """Finds files like an indexed one (`wherefrom.Index.similar` has arguments and errors).

    The target's terms are the query: no source is read. Candidates are compared whole: by containment, which is the
    share of the target's k-grams in chains, by resemblance, or by the larger of both.
    """
    if options.language is not None or options.lines is not None:
        raise UsageError("an indexed file is compared whole and in its own language; leave language and lines out")
    occurrence = find_occurrence(engine, target)
    stored = read_in(engine.blobs([occurrence.blob])[occurrence.blob], {guess(occurrence.path, b""): 1})
    place = (occurrence.repository, occurrence.path)
    return _similar(engine, stored, options, target, lambda: content_at(engine, *place, occurrence.blob), itself=place)


def similar_to(
    engine: Engine, code: bytes, options: SimilarOptions, *, analyzer: Analyzer | None = None
) -> SearchResult:
    """Finds files like a given text, as `similar` does. Errors as of `wherefrom.Index.similar_to`."""
    name, language, lines = options.name, options.language, options.lines
    read = analyze_query(code, name=name, language=language, lines=lines, analyzer=analyzer)
    return _similar(engine, stored_text(code, read), options, name_with_lines(name, lines), code)


def _similar(
    engine: Engine,
    stored: StoredBlob,
    options: SimilarOptions,
    name: str,
    source: bytes | Callable[[], bytes | None],
    *,
    itself: tuple[str, str] | None = None,
) -> SearchResult:
    """The files that are like a stored one. Leaves out the occurrence at `itself`, a repository and a path."""
    begin = time.perf_counter()
    by, limit, least = options.by, options.limit, least_similar(options.by, stored.token_count)
    ranking = rank(engine, stored, by=by, wanted=max(COMPARED_FILES, limit) + 1)
    alike = [
        (found, evidence)
        for found in ranking.compared
        if found.score >= least and (evidence := _evidence(ranking, found)) is not None
    ]
    places = current_occurrences(engine, [found.document.blob.blob for found, _ in alike])
    if stored.blob in places:  # copies of the target are hits, but not the target itself
        places[stored.blob] = [at for at in places[stored.blob] if (at.repository, at.path) != itself]
    located = [like for like in alike if places[like[0].document.blob.blob]]
    made = (
        _hit(ranking, *like, places[like[0].document.blob.blob], least if options.explain else None)
        for like in located[:limit]
    )
    subject = ranking.target.document.stream
    nothing, admitted = np.zeros(len(subject), np.bool_), AdmittedBlobs(engine)
    translations = Translations(engine, subject, nothing, Filters(), admitted, least=ANSWER, is_file=True)
    copies, translated = with_copies([*made], [*translations.hits(None, limit=limit)])
    hits, repositories = with_records(engine, [*copies, *translated][:limit])
    explained = int(np.count_nonzero(explained_tokens(subject, (pair for hit in hits for pair in hit.regions))))
    return SearchResult(
        engine=engine.name,
        schemes=scheme_ids(),
        query=QueryInfo(
            name=name,
            language=stored.language,
            tokens=len(subject),
            fingerprints=sum(map(len, ranking.looked_up.counts.values())),
            window=SCHEMES[Representation.EXACT].w,
            guarantee=SCHEMES[Representation.EXACT].guarantee,
            excluded={"boilerplate": 0, "max_df": 0},
            needed=None if ranking.looked_up.counts else SCHEMES[Representation.EXACT].k,
        ),
        total=len(located) + len(translated),
        truncated=ranking.truncated,
        took_ms=round((time.perf_counter() - begin) * 1000, 3),
        hits=hits,
        explained_tokens=explained,
        explained=token_percent(explained, len(subject)),
        repositories=repositories,
        texts=texts(engine, source),
    )


def find_occurrence(engine: Engine, target: str) -> Occurrence:
    """The occurrence that `REPOSITORY:PATH` names; a key may contain colons. Raises UsageError if there is no colon, or
    several repositories match; UnknownRepository if there is no such repository or path.
    """
    if ":" not in target:
        raise UsageError(
            f"{target!r} is neither a file nor an indexed one, which is named REPOSITORY:PATH; check the path, or see "
            "`wherefrom list`"
        )
    keys = engine.repository_keys()
    splits = [(target[:at], target[at + 1 :]) for at, character in enumerate(target) if character == ":"]
    splits = [split for split in splits if split[0] in keys] or splits
    named = [(key, path) for name, path in splits for key in keys_of(name, keys)]
    if not named:
        [problem] = unmatched([target.rpartition(":")[0]], keys)
        raise UnknownRepository(problem)
    found = [
        occurrence
        for key, path in named
        for occurrence in engine.occurrences(repository=key)
        if occurrence.path == path
    ]
    if not found:
        raise UnknownRepository(f"repository {named[0][0]!r} has no indexed file {named[0][1]!r}")
    if len(found) > 1:
        raise UsageError(f"{target!r} means a file in each of {len(found):,} repositories; give the key of one")
    return found[0]


def look_up(engine: Engine, stream: TokenStream, most: int | None = None) -> LookedUpTerms:
    """Counts the contents that have each of a file's terms: of each representation only the `most` smallest, which are
    a sample of all. With more terms, the result is closer to containment than to resemblance (paper, 3.2).
    """
    return LookedUpTerms.of(
        engine, {key: found[:most].tolist() for key, found in kernel.document_terms(stream).items()}
    )


def _evidence(ranking: RankedFiles, compared: Compared) -> tuple[Aligned, float] | None:
    """The alignment of a compared file with the target, and the probability; None if it is not an answer."""
    target, document = ranking.target, compared.document
    aligned = target.align(document)
    likely = target.probability(document, aligned, compared.first_stage / ranking.looked_up.unit)
    document.forget()
    return (aligned, likely) if likely >= ANSWER else None


def _hit(
    ranking: RankedFiles,
    compared: Compared,
    evidence: tuple[Aligned, float],
    places: Sequence[Occurrence],
    least: float | None,
) -> Hit:
    """The hit of a compared file, with an explanation if the `least` score is given."""
    target, (aligned, likely) = ranking.target, evidence
    containment = compared.containment or target.containment(compared.document)
    stream = target.document.stream
    regions = target.regions(compared.document, aligned)
    content = ContentMatch(
        blob=compared.document.blob.blob,
        score=round(compared.score, 6),
        match=token_percent(sum(pair.tokens for pair in regions), len(stream)),
        containment=round(containment.share, 6),
        longest_run=max((region.tokens for region in regions), default=0),
        regions=regions,
        strength=strength(likely),
        probability=stated(likely),
    )
    hit = Hit(
        contents=(content,),
        language=compared.document.blob.language,
        occurrences=tuple(places),
        explanation=None if least is None else _explanation(ranking, compared, containment, least),
    )
    compared.document.forget()
    return hit


def _explanation(ranking: RankedFiles, compared: Compared, containment: Containment, least: float) -> Explanation:
    is_contained = not compared.shared or (compared.containment is not None and containment.share == compared.score)
    chains = _chains_of(containment) if is_contained else _measures_of(compared)
    terms = ranking.looked_up
    return Explanation(
        score=round(compared.score, 6),
        probability=None,
        evidence=None,
        threshold=round(least, 6),
        first_stage=round(compared.first_stage, 6),
        blobs=terms.blobs,
        chains=tuple(chains),
        terms=tuple(
            TermExplanation(key, term, count, round(idf(count, terms.blobs[key]), 6))
            for key in OF_TOKENS
            for term, count in terms.counts.get(key, {}).items()
            if term in compared.document.terms[key]
        ),
    )


def _chains_of(containment: Containment) -> Iterator[ChainExplanation]:
    for representation, chain in containment.chains.items():
        yield ChainExplanation(
            representation=representation,
            score=round(chain.score / containment.total, 6),
            kgrams=len(chain.query),
            coverage=round(containment.share, 6),
            longest_run=chain.longest_run,
        )


def _measures_of(compared: Compared) -> Iterator[ChainExplanation]:
    both = sum(shared.measure.weight * (shared.own + shared.other) for shared in compared.shared)
    for shared in compared.shared:
        if shared.common:
            yield ChainExplanation(
                representation=shared.measure.representation,
                score=round(2 * shared.measure.weight * shared.common / both, 6),
                kgrams=shared.common,
                coverage=round(shared.common / shared.own, 6),
                longest_run=shared.measure.k,
            )
