"""Elixir."""

from __future__ import annotations

import re

from wherefrom.languages.language import (
    ESCAPES,
    FormatterNoise,
    Grammar,
    Language,
    Prompt,
    Quote,
    Spelling,
    none,
    words,
)
from wherefrom.languages.lexical import HASH_COMMENTS, LONG_DOUBLE_QUOTED, NUMBER, TRIPLE_QUOTED, WORD, Lexical

ELIXIR = Language(
    name="elixir",
    grammar=Grammar("tree-sitter-elixir", oldest="0.3", newest="0.3", extra="languages"),
    extensions=words(".ex .exs"),
    filenames=none("its files have endings"),
    claims=none("shares no ending with another language"),
    interpreters=words("elixir"),
    aliases=words("ex exs iex"),
    tags=words("phoenix-framework ecto phoenix-live-view"),
    script_types=none("not written inside HTML"),
    names=words("identifier alias"),
    strings=words("string charlist sigil char atom quoted_atom quoted_keyword"),
    code_in_strings=words("interpolation"),
    spelling=Spelling((Quote(b'"""', ESCAPES + b"#"), Quote(b'"', ESCAPES + b"#"), Quote(b"'", ESCAPES + b"#", b"'"))),
    numbers=words("integer float"),
    literals=none("the grammar tells strings from numbers"),
    comments=words("comment"),
    blanks=none("the grammar leaves white space out"),
    fragments=none("the grammar parses all code"),
    prose=words("keyword"),  # `name: ` with the white space behind it
    # `mix format` puts parentheses around the arguments of a call.
    noise=FormatterNoise(before_closing=(), light=words("( )")),
    functions=words("do_block anonymous_function"),  # a definition is a call with a block
    imports=none("`import` and the like are names to the grammar"),
    lexical=Lexical(
        comments=HASH_COMMENTS,
        strings=(
            TRIPLE_QUOTED,
            TRIPLE_QUOTED.replace(b'"', b"'"),
            LONG_DOUBLE_QUOTED + rb"(?::(?!:))?",
            rb"~[a-zA-Z](?:\([^()]*+\)|\[[^\[\]]*+\]|\{[^{}]*+\}|<[^<>]*+>|/(?:[^/\\]|\\.)*+/|\|[^|]*+\||"
            + TRIPLE_QUOTED
            + rb"|"
            + LONG_DOUBLE_QUOTED
            + rb")[a-z]*+",
            rb"(?<![:\w]):(?:[A-Za-z_]\w*+[?!]?|" + LONG_DOUBLE_QUOTED + rb")",
            rb"\?(?:\\.|[^\s])(?!\w)",
        ),
        numbers=(NUMBER,),
        names=(WORD + rb"(?:[?!](?!=))?(?!:\s)",),
        reserved=none("the grammar has a fixed text for each"),
        unreserved=none("no word of the grammar is a common name"),
        operators=none("the grammar lists all operators"),
        code_in_strings={b'"': (b"#{",)},
    ),
    has_doc_strings=False,
    long_comments=none("comments end with their line"),
    long_literals=((rb'"""', rb'"""'), (rb"'''", rb"'''"), (rb'(?<![\\"])"(?!")', rb'(?<![\\"])"(?!")')),
    opening=none("a fragment parses without its file"),
    prompts=(
        Prompt(
            first=re.compile(rb"[ \t]*iex(?:\(\d+\))?> ?"),
            further=re.compile(rb"[ \t]*(?:iex|\.\.\.)(?:\(\d+\))?> ?"),
        ),
    ),
    generated_names=none("no common tool marks generated files by name"),
    minified=none("not minified in practice"),
    template_names=words(
        "mix.exs .formatter.exs application.ex repo.ex endpoint.ex router.ex telemetry.ex core_components.ex "
        "error_html.ex error_json.ex conn_case.ex data_case.ex test_helper.exs"
    ),
)
