"""Bash."""

from wherefrom.languages import forms
from wherefrom.languages.forms import none, words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Prompt, Quote, Spelling
from wherefrom.support.pattern import later

BASH = Language(
    name="bash",
    grammar=Grammar("tree-sitter-bash", oldest="0.23", newest="0.25"),
    extensions=words(".sh .bash .zsh .ksh .bats .ebuild .command"),
    filenames=words(
        ".bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc .zprofile .zshenv pkgbuild apkbuild .envrc"
    ),
    interpreters=words("bash sh zsh ksh dash ash mksh bats"),
    aliases=words("sh shell zsh shell-session console shellscript ksh shellsession"),
    tags=words("linux unix awk sed grep"),
    names=words("variable_name special_variable_name"),
    strings=words("string raw_string ansi_c_string translated_string heredoc_body regex"),
    code_in_strings=words("simple_expansion expansion command_substitution arithmetic_expansion process_substitution"),
    spelling=Spelling((Quote(b"'", b""), Quote(b'"', b'"$`\\\n')), kept=b"$"),
    numbers=words("number"),
    comments=words("comment"),
    # shfmt replaces semicolons by line feeds, and the reverse. Too frequent to be left out, semicolons are light.
    noise=FormatterNoise(before_closing=(), light=(";",)),
    functions=words("function_definition"),
    imports=Imports(functions=words("source")),
    lexical=Lexical(
        comments=(rb"(?<![\w$\"'{\\])\#[^\n]*+",),
        strings=(forms.LONG_DOUBLE_QUOTED, rb"\$?'[^']*+'"),
        numbers=(rb"(?<![\w./${-])[0-9]++(?![\w./-])",),
        names=(
            rb"(?<![\w./$-])[A-Za-z_]\w*+(?=\+?=|\[)",
            rb"(?<=\$)(?:\w++|[@*\#?])",
            rb"(?:(?<=\$\{)|(?<=\$\{\#))\w++",
            rb"(?:(?<=\(\()|(?<=local\ )|(?<=export\ )|(?<=unset\ )|(?<=declare\ )|(?<=readonly\ ))[A-Za-z_]\w*+",
        ),
        unreserved=words("A E K L P Q U a k u"),
        operators=(rb"\*?[\w./:%+@,~-]++=?",),
        members=none("a program has no members"),
        code_in_strings={b'"': (b"$(", b"${", b"$")},
    ),
    long_comments=none("comments end with their line"),
    long_literals=(forms.LONG_DOUBLE, forms.LONG_SINGLE, forms.HERE_DOCUMENT),
    prompts=(Prompt(first=later(rb"[ \t]*\$ +(?=\S)"), further=later(rb"[ \t]*(?:\$ +(?=\S)|> )")),),
    template_names=words(
        "gradlew mvnw configure install-sh ltmain.sh config.guess config.sub missing depcomp autogen.sh"
    ),
)
