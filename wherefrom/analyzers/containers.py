"""Splits files that contain code in other languages: Jupyter notebooks, Markdown, HTML and templates."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator

from wherefrom.languages import LANGUAGES, Language, find
from wherefrom.support.pattern import later
from wherefrom.support.positions import Mapped, concatenate
from wherefrom.support.values import dataclass, replace

CONTAINERS = frozenset({"html", "jupyter", "markdown"})  # the languages whose files may contain code in other languages


def may_have_prose(language: str) -> bool:
    """Whether a file in a language may be prose, or have prose outside of literals and comments."""
    return not LANGUAGES[language].grammar or language in CONTAINERS


FENCE = later(rb"(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)")
FENCE_LABEL = later(r"\{?\s*\.?([\w+#-]+)")

MARKUP = later(
    rb"(?P<mark><!--|<%(?:--|[#%@]))|<(?P<tag>script|style)\b(?P<attributes>[^>]{0,2000})>|"
    rb"(?P<island><%|^@(?=(?:code|functions)?\s*\{[ \t]*$)|"
    rb"\A---(?=[ \t]*\n(?:(?!---)[^\n]*+\n)*?(?:import|export|const|let|type|interface|function)\s))"
    rb"(?:(?<=@)(?:code|functions)?\s*\{|[-_=!]*)",
    re.IGNORECASE | re.MULTILINE,
)
"""Where code or a comment begins: an element, `<%` of JSP, EJS and ERB, `@{` of Razor, `---` of Astro."""

_ISLAND_END = later(rb"[-_]?%>")
ENDS = {
    b"<!--": later(rb"-->"),
    **dict.fromkeys((b"<%", b"<%--", b"<%#", b"<%%", b"<%@"), _ISLAND_END),
    b"@": later(rb"^\}", re.MULTILINE),
    b"---": later(rb"^---", re.MULTILINE),
    b"script": later(rb"</script\b", re.IGNORECASE),
    b"style": later(rb"</style\b", re.IGNORECASE),
}
ISLANDS = {b"@": "csharp", b"---": "typescript"}
CSHARP = later(rb"<%@[^%]{0,200}\bLanguage\s*=\s*\"C(?:#|S\b)", re.IGNORECASE)
JAVA = later(rb"<%[!@]|<jsp:|<%[^%]*?\b[A-Z]\w*(?:<[\w, ]*>)?\s+\w+\s*[=;]")
RUBY = later(
    rb"^[ \t]*(?:end|def|elsif|unless|require)\b(?![ \t]*[(=:])|\bdo(?:[ \t]*\|[^|\n]{0,200}\|)?[ \t]*$|"
    rb"\bif[ \t][^({\n]{0,200}$",
    re.MULTILINE,
)
"""In islands after `<%`, what JavaScript has not."""
ATTRIBUTE = later(rb"\b(type|lang)\s*=\s*[\"']?([^\s\"'>]+)", re.IGNORECASE)
SCRIPT_TYPES = {kind: language.name for language in LANGUAGES.values() for kind in language.script_types}

JSON_TOKEN = later(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
JSON_ESCAPE = later(
    rb"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL
)
JSON_LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"f": b"\f"}
MAGIC = later(rb"^[ \t]*[%!][^\n]*", re.MULTILINE)
CELL_MAGIC = later(rb"\s*%%(\w+)")


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a file in one language. `origin` maps positions in `text` to the file; None if they are the same."""

    language: str
    text: bytes
    origin: Mapped | None = None

    def place(self, decoded: Mapped | None) -> Mapped | None:
        """Maps positions in `text` to positions in the content before it was decoded; None if they are the same."""
        return decoded if self.origin is None else self.origin.after(decoded)


def segments(language: str, content: bytes, *, begins_in: str | None = None) -> list[Segment]:
    """Splits a file (UTF-8) into segments in one language each.

    If the file is a piece of Markdown that begins inside a fence, `begins_in` is the language of that fence. Returns
    segments in order. The first segment of HTML covers the whole file, with blanks in place of the other segments. A
    malformed notebook is one `text` segment.
    """
    if language == "markdown":
        return list(_markdown(content, begins_in))
    if language == "html":
        return _html(content)
    if language == "jupyter" and (cells := _notebook(content)) is not None:
        return cells
    return [Segment("text" if language == "jupyter" else language, content)]


def _segment(language: str, part: Mapped) -> Segment:
    return Segment(language, part.text, part)


def _leaf(name: str) -> Language | None:
    language = find(name)
    return language if language is not None and language.grammar else None


@dataclass(frozen=True, slots=True)
class Fence:
    """The half-open byte spans of a fenced block in Markdown."""

    # the span of the code
    begin: int
    end: int
    # the span of the code and of its marks' lines. A fence that is not closed ends with the text
    outer_begin: int
    outer_end: int
    indent: int  # bytes of blanks before the opening mark
    label: str  # the label of the opening mark, such as a language; may be empty


def fences(content: bytes, *, begins_in: str | None = None) -> Iterator[Fence]:
    """The fenced blocks of a text, in order; `begins_in` is as in `segments`."""
    outer_begin = begin = position = 0
    if begins_in is not None:
        end = first_mark(content)
        position = content.find(b"\n", end) + 1 or len(content)
        yield Fence(0, end, 0, position, 0, begins_in)
    opening: re.Match[bytes] | None = None
    for line in content[position:].splitlines(keepends=True):
        end = position + len(line)
        fence = FENCE.match(line)
        if opening is None:
            if fence and not (fence["mark"].startswith(b"`") and b"`" in fence["info"]):
                opening, outer_begin, begin = fence, position, end
        elif fence and fence["mark"].startswith(opening["mark"]) and not fence["info"].strip():
            yield _fence(opening, outer_begin, begin, position, end)
            opening = None
        position = end
    if opening is not None:
        yield _fence(opening, outer_begin, begin, position, position)


def _fence(opening: re.Match[bytes], outer_begin: int, begin: int, end: int, outer_end: int) -> Fence:
    label = FENCE_LABEL.match(opening["info"].decode(errors="replace").strip())
    return Fence(begin, end, outer_begin, outer_end, len(opening["indent"]), label[1] if label else "")


def first_mark(content: bytes) -> int:
    """The position of the first line with the mark of a fence, or the length of the text if it has no mark."""
    first = next(fences(content), None)
    return len(content) if first is None else first.outer_begin


def _markdown(content: bytes, begins_in: str | None) -> Iterator[Segment]:
    whole = Mapped.identity(content)
    position = 0
    for fence in fences(content, begins_in=begins_in):
        yield _segment("text", whole.cut(position, fence.outer_begin))
        found = _leaf(fence.label)
        yield _segment(found.name if found else "text", whole.cut(fence.begin, fence.end))
        position = fence.outer_end
    yield _segment("text", whole.cut(position, len(content)))


def _html(content: bytes) -> list[Segment]:
    whole = Mapped.identity(content)
    rest = bytearray(content)
    parts = []
    islands: defaultdict[bytes, list[Mapped]] = defaultdict(list)
    position = 0
    while match := MARKUP.search(content, position):
        tag = (match["tag"] or match["mark"] or match["island"]).lower()
        end = ENDS[tag].search(content, match.end())
        start, position = match.end(), end.start() if end else len(content)
        part = whole.cut(start, position)
        if match["island"]:
            line_end = replace(whole.cut(position, position + 1), text=b"\n"[: len(content) - position])
            islands[tag] += part, line_end
            start, position = match.start(), end.end() if end else position
        elif language := _embedded(tag, match["attributes"] or b""):
            parts.append(_segment(language, part))
        else:
            continue
        rest[start:position] = bytes(code if code in b"\r\n" else 0x20 for code in content[start:position])
    for tag, found in islands.items():
        code = concatenate(found)
        parts.append(_segment(ISLANDS.get(tag) or _of_islands(content, code.text), code))
    return [Segment("html", bytes(rest)), *parts]


def _of_islands(content: bytes, code: bytes) -> str:
    if CSHARP.search(content):
        return "csharp"
    return "java" if JAVA.search(content) else "ruby" if RUBY.search(code) else "javascript"


def _embedded(tag: bytes, attributes: bytes) -> str | None:
    values = {name.lower(): value.decode(errors="replace").lower() for name, value in ATTRIBUTE.findall(attributes)}
    label = values.get(b"lang") or values.get(b"type") or "javascript"
    found = find("css") if tag == b"style" else _leaf(SCRIPT_TYPES.get(label, label)) if tag == b"script" else None
    return found.name if found else None


def _notebook(content: bytes) -> list[Segment] | None:
    """The cells of a notebook (format 3 or 4), or None if the content is not a notebook."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or not ({"cells", "worksheets"} & document.keys()):
        return None
    whole = Mapped.identity(content)
    kinds: dict[tuple[str | int, ...], str] = {}
    sources: defaultdict[tuple[str | int, ...], list[Mapped]] = defaultdict(list)
    kernel = ""
    for path, start, end in _json_strings(content):
        if path[-2:] in (("kernelspec", "language"), ("language_info", "name")) and path[0] == "metadata":
            kernel = kernel or content[start:end].decode(errors="replace")
        place = 2 if path[0] == "cells" else 4 if path[:1] == ("worksheets",) and path[2:3] == ("cells",) else 0
        cell, inside = path[:place], path[place:]
        if place and inside == ("cell_type",):
            kinds[cell] = content[start:end].decode(errors="replace")
        elif place and inside[:1] in (("source",), ("input",)) and [*map(type, inside[1:])] in ([], [int]):
            sources[cell].append(whole.cut(start, end).substitute(JSON_ESCAPE, _unescaped))
    found = _leaf(kernel)
    language = found.name if found else ("text" if kernel else "python")
    return [_cell(kinds.get(cell), language, concatenate(parts)) for cell, parts in sources.items()]


def _cell(kind: str | None, language: str, source: Mapped) -> Segment:
    if kind != "code":
        return _segment("text", source)
    if language == "python":
        magic = CELL_MAGIC.match(source.text)
        found = _leaf(magic[1].decode()) if magic else None
        source = source.substitute(MAGIC, lambda match: b" " * len(match.group()))
        language = found.name if found else language
    return _segment(language, source)


def _unescaped(match: re.Match[bytes]) -> bytes:
    high, low, unit, letter = match.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF)).encode()
    if unit:
        return chr(int(unit, 16)).encode(errors="replace")
    return JSON_LETTERS.get(letter, letter)


def _json_strings(content: bytes) -> Iterator[tuple[tuple[str | int, ...], int, int]]:
    """For each string value in valid JSON, yields its path of keys and indices, and its span without quotes."""
    path: list[str | int] = []
    key_comes = False
    for match in JSON_TOKEN.finditer(content):
        token = match.group()
        if token in (b"{", b"["):
            path.append("" if token == b"{" else 0)
        elif token in (b"}", b"]"):
            path.pop()
        elif token == b"," and isinstance(last := path[-1], int):
            path[-1] = last + 1
        elif token.startswith(b'"') and key_comes:
            path[-1] = token[1:-1].decode(errors="replace")
        elif token.startswith(b'"') and path:
            yield tuple(path), match.start() + 1, match.end() - 1
        key_comes = token == b"{" or (token == b"," and isinstance(path[-1], str))
