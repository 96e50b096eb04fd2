"""Files of one name that are much alike in many families of repositories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wherefrom.analyzers.hashing import distinct
from wherefrom.analyzers.representations import KGrams, kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import Symbols, TokenClass, decode, decode_symbols
from wherefrom.engines.engine import Engine
from wherefrom.fitted import FEW_LINES
from wherefrom.model import INDEXED, Hashes, Representation
from wherefrom.queries.learning.families import LearnedContent, is_alike_everywhere, is_template_name
from wherefrom.queries.learning.shared_code import Step, read
from wherefrom.queries.spans import covered

LEAST_TOKENS, MOST_TOKENS = FEW_LINES, 20_000
"""Of a file that may be a template; in prose these are characters."""

MOST_MEMBERS, MOST_OF_FAMILY = 400, 3
"""Files of one name that are compared, in all and of one family."""
_CODE, _PROSE = (Representation.EXACT, Representation.RENAMED), (Representation.TEXT,)


@dataclass(frozen=True, slots=True)
class Template:
    """Files of one name that are much alike: its `members`, the most alike first, the `families` that hold them, the
    `size` in bytes of what all share, the `lines` of each member, and the `hashes` of the k-grams that enough families
    hold.
    """

    name: str
    members: tuple[LearnedContent, ...]
    families: frozenset[int]
    size: int
    lines: tuple[int, ...]
    hashes: dict[Representation, Hashes]


def find_templates(engine: Engine, contents: Sequence[LearnedContent], least: int, step: Step) -> Iterator[Template]:
    """The templates that at least so many families hold, by name; one name is held in memory at a time."""
    named: dict[str, list[LearnedContent]] = {}
    for each in contents:
        if is_template_name(each.name) or not is_alike_everywhere(each.path):
            named.setdefault(each.name, []).append(each)
    done = 0
    for name, group in sorted(named.items()):
        done += len(group)
        step("comparing", done)
        if len(_families(group)) >= least:
            found = _template(engine, name, _chosen(group), least)
            if found is not None:
                yield found


def _chosen(group: Iterable[LearnedContent]) -> list[LearnedContent]:
    """A few of each family, of as many families as may be compared."""
    of_family: dict[int, int] = {}
    chosen = []
    for each in sorted(group, key=lambda it: it.blob):
        home = each.families[0]
        of_family[home] = of_family.get(home, 0) + 1
        if of_family[home] <= MOST_OF_FAMILY:
            chosen.append(each)
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
        covered = {each: _coverage(symbols, each, shared[each]) for each in measured}
        if all(2 * share >= 1 for share in covered.values()):
            alike.append((max(covered.values()), content, blob, symbols))
    if len(_families(content for _, content, _, _ in alike)) < least:
        return None
    alike.sort(key=lambda it: (-it[0], it[1].repository, it[1].path))
    members = tuple(content for _, content, _, _ in alike)
    return Template(
        name=name,
        members=members,
        families=frozenset(_families(members)),
        size=sum(int(share * blob.size) for share, _, blob, _ in alike),
        lines=tuple(_lines(blob.tokens) for _, _, blob, _ in alike),
        hashes=_shared([(content, symbols) for _, content, _, symbols in alike], least),
    )


def _families(contents: Iterable[LearnedContent]) -> set[int]:
    return {family for each in contents for family in each.families}


def _shared(files: Sequence[tuple[LearnedContent, Symbols]], least: int) -> dict[Representation, Hashes]:
    """The k-grams that at least so many families have among these files."""
    found = {}
    for representation in INDEXED:
        of_family: dict[int, list[Hashes]] = {}
        for content, symbols in files:
            hashes = kgrams(symbols, representation, SCHEMES[representation].k).hashes
            for family in content.families:
                of_family.setdefault(family, []).append(hashes)
        own = [distinct(np.concatenate(parts)) for _, parts in sorted(of_family.items())]
        each, counts = np.unique(np.concatenate([np.empty(0, np.uint64), *own]), return_counts=True)
        found[representation] = each[counts >= least]
    return found


def _coverage(symbols: Symbols, representation: Representation, shared: Hashes) -> float:
    """The share of the tokens that the shared k-grams cover."""
    grams: KGrams = kgrams(symbols, representation, SCHEMES[representation].k)
    begins = grams.positions[np.isin(grams.hashes, shared)]
    return float(np.count_nonzero(covered(begins, begins + grams.k, len(symbols)))) / max(len(symbols), 1)


def _lines(tokens: bytes) -> int:
    return int(decode(tokens).end_lines.max())
