"""Ruby."""

from __future__ import annotations

from wherefrom.languages.language import ESCAPES, FormatterNoise, Grammar, Language, Quote, Spelling
from wherefrom.languages.lexical import (
    DOUBLE_QUOTED,
    HASH_COMMENTS,
    LONG_SINGLE_QUOTED,
    REGULAR_EXPRESSION,
    WORD,
    Imports,
    Lexical,
)
from wherefrom.languages.nothing import none, words

RUBY = Language(
    name="ruby",
    grammar=Grammar("tree-sitter-ruby", oldest="0.23", newest="0.23"),
    extensions=words(".rb .rake .gemspec .ru .rbw .podspec .jbuilder .thor"),
    filenames=words(
        "rakefile gemfile guardfile vagrantfile capfile podfile brewfile thorfile berksfile fastfile appfile dangerfile"
    ),
    interpreters=words("ruby jruby rake macruby rbx"),
    aliases=words("rb jruby irb"),
    tags=words("ruby-on-rails rails rspec"),
    names=words("identifier constant instance_variable class_variable global_variable hash_key_symbol"),
    strings=words(
        "string subshell regex character simple_symbol delimited_symbol bare_string bare_symbol "
        "heredoc_beginning heredoc_body"
    ),
    code_in_strings=words("interpolation"),
    spelling=Spelling((Quote(b'"', ESCAPES + b"#"), Quote(b"'", b"\\'"))),
    numbers=words("integer float rational complex"),
    comments=words("comment"),
    prose=words("uninterpreted"),
    noise=FormatterNoise(anywhere=(";",)),
    functions=words("method singleton_method"),
    imports=Imports(functions=words("require require_relative")),
    lexical=Lexical(
        comments=(rb"^=begin\b.*?^=end\b[^\n]*+", *HASH_COMMENTS),
        strings=(
            rb'"(?:[^"\\\#]|\\.|\#\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}|\#)*+"',
            LONG_SINGLE_QUOTED,
            rb"`[^`\n]*+`",
            rb"(?<![:\w]):(?:[A-Za-z_]\w*+[?!=]?(?![>~=])|" + DOUBLE_QUOTED + rb")",
            REGULAR_EXPRESSION,
        ),
        names=(rb"(?:@@?|\$)?" + WORD + rb"(?:[?!](?!=))?",),
        reserved=words("true false self super nil"),
        unreserved=words("i r"),
        members=words(". &. ::"),
        code_in_strings={b'"': (b"#{",)},
    ),
    long_comments=((b"=begin", b"=end"),),
    long_literals=(
        (rb'(?<![\\"])"(?!")', rb'(?<![\\"])"(?!")'),
        (rb"(?<![\\'])'(?!')", rb"(?<![\\'])'(?!')"),
        (rb"<<[-~<]?\s?[\"']?[A-Z_][A-Z0-9_]*+[\"']?", rb"^[ \t]*+[A-Z_][A-Z0-9_]++;?[ \t]*+$"),
    ),
    prompts=none("`irb(main):001:0>` is configured away or pasted as comments"),
    template_names=words("application_record.rb application_controller.rb application.rb boot.rb environment.rb"),
)
