"""CSS."""

from wherefrom.languages import forms
from wherefrom.languages.forms import words
from wherefrom.languages.language import FormatterNoise, Grammar, Language, Lexical, Minified, Quote, Spelling

CSS = Language(
    name="css",
    grammar=Grammar("tree-sitter-css", oldest="0.23", newest="0.25"),
    extensions=words(".css"),
    aliases=words("css3"),
    names=words("class_name id_name keyframes_name"),
    strings=words("string_value"),
    spelling=Spelling((Quote(b'"', b"\"'\n"), Quote(b"'", b"\"'\n"))),
    numbers=words("integer_value float_value color_value"),
    comments=words("comment js_comment"),
    noise=FormatterNoise(before_closing=(",", ";")),
    functions=words("rule_set"),
    lexical=Lexical(
        comments=(forms.C_COMMENTS[1],),
        strings=(forms.DOUBLE_QUOTED, forms.SINGLE_QUOTED),
        numbers=(
            rb"(?<![\w-])[+-]?(?:[0-9]*+\.)?[0-9]++(?:%|[a-zA-Z]++)?",
            rb"\#[0-9a-fA-F]{3,8}(?![\w-])",
        ),
        names=(
            rb"(?<=[.\#])[A-Za-z_-][\w-]*+",
            rb"(?<=:)(?:hover|root|focus|active|before|after|not|first-child|last-child|nth-child|checked|disabled)(?![\w-])",
        ),
        unreserved=words("not of only or selector and to"),
        operators=(rb"@?-{0,2}[A-Za-z_][\w-]*+",),
    ),
    generated_names=words("*.css.map"),
    minified=Minified(names=words("*.min.css *-min.css"), endings=words(".css"), longest=110),
)
