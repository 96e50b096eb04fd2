"""OCaml."""

from __future__ import annotations

from wherefrom.languages.language import ESCAPES, FormatterNoise, Grammar, Language, Quote, Spelling
from wherefrom.languages.lexical import CHARACTER, LONG_DOUBLE_QUOTED, Imports, Lexical, nested
from wherefrom.languages.nothing import none, words

OCAML = Language(
    name="ocaml",
    grammar=Grammar("tree-sitter-ocaml", oldest="0.25", newest="0.26", function="language_ocaml", extra="languages"),
    extensions=words(".ml .eliom .mlt"),
    interpreters=words("ocaml ocamlrun ocamlscript"),
    aliases=words("ml ocamllex"),
    names=words(
        "value_name value_pattern constructor_name field_name module_name module_type_name type_constructor "
        "label_name method_name class_name class_type_name instance_variable_name tag type_variable"
    ),
    strings=words("string quoted_string character"),
    spelling=Spelling((Quote(b'"', ESCAPES), Quote(b"'", ESCAPES, b"'"))),
    numbers=words("number signed_number"),
    comments=words("comment shebang line_number_directive"),
    # ocamlformat takes parentheses around one thing and double semicolons away, and writes parentheses for `begin`.
    noise=FormatterNoise(before_closing=(";",), light=words("( ) begin end ;;")),
    functions=words("constructor_declaration function_expression method_definition value_definition"),
    imports=Imports(openings=words("include")),  # `open` would count in Kotlin as well
    lexical=Lexical(
        comments=nested(rb"\(\*", rb"\*\)"),
        strings=(
            LONG_DOUBLE_QUOTED,
            rb"\{(?P<delimiter>[a-z_]*+)\|.*?\|(?P=delimiter)\}",
            CHARACTER,
        ),
        names=(rb"'[a-z_]\w*+", rb"[~?]?[A-Za-z_][\w']*+", rb"`[A-Za-z]\w*+"),
        operators=(rb"\[[@%<>|]|[|>]\]|[=<>|&$@^+*/%!?~-][!$%&*+./:<=>?@^|~-]++",),
    ),
    long_comments=((b"(*", b"*)"),),
    long_literals=((rb'(?<![\\"])"(?!")', rb'(?<![\\"])"(?!")'), (rb"\{\w*+\|", rb"\|\w*+\}")),
    prompts=none("`#` is a comment in other languages"),
)
