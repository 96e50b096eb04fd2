"""`licenseclassifier`, but its words are read in a third of the time, and its automaton begins in half of it.

The automaton recognizes licenses by words. A pattern reads these words if the text is ASCII, as nearly all texts are.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from wherefrom.support.pattern import later

if TYPE_CHECKING:
    from licenseclassifier import LicenseIdentificationResult

_FORMAT = 1  # of the automaton and the words that this module knows; the library does the rest for another

_WORD_OR_MARKUP = later(r"[A-Za-z0-9]+(?:\(s\))?|<(?=/?[A-Za-z])|\{(?=#)|&(?=[#A-Za-z])|\](?=\()")

_UNKNOWN = -1

_Words = list[tuple[int, int, int]]  # the number of each word in the dictionary, its begin and its end


def identify(text: str) -> list[LicenseIdentificationResult]:
    """What `identify_license` returns, also for texts that are licenses only in part."""
    from licenseclassifier import identify_license  # noqa: PLC0415  # slow: it unpacks its automaton

    prepare()
    return identify_license(text, coverage_threshold=0)


@lru_cache(maxsize=1)
def prepare() -> None:
    """Gives the scanner of the library the faster parts."""
    try:
        from licenseclassifier._engine import dictionary, matcher  # noqa: PLC0415
        from licenseclassifier._engine.scan import FORMAT_VERSION, builtin_scanner  # noqa: PLC0415

        scanner = builtin_scanner()
        if FORMAT_VERSION == _FORMAT and type(scanner.re) is matcher.MultiRE:
            scanner.re.dict = Dictionary(scanner.re.dict, dictionary)
            _note_start(scanner.re, matcher)
    except (ImportError, AttributeError):
        return


class Dictionary:
    """The dictionary of the library, for its automaton."""

    def __init__(self, whole: Any, library: Any) -> None:
        self.list = whole.list
        self._whole = whole
        self._copyright = whole.lookup("copyright")
        known = {word: number for number, word in enumerate(whole.list)}
        known |= {word: known.get(same, _UNKNOWN) for word, same in library._CANON.items()} | {"https": known["http"]}
        self._known = {word: number for word, number in known.items() if word not in {"c", "copyright"}}
        self._more = {"c": known.get("c", _UNKNOWN), "copyright": self._copyright}
        self._sizes = {
            "<": library._html_tag_size,
            "{": library._markdown_anchor_size,
            "&": library._html_entity_size,
            "]": library._markdown_link_size,
        }

    def split(self, text: str) -> _Words:
        """The words of a text as the library reads them."""
        if not text.isascii():
            whole: _Words = self._whole.split(text)
            return whole
        words: _Words = []
        done = 0
        for found in _WORD_OR_MARKUP.finditer(text):
            begin, end = found.span()
            if begin < done:
                continue
            number = self._known.get(word := found[0].lower())
            if number is None:
                number, begin, end = self._odd(text, word, begin, end)
                done = end
                if number is None or (number == self._copyright and words and words[-1][0] == number):
                    continue
            words.append((number, begin, end))
        return words

    def _odd(self, text: str, word: str, begin: int, end: int) -> tuple[int | None, int, int]:
        """The number (None: not a word), begin and end of a word or markup that is not in `_known`."""
        if (size := self._sizes.get(word)) is not None:
            end = begin + size(text, begin)
            return self._copyright if text[begin:end] == "&copy;" else None, begin, end
        if word[-1] == ")":  # such as `license(s)`
            word = f"{word[:-3]}s"
        if word == "c" and text[begin - 1 : begin] == "(" and text[end : end + 1] == ")":
            return self._copyright, begin - 1, end + 1
        return self._known.get(word, self._more.get(word, _UNKNOWN)), begin, end


def _note_start(automaton: Any, library: Any) -> None:
    """Makes the first state, which has a thousand ways on, by one look at each instead of one for each word."""
    ops, args, state = automaton.ops, automaton.args, automaton._start_state
    own: dict[int, list[int]] = {}
    for at in state:
        if ops[at] != library.INST_WORD:
            return
        own.setdefault(args[at], []).append(at)
    after = {word: library._nfa_next(ops, args, tuple(places), word) for word, places in own.items()}
    automaton._info[state] = (-1, sorted(own), after, None)
