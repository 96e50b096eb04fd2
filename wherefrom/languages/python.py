"""Python."""

from wherefrom.languages import forms
from wherefrom.languages.forms import none, words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Prompt, Quote, Spelling
from wherefrom.support.pattern import later

_ESCAPES = b"abfnrtvxuU01234567\\'\"\n"

PYTHON = Language(
    name="python",
    grammar=Grammar("tree-sitter-python", oldest="0.23", newest="0.25"),
    extensions=words(".py .pyi .pyw .pyx .bzl"),
    filenames=words("sconstruct sconscript wscript"),
    interpreters=words("python pypy"),
    aliases=words("py ipython pycon python3 python2 cython starlark"),
    tags=words("django flask pandas numpy matplotlib scipy tensorflow pytorch keras scikit-learn"),
    script_types=words("text/python text/x-python"),
    names=words("identifier"),
    strings=words("string format_specifier"),
    code_in_strings=words("interpolation format_expression"),
    spelling=Spelling(
        tuple(Quote(mark, _ESCAPES) for mark in (b'"""', b"'''", b'"', b"'")),
        plain=b"uUfFtT",
        raw=b"rR",
        kept=b"bB",
    ),
    numbers=words("integer float"),
    comments=words("comment"),
    blanks=words("line_continuation"),
    # Black and Ruff remove the empty parentheses of `class A():`; Ruff joins strings that fit into a line.
    noise=FormatterNoise(
        anywhere=(";",),
        has_groups=True,
        calls=words("import for , ( [ {"),
        string_joins=("",),
        empty_behind=("class",),
    ),
    functions=words("function_definition"),
    imports=Imports(openings=words("import from"), inside=words("as")),
    lexical=Lexical(
        comments=forms.HASH_COMMENTS,
        strings=(
            rb"[rRbBuUfFtT]{0,2}(?:" + forms.TRIPLE_QUOTED + rb"|" + forms.TRIPLE_QUOTED.replace(b'"', b"'") + rb")",
            rb"[rRbBuUfFtT]{0,2}(?:" + forms.DOUBLE_QUOTED + rb"|" + forms.SINGLE_QUOTED + rb")",
        ),
        names=(forms.WORD,),
        reserved=words("None True False"),
        unreserved=words("_ match case type print exec"),
    ),
    has_doc_strings=True,
    long_comments=none("comments end with their line"),
    long_literals=(forms.LONG_TRIPLE, (rb"'''", rb"'''")),
    prompts=(
        Prompt(first=later(rb"[ \t]*>>>(?: |$)"), further=later(rb"[ \t]*(?:>>>|\.\.\.)(?: |$)")),
        Prompt(first=later(rb"[ \t]*In ?\[\d*\]: ?"), further=later(rb"[ \t]*(?:In ?\[\d*\]| *\.{3,}): ?")),
    ),
    generated_names=words("*_pb2.py *_pb2.pyi *_pb2_grpc.py parsetab.py"),
    template_names=words(
        "manage.py wsgi.py asgi.py setup.py conf.py versioneer.py ez_setup.py env.py apps.py settings.py "
        "urls.py admin.py conftest.py noxfile.py"
    ),
)
