"""C#."""

from __future__ import annotations

from wherefrom.languages.language import ESCAPES, FormatterNoise, Grammar, Language, Quote, Spelling, none, words
from wherefrom.languages.lexical import C_COMMENTS, CHARACTER, DOUBLE_QUOTED, NUMBER, WORD, Imports, Lexical

CSHARP = Language(
    name="csharp",
    grammar=Grammar("tree-sitter-c-sharp", oldest="0.23", newest="0.23"),
    extensions=words(".cs .csx .cake"),
    filenames=none("its files have endings"),
    claims=none("shares no ending with another language"),
    interpreters=words("dotnet-script"),
    aliases=words("c# cs c-sharp c_sharp"),
    tags=words(".net asp.net asp.net-mvc asp.net-core entity-framework linq wpf winforms"),
    script_types=none("not written inside HTML"),
    names=words("identifier"),
    strings=words(
        "string_literal verbatim_string_literal raw_string_literal interpolated_string_expression character_literal "
        "interpolation_format_clause"
    ),
    code_in_strings=words("interpolation"),
    spelling=Spelling((Quote(b'"""', b""), Quote(b'"', ESCAPES), Quote(b"'", ESCAPES, b"'")), plain=b"$", raw=b"@"),
    numbers=words("integer_literal real_literal"),
    literals=none("the grammar tells strings from numbers"),
    comments=words("comment shebang_directive"),
    blanks=none("the grammar leaves white space out"),
    fragments=none("the grammar parses all code"),
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
        comments=C_COMMENTS,
        strings=(
            rb'\$*+"""(?:[^"]|"(?!""))*+"""+',
            rb'(?:\$@|@\$|@)"(?:[^"]|"")*+"',
            rb"\$?" + DOUBLE_QUOTED,
            CHARACTER,
        ),
        numbers=(NUMBER,),
        names=(rb"@?" + WORD,),
        reserved=words(
            "string object int void null bool byte ulong char double decimal long short sbyte ushort uint float"
        ),
        unreserved=words(
            "file type property add alias ascending by descending equals field group into join let method module on "
            "param record remove required select value with unmanaged event"
        ),
        operators=none("the grammar lists all operators"),
        members=words(". ->"),
    ),
    has_doc_strings=False,
    long_comments=((b"/*", b"*/"),),
    long_literals=((rb'"""', rb'"""'), (rb'@"', rb'(?<!")"(?!")')),
    opening=none("a fragment parses without its file"),
    prompts=none("its sessions are rarely pasted with their prompts"),
    generated_names=words("*.designer.cs *.g.cs *.g.i.cs *.generated.cs"),
    minified=none("not minified in practice"),
    template_names=words("assemblyinfo.cs startup.cs global.asax.cs bundleconfig.cs routeconfig.cs filterconfig.cs"),
)
