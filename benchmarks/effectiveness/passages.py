"""Passages of documentation, as they are and edited as people edit prose.

A seed decides every choice, so the same sources give the same passages. Only the rules of choice are stored here.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

LEAST_SENTENCES, MOST_SENTENCES = 4, 10
"""A passage that is edited has this many sentences, from and to."""

LEAST_LINES, MOST_LINES, LEAST_LETTERS = 5, 20, 150
"""An unedited passage has this many nonblank lines, from and to, and at least this many letters and digits."""

LEAST_KEPT, MOST_KEPT = 0.2, 0.8
"""The least and the greatest share of a passage's three-word sequences that its later version still has."""

_SENTENCE_END = re.compile(r"(?<=[.!?:])[\"')\]`*]*\s+(?=[\"'(\[`*]*[A-Z0-9])")
_MARKUP = re.compile(r"[{}<>|=]|::|^\s*(?:[-*+#.>$|]|\d+[.)])", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LETTER = re.compile(r"[^\W_]")

SYNONYMS: Mapping[str, Sequence[str]] = {
    word: tuple(others.split())
    for word, others in {
        "use": "employ apply",
        "used": "employed applied",
        "using": "with employing",
        "create": "make build",
        "created": "made built",
        "creates": "makes builds",
        "make": "create produce",
        "show": "display present",
        "shows": "displays presents",
        "get": "obtain fetch",
        "gets": "obtains fetches",
        "set": "assign define",
        "need": "require must",
        "needs": "requires wants",
        "want": "wish prefer",
        "provide": "offer supply",
        "provides": "offers supplies",
        "provided": "given supplied",
        "support": "handle allow",
        "supports": "handles allows",
        "supported": "handled allowed",
        "allow": "permit let",
        "allows": "permits lets",
        "however": "but though",
        "therefore": "so " + "thus",
        "also": "too additionally",
        "very": "quite really",
        "many": "several numerous",
        "several": "many various",
        "some": "certain few",
        "all": "every each",
        "every": "each all",
        "any": "some whichever",
        "only": "just merely",
        "first": "initial earliest",
        "last": "final latest",
        "new": "fresh recent",
        "old": "former previous",
        "default": "standard usual",
        "example": "instance sample",
        "following": "next below",
        "different": "distinct other",
        "same": "identical equal",
        "important": "essential crucial",
        "simple": "easy plain",
        "large": "big huge",
        "small": "little tiny",
        "fast": "quick rapid",
        "change": "alter modify",
        "changes": "alters modifications",
        "changed": "altered modified",
        "add": "append include",
        "added": "appended included",
        "remove": "delete drop",
        "removed": "deleted dropped",
        "return": "yield give",
        "returns": "yields gives",
        "returned": "yielded given",
        "call": "invoke run",
        "called": "invoked named",
        "run": "execute start",
        "running": "executing starting",
        "start": "begin launch",
        "starts": "begins launches",
        "stop": "end halt",
        "write": "compose author",
        "written": "composed authored",
        "read": "load consume",
        "see": "consult check",
        "note": "remember observe",
        "ensure": "guarantee verify",
        "check": "verify test",
        "because": "since as",
        "when": "whenever once",
        "while": "whereas although",
        "before": "prior preceding",
        "after": "following once",
        "between": "among amid",
        "function": "routine procedure",
        "method": "routine operation",
        "value": "quantity content",
        "values": "quantities contents",
        "option": "setting choice",
        "options": "settings choices",
        "file": "document path",
        "files": "documents paths",
        "directory": "folder location",
        "error": "failure fault",
        "errors": "failures faults",
        "problem": "issue trouble",
        "result": "outcome output",
        "results": "outcomes outputs",
        "way": "manner means",
        "part": "piece portion",
        "number": "count amount",
        "list": "sequence series",
        "name": "title label",
        "user": "person operator",
        "users": "people operators",
        "possible": "feasible doable",
        "available": "accessible present",
        "specific": "particular certain",
        "specify": "state name",
        "specified": "stated named",
        "contains": "holds includes",
        "contain": "hold include",
        "includes": "contains covers",
        "should": "ought must",
        "must": "should shall",
        "can": "may could",
        "will": "shall would",
        "may": "might could",
        "this": "that the",
        "these": "those such",
        "the": "this that",
        "a": "one any",
        "is": "was becomes",
        "are": "were become",
        "if": "when provided",
        "but": "yet though",
        "and": "plus with",
        "or": "nor and",
        "such": "like similar",
        "about": "regarding concerning",
        "with": "using by",
        "without": "lacking sans",
    }.items()
}
"""Words that a person writes in place of another word."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file of documentation: the project it belongs to, its path there, its text."""

    project: str
    path: str
    text: str

    @property
    def place(self) -> str:
        """The path of the file in the indexed folder."""
        return re.sub(r"[^\w./+-]", "_", f"{self.project}/{self.path}")


def squashed(text: str) -> str:
    """The letters and digits of a text in lower case. Texts with the same ones count as the same text."""
    return "".join(_LETTER.findall(text.lower()))


def lines(document: Document, chance: random.Random) -> str | None:
    """Lines of a document as they are, whether prose, code or tables. None if the document is too short."""
    every = document.text.splitlines(keepends=True)
    wanted = chance.randint(LEAST_LINES, MOST_LINES)
    written = [at for at, line in enumerate(every) if line.strip()]
    if len(written) < wanted:
        return None
    first = chance.randrange(len(written) - wanted + 1)
    passage = "".join(every[written[first] : written[first + wanted - 1] + 1])
    return passage if len(squashed(passage)) >= LEAST_LETTERS else None


def prose(document: Document) -> list[list[str]]:
    """The passages of running prose in a document, each as a list of sentences: paragraphs that follow one another."""
    found: list[list[str]] = []
    current: list[str] = []
    for paragraph in [*re.split(r"\n\s*\n", document.text), ""]:
        sentences = _sentences(paragraph)
        if sentences and len(current) + len(sentences) <= MOST_SENTENCES:
            current += sentences
            continue
        if len(current) >= LEAST_SENTENCES:
            found.append(current)
        current = sentences if len(sentences) <= MOST_SENTENCES else []
    return found


def _sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph; empty for a list, a title, a table or code."""
    written = [line for line in paragraph.splitlines() if line.strip()]
    if not written or any(line[:1].isspace() or _MARKUP.search(line) for line in written):
        return []
    text = " ".join(" ".join(written).split())
    if not text.endswith((".", "!", "?", ":")):
        return []
    sentences = _SENTENCE_END.split(text)
    return sentences if all(len(_WORD.findall(sentence)) >= 3 for sentence in sentences) else []


def _replaced(sentences: Sequence[str], share: float, vocabulary: Sequence[str], chance: random.Random) -> list[str]:
    """The sentences with this share of their words replaced by known synonyms, or by words of the same document."""
    words = [match for sentence in sentences for match in _WORD.finditer(sentence)]
    chosen = set(chance.sample(range(len(words)), round(share * len(words))))
    number = -1

    def change(match: re.Match[str]) -> str:
        nonlocal number
        number += 1
        if number not in chosen:
            return match.group()
        word = match.group()
        others = SYNONYMS.get(word.lower()) or [each for each in vocabulary if each != word.lower()]
        other = chance.choice(others)
        return other.capitalize() if word[:1].isupper() else other

    return [_WORD.sub(change, sentence) for sentence in sentences]


def _reordered(sentences: Sequence[str], chance: random.Random) -> list[str]:
    """The sentences in an order that keeps at most one pair of neighbors, if fifty tries find such an order."""
    order = list(range(len(sentences)))
    for _ in range(50):
        chance.shuffle(order)
        if sum(second == first + 1 for first, second in pairwise(order)) <= 1:
            break
    return [sentences[at] for at in order]


def _cut(sentences: Sequence[str], share: float, chance: random.Random) -> list[str]:
    """The sentences without this share of them; at least one is left out."""
    count = max(1, round(share * len(sentences)))
    gone = set(chance.sample(range(len(sentences)), count))
    return [sentence for at, sentence in enumerate(sentences) if at not in gone]


def _merged(sentences: Sequence[str], chance: random.Random) -> list[str]:
    """The sentences with two neighbors joined by a conjunction."""
    if len(sentences) < 2:
        return list(sentences)
    at = chance.randrange(len(sentences) - 1)
    first, second = sentences[at], sentences[at + 1]
    joined = f"{first.rstrip('.!?:')}, {chance.choice(('and', 'while', 'so', 'but'))} {second[:1].lower()}{second[1:]}"
    return [*sentences[:at], joined, *sentences[at + 2 :]]


Edit = Callable[[Sequence[str], Sequence[str], random.Random], list[str]]


def _words_replaced(sentences: Sequence[str], vocabulary: Sequence[str], chance: random.Random) -> list[str]:
    return _replaced(sentences, chance.uniform(0.15, 0.25), vocabulary, chance)


def _sentences_reordered(sentences: Sequence[str], vocabulary: Sequence[str], chance: random.Random) -> list[str]:
    return _replaced(_reordered(sentences, chance), chance.uniform(0.05, 0.15), vocabulary, chance)


def _cut_and_merged(sentences: Sequence[str], vocabulary: Sequence[str], chance: random.Random) -> list[str]:
    shortened = _merged(_cut(sentences, 0.25, chance), chance)
    return _replaced(shortened, chance.uniform(0.1, 0.2), vocabulary, chance)


def _all_at_once(sentences: Sequence[str], vocabulary: Sequence[str], chance: random.Random) -> list[str]:
    shortened = _merged(_reordered(_cut(sentences, 0.25, chance), chance), chance)
    return _replaced(shortened, chance.uniform(0.25, 0.35), vocabulary, chance)


EDITS: Mapping[str, Edit] = {
    "words replaced": _words_replaced,
    "sentences reordered": _sentences_reordered,
    "cut and merged": _cut_and_merged,
    "all at once": _all_at_once,
}
"""Edits of a passage of 4 to 10 sentences, given with the words of its document.

- words replaced: 15 to 25% of them;
- sentences reordered: all of them, and 5 to 15% of the words replaced;
- cut and merged: a quarter of the sentences left out, two joined to one, 10 to 20% of the words replaced;
- all at once: a quarter left out, the rest reordered, two joined, 25 to 35% of the words replaced.
"""


def vocabulary(document: Document) -> list[str]:
    """The words of a document, ascending, in lower case."""
    return sorted({word.lower() for word in _WORD.findall(document.text)})


def paragraph(sentences: Iterable[str], width: int = 79) -> str:
    """A paragraph in lines of at most `width` characters."""
    lines = [""]
    for word in " ".join(sentences).split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines) + "\n"


def is_revised(sentences: Sequence[str], text: str) -> bool:
    """Whether a text has these sentences in other words: from a fifth to four fifths of their three-word sequences."""
    here = _triples(" ".join(sentences))
    share = len(here & _triples(text)) / len(here) if here else 0.0
    return LEAST_KEPT <= share <= MOST_KEPT


def _triples(text: str) -> set[tuple[str, ...]]:
    words = [word.lower() for word in _WORD.findall(text)]
    return set(zip(words, words[1:], words[2:], strict=False))
