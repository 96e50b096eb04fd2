"""The language of a file by its name, shebang and content, and of a snippet by trying."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from whence.analyzers.languages import LANGUAGES
from whence.analyzers.parsing import parse
from whence.errors import ParseTimeout

_BY_EXTENSION = {ending: language.name for language in LANGUAGES.values() for ending in language.extensions}
_BY_FILENAME = {name: language.name for language in LANGUAGES.values() for name in language.filenames}
_BY_INTERPRETER = {name: language.name for language in LANGUAGES.values() for name in language.interpreters}

_SHEBANG = re.compile(rb"#![ \t]*(\S+)([^\n]*)")
_VERSION = re.compile(r"[\d.]*(?:\.exe)?$")

_CPP_LINE = re.compile(
    rb"""\n[ \t]*(?: (?:class|namespace)[ \t]+[A-Za-z_][\w:]*\s*(?:final\s*)?[:{\n] | template\s*<
    | using[ \t]+[A-Za-z_] | (?:public|private|protected)\s*: | virtual\b | constexpr\b
    | \#\s*include\s*<(?:[a-z_]+)> )""",
    re.VERBOSE,
)
"""Begins with the line feed before the line: a search for one character first is several times faster."""

_CPP_WORDS = (b"std::", b"static_cast<", b"nullptr")
_CPP_WORD = re.compile(rb"\bstd::|\bstatic_cast<|\bnullptr\b")

_HINTS: dict[str, tuple[str, ...]] = {
    "python": (
        r"^\s*(?:async )?def \w+\(.*\).*:\s*(?:#.*)?$",
        r"^\s*class \w+(?:\([^)]*\))?:\s*$",
        r"^\s*(?:from [\w.]+ )?import [\w., ]+(?: as \w+)?\s*$",
        r"^\s*(?:if|elif|for|while|with|try|except|else|finally)\b[^{;]*:\s*(?:#.*)?$",
        r"\bself\.\w|\bNone\b|\bnot in\b|\bis not\b|\belif\b",
        r"^\s*@\w+(?:\.\w+)*(?:\(.*\))?\s*$",
        r"\b(?:print|len|range|isinstance|enumerate)\(",
    ),
    "java": (
        r"\b(?:public|private|protected)\s+(?:static |final |abstract |synchronized )*[\w<>\[\], ?]+\s+\w+\s*[(=;]",
        r"\b(?:String|Integer|List|Map|Object|Boolean|Override|Exception)\b",
        r"^\s*(?:import|package) [\w.]+(?:\.\*)?;",
        r"\bnew [A-Z]\w*(?:<[^>]*>)?\(",
        r"@Override|\bthrows\b|\bSystem\.out|\binstanceof\b",
        r"\b(?:int|long|double|boolean|char|final)\b \w+\s*[=;,)]",
    ),
    "javascript": (
        r"\b(?:const|let|var) [\w{\[][^:=]*=",
        r"\bfunction\b\s*\*?\s*\w*\s*\(",
        r"=>",
        r"===|!==",
        r"\b(?:require\(|module\.exports|console\.log|document\.|window\.|undefined\b|typeof )",
        r"^\s*(?:import|export) .*(?: from )?['\"]",
    ),
    "typescript": (
        r"\b(?:interface|type|enum|namespace|declare) \w+.*[{=]",
        r"[\w)?\]]\s*:\s*(?:string|number|boolean|any|void|unknown|never|Promise<)",
        r"\b(?:private|public|readonly) \w+[?!]?\s*[:(]",
        r"\bas (?:const|any|string|number|unknown)\b|\bimport type\b",
    ),
    "tsx": (r"<[A-Z]\w*[^>]*/>|</[A-Za-z][\w.]*>\s*\)?", r":\s*(?:JSX\.Element|React\.\w+|FC<)"),
    "c": (
        r"^\s*#\s*(?:include|define|ifdef|ifndef|if|endif|pragma)\b",
        r"\b(?:static|const|unsigned|struct|void|char|int|size_t|uint\d+_t|long)\b[ \t]+\*?\w+",
        r"\w->\w",
        r"\b(?:NULL|sizeof|malloc|free|printf|memcpy|strlen|typedef)\b",
        r"\b(?:int|char|void|double) ?\*+ ?\w+",
    ),
    "cpp": (
        r"\bstd::|\w::\w",
        r"\btemplate\s*<|\bnamespace\b|\bvirtual\b|\bconstexpr\b|\bnullptr\b",
        r"\b(?:cout|cin|endl|vector|unique_ptr|auto [&*]?\w+\s*[=:])",
        r"^\s*(?:public|private|protected)\s*:",
        r"^\s*#\s*include\s*<[a-z_]+>",
    ),
    "csharp": (
        r"^\s*(?:using [\w.]+(?: = .*)?;|namespace [\w.]+)",
        r"\{\s*get;|\bforeach\s*\(|\bvar \w+ = new\b",
        r"\b(?:string|bool|decimal|async Task|IEnumerable|List<)",
        r"\b(?:Console\.Write|\.ToString\(|nameof\(|\?\?|internal |sealed |override )",
        r"\$\"",
    ),
    "go": (
        r"^\s*func (?:\(\w+ \*?[\w\[\], ]+\) )?\w*\(",
        r":=",
        r"^\s*package \w+\s*$",
        r"\b(?:nil|chan|defer|go func|interface\{\}|fmt\.|err != nil)",
        r"^\s*type \w+ (?:struct|interface|func)\b",
    ),
    "rust": (
        r"\bfn \w+\s*(?:<[^>]*>)?\(",
        r"\blet (?:mut )?\w+",
        r"\b(?:impl|pub|use|mod|match|crate|unwrap\(\)|Some\(|Ok\(|Vec<|&mut|&str|usize)",
        r"\w+!\(",
        r"->\s*(?:Self|Result|Option|&|\w+)",
    ),
    "ruby": (
        r"^\s*def [\w.?!=]+(?:\s*\(.*\))?\s*$",
        r"^\s*end\b",
        r"\bdo \|[^|]*\|",
        r"\b(?:require|require_relative|puts|attr_\w+|nil|unless|elsif)\b",
        r"(?<!\w)@\w+|(?<![:\w]):\w+",
    ),
    "php": (r"<\?(?:php|=)", r"(?<![\w$])\$\w+\s*(?:=|->|\[|;|,|\))", r"\bfunction \w+\s*\(.*\$", r"->\w+\(|\becho\b"),
    "kotlin": (
        r"\bfun (?:<[^>]*> )?[\w.]+\(",
        r"\b(?:val|var) \w+(?:\s*:\s*\w+)?\s*(?:=|by\b)",
        r"\b(?:when|companion object|data class|override fun|suspend|lateinit|println\()",
        r"\?\.|!!|\?:",
    ),
    "swift": (
        r"\bfunc \w+(?:<[^>]*>)?\(",
        r"\b(?:let|var) \w+(?:\s*:\s*[\w\[\]?<>]+)?\s*=",
        r"\b(?:guard|if) let\b|\bself\.|\bextension \w+|\bprotocol \w+",
        r"->\s*\w+\??\s*\{",
        r"\\\(",
    ),
    "scala": (
        r"\bdef \w+(?:\[[^\]]*\])?(?:\(.*\))?(?:\s*:\s*[\w\[\], ]+)?\s*=",
        r"\b(?:val|var|object|trait|case class|implicit|extends|sealed)\b \w+",
        r"\bcase .* =>",
        r"\w\[[A-Z]\w*\]",
    ),
    "bash": (
        r"^\s*(?:if|elif|while|until) (?:\[|test|!)",
        r"^\s*(?:fi|done|esac|then|do)\b",
        r"\$\{?\w+|\$\(",
        r"^\s*(?:echo|export|cd|sudo|apt|apt-get|git|curl|wget|mkdir|rm|cp|mv|ls|cat|grep|sed|docker|pip|npm|chmod|source)\s",
        r"^\w+=\S*\s*$",
        r"\s\|\s*\w+|\s&&\s|\s-{1,2}[a-zA-Z][\w-]*",
    ),
    "lua": (
        r"\blocal (?:function )?\w+",
        r"\bfunction [\w.:]*\(.*\)\s*$",
        r"^\s*(?:end|until)\b|\bthen\s*$|\belseif\b",
        r"~=|\.\.|\bnil\b|\bipairs\(|\bpairs\(",
        r"^\s*--",
    ),
    "sql": (
        r"(?i)^\s*(?:select|insert into|update|delete from|create (?:table|view|index|or)|alter table|with \w+ as)\b",
        r"(?i)\b(?:from|where|group by|order by|values|inner join|left join|set)\b",
        r"(?i)\b(?:varchar|not null|primary key|count\(|union all|int\b)",
    ),
    "haskell": (
        r"^\s*\w+'*\s*::\s*.*->",
        r"^\s*(?:module|import qualified|import|data|newtype|instance|class) [A-Z]",
        r"^\s*\w+.* = .*\b(?:where|do|case|let)\b|<-|\bwhere\s*$",
        r"\$ |\. |>>=|\+\+",
    ),
    "ocaml": (
        r"^\s*let (?:rec )?\w+.*=",
        r"\bmatch .* with\b|\bfun \w+ ->|^\s*\| .*->",
        r"\bin\s*$|;;|\bmodule [A-Z]|\bopen [A-Z]",
        r"\(\*|\|>|:=|\bbegin\b",
    ),
    "julia": (
        r"^\s*function [\w.!]+(?:\{.*\})?\(",
        r"^\s*end\b",
        r"\b(?:using|println|struct|mutable struct|elseif|nothing|where T)\b",
        r"::[A-Z]\w*|\.[*+/^-]|@\w+ ",
    ),
    "html": (
        r"(?i)<!doctype html|<html|<head|<body",
        r"(?i)</(?:div|p|a|span|ul|li|table|tr|td|script|style|form|h[1-6]|body|html)>",
        r"(?i)^\s*<(?:div|p|a|span|ul|li|table|tr|td|input|img|form|link|meta|h[1-6])\b",
    ),
    "css": (
        r"^\s*[.#@]?[\w-][\w\-.#:, >()]*\s*\{\s*$",
        r"^\s*-{0,2}[a-z-]+\s*:\s*[^;{}]+;\s*$",
        r"\b\d+(?:px|em|rem|vh|%)|@media|@import|#[0-9a-fA-F]{3,6}\b",
    ),
}
_DIALECTS = {"typescript": "javascript", "tsx": "typescript", "cpp": "c"}
"""A language with one hint of its own has those of the language that it grew from as well."""

_TRIED_BYTES = 20_000
_TRIED_SECONDS = 1.0
_CANDIDATES = 4
_HINT_REPEATS = 3
_HINT_WORTH = 0.4
"""What one hint more is worth against the share of the bytes that do not parse. Chosen on 975 stretches of 8 to 20
lines of public projects in 21 languages, cut anywhere, comments too: 0.04 with one hint a pattern got 58% of them
right, 0.4 with three 67%. Another draw of stretches from the same projects gave 66%."""

_MARKS_OF_CODE = re.compile(r"[(){}\[\];=<>_$#&|+*\\@^~]")
_PROSE_WORD = re.compile(r"[^\W\d_]{2,}(?=[\s,.;:!?)\"'’”]|$)")
_CODE_MARK = re.compile(r"[{}()\[\]=<>;$\\_@#|&*+/]")


def guess(path: str, content: bytes) -> str:
    """The language of a file: by its name, then by its shebang, else `text`.

    Args:
        path: with `/` between its parts.
        content: UTF-8; looked at for a shebang, and where a name does not decide.
    """
    name = path.rpartition("/")[2].lower()
    stem, dot, ending = name.rpartition(".")
    told = _BY_FILENAME.get(name) or (_BY_EXTENSION.get(dot + ending) if stem else None)
    if told is None:
        return _by_shebang(content) or "text"
    if ending == "h" and _is_cpp_header(content):
        return "cpp"
    if ending == "ts" and content.lstrip().startswith(b"<"):  # Qt's translations
        return "text"
    return told


def _is_cpp_header(content: bytes) -> bool:
    has_word = any(word in content for word in _CPP_WORDS) and _CPP_WORD.search(content)
    return bool(has_word or _CPP_LINE.search(b"\n" + content))


_PROSE = tuple(extension for extension in LANGUAGES["text"].extensions if extension not in (".txt", ".text"))


def guess_snippet(content: bytes, name: str = "") -> str:
    """The language of a piece of code that may be no whole file.

    By name or shebang where they tell (that of a `.txt` does not: pasted code is kept in such files); else the likely
    languages are tried, and the one with the fewest errors for its hints wins. Prose is `text`.

    Args:
        content: UTF-8.
        name: a file name, if there is one.
    """
    told = guess(name, content)
    if told != "text" or name.lower().endswith(_PROSE):
        return told
    text = content[:_TRIED_BYTES].decode(errors="replace")
    if _is_plain(text):
        return "text"
    hints = {language: _strength(patterns, text) for language, patterns in _patterns().items()}
    for language, base in _DIALECTS.items():
        hints[language] += hints[base] if hints[language] else 0
    if max(hints.values()) <= 1 and _is_prose(text):
        return "text"
    likely = sorted((language for language in hints if hints[language]), key=lambda language: -hints[language])
    best, best_cost = "text", float("inf")
    for language in likely[:_CANDIDATES] or ("python", "javascript", "c"):
        cost = _cost(language, text.encode(errors="replace")) - _HINT_WORTH * hints[language]
        if cost < best_cost:
            best, best_cost = language, cost
    return best


def _by_shebang(content: bytes) -> str | None:
    match = _SHEBANG.match(content[:200])
    if match is None:
        return None
    words = [match[1], *match[2].split()]
    for word in words:
        program = _VERSION.sub("", word.decode(errors="replace").rpartition("/")[2].lower())
        if program != "env" and not program.startswith("-") and "=" not in program:
            return _BY_INTERPRETER.get(program)
    return None


@cache
def _patterns() -> dict[str, tuple[re.Pattern[str], ...]]:
    return {name: tuple(re.compile(hint, re.MULTILINE) for hint in hints) for name, hints in _HINTS.items()}


def _strength(patterns: tuple[re.Pattern[str], ...], text: str) -> int:
    """How many hints a text gives, each pattern counting a few times at most."""
    return sum(1 for pattern in patterns for _ in islice(pattern.finditer(text), _HINT_REPEATS))


def _cost(language: str, source: bytes) -> float:
    """The share of a source that does not parse."""
    try:
        return parse(LANGUAGES[language], source, _TRIED_SECONDS).errors / max(len(source), 1)
    except ParseTimeout:
        return 1.0


def _is_plain(text: str) -> bool:
    """Whether this is prose whatever words are in it: of 50 visible characters at most one is a mark of code.
    Licences have
    4 to 19 of 1,000, pieces of code nearly always more than 20 (docs/clones.md).
    """
    visible = len("".join(text.split()))
    return len(_PROSE_WORD.findall(text)) >= 20 and len(_MARKS_OF_CODE.findall(text)) < visible / 50


def _is_prose(text: str) -> bool:
    words = len(_PROSE_WORD.findall(text))
    return words >= 5 and len(_CODE_MARK.findall(text)) < words / 5
