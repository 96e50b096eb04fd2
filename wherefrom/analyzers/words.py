"""The words of a text: the parts of its names and literals, in order, by which code in another language is found.

`getHTTPCode`, `get_http_code` and `"http code"` all have the words `http` and `code`: names are split where the case
changes and at other characters, letters of ASCII are lower case, and words of `LEFT_OUT` and of one byte are left out.
The word of a whole number above 2 is its value, that of any other number its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from wherefrom.analyzers.fingerprints import document_terms, sample
from wherefrom.analyzers.hashing import terms, token_code
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import WORDS
from wherefrom.analyzers.token_words import WORD_MASK, TokenWords
from wherefrom.analyzers.tokens import Symbols, TokenClass, TokenStream
from wherefrom.model import Hashes, Representation
from wherefrom.support.pattern import later

_LEFT_OUT = b"""
get set this self var val let const int integer string str bool boolean float double char byte long short void
object list array map dict new null none nil true false undefined nan function func def fun fn is to of in the an
and or not as for from by with it be no public private protected internal static final override virtual abstract
readonly async await type any number unsigned signed size uint ulong sbyte decimal vector arraylist hashmap hashset
dictionary ienumerable iterable iterator collection collections ilist std util utils system java shared ptr unique
make auto cast dynamic len length count append add push back print println printf format fmt error exception throw
throws raise err ok super base cls init constructor return if else elif switch case break continue while do try
catch finally equals hash hashcode eq ne lt gt le ge optional some unwrap builder stringbuilder math min max abs
item items key keys value values begin end first last index at num impl mut ref ptr isset mb self usize u8 u32 u64
i32 i64
"""

LEFT_OUT = frozenset(_LEFT_OUT.split())  # the words that every language has, under names of its own
LONGEST = 400  # the words of this many first bytes of a name or literal count
_WORD = later(rb"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[\x80-\xff]+")
_ESCAPE = later(rb"\\.?", re.DOTALL)
_PROSE = later(rb"[a-zA-Z]{0,2}(?:\"{3}|'{3})")
_WHOLE = later(rb"(?:0x([0-9a-f]{1,16})|([0-9]{1,19}))(?:[uilnsz][a-z0-9]*)?")
_OF_WORDS = (TokenClass.NAME, TokenClass.STRING, TokenClass.NUMBER)


def words_of(content: bytes, stream: TokenStream) -> TokenWords:
    """The words of the tokens of a content; tokens with one code have the words of the first of them."""
    known: dict[int, list[int]] = {}
    codes: list[int] = []
    owners: list[int] = []
    for token in np.flatnonzero(np.isin(stream.classes, _OF_WORDS)).tolist():
        code = int(stream.codes[token])
        if code not in known:
            text = content[stream.starts[token] : stream.ends[token]][:LONGEST]
            known[code] = [word_code(word) for word in _words(text, int(stream.classes[token]))]
        codes += known[code]
        owners += [token] * len(known[code])
    return TokenWords(np.array(codes, np.uint32), np.array(owners, np.int64))


def word_code(word: bytes) -> int:
    """The code of a word."""
    return token_code(word) & WORD_MASK


def _words(text: bytes, kind: int) -> Iterator[bytes]:
    if kind == TokenClass.NUMBER:
        yield from _number(text)
        return
    if kind == TokenClass.STRING:
        text = b"" if _PROSE.match(text) else _ESCAPE.sub(b" ", text)
    for found in _WORD.findall(text):
        word = found.lower()
        if len(word) > 1 and word not in LEFT_OUT:
            yield word


def _number(text: bytes) -> Iterator[bytes]:
    text = text.translate(None, b"_'").lower()
    whole = _WHOLE.fullmatch(text)
    if whole is not None:
        value = int(whole[2]) if whole[1] is None else int(whole[1], 16)
        if value > 2:
            yield b"#%d" % value
    elif len(text.rstrip(b"fdm")) > 2:
        yield b"#" + text.rstrip(b"fdm")


def word_terms(words: TokenWords, *, is_query: bool = False) -> Hashes:
    """The distinct terms of the words of a text, ascending: those that an index stores, or all, for a query."""
    codes = words.codes.astype(np.uint64)
    symbols = Symbols(codes, np.full(len(codes), TokenClass.NAME, np.uint8), np.zeros(1, np.int64))
    grams = kgrams(symbols, Representation.EXACT, WORDS.k, WORDS.inner)
    return terms(grams.hashes if is_query else grams.hashes[sample(grams, WORDS)])


def index_terms(stream: TokenStream) -> dict[Representation, Hashes]:
    """All terms of a text that an index stores: `document_terms`, and those of its words if it has a k-gram."""
    own = word_terms(stream.words)
    return document_terms(stream) | ({Representation.WORDS: own} if len(own) else {})
