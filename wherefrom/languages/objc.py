"""Objective-C."""

from __future__ import annotations

import re

from wherefrom.languages.c import NOISE
from wherefrom.languages.language import ESCAPES, Claim, Grammar, Language, Quote, Spelling
from wherefrom.languages.lexical import C_COMMENTS, DOLLAR_WORD, Lexical
from wherefrom.languages.nothing import none, words

_OBJC_LINE = re.compile(rb"\n[ \t]*(?:@(?:interface|protocol|implementation|class|import|end)\b|\#[ \t]*import\b)")


def _is_objc(content: bytes) -> bool:
    """Whether a header is Objective-C."""
    return bool(_OBJC_LINE.search(b"\n" + content))


_COMMON_TYPES = words("void bool char int float double size_t true false")

OBJC = Language(
    name="objc",
    grammar=Grammar("tree-sitter-objc", oldest="3.0", newest="3.0", extra="languages", base="c"),
    extensions=words(".m .mm"),
    claims=(Claim(".h", _is_objc),),
    aliases=words("objective-c objectivec obj-c objective-c++ objective-cpp"),
    tags=words("cocoa cocoa-touch uikit"),
    names=words("identifier type_identifier field_identifier statement_identifier"),
    strings=words("string_literal char_literal system_lib_string"),
    spelling=Spelling((Quote(b'"', ESCAPES), Quote(b"'", ESCAPES, b"'")), kept=b"@LuU8"),
    numbers=words("number_literal"),
    comments=words("comment"),
    fragments=words("preproc_arg"),
    prose=words("preproc_directive selector_expression"),  # the grammar has no nodes inside a selector
    noise=NOISE,
    functions=words("method_definition function_definition preproc_function_def"),
    imports=none("what the preprocessor imports is no line of code"),
    lexical=Lexical(
        comments=C_COMMENTS,
        strings=(
            rb'@?(?:"(?:[^"\\\n]|\\.)*+"|' + rb"'(?:[^'\\\n]|\\.)++')",
            rb"(?<=import\ )<[^>\n]++>",
        ),
        names=(rb"(?<!\#)(?<!\#\ )" + DOLLAR_WORD,),
        reserved=_COMMON_TYPES,
        unreserved=words("class IBOutlet"),
        members=words(". ->"),
        reserved_in_fragments=_COMMON_TYPES,
    ),
    long_comments=((b"/*", b"*/"),),
    generated_names=words("*.pbobjc.h *.pbobjc.m"),
    template_names=words("appdelegate.m appdelegate.mm scenedelegate.m viewcontroller.m main.m"),
)
