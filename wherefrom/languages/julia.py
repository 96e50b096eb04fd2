"""Julia."""

from wherefrom.languages import forms
from wherefrom.languages.forms import words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Prompt, Quote, Spelling
from wherefrom.support.pattern import later

JULIA = Language(
    name="julia",
    grammar=Grammar("tree-sitter-julia", oldest="0.23", newest="0.23"),
    extensions=words(".jl"),
    interpreters=words("julia"),
    aliases=words("jl julia-repl"),
    names=words("identifier"),
    strings=words("string_literal prefixed_string_literal command_literal prefixed_command_literal character_literal"),
    code_in_strings=words("string_interpolation"),
    spelling=Spelling(
        (Quote(b'"""', forms.ESCAPES + b"$"), Quote(b'"', forms.ESCAPES + b"$"), Quote(b"'", forms.ESCAPES, b"'"))
    ),
    numbers=words("integer_literal float_literal"),
    comments=words("line_comment block_comment"),
    noise=FormatterNoise(),
    functions=words("function_definition macro_definition"),
    imports=Imports(openings=words("import using export"), inside=words("as")),
    lexical=Lexical(
        comments=(forms.nested(rb"\#=", rb"=\#"), *forms.HASH_COMMENTS),
        strings=(
            rb"(?:\b[A-Za-z]\w*+)?(?:" + forms.TRIPLE_QUOTED + rb"|" + forms.LONG_DOUBLE_QUOTED + rb")[a-z]*+",
            rb"`[^`]*+`",
            rb"(?<![\w)\]}'])" + forms.CHARACTER,
        ),
        names=(forms.WORD + rb"(?:!++(?!=))?",),
        reserved=words("isa in break continue"),
        unreserved=words("type as abstract mutable primitive public outer"),
        operators=(
            rb"\.?(?:<=|>=|==|!=|===|!==|\+=|-=|\*=|/=|\^=|\|=|&=|=>|<:|>:|\|>|<\||<<|>>|&&|\|\||//|\.\.\.|[*+/^<>%-])",
        ),
    ),
    has_doc_strings=True,
    long_comments=((b"#=", b"=#"),),
    long_literals=(forms.LONG_TRIPLE, forms.LONG_DOUBLE),
    prompts=(Prompt(first=later(rb"[ \t]*julia> ?"), further=later(rb"[ \t]*julia> ?")),),
)
