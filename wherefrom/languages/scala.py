"""Scala."""

from wherefrom.languages import forms
from wherefrom.languages.forms import words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Quote, Spelling

SCALA = Language(
    name="scala",
    grammar=Grammar("tree-sitter-scala", oldest="0.23", newest="0.26"),
    extensions=words(".scala .sc .sbt"),
    interpreters=words("scala scala-cli amm"),
    aliases=words("almond sbt"),
    names=words("identifier type_identifier"),
    strings=words("string interpolated_string character_literal xml_string"),
    code_in_strings=words("interpolation"),
    spelling=Spelling((Quote(b'"""', b""), Quote(b'"', forms.ESCAPES), Quote(b"'", forms.ESCAPES, b"'"))),
    numbers=words("integer_literal floating_point_literal"),
    comments=words("comment block_comment xml_comment"),
    prose=words("xml_text"),
    # scalafmt removes semicolons, orders modifiers (`SortModifiers`) and removes braces around one expression
    # (`RedundantBraces`).
    noise=FormatterNoise(
        anywhere=(";",),
        light=words("{ } private protected final sealed abstract override implicit lazy open transparent inline infix"),
    ),
    functions=words("function_declaration function_definition lambda_expression"),
    imports=Imports(openings=words("import export"), packages=words("package"), inside=words("as")),
    lexical=Lexical(
        comments=forms.NESTED_C_COMMENTS,
        strings=(forms.TRIPLE_RAW, forms.DOUBLE_QUOTED, forms.CHARACTER),
        names=(rb"`[^`\n]++`", forms.DOLLAR_WORD),
        reserved=words("null true false"),
        unreserved=words("this as open end using update into tracked infix extension"),
        operators=(rb"[!\#%&*+/:<=>?@\\^|~-]++",),
    ),
    long_literals=(forms.LONG_TRIPLE,),
)
