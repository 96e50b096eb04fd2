"""The languages: one table of grammars, file names and the node kinds that make a token.

Grammars are pinned to a minor version, because a grammar that changes its tokens changes the scheme. Importing this
module loads no grammar.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from wherefrom.errors import LanguageError

_NO_KINDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    Node kinds are those of named nodes. Every kind listed here is taken whole: what lies inside such a node is not
    looked at.

    Attributes:
        name: the one name, lower case.
        grammar: import name of the grammar's module; None where no grammar is used.
        version: the pinned minor version of `distribution`, such as `0.25`.
        distribution: the grammar's name on PyPI.
        function: the function of `grammar` that gives the language.
        extensions: endings of file names, lower case, with the dot; none is owned twice.
        filenames: whole file names, lower case.
        interpreters: names of programs in a shebang line, without version digits.
        aliases: other names, lower case: fence labels, kernel names, what people type.
        names: kinds that are identifiers (`TokenClass.NAME`).
        strings: kinds of literals that are one token (`TokenClass.STRING`), with whatever is interpolated in them.
        numbers: kinds of `TokenClass.NUMBER`.
        literals: kinds that are strings or numbers, told apart by their first byte.
        comments: kinds that are no tokens.
        blanks: kinds that are white space by another name, such as a line continuation.
        fragments: kinds that the grammar leaves as raw text although they are code (a macro's body); split by
            `parsing`.
        prose: kinds of running text (markup), and of directives; split into words and punctuation, so that line breaks
            in them never matter.
    """

    name: str
    grammar: str | None = None
    version: str = ""
    distribution: str = ""
    function: str = "language"
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    names: frozenset[str] = _NO_KINDS
    strings: frozenset[str] = _NO_KINDS
    numbers: frozenset[str] = _NO_KINDS
    literals: frozenset[str] = _NO_KINDS
    comments: frozenset[str] = _NO_KINDS
    blanks: frozenset[str] = _NO_KINDS
    fragments: frozenset[str] = _NO_KINDS
    prose: frozenset[str] = _NO_KINDS


def _kinds(text: str) -> frozenset[str]:
    return frozenset(text.split())


_JAVASCRIPT_NAMES = _kinds(
    "identifier property_identifier private_property_identifier shorthand_property_identifier "
    "shorthand_property_identifier_pattern statement_identifier"
)
_JAVASCRIPT_STRINGS = _kinds("string template_string regex")
_JAVASCRIPT_COMMENTS = _kinds("comment html_comment hash_bang_line")
_JAVASCRIPT_PROSE = _kinds("jsx_text html_character_reference")
_TYPESCRIPT_NAMES = _JAVASCRIPT_NAMES | {"type_identifier"}
_TYPESCRIPT_STRINGS = _JAVASCRIPT_STRINGS | {"template_literal_type"}
_C_NAMES = _kinds("identifier type_identifier field_identifier statement_identifier")
_C_STRINGS = _kinds("string_literal char_literal system_lib_string")

_TABLE = (
    Language(
        "python",
        grammar="tree_sitter_python",
        version="0.25",
        distribution="tree-sitter-python",
        extensions=(".py", ".pyi", ".pyw", ".pyx", ".bzl"),
        filenames=("sconstruct", "sconscript", "wscript"),
        interpreters=("python", "pypy"),
        aliases=("py", "ipython", "pycon", "python3", "python2", "cython", "starlark"),
        names=_kinds("identifier"),
        strings=_kinds("string"),
        numbers=_kinds("integer float"),
        comments=_kinds("comment"),
        blanks=_kinds("line_continuation"),
    ),
    Language(
        "java",
        grammar="tree_sitter_java",
        version="0.23",
        distribution="tree-sitter-java",
        extensions=(".java", ".jav"),
        aliases=("jshell",),
        names=_kinds("identifier type_identifier"),
        strings=_kinds("string_literal character_literal"),
        numbers=_kinds(
            "decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal "
            "decimal_floating_point_literal hex_floating_point_literal"
        ),
        comments=_kinds("line_comment block_comment"),
    ),
    Language(
        "javascript",
        grammar="tree_sitter_javascript",
        version="0.25",
        distribution="tree-sitter-javascript",
        extensions=(".js", ".jsx", ".mjs", ".cjs", ".es6"),
        filenames=("jakefile",),
        interpreters=("node", "nodejs", "bun"),
        aliases=("js", "jsx", "ecmascript", "node", "nodejs", "mjs", "cjs"),
        names=_JAVASCRIPT_NAMES,
        strings=_JAVASCRIPT_STRINGS,
        numbers=_kinds("number"),
        comments=_JAVASCRIPT_COMMENTS,
        prose=_JAVASCRIPT_PROSE,
    ),
    Language(
        "typescript",
        grammar="tree_sitter_typescript",
        version="0.23",
        distribution="tree-sitter-typescript",
        function="language_typescript",
        extensions=(".ts", ".mts", ".cts"),
        interpreters=("deno", "ts-node", "tsx"),
        aliases=("ts", "mts", "cts"),
        names=_TYPESCRIPT_NAMES,
        strings=_TYPESCRIPT_STRINGS,
        numbers=_kinds("number"),
        comments=_JAVASCRIPT_COMMENTS,
    ),
    Language(
        "tsx",
        grammar="tree_sitter_typescript",
        version="0.23",
        distribution="tree-sitter-typescript",
        function="language_tsx",
        extensions=(".tsx",),
        aliases=("typescriptreact",),
        names=_TYPESCRIPT_NAMES,
        strings=_TYPESCRIPT_STRINGS,
        numbers=_kinds("number"),
        comments=_JAVASCRIPT_COMMENTS,
        prose=_JAVASCRIPT_PROSE,
    ),
    Language(
        "c",
        grammar="tree_sitter_c",
        version="0.24",
        distribution="tree-sitter-c",
        # `.h` is here and in no other row; `guessing` looks into the file for C++.
        extensions=(".c", ".h", ".idc"),
        interpreters=("tcc",),
        aliases=("ansi-c",),
        names=_C_NAMES,
        strings=_C_STRINGS,
        numbers=_kinds("number_literal"),
        comments=_kinds("comment"),
        fragments=_kinds("preproc_arg"),
        prose=_kinds("preproc_directive"),
    ),
    Language(
        "cpp",
        grammar="tree_sitter_cpp",
        version="0.23",
        distribution="tree-sitter-cpp",
        extensions=(
            *(".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".ixx", ".cppm", ".inl", ".tpp"),
            *(".txx", ".tcc", ".cu", ".cuh", ".ino"),
        ),
        aliases=("c++", "cc", "cxx", "hpp", "cuda", "arduino"),
        names=_C_NAMES | {"namespace_identifier", "literal_suffix"},
        strings=_C_STRINGS | {"raw_string_literal"},
        numbers=_kinds("number_literal"),
        comments=_kinds("comment"),
        fragments=_kinds("preproc_arg"),
        prose=_kinds("preproc_directive"),
    ),
    Language(
        "csharp",
        grammar="tree_sitter_c_sharp",
        version="0.23",
        distribution="tree-sitter-c-sharp",
        extensions=(".cs", ".csx", ".cake"),
        interpreters=("dotnet-script",),
        aliases=("c#", "cs", "c-sharp", "c_sharp"),
        names=_kinds("identifier"),
        strings=_kinds(
            "string_literal verbatim_string_literal raw_string_literal interpolated_string_expression character_literal"
        ),
        numbers=_kinds("integer_literal real_literal"),
        comments=_kinds("comment shebang_directive"),
        prose=_kinds("preproc_arg"),
    ),
    Language(
        "go",
        grammar="tree_sitter_go",
        version="0.25",
        distribution="tree-sitter-go",
        extensions=(".go",),
        aliases=("golang",),
        names=_kinds("identifier type_identifier field_identifier package_identifier label_name blank_identifier"),
        strings=_kinds("interpreted_string_literal raw_string_literal rune_literal"),
        numbers=_kinds("int_literal float_literal imaginary_literal"),
        comments=_kinds("comment"),
    ),
    Language(
        "rust",
        grammar="tree_sitter_rust",
        version="0.24",
        distribution="tree-sitter-rust",
        extensions=(".rs",),
        interpreters=("rust-script", "run-cargo-script", "cargo"),
        aliases=("rs",),
        names=_kinds("identifier type_identifier field_identifier shorthand_field_identifier metavariable"),
        strings=_kinds("string_literal raw_string_literal char_literal"),
        numbers=_kinds("integer_literal float_literal"),
        comments=_kinds("line_comment block_comment shebang"),
    ),
    Language(
        "ruby",
        grammar="tree_sitter_ruby",
        version="0.23",
        distribution="tree-sitter-ruby",
        extensions=(".rb", ".rake", ".gemspec", ".ru", ".rbw", ".podspec", ".jbuilder", ".thor"),
        filenames=(
            *("rakefile", "gemfile", "guardfile", "vagrantfile", "capfile", "podfile", "brewfile", "thorfile"),
            *("berksfile", "fastfile", "appfile", "dangerfile"),
        ),
        interpreters=("ruby", "jruby", "rake", "macruby", "rbx"),
        aliases=("rb", "jruby", "irb"),
        names=_kinds("identifier constant instance_variable class_variable global_variable hash_key_symbol"),
        strings=_kinds(
            "string subshell regex character simple_symbol delimited_symbol bare_string bare_symbol heredoc_beginning "
            "heredoc_body"
        ),
        numbers=_kinds("integer float rational complex"),
        comments=_kinds("comment"),
        prose=_kinds("uninterpreted"),
    ),
    Language(
        "php",
        grammar="tree_sitter_php",
        version="0.25",
        distribution="tree-sitter-php",
        function="language_php",
        extensions=(".php", ".phtml", ".php3", ".php4", ".php5", ".php7", ".phps", ".ctp"),
        interpreters=("php",),
        aliases=("php-template", "inc"),
        names=_kinds("name variable_name"),
        strings=_kinds("string encapsed_string heredoc nowdoc shell_command_expression"),
        numbers=_kinds("integer float"),
        comments=_kinds("comment"),
        prose=_kinds("text"),
    ),
    Language(
        "kotlin",
        grammar="tree_sitter_kotlin",
        version="1.1",
        distribution="tree-sitter-kotlin",
        extensions=(".kt", ".kts", ".ktm"),
        interpreters=("kotlin", "kotlinc"),
        aliases=("kt", "kts"),
        names=_kinds("identifier label"),
        strings=_kinds("string_literal multiline_string_literal character_literal"),
        numbers=_kinds("number_literal float_literal"),
        comments=_kinds("line_comment block_comment shebang"),
    ),
    Language(
        "swift",
        grammar="tree_sitter_swift",
        version="0.7",
        distribution="tree-sitter-swift",
        extensions=(".swift",),
        interpreters=("swift",),
        names=_kinds("simple_identifier type_identifier"),
        strings=_kinds("line_string_literal multi_line_string_literal raw_string_literal regex_literal"),
        numbers=_kinds("integer_literal real_literal hex_literal oct_literal bin_literal"),
        comments=_kinds("comment multiline_comment shebang_line"),
    ),
    Language(
        "scala",
        grammar="tree_sitter_scala",
        version="0.26",
        distribution="tree-sitter-scala",
        extensions=(".scala", ".sc", ".sbt"),
        interpreters=("scala", "scala-cli", "amm"),
        aliases=("almond", "sbt"),
        names=_kinds("identifier type_identifier"),
        strings=_kinds("string interpolated_string character_literal xml_string"),
        numbers=_kinds("integer_literal floating_point_literal"),
        comments=_kinds("comment block_comment xml_comment"),
        prose=_kinds("xml_text"),
    ),
    Language(
        "bash",
        grammar="tree_sitter_bash",
        version="0.25",
        distribution="tree-sitter-bash",
        extensions=(".sh", ".bash", ".zsh", ".ksh", ".bats", ".ebuild", ".command"),
        filenames=(
            *(
                ".bashrc",
                ".bash_profile",
                ".bash_aliases",
                ".bash_logout",
                ".profile",
                ".zshrc",
                ".zprofile",
                ".zshenv",
            ),
            *("pkgbuild", "apkbuild", ".envrc"),
        ),
        interpreters=("bash", "sh", "zsh", "ksh", "dash", "ash", "mksh", "bats"),
        aliases=("sh", "shell", "zsh", "shell-session", "console", "shellscript", "ksh", "shellsession"),
        names=_kinds("variable_name special_variable_name"),
        strings=_kinds("string raw_string ansi_c_string translated_string heredoc_body regex"),
        numbers=_kinds("number"),
        comments=_kinds("comment"),
    ),
    Language(
        "lua",
        grammar="tree_sitter_lua",
        version="0.5",
        distribution="tree-sitter-lua",
        extensions=(".lua", ".rockspec", ".wlua"),
        interpreters=("lua", "luajit", "texlua"),
        aliases=("luajit",),
        names=_kinds("identifier"),
        strings=_kinds("string"),
        numbers=_kinds("number"),
        comments=_kinds("comment hash_bang_line"),
    ),
    Language(
        "sql",
        grammar="tree_sitter_sql",
        version="0.3",
        distribution="tree-sitter-sql",
        extensions=(".sql", ".ddl", ".dml", ".pgsql", ".psql", ".mysql"),
        aliases=("postgresql", "postgres", "mysql", "sqlite", "plpgsql", "tsql", "psql"),
        names=_kinds("identifier parameter"),
        literals=_kinds("literal"),
        comments=_kinds("comment marginalia"),
    ),
    Language(
        "haskell",
        grammar="tree_sitter_haskell",
        version="0.24",
        distribution="tree-sitter-haskell",
        extensions=(".hs", ".hs-boot", ".hsc", ".hsig"),
        interpreters=("runhaskell", "runghc", "stack"),
        aliases=("hs", "ghci"),
        names=_kinds("variable constructor name implicit_variable label module_id"),
        strings=_kinds("string char quasiquote_body"),
        numbers=_kinds("integer float"),
        comments=_kinds("comment haddock"),
        prose=_kinds("pragma cpp"),
    ),
    Language(
        "ocaml",
        grammar="tree_sitter_ocaml",
        version="0.26",
        distribution="tree-sitter-ocaml",
        function="language_ocaml",
        extensions=(".ml", ".eliom", ".mlt"),
        interpreters=("ocaml", "ocamlrun", "ocamlscript"),
        aliases=("ml", "ocamllex"),
        names=_kinds(
            "value_name value_pattern constructor_name field_name module_name module_type_name type_constructor "
            "label_name method_name class_name class_type_name instance_variable_name tag type_variable"
        ),
        strings=_kinds("string quoted_string character"),
        numbers=_kinds("number signed_number"),
        comments=_kinds("comment shebang line_number_directive"),
    ),
    Language(
        "julia",
        grammar="tree_sitter_julia",
        version="0.23",
        distribution="tree-sitter-julia",
        extensions=(".jl",),
        interpreters=("julia",),
        aliases=("jl", "julia-repl"),
        names=_kinds("identifier"),
        strings=_kinds(
            "string_literal prefixed_string_literal command_literal prefixed_command_literal character_literal"
        ),
        numbers=_kinds("integer_literal float_literal"),
        comments=_kinds("line_comment block_comment"),
    ),
    Language(
        "html",
        grammar="tree_sitter_html",
        version="0.23",
        distribution="tree-sitter-html",
        extensions=(".html", ".htm", ".xhtml", ".vue", ".svelte"),
        aliases=("htm", "xhtml", "vue", "svelte", "html5"),
        strings=_kinds("quoted_attribute_value attribute_value"),
        comments=_kinds("comment"),
        prose=_kinds("text entity raw_text doctype"),
    ),
    Language(
        "css",
        grammar="tree_sitter_css",
        version="0.25",
        distribution="tree-sitter-css",
        extensions=(".css",),
        aliases=("css3",),
        names=_kinds("class_name id_name keyframes_name"),
        strings=_kinds("string_value"),
        numbers=_kinds("integer_value float_value color_value"),
        comments=_kinds("comment js_comment"),
    ),
    # Without a grammar of their own: `containers` takes the first two apart, `textual` reads the rest.
    Language(
        "markdown", extensions=(".md", ".markdown", ".mdown", ".mkd", ".mdx", ".rmd", ".qmd"), aliases=("md", "gfm")
    ),
    Language("jupyter", extensions=(".ipynb",), aliases=("ipynb", "notebook")),
    Language(
        "text",
        extensions=(".txt", ".text", ".rst", ".adoc", ".asciidoc"),
        aliases=("txt", "plain", "plaintext", "none"),
    ),
)

LANGUAGES: Mapping[str, Language] = MappingProxyType({language.name: language for language in _TABLE})
"""Every language by its name, in the table's order."""

_BY_ANY_NAME = {alias: language for language in _TABLE for alias in (language.name, *language.aliases)}


def get(name: str) -> Language:
    """The language of that name or alias, whatever its case.

    Raises:
        LanguageError: there is none.
    """
    language = find(name)
    if language is None:
        message = f"no language is called {name[:40]!r}; the languages are {', '.join(LANGUAGES)}"
        raise LanguageError(message)
    return language


def find(name: str) -> Language | None:
    """Like `get`, for names that nobody vouches for (fence labels, kernel names): None where there is none."""
    return _BY_ANY_NAME.get(name.strip().lower())


def grammar_versions() -> str:
    """One canonical string of all grammars with their pinned versions, for the scheme id."""
    return " ".join(f"{name}={LANGUAGES[name].version}" for name in sorted(LANGUAGES) if LANGUAGES[name].grammar)
