"""The readings of a stored content: one for each language that its names are of (`guessing.read_as`).

The first is that of the content. The others are behind its tokens, in the order of its stamp, and before what is inside
of its literals and comments.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from wherefrom.analyzers import stamps
from wherefrom.analyzers.guessing import rank, read_as
from wherefrom.analyzers.tokens import INSIDE, TokenStream, decode, encode, joined, outside, part, without_insides
from wherefrom.model import StoredBlob
from wherefrom.support.values import replace


def read_in(stored: StoredBlob, wanted: Mapping[str, int]) -> StoredBlob:
    """The reading of a content in the language that is `wanted` most, or else its first one; without what is inside of
    literals and comments. Errors as of `decode`.
    """
    language = max(stamps.named(stored.analysis), key=lambda name: wanted.get(name, 0), default=stored.language)
    if language != stored.language and language in (found := _readings(stored)[0]):
        tokens = encode(found[language], is_compressed=False)
        return replace(stored, language=language, token_count=len(found[language]), tokens=tokens)
    return without_insides(stored)


def with_readings(one: StoredBlob, other: StoredBlob) -> StoredBlob:
    """A content that two indexes have, with the readings of both. Errors as of `decode`."""
    *others, language = sorted(
        read_as(frozenset((*stamps.named(one.analysis), *stamps.named(other.analysis)))), key=rank
    )
    own, less = (one, other) if one.language == language else (other, one)
    readings, insides = _readings(own)
    readings = {**_readings(less)[0], **readings}
    stream = outside(decode(own.tokens))
    for behind in (*(readings[name] for name in others if name in readings), *insides):
        stream = joined(stream, replace(behind, languages=(INSIDE,) * len(behind.languages)))
    analysis = stamps.of_readings(own.analysis, less.analysis, (language, *others))
    return replace(own, tokens=encode(stream), source=own.source or less.source, analysis=analysis)


def _readings(stored: StoredBlob) -> tuple[dict[str, TokenStream], list[TokenStream]]:
    """The readings of a content that have tokens, by language; and the text inside of its literals and comments, if it
    has any.
    """
    stream = decode(stored.tokens)
    end = len(outside(stream))
    names = stamps.named(stored.analysis)[not end :]
    # Each reading begins before the last token of the one before it.
    begins = [at for at in stream.segments.tolist() if end <= at < len(stream)]
    begins = [at for at in begins if at == end or stream.starts[at] <= stream.starts[at - 1]]
    parts = [part(stream, *bounds) for bounds in pairwise([*[0] * bool(end), *begins, len(stream)])]
    read = {
        name: replace(own, languages=tuple(name if it == INSIDE else it for it in own.languages))
        for name, own in zip(names, parts, strict=False)
    }
    return read, parts[len(names) :]
