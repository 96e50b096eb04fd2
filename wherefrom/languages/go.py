"""Go."""

from wherefrom.languages import forms
from wherefrom.languages.forms import words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Quote, Spelling

GO = Language(
    name="go",
    grammar=Grammar("tree-sitter-go", oldest="0.23", newest="0.25"),
    extensions=words(".go"),
    aliases=words("golang"),
    names=words("identifier type_identifier field_identifier package_identifier label_name blank_identifier"),
    strings=words("interpreted_string_literal raw_string_literal rune_literal"),
    spelling=Spelling((Quote(b'"', forms.ESCAPES), Quote(b"`", b""), Quote(b"'", forms.ESCAPES, b"'"))),
    numbers=words("int_literal float_literal imaginary_literal"),
    comments=words("comment"),
    # gofmt removes semicolons at the end of a line, but not those in the head of a loop.
    noise=FormatterNoise(light=(";",)),
    functions=words("func_literal function_declaration method_declaration"),
    imports=Imports(openings=words("import"), packages=words("package")),
    lexical=Lexical(
        comments=forms.C_COMMENTS,
        strings=(forms.DOUBLE_QUOTED, rb"`[^`]*+`", forms.CHARACTER),
        names=(forms.WORD,),
        reserved=words("nil true false iota"),
    ),
    long_literals=((rb"(?<!\\)`", rb"(?<!\\)`"),),
    generated_names=words("*.pb.go *.pb.gw.go *_generated.go zz_generated.* *_string.go bindata.go wire_gen.go"),
    template_names=words("doc.go"),
)
