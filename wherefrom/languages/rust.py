"""Rust."""

from wherefrom.languages import forms
from wherefrom.languages.forms import words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Quote, Spelling

RUST = Language(
    name="rust",
    grammar=Grammar("tree-sitter-rust", oldest="0.23", newest="0.24"),
    extensions=words(".rs"),
    interpreters=words("rust-script run-cargo-script cargo"),
    aliases=words("rs"),
    names=words("identifier type_identifier field_identifier shorthand_field_identifier metavariable"),
    strings=words("string_literal raw_string_literal char_literal"),
    spelling=Spelling((Quote(b'"', forms.ESCAPES), Quote(b"'", forms.ESCAPES, b"'")), raw=b"r#", kept=b"bc"),
    numbers=words("integer_literal float_literal"),
    comments=words("line_comment block_comment shebang"),
    # rustfmt puts braces around the body of a match arm that is longer than a line, or removes them together with the
    # comma after the body.
    noise=FormatterNoise(light=words("{ } ,")),
    functions=words("closure_expression function_item macro_definition"),
    imports=Imports(openings=words("use pub"), inside=words("as")),
    lexical=Lexical(
        comments=forms.NESTED_C_COMMENTS,
        strings=(
            rb'(?:b|c)?r(?P<marks>\#*+)".*?"(?P=marks)',
            rb"[bc]?" + forms.LONG_DOUBLE_QUOTED,
            rb"b?" + forms.CHARACTER,
        ),
        names=(rb"(?:r\#)?" + forms.WORD,),
        reserved=words(
            "self mut u8 crate str bool usize u64 i32 isize super f64 u32 char f32 u16 i64 i8 i16 u128 i128 true "
            "false _"
        ),
        unreserved=words("block path ty lifetime union literal meta pat item raw ident expr tt vis stmt gen auto"),
        members=words(". ::"),
    ),
    long_literals=(forms.LONG_DOUBLE,),
    generated_names=words("*_generated.rs"),
    template_names=words("build.rs"),
)
