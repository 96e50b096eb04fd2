"""The material of draws (`benchmarks.effectiveness.evidence`): real files, the code that they share, and cases."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.effectiveness.corpus import LEAST_BYTES, MOST_BYTES, File
from benchmarks.effectiveness.rewriting import rewritten
from benchmarks.effectiveness.variants import Function, Token, functions, renamed, text
from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.languages import LANGUAGES
from wherefrom.sources.discover import discover

CODE = ("bash", "c", "cpp", "csharp", "go", "java", "javascript", "php", "python", "ruby", "rust", "typescript")

TOKENS = (60, 300)
"""A function has this many tokens, from and to."""

LINES = (3, 200)

GRAM = 5

RELATED = 0.5
"""A text that is not indexed is left out if an indexed file has this share of its 5-grams or more."""

LEAST_PIECE = 15
"""A piece has at least this many tokens."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The projects of a draw (`OWNER/NAME`, or the URL of a package), its seed, and its languages."""

    indexed: tuple[str, ...]
    unknown: tuple[str, ...]
    seed: int
    languages: tuple[str, ...] = CODE


@dataclass(frozen=True, slots=True)
class Case:
    """A query.

    Attributes:
        id: unique in its draw.
        kind: the kind of text and the changes to it. It begins with `unrelated` for code that is not indexed.
        name: of a file that has this text.
        language: of the text.
        code: the text.
        places: `repository` and `path` of each indexed file that has the unchanged text, token for token.
        near: the same of other indexed files that have at least half of its 5-grams: not surely right or wrong.
        shared: the largest share of the text's 5-grams in one indexed file; of use for unrelated texts.
        half: `A` or `B`, by the project.
        origin: the project and the path of the file that the text was cut out of.
    """

    id: str
    kind: str
    name: str
    language: str
    code: str
    places: list[dict[str, str]]
    near: list[dict[str, str]]
    shared: float
    half: str
    origin: str


class Holders:
    """Finds which indexed files have which tokens."""

    def __init__(self, files: Sequence[File]) -> None:
        self._files = files
        found = [_grams(file.analysis.tokens.codes) for file in files]
        keys = np.concatenate(found)
        holders = np.repeat(np.arange(len(files)), [len(each) for each in found])
        order = keys.argsort(kind="stable")
        self._keys, self._holders = keys[order], holders[order]

    def shares(self, codes: NDArray[np.uint64]) -> NDArray[np.float64]:
        """For each file the share of the 5-grams of a text that the file has."""
        grams = _grams(codes)
        low, high = self._keys.searchsorted(grams), self._keys.searchsorted(grams, side="right")
        at = [self._holders[one:other] for one, other in zip(low.tolist(), high.tolist(), strict=True) if one < other]
        counts = np.bincount(np.concatenate(at), minlength=len(self._files)) if at else np.zeros(len(self._files))
        return counts / max(len(grams), 1)

    def places(self, codes: NDArray[np.uint64]) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
        """The files that have all of a text, and other files that have at least half of its 5-grams."""
        shares = self.shares(codes)
        right: list[dict[str, str]] = []
        near: list[dict[str, str]] = []
        for number in np.flatnonzero(shares >= RELATED).tolist():
            file = self._files[number]
            is_right = shares[number] == 1 and codes.tobytes() in file.analysis.tokens.codes.tobytes()
            (right if is_right else near).append({"repository": file.project, "path": file.path})
        return right, near


def _grams(codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The hashes of the distinct 5-grams of tokens, ascending."""
    size = max(len(codes) - GRAM + 1, 0)
    hashes = np.zeros(size, np.uint64)
    for at in range(GRAM):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + codes[at : at + size]
    return np.unique(hashes)


@dataclass(frozen=True, slots=True)
class Pick:
    """A function of a file, and the codes of its tokens in that file."""

    file: File
    function: Function
    codes: NDArray[np.uint64]


def source_of(clones: Path, project: str) -> str:
    """Where a project is: a package, a clone `OWNER/NAME`, or a bare repository `OWNER+NAME/repo`."""
    if project.startswith("pkg:"):
        return project
    bare = clones / project.replace("/", "+") / "repo"
    return str(bare if bare.exists() else clones / project)


def read(clones: Path, projects: Iterable[str], languages: Iterable[str] = CODE) -> Iterator[tuple[str, str, bytes]]:
    """Reads the files of code that `wherefrom index` would index, except tiny and huge ones. Yields project, path and
    UTF-8 content without a byte order mark and with line feeds alone.
    """
    endings = {ending for language in languages for ending in LANGUAGES[language].extensions}
    for project in projects:
        (source,) = discover([source_of(clones, project)], cache=clones)
        wanted = [
            entry
            for entry in source.entries()
            if Path(entry.path).suffix in endings
            and entry.skip is None
            and (entry.size is None or LEAST_BYTES < entry.size < MOST_BYTES)
        ]
        for entry, content in source.read(wanted):
            if isinstance(content, bytes):
                try:
                    decoded = content.decode("utf-8-sig")
                except UnicodeDecodeError:
                    continue
                yield project, entry.path, decoded.replace("\r\n", "\n").encode()


def load(clones: Path, projects: Iterable[str], languages: Collection[str] = CODE) -> Iterator[File]:
    """Reads as `read` does, and analyzes the files."""
    for project, path, content in read(clones, projects, languages):
        analysis = analyze_file(path, content)
        if isinstance(analysis, Analysis) and analysis.language in languages:
            yield File(project, path, content, analysis)


_Each = TypeVar("_Each")


def alternately(streams: Iterable[Iterator[_Each]]) -> Iterator[_Each]:
    """Yields one item of each stream in turn, until all streams have ended."""
    left = list(streams)
    while left:
        for stream in list(left):
            try:
                yield next(stream)
            except StopIteration:
                left.remove(stream)


def mixed(files: Iterable[File], chance: random.Random) -> Iterator[File]:
    """Every file once: languages take turns, and so do the projects of each language."""
    groups: dict[str, dict[str, list[File]]] = {}
    for file in files:
        groups.setdefault(file.analysis.language, {}).setdefault(file.project, []).append(file)
    for projects in groups.values():
        for group in projects.values():
            chance.shuffle(group)
    return alternately(alternately(map(iter, projects.values())) for _, projects in sorted(groups.items()))


_NAMELESS: Mapping[str, frozenset[str]] = dict.fromkeys(
    ("javascript", "typescript"), frozenset({"function_expression", "arrow_function"})
)
"""The nodes of functions without a name, which are most functions of scripts."""


def half_of(project: str) -> str:
    """The half that a project is in, by a hash of its name."""
    return "AB"[hashlib.sha256(project.encode()).digest()[0] % 2]


def begin_of(content: bytes, stream: TokenStream, function: Function) -> int | None:
    """The index of the token of a file at which a function begins."""
    first = function.tokens[0].text.encode()
    wanted = [token.text.encode() for token in function.tokens[:12]]
    starts, ends = stream.starts.tolist(), stream.ends.tolist()
    for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if content[start:end] == first and at + len(function.tokens) <= len(starts):
            texts = [content[starts[each] : ends[each]] for each in range(at, at + len(wanted))]
            last = content[starts[at + len(function.tokens) - 1] : ends[at + len(function.tokens) - 1]]
            if texts == wanted and last == function.tokens[-1].text.encode():
                return at
    return None


def picked(files: Iterable[File], chance: random.Random) -> Iterator[Pick]:
    """Picks one function of each file; languages and projects take turns."""
    for file in mixed(files, chance):
        language = file.analysis.language
        fitting = [
            function
            for function in functions(
                language, file.content, file.analysis, LINES, _NAMELESS.get(language, frozenset())
            )
            if TOKENS[0] <= len(function.tokens) <= TOKENS[1]
        ]
        if fitting:
            function = chance.choice(fitting)
            begin = begin_of(file.content, file.analysis.tokens, function)
            if begin is not None:
                yield Pick(file, function, file.analysis.tokens.codes[begin : begin + len(function.tokens)])


def lines_of(tokens: Sequence[Token]) -> list[int]:
    """The numbers of the tokens that begin a line, followed by the number of tokens."""
    return [0, *(at for at, token in enumerate(tokens) if at and "\n" in token.gap), len(tokens)]


def cut(tokens: Sequence[Token], begin: int, end: int) -> str:
    """The text of the tokens from `begin` up to `end`, with the first line's margin but nothing before."""
    first = tokens[begin]
    return text([replace(first, gap=first.gap.rpartition("\n")[2]), *tokens[begin + 1 : end]]) + "\n"


def every_second_group(function: Function) -> str:
    """The first three of every six lines of a function."""
    lines = function.source.splitlines(keepends=True)
    return "".join(line for at, line in enumerate(lines) if at // 3 % 2 == 0)


def piece(function: Function, lines: int, chance: random.Random) -> tuple[int, int] | None:
    """The half-open token range of `lines` consecutive lines, chosen at random; None if no lines have enough tokens."""
    edges = lines_of(function.tokens)
    fitting = [
        (one, other)
        for one, other in zip(edges, edges[lines:], strict=False)
        if other - one >= LEAST_PIECE and not any("\n" in token.text for token in function.tokens[one:other])
    ]
    return chance.choice(fitting) if fitting else None


def part_of(function: Function, begin: int, end: int) -> Function:
    """Consecutive tokens of a function, with their statements except one that begins with the first token."""
    statements = tuple(
        replace(each, begin=each.begin - begin, end=each.end - begin)
        for each in function.statements
        if begin < each.begin and each.end <= end
    )
    first = function.tokens[begin]
    margin = first.gap.rpartition("\n")[2]
    tokens = (replace(first, gap=margin, bare=margin), *function.tokens[begin + 1 : end])
    return replace(function, tokens=tokens, statements=statements)


def changed_piece(function: Function, begin: int, end: int, chance: random.Random) -> dict[str, str]:
    """Consecutive tokens of a function as they are and changed, by the kind of change."""
    return {
        "as it is": cut(function.tokens, begin, end),
        "locals renamed": cut(renamed(function, chance), begin, end),
        "rewritten": rewritten(part_of(function, begin, end), chance),
    }


def pieces(files: Iterable[File], lines: int, chance: random.Random) -> Iterator[tuple[Pick, int, int]]:
    """Lines of one function of each file: the function, and the half-open range of their tokens."""
    for pick in picked(files, chance):
        span = piece(pick.function, lines, chance)
        if span is not None:
            yield pick, *span


def texts_of(found: Iterable[tuple[Pick, int, int]]) -> Iterator[tuple[File, str, NDArray[np.uint64]]]:
    """The file, the text and the codes of pieces, as `Drawing.unrelated` takes them."""
    for pick, begin, end in found:
        yield pick.file, cut(pick.function.tokens, begin, end), pick.codes[begin:end]


class Drawing:
    """Makes the cases of a draw.

    Args:
        draw: names the projects and the seed.
        clones: the folder of the projects.
        others: files that are indexed beside those of the projects.
    """

    def __init__(self, draw: Draw, clones: Path, others: Iterable[File] = ()) -> None:
        self.seed, self.languages = draw.seed, draw.languages
        self.indexed = [*load(clones, draw.indexed, draw.languages), *others]
        self.unknown = list(load(clones, draw.unknown, draw.languages))
        self._holders = Holders(self.indexed)
        self._counts: Counter[str] = Counter()

    def chance(self, name: str) -> random.Random:
        """A random generator for one set of cases, which does not depend on the other sets."""
        return random.Random(f"{self.seed} {name}")

    def shared(self, codes: NDArray[np.uint64]) -> float:
        """The largest share of a text's 5-grams in one indexed file."""
        return float(self._holders.shares(codes).max())

    def case(self, kind: str, file: File, code: str, codes: NDArray[np.uint64], *, is_unknown: bool = False) -> Case:
        """Makes a case of a text that was made of these tokens of a file."""
        self._counts[kind] += 1
        language = file.analysis.language
        right, near = ([], []) if is_unknown else self._holders.places(codes)
        return Case(
            id=f"{kind}, {self._counts[kind]}",
            kind=kind,
            name=f"query{LANGUAGES[language].extensions[0]}",
            language=language,
            code=code.strip("\n") + "\n",
            places=right,
            near=near,
            shared=round(self.shared(codes), 3),
            half=half_of(file.project),
            origin=f"{file.project}/{file.path}",
        )

    def unrelated(
        self, kind: str, texts: Iterable[tuple[File, str, NDArray[np.uint64]]], number: int, most: float = RELATED
    ) -> Iterator[Case]:
        """Cases of at most `number` texts of projects that are not indexed, each with its file and its tokens there. A
        text is left out if an indexed file has the share `most` of its 5-grams or more.
        """
        made = (
            self.case(f"unrelated {kind}", file, code, codes, is_unknown=True)
            for file, code, codes in texts
            if self.shared(codes) < most
        )
        return islice(made, number)
