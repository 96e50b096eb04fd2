"""`Language` and its parts: one value with everything that wherefrom knows about a language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import ClassVar

from wherefrom.languages import forms
from wherefrom.languages.forms import Nothing, none
from wherefrom.support import version
from wherefrom.support.contract import JsonObject
from wherefrom.support.values import dataclass, field


@dataclass(frozen=True, slots=True)
class Grammar(JsonObject):
    """The Tree-sitter grammar of a language, as a wheel on PyPI.

    Versions are compared by their first two numbers, such as `0.25`. The token snapshots are made with `newest`. The
    other tests pass with every version from `oldest` to `newest`.

    Attributes:
        distribution: name on PyPI; the module has the same name with underscores.
        oldest: first minor version that is supported.
        newest: last minor version that is supported.
        function: the function of the module that returns the grammar.
        base: name of the language that this one extends.
    """

    JSON: ClassVar[str] = "distribution version oldest newest"

    distribution: str
    oldest: str
    newest: str
    function: str = "language"
    base: str | None = None

    @property
    def module(self) -> str:
        """Name of the Python module."""
        return self.distribution.replace("-", "_")

    @property
    def requirement(self) -> str:
        """The requirement for pip, such as `tree-sitter-c>=0.23,<0.25`."""
        major, minor = minor_version(self.newest)
        return f"{self.distribution}>={self.oldest},<{major}.{minor + 1}"

    @property
    def version(self) -> str | None:
        """The installed version, such as `0.25.1`, or None if the grammar is not installed."""
        return _installed_version(self.distribution)

    @property
    def is_left_out(self) -> bool:
        """True if the grammar is not installed. Files in its language are then analyzed as text."""
        return self.version is None

    def supports(self, version: str) -> bool:
        """Whether this version of the grammar, such as `0.25.1`, is supported."""
        return minor_version(self.oldest) <= minor_version(version) <= minor_version(self.newest)


@cache
def _installed_version(distribution: str) -> str | None:
    return version.installed(distribution) or None


def minor_version(version: str) -> tuple[int, int]:
    """The major and minor number of a version such as `0.25.1`."""
    major, minor = version.split(".")[:2]
    return int(major), int(minor)


@dataclass(frozen=True, slots=True)
class Claim:
    """An ending of file names that another language lists, although some files with it are in this language.

    Attributes:
        ending: lower case, with the dot.
        line: searched in the content behind a line feed. A file that has it is in the claiming language.
        words: a file that has one of these words is too. No letter, digit or underscore is before such a word, nor
            behind one that ends with a letter.
    """

    ending: str
    line: re.Pattern[bytes]
    words: tuple[bytes, ...] = ()

    def holds(self, content: bytes) -> bool:
        """Whether a file with the ending and this content (UTF-8) is in the claiming language."""
        # Searching for fixed bytes is several times faster than `word`.
        has_word = any(word in content for word in self.words) and self.word.search(content)
        return bool(has_word or self.line.search(b"\n" + content))

    @property
    def word(self) -> re.Pattern[bytes]:
        """Finds one of the words."""
        return re.compile(
            b"|".join(rb"\b%b%b" % (re.escape(word), rb"\b" * word[-1:].isalpha()) for word in self.words)
        )


@dataclass(frozen=True, slots=True)
class Opening:
    """The text that a grammar requires before code, such as `<?php`, and that a fragment of a file may lack.

    Attributes:
        mark: a text without these bytes lacks the required text.
        text: put before a fragment that lacks it when the fragment is parsed.
    """

    mark: bytes
    text: bytes


@dataclass(frozen=True, slots=True)
class Prompt:
    """The prompts of an interactive session. The patterns match at the beginning of a line.

    Attributes:
        first: the prompt on the first line of a session.
        further: the prompts on all lines that somebody typed, including the first one.
    """

    first: re.Pattern[bytes]
    further: re.Pattern[bytes]


@dataclass(frozen=True, slots=True)
class Quote:
    """A way to write strings.

    Attributes:
        mark: opens and closes a string. A mark of three bytes is for strings of several lines, whose indentation and
            blanks at both ends are not part of the value.
        escapes: the bytes that have another meaning after a backslash (see `analyzers.parsing`). If empty, a backslash
            is an ordinary character.
        same: written in place of the mark when values are compared; equal for marks that are interchangeable.
    """

    mark: bytes
    escapes: bytes
    same: bytes = b'"'


@dataclass(frozen=True, slots=True, eq=False)
class Spelling:
    """How strings are written. It tells which differences in spelling do not change the value of a string.

    Attributes:
        quotes: the ways to write strings, the longest marks first.
        plain: letters before the quotation mark that do not change the value.
        raw: letters that do not change the value either, but make a backslash an ordinary character. A string has as
            many `#` after its closing mark as before its opening one.
        kept: letters that belong to the value, such as the `b` of Python.
    """

    quotes: tuple[Quote, ...]
    plain: bytes = b""
    raw: bytes = b""
    kept: bytes = b""

    @property
    def prefixes(self) -> bytes:
        """All letters that may come before a quotation mark."""
        return self.plain + self.raw + self.kept


@dataclass(frozen=True, slots=True, eq=False)
class FormatterNoise:
    """Symbols and words that formatters add, remove or move. Some of them never become tokens. The others are light
    tokens: some code is found only by them, so they stay, but weigh almost nothing (see `analyzers.noise`).

    Attributes:
        anywhere: symbols that are never tokens.
        before_closing: symbols that are not tokens directly before `)`, `]`, `}` or `>`.
        has_groups: whether parentheses that only group are left out: those after a symbol, unless it is a closing
            bracket or one of `calls`.
        calls: symbols after which parentheses do not only group, such as those before tuples.
        light: symbols that are light: they surround or end a single statement, or their order does not matter.
        string_joins: symbols that join two strings, such as the `+` of Java; an empty one for strings that follow each
            other directly. The symbol and each string after the first are light.
        empty_behind: keywords that, before a name and empty parentheses, make the parentheses light.
    """

    anywhere: tuple[str, ...] = ()
    before_closing: tuple[str, ...] = (",",)
    has_groups: bool = False
    calls: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    string_joins: tuple[str, ...] = ()
    empty_behind: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexical:
    """What tokens look like in text that the grammar cannot parse.

    The forms are tried in the order of the fields, then the operators of the grammar, the longest first, then any word
    or single character.

    Attributes:
        comments: forms of comments.
        strings: forms of literals that are one token.
        numbers: forms of numbers.
        names: forms of names, keywords among them.
        reserved: words that are never names although the grammar has no fixed text for them (`u8`, `this`).
        unreserved: words of the grammar that are more often names than keywords (`type`, `data`).
        operators: forms of operators that the grammar does not list, because a program may define its own.
        code_in_strings: by quotation mark, the longest first, the marks that begin code in such a string, for example
            `${`. The code ends with the bracket that closes the last bracket of the mark. After a mark without a
            bracket, it is one word.
        members: marks before the name of a member. They count in all languages (`analyzers.representations`). So a mark
            that no other language has changes the terms of all languages, and needs a new `NORMALISER_VERSION`.
        reserved_in_fragments: as `reserved`, for `Language.fragments`.
    """

    comments: tuple[bytes, ...]
    strings: tuple[bytes, ...] | Nothing
    numbers: tuple[bytes, ...] | Nothing = (forms.NUMBER,)
    names: tuple[bytes, ...] | Nothing
    reserved: tuple[str, ...] | Nothing = none("the grammar has a fixed text for each")
    unreserved: tuple[str, ...] | Nothing = none("no word of the grammar is a common name")
    operators: tuple[bytes, ...] | Nothing = none("the grammar lists all operators")
    code_in_strings: Mapping[bytes, tuple[bytes, ...]] = field(default_factory=dict)
    members: tuple[str, ...] | Nothing = (".",)
    reserved_in_fragments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Imports:
    """The words by which lines that import something are found, even in code that does not parse
    (`queries.preparation.quiet`).

    The language of a snippet is often a guess, so a word counts in all languages whose grammars have it as a keyword.

    Attributes:
        openings: keywords at the beginning of a line that imports or exports something.
        packages: keywords at the beginning of a line that names the package of the file.
        inside: other keywords in such lines.
        continued: keywords that join the next line to their own line.
        functions: words before a string that names what is imported.
        declaring: keywords before the variable that gets the result of such a function.
    """

    openings: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    continued: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    declaring: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Minified:
    """How minified files of a language are recognized.

    Attributes:
        names: patterns (`fnmatch`, lower case) of file names that are always minified.
        endings: endings of the files whose lines are measured, lower case, with the dot.
        longest: such a file is minified if its lines have more bytes than this on average.
    """

    names: tuple[str, ...]
    endings: tuple[str, ...]
    longest: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language(JsonObject):
    """One language.

    A field that does not apply is `none("the reason")`, which is empty. A test rejects empty values without a reason.
    The defaults apply to most languages.

    "Kinds" are names of named nodes unless the field says otherwise. A node of a kind in `names`, `strings`, `numbers`,
    `literals`, `comments`, `blanks`, `fragments` or `prose` is taken whole, without looking at its children, except at
    the code in strings. Each kind is in one of these fields only. Kinds that some supported version of the grammar does
    not have are ignored.

    Attributes:
        name: lower case; the name that an index stores.
        grammar: parses the language. Without one, a text is read letter by letter, or `analyzers.containers` splits it.

        extensions: endings of file names, lower case, with the dot; no two languages list the same one.
        filenames: whole file names, lower case; no two languages list the same one.
        claims: endings listed by another language; the content decides whether such a file is in this language.
        interpreters: names of programs in a shebang line, lower case, without version digits.
        aliases: other names, lower case: labels of fences, names of notebook kernels, what people type.
        tags: labels that do not name the language but usually go with it (`jquery`), lower case, without version.
        script_types: values of `type` or `lang` of an HTML `<script>`, lower case, that are not names or aliases.

        names: kinds that are identifiers (`TokenClass.NAME`).
        strings: kinds of literals that are one token (`TokenClass.STRING`), except the code in them.
        code_in_strings: kinds, or texts of unnamed nodes, that are code directly inside a string. Each piece of text
            before, between and after them is one token.
        spelling: how strings are written.
        numbers: kinds of `TokenClass.NUMBER`.
        literals: kinds that are strings or numbers; `analyzers.parsing` tells by their bytes which of the two.
        comments: kinds that are not tokens.
        blanks: kinds that count as white space, such as a line continuation.
        fragments: kinds that the grammar leaves as raw text although they are code, such as the body of a macro.
            `analyzers.parsing` splits them as C.
        prose: kinds of running text in markup, and of directives. They are split into words and punctuation, so that
            line breaks in them never matter.
        noise: what formatters add, remove and move.
        functions: kinds of whole functions and similar units, which `check` looks up one by one.
        imports: the words of lines that import something.
        lexical: what tokens look like in text that the grammar cannot parse.
        has_doc_strings: whether documentation is written as a string, not as a comment.

        long_comments: (opening, closing) of comments of several lines. A snippet may begin or end inside one of them.
        long_literals: the same for literals, in the syntax of `lexical`. The closing of a here-document is any line
            that looks like the end of one.
        opening: the text that the grammar requires before code and that a fragment may lack.
        prompts: the prompts of interactive sessions that people paste.

        generated_names: patterns (`fnmatch`, lower case) of names of generated files; they are skipped.
        minified: how minified files are recognized; they are skipped.
        template_names: names of files that frameworks and project generators write, lower case: likely boilerplate.
    """

    JSON: ClassVar[str] = "name aliases extensions filenames grammar=used_grammar"

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
    literals: tuple[str, ...] = none("the grammar distinguishes strings from numbers")
    comments: tuple[str, ...]
    blanks: tuple[str, ...] = none("the grammar leaves white space out")
    fragments: tuple[str, ...] = none("the grammar parses all code")
    prose: tuple[str, ...] = none("holds no running text")
    noise: FormatterNoise | Nothing = none("its formatters change no token")
    functions: tuple[str, ...]
    imports: Imports | Nothing = none("no keyword of the grammar begins a line that imports something")
    lexical: Lexical | Nothing
    has_doc_strings: bool = False

    long_comments: tuple[tuple[bytes, bytes], ...] = ((b"/*", b"*/"),)
    long_literals: tuple[tuple[bytes, bytes], ...] = none("no quotes are for literals of several lines only")
    opening: Opening | Nothing = none("a fragment parses without its file")
    prompts: tuple[Prompt, ...] = none("its sessions, if it has any, are rarely pasted with their prompts")

    generated_names: tuple[str, ...] = none("no common tool marks generated files by name")
    minified: Minified | Nothing = none("not minified in practice")
    template_names: tuple[str, ...] = none("no common project generator gives its files fixed names")

    @property
    def is_left_out(self) -> bool:
        """True if the language has a grammar that is not installed. Text is then read letter by letter."""
        return bool(self.grammar and self.grammar.is_left_out)

    @property
    def used_grammar(self) -> Grammar | None:
        """The grammar, or None if the language has none."""
        return self.grammar or None
