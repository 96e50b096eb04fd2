"""Java."""

from wherefrom.languages import forms
from wherefrom.languages.forms import words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Quote, Spelling

JAVA = Language(
    name="java",
    grammar=Grammar("tree-sitter-java", oldest="0.23", newest="0.23"),
    extensions=words(".java .jav"),
    aliases=words("jshell"),
    tags=words("spring spring-boot hibernate swing junit"),
    names=words("identifier type_identifier"),
    strings=words("string_literal character_literal"),
    code_in_strings=words("string_interpolation"),
    spelling=Spelling((Quote(b'"""', forms.ESCAPES), Quote(b'"', forms.ESCAPES), Quote(b"'", forms.ESCAPES, b"'"))),
    numbers=words(
        "decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal "
        "decimal_floating_point_literal hex_floating_point_literal"
    ),
    comments=words("line_comment block_comment"),
    # google-java-format orders modifiers and cuts strings that are longer than a line; linters put braces around
    # one statement.
    noise=FormatterNoise(
        light=words(
            "{ } public protected private abstract default static sealed non-sealed final transient volatile "
            "synchronized native strictfp"
        ),
        string_joins=("+",),
    ),
    functions=words(
        "compact_constructor_declaration constructor_declaration lambda_expression method_declaration "
        "static_initializer"
    ),
    imports=Imports(openings=words("import"), packages=words("package"), inside=words("static")),
    lexical=Lexical(
        comments=forms.C_COMMENTS,
        strings=(forms.TRIPLE_QUOTED, forms.DOUBLE_QUOTED, forms.CHARACTER),
        names=(forms.DOLLAR_WORD,),
        reserved=words("void this null true false boolean super"),
        unreserved=words(
            "exports module open opens permits provides record requires sealed to transitive uses with yield when"
        ),
        members=words(". ::"),
    ),
    long_literals=(forms.LONG_TRIPLE,),
    generated_names=words("buildconfig.java"),
    template_names=words(
        "mavenwrapperdownloader.java package-info.java module-info.java mainactivity.java "
        "mainapplication.java exampleunittest.java exampleinstrumentedtest.java servletinitializer.java"
    ),
)
