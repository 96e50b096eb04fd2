"""Finds files of one name that are much alike in many families of repositories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wherefrom.analyzers.hashing import are_among, distinct
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import Symbols, TokenClass, decode, decode_symbols
from wherefrom.engines.engine import Engine
from wherefrom.fitted import FEW_LINES
from wherefrom.model import INDEXED, Hashes, Representation
from wherefrom.queries.learning.families import LearnedContent, families_of, is_alike_everywhere, is_template_name
from wherefrom.queries.learning.shared_code import Step, read
from wherefrom.queries.spans import covered

LEAST_TOKENS, MOST_TOKENS = FEW_LINES, 20_000
"""A file may be a template if the number of its tokens (in prose, characters) is in this range."""

MOST_MEMBERS, MOST_OF_FAMILY = 400, 3
"""Of the files with one name, at most the first number is compared; of one family, at most the second."""

_CODE, _PROSE = (Representation.EXACT, Representation.RENAMED), (Representation.TEXT,)


@dataclass(frozen=True, slots=True)
class Template:
    """Files of one name that are much alike.

    Attributes:
        members: the files, the most alike first.
        families: the families of the members.
        size: bytes of the shared parts of all members.
        lines: how many each member has.
        hashes: the k-grams that at least the wanted number of families have.
    """

    name: str
    members: tuple[LearnedContent, ...]
    families: frozenset[int]
    size: int
    lines: tuple[int, ...]
    hashes: dict[Representation, Hashes]


def find_templates(engine: Engine, contents: Sequence[LearnedContent], least: int, step: Step) -> Iterator[Template]:
    """The templates of at least `least` families, by name. Only the files of one name are in memory at a time."""
    named: dict[str, list[LearnedContent]] = {}
    for content in contents:
        if is_template_name(content.name) or not is_alike_everywhere(content.path):
            named.setdefault(content.name, []).append(content)
    done = 0
    for name, group in sorted(named.items()):
        done += len(group)
        step("comparing", done)
        if len(families_of(group)) >= least:
            found = _template(engine, name, _chosen(group), least)
            if found is not None:
                yield found


def _chosen(group: Iterable[LearnedContent]) -> list[LearnedContent]:
    """At most `MOST_MEMBERS` files, a few of each family."""
    of_family: Counter[int] = Counter()
    chosen = []
    for content in sorted(group, key=lambda it: it.blob):
        of_family[content.families[0]] += 1
        if of_family[content.families[0]] <= MOST_OF_FAMILY:
            chosen.append(content)
    return chosen[:MOST_MEMBERS]


def _template(engine: Engine, name: str, group: Sequence[LearnedContent], least: int) -> Template | None:
    files = [
        (content, blob, decode_symbols(blob.tokens).symbols())
        for content, blob in read(engine, group)
        if LEAST_TOKENS <= blob.token_count <= MOST_TOKENS
    ]
    shared = _shared([(content, symbols) for content, _, symbols in files], least)
    alike = []
    for content, blob, symbols in files:
        measured = _PROSE if symbols.classes[0] == TokenClass.CHARACTER else _CODE
        shares = []
        for representation in measured:
            grams = kgrams(symbols, representation, SCHEMES[representation].k)
            begins = grams.positions[are_among(grams.hashes, shared[representation])]
            shares.append(np.count_nonzero(covered(begins, begins + grams.k, len(symbols))) / len(symbols))
        if 2 * min(shares) >= 1:
            alike.append((max(shares), content, blob, symbols))
    if len(families_of(content for _, content, _, _ in alike)) < least:
        return None
    alike.sort(key=lambda it: (-it[0], it[1].repository, it[1].path))
    members = tuple(content for _, content, _, _ in alike)
    return Template(
        name=name,
        members=members,
        families=frozenset(families_of(members)),
        size=sum(int(share * blob.size) for share, _, blob, _ in alike),
        lines=tuple(int(decode(blob.tokens).end_lines.max()) for _, _, blob, _ in alike),
        hashes=_shared([(content, symbols) for _, content, _, symbols in alike], least),
    )


def _shared(files: Sequence[tuple[LearnedContent, Symbols]], least: int) -> dict[Representation, Hashes]:
    """The k-grams of some files that at least `least` families have."""
    found = {}
    for representation in INDEXED:
        of_family: dict[int, list[Hashes]] = {}
        for content, symbols in files:
            own = kgrams(symbols, representation, SCHEMES[representation].k).hashes
            for family in content.families:
                of_family.setdefault(family, []).append(own)
        every = [distinct(np.concatenate(parts)) for parts in of_family.values()]
        hashes, counts = np.unique(np.concatenate([np.empty(0, np.uint64), *every]), return_counts=True)
        found[representation] = hashes[counts >= least]
    return found
