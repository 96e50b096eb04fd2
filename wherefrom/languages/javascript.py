"""JavaScript, TypeScript and TSX: one family, whose grammars share most of their node kinds."""

from __future__ import annotations

from dataclasses import replace

from wherefrom.languages.language import ESCAPES, FormatterNoise, Grammar, Language, Minified, Quote, Spelling
from wherefrom.languages.lexical import (
    C_COMMENTS,
    DOLLAR_WORD,
    DOUBLE_QUOTED,
    NUMBER,
    REGULAR_EXPRESSION,
    SINGLE_QUOTED,
    Imports,
    Lexical,
)
from wherefrom.languages.nothing import none, words

_NAMES = words(
    "identifier property_identifier private_property_identifier shorthand_property_identifier "
    "shorthand_property_identifier_pattern statement_identifier"
)
_STRINGS = words("string template_string regex")
_SPELLING = Spelling(tuple(Quote(mark, ESCAPES + b"`$/") for mark in (b'"', b"'", b"`")))
_NOISE = FormatterNoise(
    has_groups=True, calls=words("if while for switch catch with function super import"), light=words("{ } ;")
)
"""Prettier takes semicolons at the ends of lines away or adds them (`semi`), and parentheses around one thing; ESLint
(`curly`) puts braces around one statement. A semicolon ends nearly every statement where they are written at all:
without them short pieces say too little. The order of TypeScript's modifiers is fixed.
"""
_COMMENTS = words("comment html_comment hash_bang_line")
_JSX_PROSE = words("jsx_text html_character_reference")
_FUNCTIONS = words(
    "function_declaration function_expression arrow_function method_definition generator_function "
    "generator_function_declaration"
)
_LEXED_STRINGS = (
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    rb"`(?:[^`\\$]|\\.|\$\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}|\$)*+`",
    REGULAR_EXPRESSION,
)
_CODE_IN_STRINGS = {b"`": (b"${",)}
_IMPORTS = Imports(
    openings=words("import export"),
    inside=words("from as"),
    continued=words("import from"),
    functions=words("require"),
    declaring=words("const let var"),
)
_TYPED_IMPORTS = replace(_IMPORTS, inside=words("from as type namespace"))
_LONG_COMMENTS = ((b"/*", b"*/"),)
_LONG_LITERALS = ((rb"(?<!\\)`", rb"(?<!\\)`"),)

JAVASCRIPT = Language(
    name="javascript",
    grammar=Grammar("tree-sitter-javascript", oldest="0.23", newest="0.25"),
    extensions=words(".js .jsx .mjs .cjs .es6"),
    filenames=words("jakefile"),
    interpreters=words("node nodejs bun"),
    aliases=words("js jsx ecmascript node nodejs mjs cjs"),
    tags=words("jquery node.js angularjs reactjs express vue.js vanilla"),
    script_types=words(
        "module text/javascript application/javascript application/x-javascript application/ecmascript "
        "text/ecmascript text/babel text/jsx"
    ),
    names=_NAMES,
    strings=_STRINGS,
    code_in_strings=words("template_substitution template_type"),
    spelling=_SPELLING,
    numbers=words("number"),
    comments=_COMMENTS,
    prose=_JSX_PROSE,
    noise=_NOISE,
    functions=_FUNCTIONS,
    imports=_IMPORTS,
    lexical=Lexical(
        comments=C_COMMENTS,
        strings=_LEXED_STRINGS,
        names=(rb"\#?" + DOLLAR_WORD,),
        reserved=words("true this null false undefined super"),
        unreserved=words("target get set delete as async from let meta of static using"),
        members=words(". ?."),
        code_in_strings=_CODE_IN_STRINGS,
    ),
    long_comments=_LONG_COMMENTS,
    long_literals=_LONG_LITERALS,
    prompts=none("`>` also begins a quoted line of a mail"),
    generated_names=words("*_pb.js *.js.map *.snap"),
    minified=Minified(
        names=words("*.min.js *.min.mjs *-min.js *.bundle.js *.chunk.js"),
        endings=words(".js .mjs .cjs"),
        longest=110,  # the number of GitHub Linguist
    ),
    template_names=words(
        "gruntfile.js gulpfile.js webpack.config.js karma.conf.js protractor.conf.js babel.config.js "
        "reportwebvitals.js serviceworker.js setuptests.js registerserviceworker.js"
    ),
)

_TYPED = Lexical(
    comments=C_COMMENTS,
    strings=_LEXED_STRINGS,
    numbers=(NUMBER,),
    names=(rb"\#?" + DOLLAR_WORD,),
    reserved=words("true this null false undefined super"),
    unreserved=words(
        "target type module global require object set accessor assert asserts get meta namespace symbol using of as"
    ),
    operators=(rb"\?(?=:)",),
    members=words(". ?."),
    code_in_strings=_CODE_IN_STRINGS,
)
"""The forms of TypeScript, with JSX or without."""

TYPESCRIPT = Language(
    name="typescript",
    grammar=Grammar(
        "tree-sitter-typescript", oldest="0.23", newest="0.23", function="language_typescript", base="javascript"
    ),
    extensions=words(".ts .mts .cts"),
    claims=none("shares no ending with another language, but for Qt's `.ts`, which `text` claims"),
    interpreters=words("deno ts-node tsx"),
    aliases=words("ts mts cts"),
    tags=none("its frameworks go with JavaScript as well"),
    script_types=words("text/typescript application/typescript text/x-typescript"),
    names=(*_NAMES, "type_identifier"),
    strings=(*_STRINGS, "template_literal_type"),
    code_in_strings=words("template_substitution template_type"),
    spelling=_SPELLING,
    numbers=words("number"),
    comments=_COMMENTS,
    noise=_NOISE,
    functions=_FUNCTIONS,
    imports=_TYPED_IMPORTS,
    lexical=_TYPED,
    long_comments=_LONG_COMMENTS,
    long_literals=_LONG_LITERALS,
    prompts=none("its sessions look like those of JavaScript"),
    generated_names=words("*_pb.d.ts *_generated.ts *.ts.map schema.graphql.ts"),
    template_names=words("polyfills.ts main.ts test.ts environment.ts environment.prod.ts app.e2e-spec.ts"),
)

TSX = Language(
    name="tsx",
    grammar=Grammar("tree-sitter-typescript", oldest="0.23", newest="0.23", function="language_tsx", base="javascript"),
    extensions=words(".tsx"),
    interpreters=none("listed with TypeScript"),
    aliases=words("typescriptreact"),
    tags=none("its frameworks go with JavaScript as well"),
    script_types=none("compiled before it is put into HTML"),
    names=TYPESCRIPT.names,
    strings=TYPESCRIPT.strings,
    code_in_strings=TYPESCRIPT.code_in_strings,
    spelling=_SPELLING,
    numbers=TYPESCRIPT.numbers,
    comments=_COMMENTS,
    prose=_JSX_PROSE,
    noise=_NOISE,
    functions=_FUNCTIONS,
    imports=_TYPED_IMPORTS,
    lexical=_TYPED,
    long_comments=_LONG_COMMENTS,
    long_literals=_LONG_LITERALS,
    prompts=none("its sessions look like those of JavaScript"),
)
