"""Haskell."""

from __future__ import annotations

from wherefrom.languages.language import ESCAPES, Grammar, Language, Quote, Spelling, none, words
from wherefrom.languages.lexical import CHARACTER, DOUBLE_QUOTED, NUMBER, Imports, Lexical, nested

HASKELL = Language(
    name="haskell",
    grammar=Grammar("tree-sitter-haskell", oldest="0.23", newest="0.24", extra="languages"),
    extensions=words(".hs .hs-boot .hsc .hsig"),
    filenames=none("its files have endings"),
    claims=none("shares no ending with another language"),
    interpreters=words("runhaskell runghc stack"),
    aliases=words("hs ghci"),
    tags=none("no label of a framework means it alone"),
    script_types=none("not written inside HTML"),
    names=words("variable constructor name implicit_variable label module_id"),
    strings=words("string char quasiquote_body"),
    code_in_strings=none("its strings hold no code"),
    spelling=Spelling((Quote(b'"', ESCAPES), Quote(b"'", ESCAPES, b"'"))),
    numbers=words("integer float"),
    literals=none("the grammar tells strings from numbers"),
    comments=words("comment haddock"),
    blanks=none("the grammar leaves white space out"),
    fragments=none("the grammar parses all code"),
    prose=words("pragma cpp"),
    noise=none("its formatters change no token"),
    functions=words("bind function"),
    imports=Imports(openings=words("import"), inside=words("as")),
    lexical=Lexical(
        comments=(rb"--+(?![!\#$%&*+./<=>?@\\^|~:])[^\n]*+", *nested(rb"\{-(?!\#)", rb"-\}")),
        strings=(DOUBLE_QUOTED, CHARACTER),
        numbers=(NUMBER,),
        names=(rb"[A-Za-z_][\w']*+\#*+",),
        reserved=none("the grammar has a fixed text for each"),
        unreserved=words(
            "t d e p as by cases default export family group nominal pattern phantom rec role stock using via anyclass"
        ),
        operators=(rb"[!\#$%&*+./<=>?@\\^|~:-]++",),
    ),
    has_doc_strings=False,
    long_comments=((b"{-", b"-}"),),
    long_literals=none("no literal has quotes of its own for running over lines"),
    opening=none("a fragment parses without its file"),
    prompts=none("its prompt is often changed, by people or by loaded modules"),
    generated_names=none("no common tool marks generated files by name"),
    minified=none("not minified in practice"),
    template_names=none("no common project generator gives its files fixed names"),
)
