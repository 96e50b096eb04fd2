"""Proposes boilerplate sets from an index, for a person to accept. Nothing is written to the index."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from wherefrom.analyzers.content import name_reason, skip_reason
from wherefrom.analyzers.hashing import are_among, distinct
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, token_scheme_ids
from wherefrom.analyzers.tokens import Symbols, TokenClass, decode, decode_symbols
from wherefrom.engines.engine import Engine
from wherefrom.fitted import FEW_LINES, KNOWN_CODE, LEAST_REPOSITORIES, LEAST_SHARE
from wherefrom.model import OF_TOKENS, Hashes, ProposalKind, Representation, SkipReason, StoredBlob
from wherefrom.options import LearnOptions, Limits
from wherefrom.queries.learning.proposals import Example, Proposal, Proposals
from wherefrom.queries.learning.shared_code import (
    LearnedContent,
    SharedStretch,
    Step,
    StretchCluster,
    contents_of,
    families_of,
    is_alike_everywhere,
    is_template_name,
    read,
    shared_stretches,
)
from wherefrom.queries.occurrences import content_at
from wherefrom.queries.spans import covered
from wherefrom.support import positions
from wherefrom.support.chunks import by_key
from wherefrom.support.throttle import Throttle
from wherefrom.support.values import dataclass, field, replace

EXAMPLES = 3  # a proposal has at most this many examples
CODE_LINES, CODE_CHARACTERS = 40, 4_000  # at most this much of the first example is shown
LOOKED_AT = 200  # the examples of at most this many proposals are read to see whether they are generated
_MOST_OF_CLUSTER = 1_000  # a proposal has the k-grams of at most this many stretches: those in most repositories


@dataclass(frozen=True, slots=True)
class LearningProgress:
    """The progress of learning: `contents` of `total` are done in this stage, `seconds` have gone by."""

    stage: str
    contents: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Learned:
    """A template (files of one name that are much alike) or a cluster of stretches that becomes a proposal."""

    kind: ProposalKind
    stem: str  # the end of its name
    families: int
    contents: int
    size: int  # the bytes of the shared parts
    places: tuple[tuple[LearnedContent, int, int], ...]  # its examples: content, first and last line
    # those of a template that at least the wanted number of families have
    hashes: dict[Representation, Hashes] = field(default_factory=dict)
    stretches: Sequence[SharedStretch] = ()


def learn(engine: Engine, options: LearnOptions) -> Proposals:
    """Proposes boilerplate sets. Memory is bounded by about 1 GB and 500 bytes for each content."""
    contents = contents_of(engine)
    repositories = len(families_of(contents))
    least = least_repositories(options.min_repositories, repositories)
    wanted = frozenset(options.kinds) or frozenset(ProposalKind)
    throttle = Throttle(options.progress)

    def step(stage: str, done: int) -> None:
        throttle.report(lambda: LearningProgress(stage, done, len(contents), throttle.seconds))

    complete = True
    templates: list[_Learned] = []
    clusters: list[StretchCluster] = []
    if wanted & {ProposalKind.FRAMEWORK, ProposalKind.SHARED}:
        templates = list(find_templates(engine, contents, least, step))
    if wanted - {ProposalKind.FRAMEWORK}:
        clusters, complete = shared_stretches(engine, contents, least, step)
    found = [it for it in (*templates, *_new(engine, clusters, templates)) if it.kind in wanted]
    found.sort(key=lambda it: (-it.size, it.stem, it.places[0][0].repository, it.places[0][0].path))
    size = max(engine.stats().size, 1)
    taken: Counter[str] = Counter()
    proposals = tuple(_proposal(engine, learned, size, taken) for learned in found[: options.limit])
    is_complete = complete and len(found) <= options.limit
    return Proposals(repositories, len(contents), least, proposals, is_complete, token_scheme_ids())


def least_repositories(wanted: float | None, repositories: int) -> int:
    """The number of repositories that `LearnOptions.min_repositories` asks for: a number, a share (below 1) or None."""
    if wanted is None:
        return max(LEAST_REPOSITORIES, round(LEAST_SHARE * repositories))
    if wanted < 1:
        return max(2, round(wanted * repositories))
    return int(wanted)


def _new(engine: Engine, clusters: Iterable[StretchCluster], templates: Sequence[_Learned]) -> Iterator[_Learned]:
    keys = (Representation.EXACT, Representation.TEXT)
    hashes = [own for template in templates for key, own in template.hashes.items() if key in keys]
    known = distinct(np.concatenate([np.empty(0, np.uint64), *hashes]))
    looked_at = 0
    for cluster in sorted(clusters, key=lambda it: -it.size):
        leader = cluster.stretches[0]
        if np.count_nonzero(are_among(leader.hashes, known)) >= KNOWN_CODE * len(leader.hashes):
            continue
        found = _of_cluster(cluster)
        if found.kind is ProposalKind.SHARED and looked_at < LOOKED_AT:
            looked_at += 1
            if _is_generated(engine, found):
                found = replace(found, kind=ProposalKind.GENERATED)
        yield found


def _of_cluster(cluster: StretchCluster) -> _Learned:
    contents = cluster.contents
    licenses = sum((stretch.licenses for stretch in cluster.stretches), Counter[str]())
    # The leader comes first, then the other stretches, the longest first.
    leader, *others = cluster.stretches
    ordered = [leader, *sorted(others, key=lambda it: -len(it.hashes))]
    places = [
        at
        for stretch in ordered
        for at in sorted(stretch.places, key=lambda at: (at.content.repository, at.content.path, at.begin))
    ]
    is_generated = [name_reason(path, Limits(include_data=True)) is SkipReason.GENERATED for path in contents.values()]
    names = Counter(at.content.name for at in places)
    kind = ProposalKind.SHARED
    if 2 * licenses.total() >= len(places):
        kind = ProposalKind.LICENSE
        # The set has the name of the license that is shown, the text of the leader, if that is known.
        both = leader.licenses, licenses
        known = (Counter({name: count for name, count in own.items() if name}) for own in both)
        names = next(filter(None, known), names)
    elif 2 * sum(is_generated) >= len(contents):
        kind = ProposalKind.GENERATED
    stem = min(names, key=lambda name: (-names[name], name))
    lines = tuple((at.content, at.start_line, at.end_line) for at in places)
    families, size = len(cluster.families), cluster.size
    return _Learned(kind, stem, families, len(contents), size, lines, stretches=cluster.stretches)


def _is_generated(engine: Engine, found: _Learned) -> bool:
    texts = [
        (content.path, text)
        for content, _, _ in _examples(found)
        if (text := content_at(engine, content.repository, content.path, content.blob)) is not None
    ]
    marked = sum(skip_reason(path, text, Limits(include_data=True)) is SkipReason.GENERATED for path, text in texts)
    return bool(texts) and 2 * marked > len(texts)


def _examples(found: _Learned) -> list[tuple[LearnedContent, int, int]]:
    """Up to three places in different contents, and in different repositories if there are as many."""
    chosen: list[tuple[LearnedContent, int, int]] = []
    for other in (True, False):
        for place in found.places:
            blobs, repositories = {it[0].blob for it in chosen}, {it[0].repository for it in chosen}
            fresh = place[0].blob not in blobs and not (other and place[0].repository in repositories)
            if fresh and len(chosen) < EXAMPLES:
                chosen.append(place)
    return chosen


def _proposal(engine: Engine, found: _Learned, size: int, taken: Counter[str]) -> Proposal:
    return Proposal(
        name=_name(found, taken),
        kind=found.kind,
        repositories=found.families,
        contents=found.contents,
        share=min(found.size / size, 1.0),
        examples=tuple(Example(it.repository, it.path, first, last) for it, first, last in _examples(found)),
        code=_code(engine, found),
        hashes=found.hashes or _hashes(engine, found.stretches[:_MOST_OF_CLUSTER]),
    )


def _name(found: _Learned, taken: Counter[str]) -> str:
    """The kind and the stem, without characters that a shell or a terminal might act on."""
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
    decoded = positions.decode(text)
    every = (text if decoded is None else decoded.text).split(b"\n")
    lines = every[first - 1 : min(last, first - 1 + CODE_LINES)]
    return b"\n".join(lines).decode("utf-8", "replace")[:CODE_CHARACTERS]


def _hashes(engine: Engine, stretches: Iterable[SharedStretch]) -> dict[Representation, Hashes]:
    first = [stretch.places[0] for stretch in stretches]
    spans = by_key((at.content.blob, (at.begin, at.end)) for at in first)
    parts: defaultdict[Representation, list[Hashes]] = defaultdict(list)
    for content, blob in read(engine, {at.content.blob: at.content for at in first}.values()):
        symbols = decode_symbols(blob.tokens).symbols()
        for representation, scheme in SCHEMES.items():
            grams = kgrams(symbols, representation, scheme.k)
            for begin, end in spans[content.blob]:
                low, high = grams.positions.searchsorted((begin, end - grams.k + 1)).tolist()
                if high > low:
                    parts[representation].append(grams.hashes[low:high])
    return {key: distinct(np.concatenate(hashes)) for key, hashes in parts.items()}


LEAST_TOKENS, MOST_TOKENS = FEW_LINES, 20_000  # how many tokens (characters of prose) a template has
MOST_MEMBERS, MOST_OF_FAMILY = 400, 3  # of the files with one name, and of one family, this many are compared
_CODE, _PROSE = (Representation.EXACT, Representation.RENAMED), (Representation.TEXT,)


def find_templates(engine: Engine, contents: Sequence[LearnedContent], least: int, step: Step) -> Iterator[_Learned]:
    """The templates of at least `least` families, by name. Only the files of one name are in memory at a time."""
    named = by_key(
        (content.name, content)
        for content in contents
        if is_template_name(content.name) or not is_alike_everywhere(content.path)
    )
    done = 0
    for name, group in sorted(named.items()):
        done += len(group)
        step("comparing", done)
        if len(families_of(group)) >= least and (found := _template(engine, name, _chosen(group), least)):
            yield found


def _chosen(group: Iterable[LearnedContent]) -> list[LearnedContent]:
    of_family: Counter[int] = Counter()
    chosen = []
    for content in sorted(group, key=lambda it: it.blob):
        of_family[content.families[0]] += 1
        if of_family[content.families[0]] <= MOST_OF_FAMILY:
            chosen.append(content)
    return chosen[:MOST_MEMBERS]


def _template(engine: Engine, name: str, group: Sequence[LearnedContent], least: int) -> _Learned | None:
    files = [
        (content, blob, decode_symbols(blob.tokens).symbols())
        for content, blob in read(engine, group)
        if LEAST_TOKENS <= blob.token_count <= MOST_TOKENS
    ]
    shared = _shared(files, least)
    alike = []
    for file in files:
        symbols = file[2]
        measured = _PROSE if symbols.classes[0] == TokenClass.CHARACTER else _CODE
        shares = []
        for representation in measured:
            grams = kgrams(symbols, representation, SCHEMES[representation].k)
            begins = grams.positions[are_among(grams.hashes, shared[representation])]
            shares.append(np.count_nonzero(covered(begins, begins + grams.k, len(symbols))) / len(symbols))
        if 2 * min(shares) >= 1:
            alike.append((max(shares), file))
    families = len(families_of(content for _, (content, _, _) in alike))
    if families < least:
        return None
    alike.sort(key=lambda it: (-it[0], it[1][0].repository, it[1][0].path))
    hashes = _shared([file for _, file in alike], least)
    return _Learned(
        kind=ProposalKind.FRAMEWORK,
        stem=name,
        families=families,
        contents=len(alike),
        size=sum(int(share * blob.size) for share, (_, blob, _) in alike),
        places=tuple((it, 1, int(decode(blob.tokens).end_lines.max())) for _, (it, blob, _) in alike),
        hashes={key: own for key, own in hashes.items() if len(own)},
    )


def _shared(files: Sequence[tuple[LearnedContent, StoredBlob, Symbols]], least: int) -> dict[Representation, Hashes]:
    found = {}
    for representation in OF_TOKENS:
        of_family: defaultdict[int, list[Hashes]] = defaultdict(list)
        for content, _, symbols in files:
            own = kgrams(symbols, representation, SCHEMES[representation].k).hashes
            for family in content.families:
                of_family[family].append(own)
        every = [distinct(np.concatenate(parts)) for parts in of_family.values()]
        hashes, counts = np.unique(np.concatenate([np.empty(0, np.uint64), *every]), return_counts=True)
        found[representation] = hashes[counts >= least]
    return found
