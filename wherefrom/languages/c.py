"""C and C++: one family, with the preprocessor in common."""

import re
from dataclasses import replace

from wherefrom.languages import forms
from wherefrom.languages.forms import none, words
from wherefrom.languages.language import Claim, FormatterNoise, Grammar, Imports, Language, Lexical, Quote, Spelling
from wherefrom.support.pattern import later

_CPP_LINE = later(
    rb"""\n[ \t]*(?: (?:class|namespace)[ \t]+[A-Za-z_][\w:]*\s*(?:final\s*)?[:{\n] | template\s*<
    | using[ \t]+[A-Za-z_] | (?:public|private|protected)\s*: | virtual\b | constexpr\b
    | \#\s*include\s*<(?:[a-z_]+)> )""",
    re.VERBOSE,
)
"""Matches lines that only C++ has, with the line feed before: a fixed first byte is found several times faster."""

_QUOTES = Quote(b'"', forms.ESCAPES), Quote(b"'", forms.ESCAPES, b"'")
_QUOTED = rb'(?:u8|[LuU])?(?:"(?:[^"\\\n]|\\.)*+"|' + rb"'(?:[^'\\\n]|\\.)++')"
_INCLUDED = rb"(?<=include\ )<[^>\n]++>"
_COMMON_TYPES = words("void bool char int float double size_t true false auto")
_PRIMITIVE_TYPES = (
    *_COMMON_TYPES,
    *words("ssize_t uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t intptr_t uintptr_t"),
)

_LEXICAL = Lexical(
    comments=forms.C_COMMENTS,
    strings=(_QUOTED, _INCLUDED),
    names=(rb"(?<!\#)(?<!\#\ )" + forms.DOLLAR_WORD,),  # directives of the preprocessor are not names
    reserved=_PRIMITIVE_TYPES,
    members=words(". ->"),
    reserved_in_fragments=_COMMON_TYPES,
)

C = Language(
    name="c",
    grammar=Grammar("tree-sitter-c", oldest="0.23", newest="0.24"),
    extensions=words(".c .h .idc"),
    interpreters=words("tcc"),
    aliases=words("ansi-c"),
    names=words("identifier type_identifier field_identifier statement_identifier"),
    strings=words("string_literal char_literal system_lib_string"),
    spelling=Spelling(_QUOTES, kept=b"LuU8"),
    numbers=words("number_literal"),
    comments=words("comment"),
    fragments=words("preproc_arg"),
    prose=words("preproc_directive"),
    # clang-format puts braces around one statement or removes them (`InsertBraces`, `RemoveBracesLLVM`), orders
    # specifiers (`QualifierAlignment`) and cuts strings that are longer than a line (`BreakStringLiterals`).
    noise=FormatterNoise(light=words("{ } static inline const volatile constexpr friend"), string_joins=("",)),
    functions=words("function_definition preproc_function_def"),
    lexical=_LEXICAL,
    generated_names=words("*.tab.c *.tab.h lex.yy.c"),
    template_names=words("appdelegate.h"),
)

CPP = replace(
    C,
    name="cpp",
    grammar=Grammar("tree-sitter-cpp", oldest="0.23", newest="0.23", base="c"),
    extensions=words(".cpp .cc .cxx .c++ .hpp .hh .hxx .h++ .ipp .ixx .cppm .inl .tpp .txx .tcc .cu .cuh .ino"),
    claims=(Claim(".h", _CPP_LINE, (b"std::", b"static_cast<", b"nullptr")),),
    interpreters=none("no shebang line names a program for it"),
    aliases=words("c++ cc cxx hpp cuda arduino"),
    tags=words("stl qt boost"),
    names=(*C.names, "namespace_identifier", "literal_suffix"),
    strings=(*C.strings, "raw_string_literal"),
    spelling=Spelling(_QUOTES, raw=b"R", kept=b"LuU8"),
    functions=words("function_definition lambda_expression preproc_function_def"),
    imports=Imports(openings=words("using"), inside=words("namespace")),
    lexical=replace(
        _LEXICAL,
        strings=(
            rb'(?:u8|[LuU])?R"(?P<delimiter>[^(\s]{0,16})\(.*?\)(?P=delimiter)"',
            _QUOTED,
            _INCLUDED,
        ),
        reserved=(*_PRIMITIVE_TYPES, "this"),
        unreserved=words("override final"),
        members=words(". -> ::"),
    ),
    long_literals=((rb'R"\w*+\(', rb'\)\w*+"'),),
    generated_names=words("*.pb.cc *.pb.h moc_*.cpp qrc_*.cpp ui_*.h"),
    template_names=words("flutter_window.cpp win32_window.cpp my_application.cc"),
)
