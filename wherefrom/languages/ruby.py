"""Ruby."""

from wherefrom.languages import forms
from wherefrom.languages.forms import words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Quote, Spelling

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
    spelling=Spelling((Quote(b'"', forms.ESCAPES + b"#"), Quote(b"'", b"\\'"))),
    numbers=words("integer float rational complex"),
    comments=words("comment"),
    prose=words("uninterpreted"),
    noise=FormatterNoise(anywhere=(";",)),
    functions=words("method singleton_method"),
    imports=Imports(functions=words("require require_relative")),
    lexical=Lexical(
        comments=(rb"^=begin\b.*?^=end\b[^\n]*+", *forms.HASH_COMMENTS),
        strings=(
            rb'"(?:[^"\\\#]|\\.|\#\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}|\#)*+"',
            forms.LONG_SINGLE_QUOTED,
            rb"`[^`\n]*+`",
            rb"(?<![:\w]):(?:[A-Za-z_]\w*+[?!=]?(?![>~=])|" + forms.DOUBLE_QUOTED + rb")",
            forms.REGULAR_EXPRESSION,
        ),
        names=(rb"(?:@@?|\$)?" + forms.WORD + rb"(?:[?!](?!=))?",),
        reserved=words("true false self super nil"),
        unreserved=words("i r"),
        members=words(". &. ::"),
        code_in_strings={b'"': (b"#{",)},
    ),
    long_comments=((b"=begin", b"=end"),),
    long_literals=(forms.LONG_DOUBLE, forms.LONG_SINGLE, forms.HERE_DOCUMENT),
    template_names=words("application_record.rb application_controller.rb application.rb boot.rb environment.rb"),
)
