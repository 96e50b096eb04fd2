"""Kotlin."""

from wherefrom.languages import forms
from wherefrom.languages.forms import words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Quote, Spelling

KOTLIN = Language(
    name="kotlin",
    grammar=Grammar("tree-sitter-kotlin", oldest="1.0", newest="1.1"),
    extensions=words(".kt .kts .ktm"),
    interpreters=words("kotlin kotlinc"),
    aliases=words("kt kts"),
    names=words("identifier label"),
    strings=words("string_literal multiline_string_literal character_literal"),
    code_in_strings=words("interpolation"),
    spelling=Spelling((Quote(b'"""', b""), Quote(b'"', forms.ESCAPES + b"$"), Quote(b"'", forms.ESCAPES, b"'"))),
    numbers=words("number_literal float_literal"),
    comments=words("line_comment block_comment shebang"),
    # ktlint removes semicolons, orders modifiers and puts braces around one statement.
    noise=FormatterNoise(
        anywhere=(";",),
        light=words(
            "{ } public protected private internal expect actual final open abstract sealed const external override "
            "lateinit tailrec vararg suspend inner enum annotation companion inline value infix operator data"
        ),
    ),
    functions=words(
        "anonymous_function anonymous_initializer function_declaration lambda_literal secondary_constructor"
    ),
    imports=Imports(openings=words("import"), packages=words("package"), inside=words("as")),
    lexical=Lexical(
        comments=forms.NESTED_C_COMMENTS,
        strings=(
            forms.TRIPLE_RAW,
            rb'"(?:[^"\\\n$]|\\.|\$\{[^{}"\n]*+(?:(?:\{[^{}\n]*+\}|"[^"\n]*+")[^{}"\n]*+)*+\}|\$)*+"',
            forms.CHARACTER,
        ),
        numbers=(rb"(?:0[xXbB][0-9A-Fa-f_]++|[0-9][0-9_]*+(?:\.[0-9][0-9_]*+)?(?:[eE][+-]?[0-9]++)?)[fFuUlL]*+",),
        names=(rb"`[^`\s]++`", forms.WORD + rb"(?:@(?=\s))?"),
        reserved=words("reified"),
        unreserved=words("value data file out field set annotation delegate dynamic param property receiver setparam"),
        members=words(". ?. !!. ::"),
        code_in_strings={b'"""': (b"${",), b'"': (b"${",)},
    ),
    long_literals=(forms.LONG_TRIPLE,),
    template_names=words("mainactivity.kt"),
)
