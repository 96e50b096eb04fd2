"""Objective-C."""

from dataclasses import replace

from wherefrom.languages import forms
from wherefrom.languages.c import C
from wherefrom.languages.forms import none, words
from wherefrom.languages.language import Claim, Grammar, Lexical, Quote, Spelling
from wherefrom.support.pattern import later

_OBJC_LINE = later(rb"\n[ \t]*(?:@(?:interface|protocol|implementation|class|import|end)\b|\#[ \t]*import\b)")


_COMMON_TYPES = words("void bool char int float double size_t true false")

OBJC = replace(
    C,
    name="objc",
    grammar=Grammar("tree-sitter-objc", oldest="3.0", newest="3.0", base="c"),
    extensions=words(".m .mm"),
    claims=(Claim(".h", _OBJC_LINE),),
    interpreters=none("no shebang line names a program for it"),
    aliases=words("objective-c objectivec obj-c objective-c++ objective-cpp"),
    tags=words("cocoa cocoa-touch uikit"),
    spelling=Spelling((Quote(b'"', forms.ESCAPES), Quote(b"'", forms.ESCAPES, b"'")), kept=b"@LuU8"),
    prose=words("preproc_directive selector_expression"),  # the grammar has no nodes inside a selector
    functions=words("method_definition function_definition preproc_function_def"),
    lexical=Lexical(
        comments=forms.C_COMMENTS,
        strings=(
            rb'@?(?:"(?:[^"\\\n]|\\.)*+"|' + rb"'(?:[^'\\\n]|\\.)++')",
            rb"(?<=import\ )<[^>\n]++>",
        ),
        names=(rb"(?<!\#)(?<!\#\ )" + forms.DOLLAR_WORD,),
        reserved=_COMMON_TYPES,
        unreserved=words("class IBOutlet"),
        members=words(". ->"),
        reserved_in_fragments=_COMMON_TYPES,
    ),
    generated_names=words("*.pbobjc.h *.pbobjc.m"),
    template_names=words("appdelegate.m appdelegate.mm scenedelegate.m viewcontroller.m main.m"),
)
