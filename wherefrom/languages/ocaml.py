"""OCaml."""

from wherefrom.languages import forms
from wherefrom.languages.forms import words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Quote, Spelling

OCAML = Language(
    name="ocaml",
    grammar=Grammar("tree-sitter-ocaml", oldest="0.25", newest="0.26", function="language_ocaml"),
    extensions=words(".ml .eliom .mlt"),
    interpreters=words("ocaml ocamlrun ocamlscript"),
    aliases=words("ml ocamllex"),
    names=words(
        "value_name value_pattern constructor_name field_name module_name module_type_name type_constructor "
        "label_name method_name class_name class_type_name instance_variable_name tag type_variable"
    ),
    strings=words("string quoted_string character"),
    spelling=Spelling((Quote(b'"', forms.ESCAPES), Quote(b"'", forms.ESCAPES, b"'"))),
    numbers=words("number signed_number"),
    comments=words("comment shebang line_number_directive"),
    # ocamlformat removes double semicolons and parentheses around a single expression, and turns `begin` into `(`.
    noise=FormatterNoise(before_closing=(";",), light=words("( ) begin end ;;")),
    functions=words("constructor_declaration function_expression method_definition value_definition"),
    imports=Imports(openings=words("include")),  # not `open`: it would count in Kotlin too
    lexical=Lexical(
        comments=(forms.nested(rb"\(\*", rb"\*\)"),),
        strings=(
            forms.LONG_DOUBLE_QUOTED,
            rb"\{(?P<delimiter>[a-z_]*+)\|.*?\|(?P=delimiter)\}",
            forms.CHARACTER,
        ),
        names=(rb"'[a-z_]\w*+", rb"[A-Za-z_][\w']*+", rb"`[A-Za-z]\w*+"),
        operators=(rb"\[[@%<>|]|[|>]\]|[=<>|&$@^+*/%!?~-][!$%&*+./:<=>?@^|~-]++",),
    ),
    long_comments=((b"(*", b"*)"),),
    long_literals=(forms.LONG_DOUBLE, (rb"\{\w*+\|", rb"\|\w*+\}")),
)
