"""OCaml."""

from __future__ import annotations

from wherefrom.languages.language import ESCAPES, Grammar, Language, Noise, Quote, Spelling, none, words

OCAML = Language(
    name="ocaml",
    grammar=Grammar("tree-sitter-ocaml", oldest="0.25", newest="0.26", function="language_ocaml", extra="languages"),
    extensions=words(".ml .eliom .mlt"),
    filenames=none("its files have endings"),
    claims=none("shares no ending with another language"),
    interpreters=words("ocaml ocamlrun ocamlscript"),
    aliases=words("ml ocamllex"),
    tags=none("no label of a framework means it alone"),
    script_types=none("not written inside HTML"),
    names=words(
        "value_name value_pattern constructor_name field_name module_name module_type_name type_constructor "
        "label_name method_name class_name class_type_name instance_variable_name tag type_variable"
    ),
    strings=words("string quoted_string character"),
    code_in_strings=none("its strings hold no code"),
    spelling=Spelling((Quote(b'"', ESCAPES), Quote(b"'", ESCAPES, b"'"))),
    numbers=words("number signed_number"),
    literals=none("the grammar tells strings from numbers"),
    comments=words("comment shebang line_number_directive"),
    blanks=none("the grammar leaves white space out"),
    fragments=none("the grammar parses all code"),
    prose=none("holds no running text"),
    noise=Noise(before_closing=(";",)),
    functions=words("constructor_declaration function_expression method_definition value_definition"),
    has_doc_strings=False,
    long_comments=((b"(*", b"*)"),),
    long_literals=none("no literal has quotes of its own for running over lines"),
    opening=none("a fragment parses without its file"),
    prompts=none("`#` is a comment in other languages"),
    generated_names=none("no common tool marks generated files by name"),
    minified=none("not minified in practice"),
    template_names=none("no common project generator gives its files fixed names"),
)
