"""What a copier makes of a function: edits on its tokens, in the same way for every language.

A function is a list of tokens, each with the white space and comments before it. Names are renamed, literals changed
and gaps rewritten token by token; statements, which the syntax tree gives, are moved, removed and inserted whole.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import tree_sitter

from benchmarks.effectiveness.syntax import EVERY_SHAPE, nodes, root
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.tokens import TokenClass

EVERY = 4
"""One statement in this many is deleted, or gets a new one before it."""

MARKS = (".", "->", "::", "?.", "?->", "&.")
_KEPT = frozenset({"self", "this", "cls", "super", "$this", "_", "None", "True", "False", "nil", "null", "undefined"})
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "xu", "za")
_CHARACTERS = frozenset({"c", "cpp", "csharp", "java", "go", "kotlin", "rust"})
"""Languages whose single quotes enclose one character."""

_WHOLE_STRING = re.compile(r"""[A-Za-z@$#]*(["'`]).*\1#*|<<.*""", re.DOTALL)
"""Matches a whole string, but not a part of one that is before, behind or between code in the string."""

_SPACED = frozenset({",", "=", "==", "!=", "+", "-", "*", "<=", ">=", "&&", "||"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_WRAPPERS = frozenset({"decorated_definition", "export_statement", "template_declaration"})
_BRACE_BELOW = frozenset({"c", "cpp", "csharp", "java", "javascript", "typescript", "php", "rust"})
"""Languages that allow the opening brace of a body on the next line."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token and the text before it: `gap` unchanged, `bare` without comments.

    Both also have text that formatters add and remove, such as a trailing comma, because it is not a token.
    """

    gap: str
    bare: str
    text: str
    kind: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that shares no line and contains no other: the half-open span of its tokens, and its block."""

    begin: int
    end: int
    block: int


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a file."""

    name: str
    language: str
    tokens: tuple[Token, ...]
    statements: tuple[Statement, ...]

    @property
    def source(self) -> str:
        """The source of the function, unchanged."""
        return text(self.tokens)


def text(tokens: Sequence[Token]) -> str:
    """The source of the tokens."""
    return "".join(token.gap + token.text for token in tokens)


def functions(
    language: str, content: bytes, analysis: Analysis, lines: tuple[int, int], kinds: frozenset[str] = frozenset()
) -> list[Function]:
    """The functions of a UTF-8 file that have `lines` (from, to) lines of code. No function is inside another or has a
    syntax error. Nodes of `kinds` count as functions as well.
    """
    kinds |= EVERY_SHAPE[language].functions
    found: list[Function] = []
    behind = 0
    for node in nodes(root(language, content)):
        if node.type not in kinds or node.start_byte < behind or node.has_error:
            continue
        function = excerpt(language, content, analysis, node)
        if function is None or function.tokens[0].gap:
            continue
        if lines[0] <= lines_of_code(function.tokens) <= lines[1]:
            behind = node.end_byte
            found.append(function)
    return found


def lines_of_code(tokens: Sequence[Token]) -> int:
    """The number of lines that have a token."""
    return 1 + sum("\n" in token.gap for token in tokens[1:]) + sum(token.text.count("\n") for token in tokens)


def excerpt(language: str, content: bytes, analysis: Analysis, node: tree_sitter.Node) -> Function | None:
    """The tokens and statements below a node of a file; None if the node has no tokens."""
    stream = analysis.tokens
    first, last = stream.starts.searchsorted((node.start_byte, node.end_byte)).tolist()
    if first == last:
        return None
    line = content.rfind(b"\n", 0, node.start_byte) + 1
    margin = content[line : node.start_byte].decode()
    if margin.strip():
        margin = ""
    tokens = []
    before = node.start_byte
    for at in range(first, last):
        start, end = int(stream.starts[at]), int(stream.ends[at])
        comments = [each for each in analysis.comments if before <= each[0] < start]
        bare = _without(content, before, start, comments)
        gap = content[before:start].decode()
        dedented = (gap.replace("\n" + margin, "\n"), bare.replace("\n" + margin, "\n"))
        tokens.append(Token(*dedented, content[start:end].decode(), int(stream.classes[at])))
        before = end
    called = (one.text for one, two in pairwise(tokens) if one.kind is TokenClass.NAME and two.text == "(")
    label = next(called, tokens[min(1, len(tokens) - 1)].text)
    starts = stream.starts[first:last].tolist()
    return Function(label, language, tuple(tokens), _statements(language, node, tokens, starts))


def _without(content: bytes, begin: int, end: int, comments: Sequence[tuple[int, int]]) -> str:
    """A gap without its comments, and without the lines that had only comments."""
    edges = [begin, *(edge for comment in comments for edge in comment), end]
    parts = [content[low:high].decode() for low, high in zip(edges[::2], edges[1::2], strict=True)]
    bare = "".join(parts)
    return re.sub(r"[ \t]*\n\s*\n", "\n", bare) if comments else bare


def _statements(
    language: str, function: tree_sitter.Node, tokens: Sequence[Token], starts: Sequence[int]
) -> tuple[Statement, ...]:
    at = {start: number for number, start in enumerate(starts)}
    found = []
    for block in nodes(function):
        if block.type not in EVERY_SHAPE[language].blocks:
            continue
        for child in block.named_children:
            simple = not any(each.type in EVERY_SHAPE[language].blocks for each in nodes(child))
            begin = at.get(child.start_byte)
            if not simple or begin is None or "\n" not in tokens[begin].gap:
                continue
            end = sum(start < child.end_byte for start in starts)
            if end == len(tokens) or "\n" in tokens[end].gap:
                found.append(Statement(begin, end, block.id))
    return tuple(found)


def with_comments(function: Function, chance: random.Random) -> list[Token]:
    """Other comments, other blank lines and other white space at line ends; no token changes."""
    mark = EVERY_SHAPE[function.language].comment
    result = [function.tokens[0]]
    for token in function.tokens[1:]:
        noise, gap = _split(token.bare)
        if "\n" in gap:
            indentation = gap[gap.rfind("\n") :]
            extra = chance.choice(
                ["", "  ", f"  {mark} see note {chance.randrange(99)}", indentation + mark + " checked"]
            )
            gap = extra + chance.choice(["", "", "\n"]) + indentation
        result.append(replace(token, gap=noise + gap))
    return result


def reformatted(function: Function, chance: random.Random) -> list[Token]:
    """Another indentation, spaces around operators and commas, arguments on lines of their own, braces below."""
    width = chance.choice((1, 2))
    depth = 0
    result = [function.tokens[0]]
    for before, token in pairwise(function.tokens):
        depth += (before.text in _OPENING) - (token.text in _CLOSING)
        noise, gap = _split(token.bare)
        if "\n" in gap:
            margin = gap[gap.rfind("\n") + 1 :].expandtabs(4)
            gap = "\n" + margin * 2 if width == 2 else "\n" + margin.replace("    ", "\t")
        elif function.language == "bash":
            pass  # in Bash a space would begin another word
        elif token.text == "{" and before.text == ")" and function.language in _BRACE_BELOW:
            gap = "\n"
        elif before.text == "," and depth > 0 and before.text not in _CLOSING and chance.random() < 0.3:
            gap = "\n        "
        elif before.text in {"(", "["} or token.text in {")", "]", ","}:
            gap = chance.choice((gap, " "))
        elif before.text in _SPACED and before.kind is TokenClass.SYMBOL and before.text not in {"-", "*", "+"}:
            gap = chance.choice(("", " "))
        result.append(replace(token, gap=noise + gap, bare=noise + gap))
    return result


def _split(bare: str) -> tuple[str, str]:
    """A gap without comments, in two parts: up to the last text that formatters add or remove, and the blanks after."""
    noise = bare.rstrip()
    return noise, bare[len(noise) :]


def renamed(function: Function, _chance: random.Random) -> list[Token]:
    """Parameters and variables renamed consistently: names in lower case that are neither members nor called."""
    return _renamed(function, function.tokens, throughout=False)


def renamed_throughout(function: Function, chance: random.Random) -> list[Token]:
    """Gives every name a new one throughout, and changes every literal."""
    changed = []
    for token in _renamed(function, function.tokens, throughout=True):
        new = token.text
        if token.kind is TokenClass.NUMBER:
            new = str(chance.randrange(2, 900))
        elif token.kind is TokenClass.STRING and new.startswith("'") and function.language in _CHARACTERS:
            new = "'x'"
        elif token.kind is TokenClass.STRING and _WHOLE_STRING.fullmatch(new):
            new = EVERY_SHAPE[function.language].literal_string.format(n=chance.randrange(99))
        changed.append(replace(token, text=new))
    return changed


def _renamed(function: Function, tokens: Sequence[Token], *, throughout: bool) -> list[Token]:
    names: dict[str, str] = {}
    taken = {token.text for token in function.tokens}
    result = []
    for number, token in enumerate(tokens):
        before = tokens[number - 1].text if number else ""
        after = tokens[number + 1].text if number + 1 < len(tokens) else ""
        local = before not in MARKS and after not in {"(", "::"} and token.text.lstrip("$_")[:1].islower()
        if token.kind is TokenClass.NAME and token.text not in _KEPT and (throughout or local):
            if token.text not in names:
                names[token.text] = _new_name(token.text, len(names), taken)
            result.append(replace(token, text=names[token.text]))
        else:
            result.append(token)
    return result


def _new_name(old: str, number: int, taken: set[str]) -> str:
    """A name of the same kind (`$`, `@`, capital) that the function does not have."""
    sigil = re.match(r"[$@:#]*", old)
    assert sigil is not None
    for attempt in range(number, number + 10_000):
        word = _SYLLABLES[attempt % 16] + _SYLLABLES[attempt // 16 % 16] + _SYLLABLES[(attempt * 7 + 3) % 16]
        word += str(attempt // 256) if attempt >= 256 else ""
        new = sigil[0] + (word.capitalize() if old.lstrip("$@:#_")[:1].isupper() else word)
        if new not in taken:
            taken.add(new)
            return new
    raise AssertionError("a function has fewer names")


def inserted(function: Function, chance: random.Random) -> list[Token]:
    """Inserts a new statement before one statement in `EVERY`, at least one."""
    return _edited(function, function.tokens, ("insert",), chance)


def deleted(function: Function, chance: random.Random) -> list[Token]:
    """Deletes one statement in `EVERY`, at least one; the last statement of a block stays."""
    return _edited(function, function.tokens, ("delete",), chance)


def reordered(function: Function, chance: random.Random) -> list[Token]:
    """Swaps neighbouring statements: one pair in `EVERY`, at least one."""
    return _edited(function, function.tokens, ("swap",), chance)


def all_at_once(function: Function, chance: random.Random) -> list[Token]:
    """Renames as `renamed` does, reformats, changes comments, and inserts, deletes and reorders statements."""
    other_layout = replace(function, tokens=tuple(reformatted(function, chance)))
    other_comments = with_comments(other_layout, chance)
    other_names = _renamed(function, other_comments, throughout=False)
    return _edited(function, other_names, ("insert", "delete", "swap"), chance)


def halved(function: Function, chance: random.Random) -> list[Token]:
    """The first or the second half of a function, cut at the line end that is nearest to the middle."""
    ends = [at for at, token in enumerate(function.tokens) if at and "\n" in token.gap]
    middle = min(ends, key=lambda at: abs(at - len(function.tokens) / 2))
    half = function.tokens[:middle] if chance.random() < 0.5 else function.tokens[middle:]
    return [replace(half[0], gap=half[0].gap.lstrip("\n")), *half[1:]]


def is_editable(function: Function) -> bool:
    """Whether a function has a statement that can be deleted, and two that can change places."""
    return all(_places(function).values())


def _places(function: Function) -> dict[str, list[tuple[int, int, int]]]:
    """For each kind of edit the (begin, middle, end) token positions that it needs."""
    ordered = sorted(function.statements, key=lambda each: each.begin)
    last = {statement.block: statement for statement in ordered}
    pairs = [(one, two) for one, two in pairwise(ordered) if one.block == two.block and one.end == two.begin]
    return {
        "insert": [(each.begin, each.begin, each.begin) for each in ordered],
        "delete": [(each.begin, each.end, each.end) for each in ordered if each is not last[each.block]],
        "swap": [(one.begin, one.end, two.end) for one, two in pairs],
    }


def _edited(function: Function, tokens: Sequence[Token], kinds: Sequence[str], chance: random.Random) -> list[Token]:
    """Edits statements: one in `EVERY` of the places for each kind of edit. It goes from the last place to the first,
    so that the spans of earlier places stay true, and skips a place that overlaps an edited one.
    """
    places = _places(function)
    chosen = [(place, kind) for kind in kinds for place in chance.sample(places[kind], -(-len(places[kind]) // EVERY))]
    result, free = list(tokens), len(tokens)
    for (begin, middle, end), kind in sorted(chosen, reverse=True):
        if end > free:
            continue
        if kind == "insert":
            new = chance.choice(EVERY_SHAPE[function.language].statements).format(n=chance.randrange(1, 90))
            result.insert(begin, Token(tokens[begin].bare, tokens[begin].bare, new, TokenClass.SYMBOL))
        elif kind == "delete":
            del result[begin:end]
        else:
            result[begin:end] = result[middle:end] + result[begin:middle]
        free = begin
    return result


VARIANTS: Mapping[str, Callable[[Function, random.Random], Sequence[Token]]] = {
    "exact": lambda function, _: function.tokens,
    "comments and white space": with_comments,
    "reformatted": reformatted,
    "renamed": renamed,
    "renamed throughout, other literals": renamed_throughout,
    "inserted": inserted,
    "deleted": deleted,
    "reordered": reordered,
    "all at once": all_at_once,
    "half": halved,
}
"""The edits of a function, by name; `numbered` and `embedded` work on its text instead."""


def numbered(language: str, source: str, chance: random.Random) -> str:
    """Python with prompts as in a session, other languages with a line number before each line."""
    lines = source.splitlines()
    if language == "python":
        return "\n".join(f"{'...' if number else '>>>'} {line}" for number, line in enumerate(lines))
    first = chance.randrange(1, 900)
    return "\n".join(f"{number:>4} {line}" for number, line in enumerate(lines, first))


def slots(language: str, content: bytes) -> list[int]:
    """Where a function can be put into a file: the byte positions of the lines at which the file's functions begin."""
    found = set()
    for node in nodes(root(language, content)):
        if node.type in EVERY_SHAPE[language].functions:
            while node.parent is not None and node.parent.type in _WRAPPERS:
                node = node.parent  # noqa: PLW2901  (the decorator belongs to it)
            line = content.rfind(b"\n", 0, node.start_byte) + 1
            if not content[line : node.start_byte].strip():
                found.add(line)
    return sorted(found)


def embedded(source: str, host: bytes, places: Sequence[int], chance: random.Random) -> str:
    """Pastes a function before a function of a file, with the same indentation."""
    place = chance.choice(places)
    rest = host[place:].decode()
    margin = rest[: len(rest) - len(rest.lstrip(" \t"))]
    lines = [margin + line if line.strip() else line for line in source.strip("\n").splitlines()]
    return host[:place].decode() + "\n".join(lines) + "\n\n" + rest
