"""JavaScript, TypeScript and TSX: one family, whose grammars share most of their node kinds."""

from dataclasses import replace

from wherefrom.languages import forms
from wherefrom.languages.forms import none, words
from wherefrom.languages.language import FormatterNoise, Grammar, Imports, Language, Lexical, Minified, Quote, Spelling

_IMPORTS = Imports(
    openings=words("import export"),
    inside=words("from as"),
    continued=words("import from"),
    functions=words("require"),
    declaring=words("const let var"),
)

_LEXICAL = Lexical(
    comments=forms.C_COMMENTS,
    strings=(
        forms.DOUBLE_QUOTED,
        forms.SINGLE_QUOTED,
        rb"`(?:[^`\\$]|\\.|\$\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}|\$)*+`",
        forms.REGULAR_EXPRESSION,
    ),
    names=(rb"\#?" + forms.DOLLAR_WORD,),
    reserved=words("true this null false undefined super"),
    unreserved=words("target get set delete as async from let meta of static using"),
    members=words(". ?."),
    code_in_strings={b"`": (b"${",)},
)

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
    names=words(
        "identifier property_identifier private_property_identifier shorthand_property_identifier "
        "shorthand_property_identifier_pattern statement_identifier"
    ),
    strings=words("string template_string regex"),
    code_in_strings=words("template_substitution template_type"),
    spelling=Spelling(tuple(Quote(mark, forms.ESCAPES + b"`$/") for mark in (b'"', b"'", b"`"))),
    numbers=words("number"),
    comments=words("comment html_comment hash_bang_line"),
    prose=words("jsx_text html_character_reference"),
    # Prettier removes semicolons at the ends of lines or adds them (`semi`), and removes parentheses around a single
    # expression; ESLint (`curly`) puts braces around one statement. Semicolons are light, not left out, since short
    # pieces would have too few tokens without them. TypeScript's modifiers are not light, since their order is fixed.
    noise=FormatterNoise(
        has_groups=True, calls=words("if while for switch catch with function super import"), light=words("{ } ;")
    ),
    functions=words(
        "function_declaration function_expression arrow_function method_definition generator_function "
        "generator_function_declaration"
    ),
    imports=_IMPORTS,
    lexical=_LEXICAL,
    long_literals=((rb"(?<!\\)`", rb"(?<!\\)`"),),
    generated_names=words("*_pb.js *.js.map *.snap"),
    minified=Minified(
        names=words("*.min.js *.min.mjs *-min.js *.bundle.js *.chunk.js"),
        endings=words(".js .mjs .cjs"),
        longest=110,  # GitHub Linguist uses the same number
    ),
    template_names=words(
        "gruntfile.js gulpfile.js webpack.config.js karma.conf.js protractor.conf.js babel.config.js "
        "reportwebvitals.js serviceworker.js setuptests.js registerserviceworker.js"
    ),
)

TSX = replace(
    JAVASCRIPT,
    name="tsx",
    grammar=Grammar("tree-sitter-typescript", oldest="0.23", newest="0.23", function="language_tsx", base="javascript"),
    extensions=words(".tsx"),
    filenames=none("its files have endings"),
    interpreters=none("listed with TypeScript"),
    aliases=words("typescriptreact"),
    tags=none("its frameworks go with JavaScript as well"),
    script_types=none("compiled before it is put into HTML"),
    names=(*JAVASCRIPT.names, "type_identifier"),
    strings=(*JAVASCRIPT.strings, "template_literal_type"),
    imports=replace(_IMPORTS, inside=words("from as type namespace")),
    lexical=replace(
        _LEXICAL,
        unreserved=words(
            "target type module global require object set accessor assert asserts get meta namespace symbol using of as"
        ),
        operators=(rb"\?(?=:)",),
    ),
    generated_names=none("no common tool marks generated files by name"),
    minified=none("not minified in practice"),
    template_names=none("no common project generator gives its files fixed names"),
)

TYPESCRIPT = replace(
    TSX,
    name="typescript",
    grammar=Grammar(
        "tree-sitter-typescript", oldest="0.23", newest="0.23", function="language_typescript", base="javascript"
    ),
    extensions=words(".ts .mts .cts"),
    interpreters=words("deno ts-node tsx"),
    aliases=words("ts mts cts"),
    script_types=words("text/typescript application/typescript text/x-typescript"),
    prose=none("holds no running text"),
    generated_names=words("*_pb.d.ts *_generated.ts *.ts.map schema.graphql.ts"),
    template_names=words("polyfills.ts main.ts test.ts environment.ts environment.prod.ts app.e2e-spec.ts"),
)
