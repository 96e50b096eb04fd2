"""Learns from an index what may be boilerplate, for a person to accept. Nothing is written to the index."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wherefrom.analyzers.content import name_reason, skip_reason
from wherefrom.analyzers.hashing import distinct
from wherefrom.analyzers.positions import decode
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.analyzers.tokens import decode_symbols
from wherefrom.engines.engine import Engine
from wherefrom.fitted import FEW, NEARLY_ALL, RARELY
from wherefrom.model import Hashes, ProposalKind, Representation, SkipReason
from wherefrom.options import LearnOptions, Limits
from wherefrom.queries.learning.families import LearnedContent, contents_of
from wherefrom.queries.learning.proposals import Example, Proposal, Proposals
from wherefrom.queries.learning.shared_code import Cluster, Place, Step, read, shared_stretches
from wherefrom.queries.learning.templates import Template, find_templates
from wherefrom.queries.occurrences import content_at
from wherefrom.support.throttle import Throttle

LEAST_REPOSITORIES, LEAST_SHARE = FEW, RARELY
"""Boilerplate is by default in at least so many repositories, or in this share of them, whichever is more."""

EXAMPLES = 3

CODE_LINES, CODE_CHARACTERS = 40, 4_000
"""Of the first example that are shown."""

LOOKED_AT = 200
"""Proposals whose examples are read to see whether they are generated."""

_MOST_OF_CLUSTER = 1_000
"""Distinct stretches of one proposal whose k-grams are taken, those in most repositories first."""


@dataclass(frozen=True, slots=True)
class LearningProgress:
    """The progress of learning: `contents` of `total` are done in this stage, `seconds` have gone by."""

    stage: str
    contents: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Learned:
    """What becomes a proposal: `places` to draw examples from, `size` in bytes, `stem` of the name to be."""

    kind: ProposalKind
    stem: str
    families: int
    contents: int
    size: int
    places: tuple[tuple[LearnedContent, int, int], ...]
    source: Cluster | Template


def learn(engine: Engine, options: LearnOptions) -> Proposals:
    """Proposes boilerplate sets. Memory is bounded by about 1 GB and 500 bytes for each content."""
    contents = contents_of(engine)
    repositories = len({family for each in contents for family in each.families})
    least = least_repositories(options.min_repositories, repositories)
    wanted = frozenset(options.kinds) or frozenset(ProposalKind)
    step = _reporter(len(contents), options.progress)
    found: list[_Learned] = []
    complete = True
    templates: list[Template] = []
    if wanted & {ProposalKind.FRAMEWORK, ProposalKind.SHARED}:
        templates = list(find_templates(engine, contents, least, step))
        found += map(_of_template, templates)
    if wanted - {ProposalKind.FRAMEWORK}:
        stretches = shared_stretches(engine, contents, least, step)
        complete = stretches.complete
        found += _new(engine, stretches.clusters, templates)
    found = sorted((each for each in found if each.kind in wanted), key=_rank)
    size = max(engine.stats().size, 1)
    taken: Counter[str] = Counter()
    proposals = tuple(_proposal(engine, each, size, taken) for each in found[: options.limit])
    is_complete = complete and len(found) <= options.limit
    return Proposals(repositories, len(contents), least, proposals, is_complete, scheme_ids())


def least_repositories(wanted: float | None, repositories: int) -> int:
    """The number that `learn` goes by, of what `LearnOptions.min_repositories` says."""
    if wanted is None:
        return max(LEAST_REPOSITORIES, round(LEAST_SHARE * repositories))
    if wanted < 1:
        return max(2, round(wanted * repositories))
    return int(wanted)


def _reporter(total: int, progress: Callable[[LearningProgress], None] | None) -> Step:
    throttle = Throttle(progress)

    def step(stage: str, done: int) -> None:
        throttle.report(lambda: LearningProgress(stage, done, total, throttle.seconds))

    return step


def _rank(found: _Learned) -> tuple[int, str, str, str]:
    content = found.places[0][0]
    return -found.size, found.stem, content.repository, content.path


def _of_template(template: Template) -> _Learned:
    places = tuple((each, 1, lines) for each, lines in zip(template.members, template.lines, strict=True))
    families, contents = len(template.families), len(template.members)
    return _Learned(ProposalKind.FRAMEWORK, template.name, families, contents, template.size, places, template)


def _new(engine: Engine, clusters: Iterable[Cluster], templates: Sequence[Template]) -> Iterator[_Learned]:
    """The clusters that are no part of a template, each with its kind."""
    known = [each.hashes[key] for each in templates for key in (Representation.EXACT, Representation.TEXT)]
    held = distinct(np.concatenate([np.empty(0, np.uint64), *known]))
    looked_at = 0
    ordered = sorted(clusters, key=lambda it: -sum(each.size for each in it.stretches))
    for cluster in ordered:
        leader = cluster.stretches[0]
        if np.count_nonzero(np.isin(leader.hashes, held)) >= NEARLY_ALL * len(leader.hashes):
            continue
        found = _of_cluster(cluster)
        if found.kind is ProposalKind.SHARED and looked_at < LOOKED_AT:
            looked_at += 1
            if _is_generated(engine, found):
                found = replace(found, kind=ProposalKind.GENERATED)
        yield found


def _of_cluster(cluster: Cluster) -> _Learned:
    contents = cluster.contents
    licenses: Counter[str] = Counter()
    for each in cluster.stretches:
        licenses.update(each.licenses)
    occurrences = sum(len(each.places) for each in cluster.stretches)
    is_license = 2 * licenses.total() >= occurrences
    named = sum(name_reason(each.path, Limits(include_data=True)) is SkipReason.GENERATED for each in contents.values())
    kind = ProposalKind.SHARED
    if is_license:
        kind = ProposalKind.LICENSE
    elif 2 * named >= len(contents):
        kind = ProposalKind.GENERATED
    places = tuple((at.content, at.start_line, at.end_line) for at in _places(cluster))
    names = Counter(at.content.name for at in _places(cluster))
    told = Counter({name: count for name, count in licenses.items() if name})
    stem = _commonest(told) if is_license and told else _commonest(names)
    size = sum(each.size for each in cluster.stretches)
    return _Learned(kind, stem, len(cluster.families), len(contents), size, places, cluster)


def _places(cluster: Cluster) -> list[Place]:
    """All places, those of the leader first, then the longest."""
    first, *others = cluster.stretches
    rest = sorted(others, key=lambda it: -len(it.hashes))
    return [at for each in (first, *rest) for at in sorted(each.places, key=_by_place)]


def _by_place(place: Place) -> tuple[str, str, int]:
    return place.content.repository, place.content.path, place.begin


def _commonest(names: Counter[str]) -> str:
    return min(names, key=lambda name: (-names[name], name))


def _is_generated(engine: Engine, found: _Learned) -> bool:
    """Whether most of the examples bear the mark of a generator."""
    texts = [
        (content.path, text)
        for content, _, _ in _examples(found)
        if (text := content_at(engine, content.repository, content.path, content.blob)) is not None
    ]
    marked = sum(skip_reason(path, text, Limits(include_data=True)) is SkipReason.GENERATED for path, text in texts)
    return bool(texts) and 2 * marked > len(texts)


def _examples(found: _Learned) -> list[tuple[LearnedContent, int, int]]:
    """Up to three places, in other repositories where there are as many, never two in one content."""
    chosen: list[tuple[LearnedContent, int, int]] = []
    for other in (True, False):
        for place in found.places:
            blobs, repositories = {it[0].blob for it in chosen}, {it[0].repository for it in chosen}
            fresh = place[0].blob not in blobs and not (other and place[0].repository in repositories)
            if fresh and len(chosen) < EXAMPLES:
                chosen.append(place)
    return chosen


def _proposal(engine: Engine, found: _Learned, size: int, taken: Counter[str]) -> Proposal:
    examples = tuple(Example(it.repository, it.path, first, last) for it, first, last in _examples(found))
    return Proposal(
        name=_name(found, taken),
        kind=found.kind,
        repositories=found.families,
        contents=found.contents,
        share=min(found.size / size, 1.0),
        examples=examples,
        code=_code(engine, found),
        hashes=_hashes(engine, found.source),
    )


def _name(found: _Learned, taken: Counter[str]) -> str:
    """The kind and what it is of; whatever a shell or a terminal might act on is left out."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", found.stem).strip("-.")[:40]
    name = f"{found.kind}-{stem}" if stem else str(found.kind)
    taken[name] += 1
    if taken[name] == 1:
        return name
    numbered = f"{name}-{taken[name]}"
    taken[numbered] += 1
    return numbered


def _code(engine: Engine, found: _Learned) -> str | None:
    content, first, last = _examples(found)[0]
    text = content_at(engine, content.repository, content.path, content.blob)
    if text is None:
        return None
    decoded, _ = decode(text)
    every = (text if decoded is None else decoded.text).split(b"\n")
    lines = every[first - 1 : min(last, first - 1 + CODE_LINES)]
    return b"\n".join(lines).decode("utf-8", "replace")[:CODE_CHARACTERS]


def _hashes(engine: Engine, source: Cluster | Template) -> dict[Representation, Hashes]:
    """Every k-gram of the proposal, in every representation."""
    if isinstance(source, Template):
        return {key: found for key, found in source.hashes.items() if len(found)}
    spans: dict[str, list[tuple[int, int]]] = {}
    first = [each.places[0] for each in source.stretches[:_MOST_OF_CLUSTER]]
    for at in first:
        spans.setdefault(at.content.blob, []).append((at.begin, at.end))
    parts: dict[Representation, list[Hashes]] = {}
    for content, blob in read(engine, {at.content.blob: at.content for at in first}.values()):
        symbols = decode_symbols(blob.tokens).symbols()
        for representation, scheme in SCHEMES.items():
            grams = kgrams(symbols, representation, scheme.k)
            for begin, end in spans[content.blob]:
                low, high = grams.positions.searchsorted((begin, end - grams.k + 1)).tolist()
                if high > low:
                    parts.setdefault(representation, []).append(grams.hashes[low:high])
    return {key: distinct(np.concatenate(each)) for key, each in parts.items()}
