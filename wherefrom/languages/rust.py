"""Rust."""

from __future__ import annotations

from wherefrom.languages.language import ESCAPES, Grammar, Language, Noise, Quote, Spelling, none, words

RUST = Language(
    name="rust",
    grammar=Grammar("tree-sitter-rust", oldest="0.23", newest="0.24"),
    extensions=words(".rs"),
    filenames=none("its files have endings"),
    claims=none("shares no ending with another language"),
    interpreters=words("rust-script run-cargo-script cargo"),
    aliases=words("rs"),
    tags=none("no label of a framework means it alone"),
    script_types=none("compiled before a browser runs it"),
    names=words("identifier type_identifier field_identifier shorthand_field_identifier metavariable"),
    strings=words("string_literal raw_string_literal char_literal"),
    code_in_strings=none("its strings hold no code; what `format!` takes is text to the grammar"),
    spelling=Spelling((Quote(b'"', ESCAPES), Quote(b"'", ESCAPES, b"'")), raw=b"r#", kept=b"bc"),
    numbers=words("integer_literal float_literal"),
    literals=none("the grammar tells strings from numbers"),
    comments=words("line_comment block_comment shebang"),
    blanks=none("the grammar leaves white space out"),
    fragments=none("the grammar parses all code"),
    prose=none("holds no running text"),
    noise=Noise(),
    functions=words("closure_expression function_item macro_definition"),
    has_doc_strings=False,
    long_comments=((b"/*", b"*/"),),
    long_literals=none("an ordinary literal may run over lines; its quotes say nothing"),
    opening=none("a fragment parses without its file"),
    prompts=none("has no interactive session"),
    generated_names=words("*_generated.rs"),
    minified=none("not minified in practice"),
    template_names=words("build.rs"),
)
