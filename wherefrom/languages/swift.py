"""Swift."""

from wherefrom.languages import forms
from wherefrom.languages.forms import none, words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Quote, Spelling

SWIFT = Language(
    name="swift",
    grammar=Grammar("tree-sitter-swift", oldest="0.7", newest="0.7"),
    extensions=words(".swift"),
    interpreters=words("swift"),
    aliases=none("nobody shortens the name"),
    tags=words("swiftui"),
    names=words("simple_identifier type_identifier"),
    strings=words("line_string_literal multi_line_string_literal raw_string_literal regex_literal"),
    code_in_strings=words("interpolated_expression raw_str_interpolation \\( )"),
    spelling=Spelling((Quote(b'"""', forms.ESCAPES), Quote(b'"', forms.ESCAPES)), raw=b"#"),
    numbers=words("integer_literal real_literal hex_literal oct_literal bin_literal"),
    comments=words("comment multiline_comment shebang_line"),
    # SwiftFormat removes semicolons and orders modifiers.
    noise=FormatterNoise(
        anywhere=(";",),
        light=words(
            "open public internal fileprivate private final static override required convenience mutating nonmutating "
            "lazy weak unowned dynamic optional indirect"
        ),
    ),
    functions=words(
        "deinit_declaration function_declaration init_declaration lambda_literal macro_definition "
        "operator_declaration subscript_declaration"
    ),
    imports=Imports(openings=words("import")),
    lexical=Lexical(
        comments=forms.NESTED_C_COMMENTS,
        strings=(
            rb'\#*+"""(?:[^"\\]|\\.|"(?!""))*+"""\#*+',
            rb'\#++"[^\n]*?"\#++',
            rb'"(?:[^"\\\n]|\\\((?:[^()\n]|\([^()\n]*+\))*+\)|\\.)*+"',
        ),
        numbers=(rb"0[xXbBoO][0-9A-Fa-f_]++|[0-9][0-9_]*+(?:\.[0-9][0-9_]*+)?(?:[eE][+-]?[0-9]++)?",),
        names=(rb"`\w++`", rb"\$?" + forms.WORD),
        reserved=words("nil else throws throw where catch default rethrows"),
        unreserved=words(
            "available of package filePath file line keyPath as Protocol Type actor column compiler consume consuming "
            "continue copy discard distributed function optional required some message set for"
        ),
        code_in_strings={b'"""': (b"\\(",), b'"': (b"\\(",)},
    ),
    long_literals=(forms.LONG_TRIPLE,),
    generated_names=words("*.pb.swift"),
    template_names=words("appdelegate.swift scenedelegate.swift generatedpluginregistrant.swift"),
)
