"""Text, Markdown and notebooks. They have no grammar, but may contain code in other languages."""

from dataclasses import replace

from wherefrom.languages.forms import none, words
from wherefrom.languages.language import Claim, Language
from wherefrom.support.pattern import later

_QT_TRANSLATION = later(rb"\A\s*<(?:\?xml|!DOCTYPE\s+TS|TS)\b")

_NO_CODE = none("read letter by letter: has no tokens of code")


TEXT = Language(
    name="text",
    grammar=none("read letter by letter, like every file whose language is not known"),
    extensions=words(".txt .text .rst .adoc .asciidoc"),
    claims=(Claim(".ts", _QT_TRANSLATION),),
    aliases=words("txt plain plaintext none"),
    names=_NO_CODE,
    strings=_NO_CODE,
    spelling=_NO_CODE,
    numbers=_NO_CODE,
    comments=_NO_CODE,
    functions=_NO_CODE,
    lexical=none("it has no grammar that could fail"),
    long_comments=_NO_CODE,
)

MARKDOWN = replace(
    TEXT,
    name="markdown",
    grammar=none("`analyzers.containers` takes the fences out; the rest is text"),
    extensions=words(".md .markdown .mdown .mkd .mdx .rmd .qmd"),
    claims=none("shares no ending with another language"),
    aliases=words("md gfm"),
)

JUPYTER = replace(
    TEXT,
    name="jupyter",
    grammar=none("`analyzers.containers` takes the cells out"),
    extensions=words(".ipynb"),
    claims=none("shares no ending with another language"),
    aliases=words("ipynb notebook"),
)
