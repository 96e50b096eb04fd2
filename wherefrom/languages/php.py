"""PHP."""

from wherefrom.languages import forms
from wherefrom.languages.forms import words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Opening, Quote, Spelling

PHP = Language(
    name="php",
    grammar=Grammar("tree-sitter-php", oldest="0.23", newest="0.25", function="language_php"),
    extensions=words(".php .phtml .php3 .php4 .php5 .php7 .phps .ctp"),
    interpreters=words("php"),
    aliases=words("php-template inc"),
    tags=words("laravel symfony wordpress codeigniter"),
    names=words("name variable_name"),
    strings=words("string encapsed_string heredoc heredoc_body nowdoc shell_command_expression"),
    code_in_strings=words(
        "variable_name dynamic_variable_name member_access_expression subscript_expression heredoc_body { }"
    ),
    spelling=Spelling((Quote(b'"', forms.ESCAPES + b"$"), Quote(b"'", b"\\'"))),
    numbers=words("integer float"),
    comments=words("comment"),
    prose=words("text"),
    # PHP-CS-Fixer orders modifiers and puts braces around one statement.
    noise=FormatterNoise(light=words("{ } public protected private abstract final static readonly var")),
    functions=words("anonymous_function arrow_function function_definition method_declaration"),
    imports=Imports(
        openings=words("use include"), inside=words("as"), functions=words("require require_once include_once")
    ),
    lexical=Lexical(
        comments=(*forms.C_COMMENTS, rb"\#(?!\[)[^\n]*+"),
        strings=(
            b"[bB]?" + forms.LONG_DOUBLE_QUOTED,
            b"[bB]?" + forms.LONG_SINGLE_QUOTED,
            (
                rb'<<<[ ]*+(?P<quote>["\']?)(?P<word>\w++)(?P=quote)\n'
                rb"(?:(?!<<<|\n[ \t]*+(?P=word)\b).){0,20000}+\n[ \t]*+(?P=word)\b"
            ),
        ),
        names=(rb"\$?" + forms.WORD,),
        reserved=words("false true void callable iterable mixed null int string bool float"),
        unreserved=words("class enum match readonly from parent list encoding ticks"),
        members=words("-> ?-> ::"),
    ),
    long_literals=(forms.LONG_DOUBLE, forms.LONG_SINGLE, forms.HERE_DOCUMENT),
    opening=Opening(mark=b"<?", text=b"<?php "),
)
