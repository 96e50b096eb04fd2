"""Zig."""

from wherefrom.languages import forms
from wherefrom.languages.forms import none, words
from wherefrom.languages.language import FormatterNoise, Grammar, Language, Lexical, Quote, Spelling

ZIG = Language(
    name="zig",
    grammar=Grammar("tree-sitter-zig", oldest="1.0", newest="1.1"),
    extensions=words(".zig"),
    aliases=none("it has no shorter name"),
    names=words("identifier"),
    strings=words("string multiline_string character"),
    spelling=Spelling((Quote(b'"', forms.ESCAPES), Quote(b"'", forms.ESCAPES, b"'"))),
    numbers=words("integer float"),
    comments=words("comment"),
    noise=FormatterNoise(),
    functions=words("function_declaration test_declaration"),
    lexical=Lexical(
        comments=(rb"//[^\n]*+",),
        strings=(forms.DOUBLE_QUOTED, forms.CHARACTER, rb"\\\\[^\n]*+(?:\s*+\\\\[^\n]*+)*+"),
        names=(rb'@"[^"\n]*+"', forms.WORD),
        reserved=words("u8 u16 u32 u64 i8 i16 i32 i64"),
        unreserved=words("c"),
    ),
    long_comments=none("comments end with their line"),
    template_names=words("build.zig main.zig root.zig"),
)
