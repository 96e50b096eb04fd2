"""C#."""

from wherefrom.languages import forms
from wherefrom.languages.forms import words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Quote, Spelling

CSHARP = Language(
    name="csharp",
    grammar=Grammar("tree-sitter-c-sharp", oldest="0.23", newest="0.23"),
    extensions=words(".cs .csx .cake"),
    interpreters=words("dotnet-script"),
    aliases=words("c# cs c-sharp c_sharp"),
    tags=words(".net asp.net asp.net-mvc asp.net-core entity-framework linq wpf winforms"),
    names=words("identifier"),
    strings=words(
        "string_literal verbatim_string_literal raw_string_literal interpolated_string_expression character_literal "
        "interpolation_format_clause"
    ),
    code_in_strings=words("interpolation"),
    spelling=Spelling(
        (Quote(b'"""', b""), Quote(b'"', forms.ESCAPES), Quote(b"'", forms.ESCAPES, b"'")), plain=b"$", raw=b"@"
    ),
    numbers=words("integer_literal real_literal"),
    comments=words("comment shebang_directive"),
    prose=words("preproc_arg"),
    # `dotnet format` orders modifiers (IDE0036) and puts braces around one statement (IDE0011).
    noise=FormatterNoise(
        light=words(
            "{ } public private protected internal file static extern new virtual abstract sealed override readonly "
            "unsafe required volatile async"
        )
    ),
    functions=words(
        "accessor_declaration anonymous_method_expression constructor_declaration "
        "conversion_operator_declaration destructor_declaration lambda_expression local_function_statement "
        "method_declaration operator_declaration"
    ),
    imports=Imports(openings=words("using"), inside=words("static")),
    lexical=Lexical(
        comments=forms.C_COMMENTS,
        strings=(
            # A raw string ends in its line, or has its marks on lines of their own.
            rb'\$*+"""+(?:[^"\n]++|"(?!""))*+"""+',
            rb'\$*+"""+[ \t]*+\n(?:(?!^[ \t]*+""").)*+^[ \t]*+"""+',
            rb'(?:\$@|@\$|@)"(?:[^"]|"")*+"',
            rb"\$?" + forms.DOUBLE_QUOTED,
            forms.CHARACTER,
        ),
        names=(rb"@?" + forms.WORD,),
        reserved=words(
            "string object int void null bool byte ulong char double decimal long short sbyte ushort uint float"
        ),
        unreserved=words(
            "file type property add alias ascending by descending equals field group into join let method module on "
            "param record remove required select value with unmanaged event"
        ),
        members=words(". ->"),
    ),
    long_literals=(forms.LONG_TRIPLE, (rb'@"', rb'(?<!")"(?!")')),
    generated_names=words("*.designer.cs *.g.cs *.g.i.cs *.generated.cs"),
    template_names=words("assemblyinfo.cs startup.cs global.asax.cs bundleconfig.cs routeconfig.cs filterconfig.cs"),
)
