"""Haskell."""

from wherefrom.languages import forms
from wherefrom.languages.forms import words
from wherefrom.languages.language import Grammar, Imports, Language, Lexical, Quote, Spelling

HASKELL = Language(
    name="haskell",
    grammar=Grammar("tree-sitter-haskell", oldest="0.23", newest="0.24"),
    extensions=words(".hs .hs-boot .hsc .hsig"),
    interpreters=words("runhaskell runghc stack"),
    aliases=words("hs ghci"),
    names=words("variable constructor name implicit_variable label module_id"),
    strings=words("string char quasiquote_body"),
    spelling=Spelling((Quote(b'"', forms.ESCAPES), Quote(b"'", forms.ESCAPES, b"'"))),
    numbers=words("integer float"),
    comments=words("comment haddock"),
    prose=words("pragma cpp"),
    functions=words("bind function"),
    imports=Imports(openings=words("import"), inside=words("as")),
    lexical=Lexical(
        comments=(rb"--+(?![!\#$%&*+./<=>?@\\^|~:])[^\n]*+", forms.nested(rb"\{-(?!\#)", rb"-\}")),
        strings=(forms.DOUBLE_QUOTED, forms.CHARACTER),
        names=(rb"[A-Za-z_][\w']*+\#*+",),
        unreserved=words(
            "t d e p as by cases default export family group nominal pattern phantom rec role stock using via anyclass"
        ),
        operators=(rb"[!\#$%&*+./<=>?@\\^|~:-]++",),
    ),
    long_comments=((b"{-", b"-}"),),
)
