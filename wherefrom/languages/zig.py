"""Zig."""

from __future__ import annotations

from wherefrom.languages.language import ESCAPES, FormatterNoise, Grammar, Language, Quote, Spelling
from wherefrom.languages.lexical import CHARACTER, DOUBLE_QUOTED, WORD, Lexical
from wherefrom.languages.nothing import none, words

ZIG = Language(
    name="zig",
    grammar=Grammar("tree-sitter-zig", oldest="1.0", newest="1.1", extra="languages"),
    extensions=words(".zig"),
    aliases=none("it has no shorter name"),
    names=words("identifier"),
    strings=words("string multiline_string character"),
    spelling=Spelling((Quote(b'"', ESCAPES), Quote(b"'", ESCAPES, b"'"))),
    numbers=words("integer float"),
    comments=words("comment"),
    noise=FormatterNoise(),
    functions=words("function_declaration test_declaration"),
    imports=none("`@import` is an expression"),
    lexical=Lexical(
        comments=(rb"//[^\n]*+",),
        strings=(DOUBLE_QUOTED, CHARACTER, rb"\\\\[^\n]*+(?:\s*+\\\\[^\n]*+)*+"),
        names=(rb'@"[^"\n]*+"', WORD),
        reserved=words("u8 u16 u32 u64 i8 i16 i32 i64"),
        unreserved=words("c"),
    ),
    template_names=words("build.zig main.zig root.zig"),
)
