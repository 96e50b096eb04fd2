"""Counts the model of code in general (`wherefrom/queries/preparation/background.py`) in many projects.

`background.toml` lists the projects. They are downloaded by the package managers (`apt-get source`, `pip`, `cargo`,
`npm`, `mvn`), or are git clones, at CLONES/OWNER/NAME, and are only read: nothing of them is run.

    python -m benchmarks.background --work FOLDER --clones CLONES

writes `wherefrom/queries/data/background.zst`. `--work` keeps the tokens of each project, so that a stopped run can
continue. Without `--skip`, a project that cannot be had stops the command. Counting takes five minutes and 7 GB.

The cost of an n-gram is what its last token costs after the others, in bits: -log2 of the share of this token among all
that follow the others, in the same family of languages. A token counts once in a file; in structure of one or two
tokens, each time. Copies count once: a project that has much of a larger one is left out, and an n-gram is stored only
if files with several names have it, because a file that is copied from project to project keeps its name. Stored are
those whose last token costs less than after fewer others, and of these the ones that save most bits in most projects.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import tempfile
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.frameworks import Generator, downloaded
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.hashing import distinct, kgram_hashes, mix, packed
from wherefrom.analyzers.tokens import Symbols, TokenClass, is_literal
from wherefrom.fitted import MOST_OF_WORD
from wherefrom.languages import LANGUAGES
from wherefrom.model import Hashes, SkipReason
from wherefrom.options import Limits
from wherefrom.queries.globs import Globs
from wherefrom.queries.preparation import background as model
from wherefrom.queries.spans import Flags, Floats, Numbers
from wherefrom.support import arrays

_LIST = Path(__file__).with_suffix(".toml")
_DATA = Path(model.__file__).parents[1] / "data" / "background.zst"

TOKENS, LEAST_TOKENS = 50_000, 500
"""The first `TOKENS` of a project are counted, so that no project outweighs many. Smaller projects are not counted."""

LEAST = 3
"""A stored n-gram is in at least this many projects, in files with as many names. In fewer, it is often a copy."""

GAIN, GAIN_ALONE = 0.8, 0.25
"""A stored n-gram costs at least `GAIN` bits less than its last token after fewer others; a single one `GAIN_ALONE`."""

MOST = 760_000
"""At most this many n-grams are stored: less than 1.5 MB. Each of n projects of a language counts as 1 / sqrt(n) in the
value of an n-gram, or the languages with most projects would take all the room."""

SEEN_LESS, COUNTED, RANKED = 0.75, 2_000, 1_500
"""The first is subtracted from how often an n-gram was seen: the stored ones were often seen by chance. A project
counts for a language with the second number of tokens of it, and for the ranks with the third number of names."""

COPIED, COPIED_SHARE, WIDE, SAMPLE = 12, 0.3, 32, 8
"""A project is a copy if a larger one has more than `COPIED_SHARE` of its k-grams of `COPIED` tokens. One k-gram in
`SAMPLE` is examined, and none that is in more than `WIDE` projects."""

MOST_BYTES, LEAST_OF_FILE, MOST_OF_FILE, LEAST_OF_PACKAGE = 1 << 20, 60, 200_000, 20_000
"""At most `MOST_BYTES` of a project are read, and no smaller or larger files. Hashes of the paths decide their order. A
package of npm with less than `LEAST_OF_PACKAGE` of source ships only what it built, so that is read."""

RARE = {"csharp", "elixir", "haskell", "julia", "kotlin", "lua", "objc", "ocaml", "scala", "sql", "swift", "tsx", "zig"}
"""Languages of few projects. They are read first, up to half of `MOST_BYTES`."""

ROOM = {"html": 150_000, "css": 200_000, "sql": 400_000}
"""At most this many bytes of a project are read in languages that programs often write."""

_THIRD_PARTY = re.compile(
    r"(?i)(^|/)(_?vendor|vendored|third[-_]?party|3rd[-_]?party|externals?|extern|deps|node_modules|bundled|contrib|"
    r"gnulib|godeps|debian|bower_components|pods|carthage|\.yarn)/"
)
_BUILT = re.compile(  # what programs write, and test data
    r"(?i)(^|/)(dist|min|testdata|fixtures?|lib/(module|commonjs|typescript)|esm?|cjs|commonjs|umd|generated|autogen|java"
    r"doc|doxygen|api-?docs?)/|[.-]min\.(m?js|css)$|_pb2(_grpc)?\.pyi?$|\.pb\.(go|cc|h|swift)$|\.pbobjc\.[hm]$|\.g\.(cs|"
    r"dart)$|\.designer\.cs$|bundle[^/]*\.(js|css)$|[.-]bundle\b|\.umd\.|\.iife\.|\.d\.ts$|(^|/)(configure|aclocal\.m4|"
    r"ltmain\.sh|config\.(guess|sub)|install-sh|depcomp|missing|compile|libtool|test-driver|mkinstalldirs|ylwrap|"
    r"py-compile)$"
)
_BUILT_SCRIPT = re.compile(r"(?i)[.-]min\.|bundle|\.d\.[cm]?ts$")
_Grams: TypeAlias = tuple[NDArray[np.uint32], NDArray[np.uint8], Floats]
_NAMES = [*LANGUAGES]
_LANGUAGES = {name: it.name for it in LANGUAGES.values() if it.grammar for name in (*it.filenames, *it.extensions)}


class Tokens(NamedTuple):
    """The tokens of a project, or of several one after another.

    Attributes:
        codes, classes, salts, files: of each token; its `model.salt_of`, and the number of its file, ascending.
        ranks: of each name its rank in its file, 0 for other tokens.
        names, owners, languages: of each file a hash of its name without endings, the number of its project, ascending,
            and the number of its language in `_NAMES`.
    """

    codes: Hashes
    classes: NDArray[np.uint8]
    salts: Hashes
    files: Numbers
    ranks: NDArray[np.uint8]
    names: Hashes
    owners: Numbers
    languages: Numbers


def listed() -> list[tuple[str, str]]:
    """The origin of each project in the list, and its name with the version."""
    entries = tomllib.loads(_LIST.read_text("utf-8"))["source"]
    return [(str(entry["from"]), str(project)) for entry in entries for project in entry["projects"]]


def language_of(path: str, text: bytes) -> str:
    """The language of a file by its name, or "script"; empty for other files."""
    name = path.rpartition("/")[2].lower()
    ending = name[name.rfind(".") :] if "." in name else name
    return _LANGUAGES.get(ending) or ("script" if ending == name and text.startswith(b"#!") else "")


def files_of(origin: str, project: str, clones: Path) -> list[tuple[str, str, bytes]]:
    """Path, language and content of the source files of a project, in the order of hashes of the paths."""
    generator = Generator(name=project, origin=origin, packages=(project,), files=Globs(("**",)))
    name = project.partition("@")[0]
    with tempfile.TemporaryDirectory() as folder:
        _, contents = downloaded(generator, project, Path(folder), {name: str(clones / name)})
        files = [
            (path, language, text)
            for path, text in contents
            if LEAST_OF_FILE < len(text) <= MOST_OF_FILE and not _THIRD_PARTY.search(path)
            if (language := language_of(path, text))
        ]
    files.sort(key=lambda file: hashlib.sha256(file[0].encode()).digest())
    own = [it for it in files if not _BUILT.search(it[0].replace("dist/", "") if it[1] == "css" else it[0])]
    if origin == "npm" and sum(len(text) for *_, text in own) < LEAST_OF_PACKAGE:
        return [file for file in files if not _BUILT_SCRIPT.search(file[0])]
    return own


def analyzed(files: Sequence[tuple[str, str, bytes]], analyzer: Analyzer) -> dict[str, Any]:
    """What `--work` keeps of a project: the tokens of its files of code, until they are `TOKENS`."""
    used, seen, begins, read = Counter[str](), set[str](), [0], list[tuple[str, Analysis]]()
    for most, group in ((MOST_BYTES // 2, [it for it in files if it[1] in RARE]), (MOST_BYTES, files)):
        for path, language, text in group:
            room = min(most - used.total(), ROOM.get(language, most) - used[language])
            if begins[-1] < TOKENS and len(text) <= room and path not in seen:
                seen.add(path)
                it = analyzer.file(path, text, Limits())
                if not isinstance(it, SkipReason) and len(it.tokens) and TokenClass.CHARACTER not in it.tokens.classes:
                    used[language] += len(text)
                    begins.append(begins[-1] + len(it.tokens))
                    read.append((path, it))
    texts = [it.tokens for _, it in read]
    return {
        "codes": np.array([code for text in texts for code in text.codes], np.uint64),
        "classes": np.array([kind for text in texts for kind in text.classes], np.uint8),
        "begins": np.array(begins[:-1], np.int64),
        "stems": np.array([path.rpartition("/")[2].partition(".")[0].lower() for path, _ in read], np.str_),
        "languages": np.array([it.language for _, it in read], np.str_),
        "segments": np.array(
            [at + it for at, text in zip(begins, texts, strict=False) for it in text.segments], np.int64
        ),
        "segment_languages": np.array([language for text in texts for language in text.languages], np.str_),
    }


def load(path: Path) -> Tokens:
    """The tokens of a project that are counted, from what `--work` keeps of it."""
    with np.load(path) as kept:
        code = np.flatnonzero(kept["classes"] != TokenClass.CHARACTER)[:TOKENS]
        salts = np.array([model.salt_of(language) for language in kept["segment_languages"].tolist()], np.uint64)
        salts = np.repeat(salts, np.diff(kept["segments"], append=len(kept["codes"])))[code]
        files = (kept["begins"].searchsorted(code, side="right") - 1).astype(np.int64)
        names = np.array([zlib.crc32(stem.encode()) for stem in kept["stems"].tolist()], np.uint64)
        languages = np.array([_NAMES.index(language) for language in kept["languages"].tolist()], np.int64)
        owners = np.zeros_like(languages)
        codes, classes = kept["codes"][code], kept["classes"][code]
        ranks = np.zeros(len(codes), np.uint8)
        for own in np.split(np.arange(len(codes)), np.flatnonzero(np.diff(files)) + 1):
            named = own[classes[own] == TokenClass.NAME]
            ranks[named] = model.last_used(codes[named])
        return Tokens(codes, classes, salts, files, ranks, names, owners, languages)


def originals(projects: Sequence[Tokens]) -> list[Tokens]:
    """The projects without copies of larger ones."""
    hashes = [kgram_hashes(project.codes, COPIED) for project in projects]
    hashes = [distinct(each[mix(each) % np.uint64(SAMPLE) == 0]) for each in hashes]
    sizes = np.array([len(each) for each in hashes])
    owners, together = np.repeat(np.arange(len(sizes)), sizes), np.concatenate(hashes)
    turn = np.argsort(together, kind="stable")
    times = np.diff(np.flatnonzero(_changes(together[turn])), append=len(turn))
    turn = turn[np.repeat(times <= WIDE, times)]
    shared = np.zeros((len(sizes), len(sizes)), np.int64)
    for step in range(1, WIDE):
        both = together[turn[step:]] == together[turn[:-step]]
        np.add.at(shared, (owners[turn[:-step][both]], owners[turn[step:][both]]), 1)
    copies = set[int]()
    for one, other in np.argwhere(shared > COPIED_SHARE * np.minimum.outer(sizes, sizes)).tolist():
        if copies.isdisjoint((one, other)):
            copies.add(one if sizes[one] < sizes[other] else other)
    return [project for number, project in enumerate(projects) if number not in copies]


def ranks(projects: Iterable[Tokens]) -> Floats:
    """The bits of each rank of a name, and of a literal, as `model.Model.ranks` has them."""
    times = np.zeros((2, model.RANKS + 1))
    for project in projects:
        for row, which in enumerate((project.classes == TokenClass.NAME, is_literal(project.classes))):
            times[row] += np.bincount(model.last_used(project.codes[which][:RANKED]), minlength=model.RANKS + 1)
    return np.asarray(-np.log2(np.maximum(times, 1) / times.sum(axis=1, keepdims=True)))


def counted_in(labels: Iterable[NDArray[Any]]) -> Counter[int]:
    """In how many projects each language, or family of languages, is counted, by the labels of their tokens."""
    counts = (np.unique(project, return_counts=True) for project in labels)
    return Counter(label for found, times in counts for label in found[times >= COUNTED].tolist())


def grams_of(projects: Sequence[Tokens], most: int) -> _Grams:
    """The hashes of the `most` valuable n-grams, ascending, with their costs in `STEP`s and values."""
    begins = np.cumsum([0, *(len(it.names) for it in projects)])
    parts = [it._replace(files=it.files + begins[n], owners=it.owners + n) for n, it in enumerate(projects)]
    tokens = Tokens(*(np.concatenate(part) for part in zip(*parts, strict=True)))
    families = counted_in(project.salts for project in projects)  # how many projects have each
    ways = model.Ways.of(Symbols(*tokens[:2], np.zeros(1, np.int64)), tokens.ranks)
    known, word = np.full((2, len(tokens.codes)), MOST_OF_WORD, np.float32)
    count = partial(_counted, tokens, ways, families=families)
    found = [count(model.STRUCTURE, order, known) for order in model.ORDERS[model.STRUCTURE]]
    found.append(count(model.WORDS, 1, word))
    ranked = known + ranks(projects)[0].astype(np.float32)[tokens.ranks]
    found += [count(model.RANKED, order, ranked) for order in model.ORDERS[model.RANKED]]
    known += np.where(tokens.classes > TokenClass.SYMBOL, word, 0)
    for order in model.ORDERS[model.MIXED]:
        found += [count(kind, order, known) for kind in (model.MIXED, model.WORDS)]
    hashes, costs, values = (np.concatenate(part) for part in zip(*found, strict=True))
    best = np.lexsort((hashes, -values))[:most]
    best = best[np.lexsort((costs[best], hashes[best]))]
    best = best[_changes(hashes[best])]  # of n-grams with one hash the cheapest
    return hashes[best], costs[best], values[best]


def _counted(
    tokens: Tokens, ways: model.Ways, kind: int, order: int, known: NDArray[np.float32], *, families: Mapping[int, int]
) -> _Grams:
    """Hashes, costs and values of n-grams that may be stored. They lower `known`, the costs of tokens after fewer."""
    salts, files, alone = tokens.salts, tokens.files, (kind, order) == (model.WORDS, 1)
    base = salts + tokens.classes if alone else salts  # each of these is counted by itself
    begins = np.flatnonzero(files[order - 1 :] == files[: len(files) - order + 1])
    begins = begins[tokens.classes[begins] > TokenClass.SYMBOL] if alone else begins
    keys = (model.ngrams(ways, order, kind) + base[order - 1 :])[begins]
    turn = np.argsort(keys, kind="stable")
    first = _changes(keys[turn])
    ends = begins[turn] + (order - 1)  # equal n-grams are next to each other, in the order of files
    del begins, keys, turn
    new_project = first | _changes(tokens.owners[files[ends]])
    new = first | _changes(files[ends]) | (kind == model.STRUCTURE and order <= 2)
    edges = np.flatnonzero(first)
    lengths = np.diff(edges, append=len(ends))
    times, owners = (np.add.reduceat(it, edges, dtype=np.int64) for it in (new, new_project))

    general = np.flatnonzero(owners >= LEAST)
    places = ends[new_project & np.repeat(owners >= LEAST, lengths)]  # of each n-gram the first in each project
    numbers = np.repeat(np.arange(len(general), dtype=np.uint64), owners[general])
    pairs = distinct(numbers << np.uint64(32) | tokens.names[files[places]])
    named = np.bincount((pairs >> np.uint64(32)).astype(np.int64), minlength=len(general)) >= LEAST
    general, before = general[named], np.minimum.reduceat(known[places], np.flatnonzero(_changes(numbers)))[named]

    last = ends[edges]
    contexts = base[last]
    if order > 1:
        before_last = model.STRUCTURE if kind == model.MIXED else kind
        contexts = contexts + model.ngrams(ways, order - 1, before_last)[last - order + 1]
    asked = np.append(distinct(contexts[general]), ~np.uint64(0))
    nearest = asked.searchsorted(contexts)
    followed = asked[nearest] == contexts
    totals = np.bincount(nearest[followed], times[followed])
    bits = -np.log2((times[general] - SEEN_LESS) / totals[nearest[general]])
    gains = before - bits
    stored = (gains >= (GAIN if order > 1 else GAIN_ALONE)) & (bits < MOST_OF_WORD)
    if kind == model.RANKED:
        stored &= tokens.ranks[last[general]] > 0

    general, last = general[stored], last[general[stored]]
    costs = np.rint(bits[stored] / model.STEP).astype(np.uint8)
    places = ends[np.repeat(np.isin(np.arange(len(edges)), general), lengths)]
    known[places] = np.minimum(known[places], np.repeat(costs * np.float32(model.STEP), lengths[general]))
    hashes = model.gram_hashes(ways, order, kind, salts)[last - order + 1]
    counted = np.array([max(families[salt], 1) for salt in salts[last].tolist()])
    return hashes, costs, gains[stored] * owners[general] / np.sqrt(counted)


def _changes(values: NDArray[Any]) -> Flags:
    """Which values differ from the one before; the first one does."""
    changed = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return changed


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.background",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--work", type=Path, required=True, help="folder for the tokens of each project")
    parser.add_argument("--clones", type=Path, default=Path(), help="folder of the clones, as OWNER/NAME")
    parser.add_argument("--skip", action="store_true", help="go on without projects that cannot be had")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    projects = []
    with Analyzer() as analyzer:
        for origin, project in listed():
            kept = options.work / f"{project.replace('/', '+').replace(':', '_')}.npz"
            try:
                if not kept.exists():
                    np.savez(options.work / "part.npz", **analyzed(files_of(origin, project, options.clones), analyzer))
                    (options.work / "part.npz").rename(kept)
            except (subprocess.CalledProcessError, OSError) as error:
                if not options.skip:
                    raise SystemExit(f"{project} cannot be had: {error}") from error
                print(f"{project}: not counted, for it cannot be had")
            else:
                projects.append(load(kept))
    projects = originals([project for project in projects if len(project.codes) >= LEAST_TOKENS])
    grams, costs, _ = grams_of(projects, MOST)
    languages = counted_in(project.languages[project.files] for project in projects)
    names, counts = [_NAMES[number] for number in languages], [*languages.values()]
    arrays.write(_DATA, grams=packed(grams), costs=costs, ranks=ranks(projects), languages=names, projects=counts)
    print(f"{len(projects)} projects, {len(grams):,} n-grams. {_DATA}: {_DATA.stat().st_size:,} bytes.")


if __name__ == "__main__":
    main()
