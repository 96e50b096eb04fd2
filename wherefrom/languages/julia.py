"""Julia."""

from __future__ import annotations

import re

from wherefrom.languages.language import ESCAPES, FormatterNoise, Grammar, Language, Prompt, Quote, Spelling
from wherefrom.languages.lexical import (
    CHARACTER,
    HASH_COMMENTS,
    LONG_DOUBLE_QUOTED,
    TRIPLE_QUOTED,
    WORD,
    Imports,
    Lexical,
    nested,
)
from wherefrom.languages.nothing import words

JULIA = Language(
    name="julia",
    grammar=Grammar("tree-sitter-julia", oldest="0.23", newest="0.23", extra="languages"),
    extensions=words(".jl"),
    interpreters=words("julia"),
    aliases=words("jl julia-repl"),
    names=words("identifier"),
    strings=words("string_literal prefixed_string_literal command_literal prefixed_command_literal character_literal"),
    code_in_strings=words("string_interpolation"),
    spelling=Spelling((Quote(b'"""', ESCAPES + b"$"), Quote(b'"', ESCAPES + b"$"), Quote(b"'", ESCAPES, b"'"))),
    numbers=words("integer_literal float_literal"),
    comments=words("line_comment block_comment"),
    noise=FormatterNoise(),
    functions=words("function_definition macro_definition"),
    imports=Imports(openings=words("import using export"), inside=words("as")),
    lexical=Lexical(
        comments=(*nested(rb"\#=", rb"=\#"), *HASH_COMMENTS),
        strings=(
            rb"(?:\b[A-Za-z]\w*+)?(?:" + TRIPLE_QUOTED + rb"|" + LONG_DOUBLE_QUOTED + rb")[a-z]*+",
            rb"`[^`]*+`",
            rb"(?<![\w)\]}'])" + CHARACTER,
        ),
        names=(WORD + rb"(?:!++(?!=))?",),
        reserved=words("isa in break continue"),
        unreserved=words("type as abstract mutable primitive public outer"),
        operators=(
            rb"\.?(?:<=|>=|==|!=|===|!==|\+=|-=|\*=|/=|\^=|\|=|&=|=>|<:|>:|\|>|<\||<<|>>|&&|\|\||//|\.\.\.|[*+/^<>%-])",
        ),
    ),
    has_doc_strings=True,
    long_comments=((b"#=", b"=#"),),
    long_literals=((rb'"""', rb'"""'), (rb'(?<![\\"])"(?!")', rb'(?<![\\"])"(?!")')),
    prompts=(Prompt(first=re.compile(rb"[ \t]*julia> ?"), further=re.compile(rb"[ \t]*julia> ?")),),
)
