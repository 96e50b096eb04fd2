"""What a language is: one value with everything that depends on which language a text is in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from wherefrom.languages.lexical import Imports, Lexical
from wherefrom.languages.nothing import Nothing, none


@dataclass(frozen=True, slots=True)
class Grammar:
    """The Tree-sitter grammar of a language, as a wheel on PyPI.

    Versions are compared by their first two numbers, such as `0.25`. The token snapshots are made with `newest`; the
    rest of the test kit holds for every version from `oldest` to `newest`.

    Attributes:
        distribution: name on PyPI; the module has the same name with underscores.
        oldest: first minor version that is supported.
        newest: last minor version that is supported.
        function: the function of the module that gives the language.
        extra: the extra of wherefrom that installs it; None: it is always installed.
        base: name of the language whose query for highlights its own goes on from.
    """

    distribution: str
    oldest: str
    newest: str
    function: str = "language"
    extra: str | None = None
    base: str | None = None

    @property
    def module(self) -> str:
        """Import name."""
        return self.distribution.replace("-", "_")

    @property
    def requirement(self) -> str:
        """What pip is asked for, such as `tree-sitter-c>=0.23,<0.25`."""
        major, minor = minor_version(self.newest)
        return f"{self.distribution}>={self.oldest},<{major}.{minor + 1}"

    @property
    def version(self) -> str | None:
        """The installed version, such as `0.25.1`; None where it is not installed."""
        return _installed_version(self.distribution)

    @property
    def is_left_out(self) -> bool:
        """Whether it comes with an extra that is not installed.

        Files in such a language are analyzed as text. A grammar that belongs to every installation and is missing
        all the same is an error when it is needed (`GrammarError`).
        """
        return self.extra is not None and self.version is None

    def supports(self, version: str) -> bool:
        """Whether a version, such as `0.25.1`, is one of those supported."""
        return minor_version(self.oldest) <= minor_version(version) <= minor_version(self.newest)

    def to_dict(self) -> dict[str, Any]:
        """As JSON values; `version` is None where it is not installed."""
        return {
            "distribution": self.distribution,
            "version": self.version,
            "oldest": self.oldest,
            "newest": self.newest,
            "extra": self.extra,
        }


@cache
def _installed_version(distribution: str) -> str | None:
    import importlib.metadata  # noqa: PLC0415  (takes longer to load than all languages)

    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def minor_version(version: str) -> tuple[int, int]:
    """The first two numbers of a version."""
    major, minor = version.split(".")[:2]
    return int(major), int(minor)


@dataclass(frozen=True, slots=True)
class Claim:
    """An ending of file names that is listed by another language although some of these files are in this one.

    Attributes:
        ending: lower case, with the dot.
        holds: whether a file with that ending and this content (UTF-8) is in the language that claims it.
    """

    ending: str
    holds: Callable[[bytes], bool]


@dataclass(frozen=True, slots=True)
class Opening:
    """What the grammar wants before the first line of code, and a fragment lacks.

    Attributes:
        mark: bytes without which a text is taken for such a fragment.
        text: what is put before it.
    """

    mark: bytes
    text: bytes


@dataclass(frozen=True, slots=True)
class Prompt:
    """The prompts of an interactive session, matched at the beginning of a line without its line feed.

    Attributes:
        first: on the first line of the session.
        further: on every line that was typed, the first one included.
    """

    first: re.Pattern[bytes]
    further: re.Pattern[bytes]


@dataclass(frozen=True, slots=True)
class Quote:
    """A way to write strings.

    Attributes:
        mark: what opens and closes one. Of three bytes it is for strings of many lines, whose indentation and blanks at
            both ends do not count.
        escapes: the bytes that mean something else behind a backslash (`analyzers.values` says what); if empty, a
            backslash is itself.
        same: what all marks that may take each other's place are written as.
    """

    mark: bytes
    escapes: bytes
    same: bytes = b'"'


ESCAPES = b"abefnrtvxuU01234567\\'\"\n"
"""The bytes that mean something else behind a backslash in C, and in the languages that took this over."""


@dataclass(frozen=True, slots=True, eq=False)
class Spelling:
    """How strings are written, for what does not change their value.

    Attributes:
        quotes: the ways to write them, the longest marks first.
        plain: letters before the quotation mark that do not change the value.
        raw: those after which a backslash is itself, and which do not change it either. A string has as many `#` behind
            its closing mark as before its opening one.
        kept: those that belong to the value, such as the `b` of Python.
    """

    quotes: tuple[Quote, ...]
    plain: bytes = b""
    raw: bytes = b""
    kept: bytes = b""

    @property
    def prefixes(self) -> bytes:
        """All letters that may be before a quotation mark."""
        return self.plain + self.raw + self.kept


@dataclass(frozen=True, slots=True, eq=False)
class FormatterNoise:
    """What formatters add, take away or move. Some of it is not a token; the rest is, for other code needs it to be
    found, but counts next to nothing (see `analyzers.noise`).

    Attributes:
        anywhere: symbols that are never tokens.
        before_closing: symbols that are not tokens directly before `)`, `]`, `}` or `>`.
        has_groups: whether parentheses that only group are left out: those behind a symbol other than a closing
            bracket and `calls`.
        calls: symbols behind which parentheses do not group, such as those before tuples.
        light: symbols that count next to nothing: what is around a single statement, ends one, or is in any order.
        string_joins: symbols between two strings that are one as well, such as the `+` of Java; an empty one where
            nothing is between them. They count next to nothing, and so does each string but the first.
        empty_behind: keywords behind which, and a name, empty parentheses count next to nothing.
    """

    anywhere: tuple[str, ...] = ()
    before_closing: tuple[str, ...] = (",",)
    has_groups: bool = False
    calls: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    string_joins: tuple[str, ...] = ()
    empty_behind: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Minified:
    """How minified files of a language are recognized.

    Attributes:
        names: patterns of file names (`fnmatch`), lower case.
        endings: of the files whose lines are measured, lower case, with the dot.
        longest: bytes for each line, on average, above which such a file is minified.
    """

    names: tuple[str, ...]
    endings: tuple[str, ...]
    longest: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language:
    """One language.

    A field that does not apply is `none("the reason")`, which is empty; an empty value without a reason fails a test.
    The defaults are what holds for most languages, with the reason.

    Node kinds are those of named nodes where nothing else is said. Of `names`, `strings`, `numbers`, `literals`,
    `comments`, `blanks`, `fragments` and `prose`, a node is taken whole: what lies inside it is not looked at, but for
    the code in strings; no kind is in two of them. A kind that one of the supported grammar versions does not have does
    no harm.

    Attributes:
        name: the one name, lower case; what an index stores.
        grammar: what parses it. Nothing: its text is read letter by letter, or taken apart by `analyzers.containers`.

        extensions: endings of file names, lower case, with the dot; no two languages list the same one.
        filenames: whole file names, lower case; no two languages list the same one.
        claims: endings listed by another language that this one takes by content.
        interpreters: names of programs in a shebang line, lower case, without version digits.
        aliases: other names, lower case: fence labels, kernel names, what people type.
        tags: labels that do not name the language but go with it as a rule (`jquery`), lower case, without version.
        script_types: values of `type` or `lang` of an HTML `<script>`, lower case, that are not names or aliases.

        names: kinds that are identifiers (`TokenClass.NAME`).
        strings: kinds of literals that are one token (`TokenClass.STRING`), but for the code in them.
        code_in_strings: kinds, or texts of unnamed nodes, that are code directly inside a string; the text before,
            between and behind them is a token each.
        spelling: how strings are written.
        numbers: kinds of `TokenClass.NUMBER`.
        literals: kinds that are strings or numbers, told apart by their first byte.
        comments: kinds that are no tokens.
        blanks: kinds that are white space by another name, such as a line continuation.
        fragments: kinds that the grammar leaves as raw text although they are code (a macro's body); split by
            `analyzers.parsing` as in C.
        prose: kinds of running text (markup), and of directives; split into words and punctuation, so that line breaks
            in them never matter.
        noise: what formatters add and take away.
        functions: kinds of whole functions and the like: what `check` looks up one by one.
        imports: the words of declarations of imports.
        lexical: what tokens look like in text that the grammar cannot parse.
        has_doc_strings: whether documentation is a string on its own.

        long_comments: (opening, closing) of comments that run over lines; a snippet may begin or end inside one.
        long_literals: (opening, closing) of literals that run over lines, as the forms of `lexical`; likewise. For a
            here-document the closing is a line that looks like the end of one.
        opening: what the grammar wants before code, and a fragment lacks.
        prompts: of interactive sessions, as they are pasted.

        generated_names: patterns (`fnmatch`) of the names of files that tools generate, lower case; they are skipped.
        minified: how minified files are recognized; they are skipped.
        template_names: names of files that frameworks and project generators write, lower case: likely boilerplate.
    """

    name: str
    grammar: Grammar | Nothing

    extensions: tuple[str, ...]
    filenames: tuple[str, ...] = none("its files have endings")
    claims: tuple[Claim, ...] = none("shares no ending with another language")
    interpreters: tuple[str, ...] = none("no shebang line names a program for it")
    aliases: tuple[str, ...]
    tags: tuple[str, ...] = none("no label of a framework means it alone")
    script_types: tuple[str, ...] = none("not written inside the HTML that a browser gets")

    names: tuple[str, ...]
    strings: tuple[str, ...]
    code_in_strings: tuple[str, ...] = none("its strings hold no code")
    spelling: Spelling | Nothing
    numbers: tuple[str, ...]
    literals: tuple[str, ...] = none("the grammar tells strings from numbers")
    comments: tuple[str, ...]
    blanks: tuple[str, ...] = none("the grammar leaves white space out")
    fragments: tuple[str, ...] = none("the grammar parses all code")
    prose: tuple[str, ...] = none("holds no running text")
    noise: FormatterNoise | Nothing
    functions: tuple[str, ...]
    imports: Imports | Nothing
    lexical: Lexical | Nothing
    has_doc_strings: bool = False

    long_comments: tuple[tuple[bytes, bytes], ...] = none("comments end with their line")
    long_literals: tuple[tuple[bytes, bytes], ...] = none("none runs over lines with quotes of its own for that")
    opening: Opening | Nothing = none("a fragment parses without its file")
    prompts: tuple[Prompt, ...] = none("its sessions, if it has any, are rarely pasted with their prompts")

    generated_names: tuple[str, ...] = none("no common tool marks generated files by name")
    minified: Minified | Nothing = none("not minified in practice")
    template_names: tuple[str, ...] = none("no common project generator gives its files fixed names")

    @property
    def is_left_out(self) -> bool:
        """Whether its grammar comes with an extra that is not installed; its text is then read letter by letter."""
        return bool(self.grammar and self.grammar.is_left_out)

    def to_dict(self) -> dict[str, Any]:
        """As JSON values; `grammar` is None where none is used."""
        return {
            "name": self.name,
            "aliases": list(self.aliases),
            "extensions": list(self.extensions),
            "filenames": list(self.filenames),
            "grammar": self.grammar.to_dict() if self.grammar else None,
        }
