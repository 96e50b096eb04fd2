"""Scala."""

from __future__ import annotations

from wherefrom.languages.language import ESCAPES, FormatterNoise, Grammar, Language, Quote, Spelling
from wherefrom.languages.lexical import (
    CHARACTER,
    DOLLAR_WORD,
    DOUBLE_QUOTED,
    NESTED_C_COMMENTS,
    TRIPLE_RAW,
    Imports,
    Lexical,
)
from wherefrom.languages.nothing import words

SCALA = Language(
    name="scala",
    grammar=Grammar("tree-sitter-scala", oldest="0.23", newest="0.26", extra="languages"),
    extensions=words(".scala .sc .sbt"),
    interpreters=words("scala scala-cli amm"),
    aliases=words("almond sbt"),
    names=words("identifier type_identifier"),
    strings=words("string interpolated_string character_literal xml_string"),
    code_in_strings=words("interpolation"),
    spelling=Spelling((Quote(b'"""', b""), Quote(b'"', ESCAPES), Quote(b"'", ESCAPES, b"'"))),
    numbers=words("integer_literal floating_point_literal"),
    comments=words("comment block_comment xml_comment"),
    prose=words("xml_text"),
    # scalafmt leaves semicolons out, orders modifiers (`SortModifiers`) and takes braces around one expression away
    # (`RedundantBraces`).
    noise=FormatterNoise(
        anywhere=(";",),
        light=words("{ } private protected final sealed abstract override implicit lazy open transparent inline infix"),
    ),
    functions=words("function_declaration function_definition lambda_expression"),
    imports=Imports(openings=words("import export"), packages=words("package"), inside=words("as")),
    lexical=Lexical(
        comments=NESTED_C_COMMENTS,
        strings=(TRIPLE_RAW, DOUBLE_QUOTED, CHARACTER),
        names=(rb"`[^`\n]++`", DOLLAR_WORD),
        reserved=words("null true false"),
        unreserved=words("this as open end using update into tracked infix extension"),
        operators=(rb"[!\#%&*+/:<=>?@\\^|~-]++",),
    ),
    long_comments=((b"/*", b"*/"),),
    long_literals=((rb'"""', rb'"""'),),
)
