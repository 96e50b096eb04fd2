"""Lua."""

from wherefrom.languages import forms
from wherefrom.languages.forms import none, words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Quote, Spelling

LUA = Language(
    name="lua",
    grammar=Grammar("tree-sitter-lua", oldest="0.4", newest="0.5"),
    extensions=words(".lua .rockspec .wlua"),
    interpreters=words("lua luajit texlua"),
    aliases=words("luajit"),
    names=words("identifier"),
    strings=words("string"),
    spelling=Spelling((Quote(b'"', forms.ESCAPES), Quote(b"'", forms.ESCAPES))),
    numbers=words("number"),
    comments=words("comment hash_bang_line"),
    # StyLua removes semicolons and parentheses around a condition, and puts parentheses around a single argument.
    noise=FormatterNoise(anywhere=(";",), before_closing=(",", ";"), light=words("( )")),
    functions=words("function_declaration function_definition"),
    imports=Imports(functions=words("require")),
    lexical=Lexical(
        comments=(rb"--\[(?P<level>=*+)\[.*?\](?P=level)\]", rb"--[^\n]*+"),
        strings=(forms.DOUBLE_QUOTED, forms.SINGLE_QUOTED, rb"\[(?P<marks>=*+)\[.*?\](?P=marks)\]"),
        names=(forms.WORD,),
        reserved=words("nil true false break"),
        unreserved=words("global"),
    ),
    long_comments=none("`]]` ends a comment, but also `a[b[1]]`"),
    long_literals=((rb"\[=*+\[", rb"\]=*+\]"),),
)
