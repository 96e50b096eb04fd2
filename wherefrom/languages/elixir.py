"""Elixir."""

from wherefrom.languages import forms
from wherefrom.languages.forms import none, words
from wherefrom.languages.language import FormatterNoise, Grammar, Language, Lexical, Prompt, Quote, Spelling
from wherefrom.support.pattern import later

ELIXIR = Language(
    name="elixir",
    grammar=Grammar("tree-sitter-elixir", oldest="0.3", newest="0.3"),
    extensions=words(".ex .exs"),
    interpreters=words("elixir"),
    aliases=words("ex exs iex"),
    tags=words("phoenix-framework ecto phoenix-live-view"),
    names=words("identifier alias"),
    strings=words("string charlist sigil char atom quoted_atom quoted_keyword"),
    code_in_strings=words("interpolation"),
    spelling=Spelling(
        (
            Quote(b'"""', forms.ESCAPES + b"#"),
            Quote(b'"', forms.ESCAPES + b"#"),
            Quote(b"'", forms.ESCAPES + b"#", b"'"),
        )
    ),
    numbers=words("integer float"),
    comments=words("comment"),
    prose=words("keyword"),  # such as `name: `, with the white space after it
    # `mix format` puts parentheses around the arguments of a call.
    noise=FormatterNoise(before_closing=(), light=words("( )")),
    functions=words("do_block anonymous_function"),  # a definition is a call with a block
    lexical=Lexical(
        comments=forms.HASH_COMMENTS,
        strings=(
            forms.TRIPLE_QUOTED,
            forms.TRIPLE_QUOTED.replace(b'"', b"'"),
            forms.LONG_DOUBLE_QUOTED + rb"(?::(?!:))?",
            rb"~[a-zA-Z](?:\([^()]*+\)|\[[^\[\]]*+\]|\{[^{}]*+\}|<[^<>]*+>|/(?:[^/\\]|\\.)*+/|\|[^|]*+\||"
            + forms.TRIPLE_QUOTED
            + rb"|"
            + forms.LONG_DOUBLE_QUOTED
            + rb")[a-z]*+",
            rb"(?<![:\w]):(?:[A-Za-z_]\w*+[?!]?|" + forms.LONG_DOUBLE_QUOTED + rb")",
            rb"\?(?:\\.|[^\s])(?!\w)",
        ),
        names=(forms.WORD + rb"(?:[?!](?!=))?(?!:\s)",),
        code_in_strings={b'"""': (b"#{",), b'"': (b"#{",)},
    ),
    long_comments=none("comments end with their line"),
    long_literals=(forms.LONG_TRIPLE, (rb"'''", rb"'''"), forms.LONG_DOUBLE),
    prompts=(
        Prompt(
            first=later(rb"[ \t]*iex(?:\(\d+\))?> ?"),
            further=later(rb"[ \t]*(?:iex|\.\.\.)(?:\(\d+\))?> ?"),
        ),
    ),
    template_names=words(
        "mix.exs .formatter.exs application.ex repo.ex endpoint.ex router.ex telemetry.ex core_components.ex "
        "error_html.ex error_json.ex conn_case.ex data_case.ex test_helper.exs"
    ),
)
