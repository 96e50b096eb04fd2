"""Ruby."""

from __future__ import annotations

from wherefrom.languages.language import ESCAPES, Grammar, Language, Noise, Quote, Spelling, none, words

RUBY = Language(
    name="ruby",
    grammar=Grammar("tree-sitter-ruby", oldest="0.23", newest="0.23"),
    extensions=words(".rb .rake .gemspec .ru .rbw .podspec .jbuilder .thor"),
    filenames=words(
        "rakefile gemfile guardfile vagrantfile capfile podfile brewfile thorfile berksfile fastfile appfile dangerfile"
    ),
    claims=none("shares no ending with another language"),
    interpreters=words("ruby jruby rake macruby rbx"),
    aliases=words("rb jruby irb"),
    tags=words("ruby-on-rails rails rspec"),
    script_types=none("not written inside HTML"),
    names=words("identifier constant instance_variable class_variable global_variable hash_key_symbol"),
    strings=words(
        "string subshell regex character simple_symbol delimited_symbol bare_string bare_symbol "
        "heredoc_beginning heredoc_body"
    ),
    code_in_strings=words("interpolation"),
    spelling=Spelling((Quote(b'"', ESCAPES + b"#"), Quote(b"'", b"\\'"))),
    numbers=words("integer float rational complex"),
    literals=none("the grammar tells strings from numbers"),
    comments=words("comment"),
    blanks=none("the grammar leaves white space out"),
    fragments=none("the grammar parses all code"),
    prose=words("uninterpreted"),
    noise=Noise(anywhere=(";",)),
    functions=words("method singleton_method"),
    has_doc_strings=False,
    long_comments=none("`=begin` comments are rare, and `#` ends with its line"),
    long_literals=none("a here-document ends at a word of its own, not at quotes"),
    opening=none("a fragment parses without its file"),
    prompts=none("`irb(main):001:0>` is configured away or pasted as comments"),
    generated_names=none("no common tool marks generated files by name"),
    minified=none("not minified in practice"),
    template_names=words("application_record.rb application_controller.rb application.rb boot.rb environment.rb"),
)
