"""Scala."""

from __future__ import annotations

from wherefrom.languages.language import ESCAPES, Grammar, Language, Noise, Quote, Spelling, none, words

SCALA = Language(
    name="scala",
    grammar=Grammar("tree-sitter-scala", oldest="0.23", newest="0.26", extra="languages"),
    extensions=words(".scala .sc .sbt"),
    filenames=none("its files have endings"),
    claims=none("shares no ending with another language"),
    interpreters=words("scala scala-cli amm"),
    aliases=words("almond sbt"),
    tags=none("no label of a framework means it alone"),
    script_types=none("not written inside HTML"),
    names=words("identifier type_identifier"),
    strings=words("string interpolated_string character_literal xml_string"),
    code_in_strings=words("interpolation"),
    spelling=Spelling((Quote(b'"""', b""), Quote(b'"', ESCAPES), Quote(b"'", ESCAPES, b"'"))),
    numbers=words("integer_literal floating_point_literal"),
    literals=none("the grammar tells strings from numbers"),
    comments=words("comment block_comment xml_comment"),
    blanks=none("the grammar leaves white space out"),
    fragments=none("the grammar parses all code"),
    prose=words("xml_text"),
    noise=Noise(anywhere=(";",)),
    functions=words("function_declaration function_definition lambda_expression"),
    has_doc_strings=False,
    long_comments=((b"/*", b"*/"),),
    long_literals=(b'"""',),
    opening=none("a fragment parses without its file"),
    prompts=none("its sessions are rarely pasted with their prompts"),
    generated_names=none("no common tool marks generated files by name"),
    minified=none("not minified in practice"),
    template_names=none("no common project generator gives its files fixed names"),
)
