"""Zig."""

from __future__ import annotations

from wherefrom.languages.language import ESCAPES, Grammar, Language, Noise, Quote, Spelling, none, words

ZIG = Language(
    name="zig",
    grammar=Grammar("tree-sitter-zig", oldest="1.0", newest="1.1", extra="languages"),
    extensions=words(".zig"),
    filenames=none("its files have endings"),
    claims=none("shares no ending with another language"),
    interpreters=none("`zig run` takes no shebang line"),
    aliases=none("it has no shorter name"),
    tags=none("no label of a framework means it alone"),
    script_types=none("compiled before a browser runs it"),
    names=words("identifier"),
    strings=words("string multiline_string character"),
    code_in_strings=none("its strings hold no code"),
    spelling=Spelling((Quote(b'"', ESCAPES), Quote(b"'", ESCAPES, b"'"))),
    numbers=words("integer float"),
    literals=none("the grammar tells strings from numbers"),
    comments=words("comment"),
    blanks=none("the grammar leaves white space out"),
    fragments=none("the grammar parses all code"),
    prose=none("holds no running text"),
    noise=Noise(),
    functions=words("function_declaration test_declaration"),
    has_doc_strings=False,
    long_comments=none("comments end with their line"),
    long_literals=none("each line of a literal begins with a mark of its own"),
    opening=none("a fragment parses without its file"),
    prompts=none("has no interactive session"),
    generated_names=none("no common tool marks generated files by name"),
    minified=none("not minified in practice"),
    template_names=words("build.zig main.zig root.zig"),
)
