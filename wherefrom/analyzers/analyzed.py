"""What an analysis gives. It is apart from `analysis`, so that a process which only receives one loads no
parser.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from wherefrom.analyzers.tokens import TokenStream

Reading: TypeAlias = Literal["likely", "unscrambled", "prose", "code"]
"""What a snippet is read as: what its name and its marks say; the same, and scripts as what they were scrambled from;
or as a piece of a document, or as code, whatever name and marks say."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a content is made of.

    Attributes:
        language: of the whole; `tokens.languages` says it of each segment.
        tokens: positions and lines are those of the content as it was given, in whatever encoding.
        comments: byte spans of the comments in that content, in order.
        errors: see `parsing.Parsed`, summed over the segments.
        left_out: languages in which a part of it is, or all, that was read as text, because their grammars are not
            installed (see `languages.Grammar.is_left_out`); ascending.
        rivals: of a snippet the languages in which it may be as well, the likelier first.
        unlikely: the next ones after these.
    """

    language: str
    tokens: TokenStream
    comments: tuple[tuple[int, int], ...]
    errors: int
    left_out: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    unlikely: tuple[str, ...] = ()

    @property
    def languages(self) -> frozenset[str]:
        """Of the whole and of its parts, with those that are left out."""
        return frozenset({self.language, *self.tokens.languages, *self.left_out})
