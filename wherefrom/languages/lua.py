"""Lua."""

from __future__ import annotations

from wherefrom.languages.language import ESCAPES, FormatterNoise, Grammar, Language, Quote, Spelling
from wherefrom.languages.lexical import DOUBLE_QUOTED, SINGLE_QUOTED, WORD, Imports, Lexical
from wherefrom.languages.nothing import none, words

LUA = Language(
    name="lua",
    grammar=Grammar("tree-sitter-lua", oldest="0.4", newest="0.5", extra="languages"),
    extensions=words(".lua .rockspec .wlua"),
    interpreters=words("lua luajit texlua"),
    aliases=words("luajit"),
    names=words("identifier"),
    strings=words("string"),
    spelling=Spelling((Quote(b'"', ESCAPES), Quote(b"'", ESCAPES))),
    numbers=words("number"),
    comments=words("comment hash_bang_line"),
    # StyLua leaves semicolons out, takes parentheses around a condition away, and puts them around a single argument.
    noise=FormatterNoise(anywhere=(";",), before_closing=(",", ";"), light=words("( )")),
    functions=words("function_declaration function_definition"),
    imports=Imports(functions=words("require")),
    lexical=Lexical(
        comments=(rb"--\[(?P<level>=*+)\[.*?\](?P=level)\]", rb"--[^\n]*+"),
        strings=(
            DOUBLE_QUOTED,
            SINGLE_QUOTED,
            rb"\[(?P<marks>=*+)\[.*?\](?P=marks)\]",
        ),
        names=(WORD,),
        reserved=words("nil true false break"),
        unreserved=words("global"),
    ),
    long_comments=none("`]]` ends a comment, but also `a[b[1]]`"),
    long_literals=((rb"\[=*+\[", rb"\]=*+\]"),),
    prompts=none("`>` also begins a quoted line of a mail"),
)
