"""Makes a query from the tokens of a snippet: windows, weighted terms, weighted k-grams."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache, partial
from hashlib import blake2b
from itertools import chain, pairwise
from operator import attrgetter
from string import ascii_lowercase, ascii_uppercase, digits
from types import MappingProxyType

import numpy as np

from wherefrom.analyzers import kernel
from wherefrom.analyzers.fingerprints import QueryKGrams
from wherefrom.analyzers.hashing import are_among, token_code
from wherefrom.analyzers.noise import weights as weights_of
from wherefrom.analyzers.representations import KGrams, kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import TokenClass, TokenStream, is_literal, is_prose
from wherefrom.engines.engine import Engine
from wherefrom.errors import UsageError
from wherefrom.fitted import CHARACTERS, LONG_QUERY, PATTERN, SHORT_QUERY, WIDER
from wherefrom.languages import LANGUAGES
from wherefrom.model import OF_TOKENS, BoilerplateSet, Hashes, Representation
from wherefrom.queries.alignment.aligning import Aligner
from wherefrom.queries.alignment.chains import Grams
from wherefrom.queries.preparation.background import Bits, background, bits_of_letters, tokens_at
from wherefrom.queries.preparation.query import Fingerprint, LookedUpTerms, Query, QueryWindow, idf, scheme_of
from wherefrom.queries.spans import Flags, Floats, Numbers, covered, number_inside, stretches

WINDOW, STRIDE = LONG_QUERY // 2, LONG_QUERY // 4
"""A long query is cut into windows of `WINDOW` tokens. The next one begins `STRIDE` tokens further on."""

AROUND = STRIDE  # a document is aligned with a window and this many tokens before and behind it
READY = 64  # the `Aligner`s of at most this many windows of a query are kept
_NONE: Hashes = np.empty(0, np.uint64)

NOT_KNOWN: Mapping[Representation, KGrams] = MappingProxyType({})


def boilerplate_mask(
    stream: TokenStream, sets: Iterable[BoilerplateSet], known: Mapping[Representation, KGrams] = NOT_KNOWN
) -> Flags:
    """Which tokens are in a k-gram that one of the sets has, in any representation. `known` has k-grams that are made.

    A single k-gram of `p_match` is only the form of a line or two, which any code may have. So such k-grams count only
    if w neighbors, as long as the scheme's guarantee, are in the set, which does not know their order.
    """
    masked = np.zeros(len(stream), np.bool_)
    given = list(sets)
    for representation in OF_TOKENS:
        if not any(representation in boilerplate.hashes for boilerplate in given):
            continue
        grams = known.get(representation) or kgrams(stream, representation, SCHEMES[representation].k)
        for boilerplate in given:
            begins = grams.positions[are_among(grams.hashes, boilerplate.hashes.get(representation, _NONE))]
            if not len(begins):
                continue
            if representation is Representation.P_MATCH:
                rows = np.flatnonzero(np.diff(begins, prepend=-2) != 1)
                lengths = np.diff(rows, append=len(begins))
                begins = begins[np.repeat(lengths >= SCHEMES[representation].w, lengths)]
            masked |= covered(begins, begins + grams.k, len(stream))
    return masked


def query_window(tokens: int, *, text: bool) -> int:
    """The window w' for a query: w for prose, 2 w for code. A short query of code has w: a wider window would keep only
    a term or two of it.
    """
    w = SCHEMES[Representation.TEXT if text else Representation.EXACT].w
    return w if text or tokens < SHORT_QUERY else WIDER * w


def prepare(
    stream: TokenStream,
    engine: Engine,
    *,
    boilerplate: Iterable[BoilerplateSet] = (),
    max_df: float | None = None,
    as_code: TokenStream | None = None,
) -> Query:
    """Fingerprints a query with w' (`query_window`), masks boilerplate and weighs the rest. Terms in more than the
    share `max_df` of the blobs (above 0, at most 1) weigh nothing. For prose that is likely code, `as_code` has its
    tokens. Raises UsageError if `max_df` is out of range.
    """
    if max_df is not None and not 0 < max_df <= 1:
        raise UsageError(f"max-df is a share of the blobs, above 0 and at most 1, not {max_df}")
    text = is_prose(stream)
    used = query_window(len(stream), text=text)
    sets = list(boilerplate)
    sampled = kernel.query_kgrams(stream, used)
    masked = boilerplate_mask(stream, sets, {key: found.grams for key, found in sampled.items()})
    fingerprints: dict[Representation, list[Fingerprint]] = {}
    weighed: dict[Representation, Callable[[], Grams]] = {}
    excluded = {"boilerplate": 0, "max_df": 0}
    most, tokens_of_code = np.full(len(stream), np.iinfo(np.int32).max, np.int32), 1.0
    if as_code is not None and len(as_code):
        masked_code = boilerplate_mask(as_code, sets)
        # A letter is in a token or, in a comment, behind one.
        masked |= masked_code[tokens_at(stream, as_code)]
        bits_of_code = evidence(as_code, masked_code)
        most, tokens_of_code = bits_of_letters(stream, as_code, bits_of_code), bits_of_code.counted(as_code)
    bits = evidence(stream, masked)
    bits = bits._replace(structure=np.minimum(bits.structure, most))
    looked_up = LookedUpTerms.of(engine, {key: found.terms.tolist() for key, found in sampled.items()})
    for representation, found in sampled.items():
        grams, where = found.grams, found.grams.positions[found.kept]
        counts, total = [*looked_up.counts[representation].values()], looked_up.blobs[representation]
        weights = np.array([idf(count, total) for count in counts])
        if max_df is not None:
            weights[np.array(counts) > max_df * total] = 0
        at_fingerprint = weights[found.numbers]

        free = _unmasked(masked, grams.positions, grams.k)
        excluded["boilerplate"] += len(free) - int(np.count_nonzero(free))
        if max_df is not None:
            excluded["max_df"] += int(np.count_nonzero(free & (_nearest(found, at_fingerprint) == 0)))
        weighed[representation] = partial(_weighed, found, at_fingerprint, free, len(stream))
        # A term weighs nothing if none of its tokens is evidence.
        usable = np.flatnonzero(_unmasked(bits.structure == 0, where, grams.k) & (at_fingerprint != 0))
        columns = (
            column[usable].tolist() for column in (found.terms[found.numbers], where, found.numbers, at_fingerprint)
        )
        fingerprints[representation] = [
            Fingerprint(representation, term, position, counts[index], weight)
            for term, position, index, weight in zip(*columns, strict=True)
        ]

    return Query(
        stream=stream,
        masked=masked,
        weights=np.where(masked, 0, weights_of(stream)),
        window=used,
        guarantee=used + (scheme_of(stream).k - 1),
        fingerprints=tuple(chain.from_iterable(fingerprints.values())),
        parts=tuple(_parts(stream, bits, masked, fingerprints, CHARACTERS if text else 1)),
        weighed=weighed,
        looked_up=looked_up,
        excluded=excluded,
        needed=None if sampled else scheme_of(stream).k,
        bits=bits,
        counted=max(bits.counted(stream), tokens_of_code),
    )


def evidence(stream: TokenStream, masked: Flags) -> Bits:
    """The evidence in each token. Imports count only if the query has nothing else."""
    in_order = sequences(stream)
    quiet = masked | in_order | declarations(stream)
    return background().bits(stream, masked | in_order if quiet.all() else quiet)


def windows(tokens: int, scale: int = 1) -> list[tuple[int, int]]:
    """The half-open token spans of the windows of a query of `tokens` tokens. `scale` multiplies all lengths."""
    if tokens <= LONG_QUERY * scale:
        return [(0, tokens)]
    stride = STRIDE * scale
    return [(begin, min(begin + WINDOW * scale, tokens)) for begin in range(0, tokens - stride, stride)]


def _unmasked(masked: Flags, begins: Numbers, k: int) -> Flags:
    """Which k-grams, given the tokens at which they begin, have a token that is not masked."""
    return number_inside(masked, begins, k) < k if masked.any() else np.ones(len(begins), np.bool_)


def _weighed(found: QueryKGrams, at_fingerprint: Floats, free: Flags, tokens: int) -> Grams:
    """The k-grams, each with the weight of the nearest fingerprint, if they are `free` of boilerplate."""
    grams = found.grams
    weights = np.where(free, _nearest(found, at_fingerprint), 0)
    return Grams(grams.k, grams.hashes, grams.positions, weights, tokens)


def _nearest(found: QueryKGrams, at_fingerprint: Floats) -> Floats:
    """For each k-gram the weight of the nearest common fingerprint; in a tie, of the left one."""
    positions, common = found.grams.positions, found.is_common
    where, values = positions[found.kept[common]], at_fingerprint[common]
    right = np.minimum(np.searchsorted(where, positions), len(where) - 1)
    left = np.maximum(right - 1, 0)
    closer = np.abs(where[left] - positions) <= np.abs(where[right] - positions)
    return values[np.where(closer, left, right)]


def _parts(
    stream: TokenStream,
    bits: Bits,
    masked: Flags,
    fingerprints: Mapping[Representation, list[Fingerprint]],
    scale: int,
) -> Iterator[QueryWindow]:
    """The windows that have terms, with all lengths multiplied by `scale`. A window that the query repeats is yielded
    once, with all of its `distances`.
    """
    aligner = lru_cache(READY)(partial(Aligner, stream, bits))
    same: dict[bytes, list[tuple[int, int]]] = {}
    spans = windows(len(stream), scale)
    for begin, end in spans if len(spans) > 1 else ():
        digest = blake2b(repr(_terms(fingerprints, begin, end)).encode(), digest_size=16)
        for values in (stream.codes, stream.classes, masked):
            digest.update(values[begin:end].tobytes())
        same.setdefault(digest.digest(), []).append((begin, end))
    for (begin, end), *repeated in same.values() or [spans]:
        terms = _terms(fingerprints, begin, end)
        if terms:
            distances = (0, *(other - begin for other, _ in repeated))
            first, last = max(begin - AROUND * scale, 0), min(end + AROUND * scale, len(stream))
            bits_around = bits.total(first, last)
            yield QueryWindow(begin, end, distances, terms, (first, last), bits_around, partial(aligner, first, last))


def _terms(
    fingerprints: Mapping[Representation, list[Fingerprint]], begin: int, end: int
) -> dict[Representation, dict[int, float]]:
    terms = {}
    for representation, ordered in fingerprints.items():
        low = bisect_left(ordered, begin, key=attrgetter("position"))
        high = bisect_right(ordered, end - SCHEMES[representation].k, low, key=attrgetter("position"))
        if low < high:
            terms[representation] = {found.term: found.weight for found in ordered[low:high]}
    return terms


_MOST = 1 << 10  # a count, such as `0, 1, 2, 3`, is recognized if its numbers are below this


def sequences(stream: TokenStream) -> Flags:
    """Which tokens belong to a sequence of literals, such as `'a', 'b', 'c', 'd'` or `0, 1, 2, 3`, commas included, or
    to an alphabet in prose.

    A table of other numbers is not a sequence. It tells much about the origin of the code.
    """
    ordered = np.zeros(len(stream), np.bool_)
    places = np.flatnonzero(is_literal(stream.classes) | (stream.classes == TokenClass.CHARACTER))
    if len(places) < PATTERN:
        return ordered
    codes, following = _following()
    known = np.minimum(np.searchsorted(codes, stream.codes[places]), len(codes) - 1)
    is_known = codes[known] == stream.codes[places]
    # Between neighbors in a table there is at most one token, a comma.
    steps = is_known[:-1] & (following[known[:-1]] == stream.codes[places[1:]]) & (np.diff(places) <= 2)
    for first, last in stretches(steps).tolist():
        if last - first + 1 >= PATTERN:
            ordered[places[first] : places[last] + 1] = True
    return ordered


@cache
def _following() -> tuple[Hashes, Hashes]:
    """The codes of all literals and letters that a sequence may have, ascending, and the code of what follows each."""
    letters = [pair for row in (ascii_lowercase, ascii_uppercase, digits) for pair in pairwise(row)]
    # The value of a letter is stored in one of these two quotation marks, whichever marks the language has.
    pairs = [(f"{mark}{one}{mark}", f"{mark}{two}{mark}") for mark in "'\"" for one, two in letters]
    pairs += [*pairwise(ascii_lowercase), *((str(number), str(number + 1)) for number in range(_MOST))]
    codes = np.array([[token_code(one.encode()), token_code(two.encode())] for one, two in pairs], np.uint64)
    codes = codes[np.argsort(codes[:, 0])]
    return codes[:, 0].copy(), codes[:, 1].copy()


def _codes(*words: str) -> frozenset[int]:
    return frozenset(token_code(word.encode()) for word in words)


def _of_all(field: str) -> frozenset[int]:
    """The codes of the words in a field of `Imports`, of all languages: the language of a snippet is only a guess."""
    known = (language.imports for language in LANGUAGES.values() if language.imports)
    return _codes(*(word for imports in known for word in getattr(imports, field)))


_OPENINGS, _PACKAGES = _of_all("openings"), _of_all("packages")
_BEGINNING = np.array(sorted(_OPENINGS | _PACKAGES), np.uint64)
_INSIDE = _OPENINGS | _PACKAGES | _of_all("inside") | _codes(".", ",", "*", "::", "\\", "#", "_", "=>")
_CONTINUED = _of_all("continued") | _codes(",", ".", "::", "\\")
_FUNCTIONS, _DECLARING = np.array(sorted(_of_all("functions")), np.uint64), _of_all("declaring")
_ASSIGNED = _DECLARING | _codes("=", "{", "}", ",", ":")
_OPENING_BRACKETS, _CLOSING_BRACKETS = _codes("(", "{"), _codes(")", "}")
_END = token_code(b";")
_ENDS = _codes(")", ";")


def declarations(stream: TokenStream) -> Flags:
    """Which tokens declare imports, or the package that the file belongs to.

    The rule is lexical, so it works in code that does not parse. A declaration begins a line with a keyword. It ends at
    a token that is not a name, a string or a mark that joins them. `require('fs')` is a declaration, too.
    """
    declared = np.zeros(len(stream), np.bool_)
    begins_line = np.ones(len(stream), np.bool_)
    begins_line[1:] = stream.start_lines[1:] != stream.end_lines[:-1]
    for begin in _places(stream, _BEGINNING):
        if begins_line[begin] and stream.classes[begin] == TokenClass.SYMBOL and not declared[begin]:
            declared[begin : _end(stream, begins_line, begin)] = True
    for at in _places(stream, _FUNCTIONS):
        declared[_required(stream, at)] = True
    return declared


def _places(stream: TokenStream, codes: Hashes) -> list[int]:
    return np.flatnonzero(are_among(stream.codes, codes)).tolist()


def _end(stream: TokenStream, begins_line: Flags, begin: int) -> int:
    depth = 0
    for at in range(begin, len(stream)):
        code, kind = int(stream.codes[at]), int(stream.classes[at])
        is_next_line = at > begin and begins_line[at] and not depth and int(stream.codes[at - 1]) not in _CONTINUED
        if is_next_line or kind == TokenClass.CHARACTER:
            return at
        if code in _OPENING_BRACKETS:
            depth += 1
        elif code in _CLOSING_BRACKETS:
            depth -= 1
        elif kind == TokenClass.SYMBOL and code not in _INSIDE:
            return at + (code == _END)
    return len(stream)


def _required(stream: TokenStream, at: int) -> slice:
    """The statement around a `require` of a string, such as `const fs = require('fs');`; empty if no string follows."""
    string = at + 1 + (at + 1 < len(stream) and int(stream.codes[at + 1]) in _OPENING_BRACKETS)
    if string >= len(stream) or stream.classes[string] != TokenClass.STRING:
        return slice(at, at)
    begin, end = at, string + 1
    while begin and (int(stream.codes[begin - 1]) in _ASSIGNED or stream.classes[begin - 1] == TokenClass.NAME):
        begin -= 1
        if int(stream.codes[begin]) in _DECLARING:
            break
    while end < len(stream) and int(stream.codes[end]) in _ENDS:
        end += 1
    return slice(begin, end)
