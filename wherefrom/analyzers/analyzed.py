"""The result of an analysis. A process that only receives results can import this module without loading a parser."""

from __future__ import annotations

from typing import Literal, TypeAlias

from wherefrom.analyzers.tokens import TokenStream
from wherefrom.support.values import dataclass

Reading: TypeAlias = Literal["likely", "prose", "code"]
"""How a snippet is read: as its name and its marks suggest, or in spite of them as a piece of a document or as code."""

UNPARSED_PARTS = 10  # a content is called unparsed if the grammars did not parse more than one of this many parts of it


@dataclass(frozen=True, slots=True)
class Analysis:
    """The tokens and comments of a content, and its languages."""

    language: str  # the language of the whole content; `tokens.languages` has the language of each segment
    tokens: TokenStream  # the tokens, with their positions and lines in the original content, before it is decoded
    comments: tuple[tuple[int, int], ...]  # byte spans of the comments in the original content, in order
    errors: int  # the sum of `parsing.Parsed.errors` over the segments
    # the languages of parts that were read as text because their grammars are not installed (see
    # `languages.Grammar.is_left_out`); ascending
    left_out: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()  # other languages that a snippet may be in, the likeliest first
    unlikely: tuple[str, ...] = ()  # languages that are less likely than `rivals`, the likeliest first
    unparsed: int = 0  # the sum of `parsing.Parsed.unparsed` over the segments

    @property
    def languages(self) -> frozenset[str]:
        """The language of the whole content and the languages of all its parts, including `left_out`."""
        return frozenset({self.language, *self.tokens.languages, *self.left_out})
