"""The table of languages."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from collections import Counter

import pytest

from wherefrom.analyzers.languages import LANGUAGES, find, get, grammar_versions
from wherefrom.errors import LanguageError

WANTED = (
    "python java javascript typescript tsx c cpp csharp go rust ruby php kotlin swift scala bash lua sql haskell ocaml "
    "julia html css text markdown jupyter"
)


def test_all_wanted_languages_are_there() -> None:
    assert set(WANTED.split()) <= LANGUAGES.keys()
    assert all(name == language.name for name, language in LANGUAGES.items())


@pytest.mark.parametrize("field", ["extensions", "filenames", "interpreters"])
def test_nothing_is_owned_twice(field: str) -> None:
    owned = Counter(value for language in LANGUAGES.values() for value in getattr(language, field))
    assert not [value for value, owners in owned.items() if owners > 1]
    assert all(value == value.lower() for value in owned)


def test_names_and_aliases_are_one_name_each() -> None:
    names = Counter(name for language in LANGUAGES.values() for name in {language.name, *language.aliases})
    assert not [name for name, owners in names.items() if owners > 1]


def test_no_kind_has_two_classes() -> None:
    for language in LANGUAGES.values():
        sets = (
            *(language.names, language.strings, language.numbers, language.literals),
            *(language.comments, language.blanks, language.fragments, language.prose),
        )
        kinds = Counter(kind for kinds in sets for kind in kinds)
        assert not [kind for kind, classes in kinds.items() if classes > 1], language.name


@pytest.mark.parametrize(
    ("name", "wanted"), [("Python", "python"), ("JSX", "javascript"), (" c++ ", "cpp"), ("sh", "bash")]
)
def test_get_takes_aliases_in_any_case(name: str, wanted: str) -> None:
    assert get(name).name == wanted


def test_an_unknown_name_is_an_error_that_lists_the_names() -> None:
    with pytest.raises(
        LanguageError, match=r"^no language is called 'klingon'; the languages are python, java, .*text$"
    ):
        get("klingon")
    assert find("klingon") is None


def test_the_installed_grammars_are_the_pinned_ones() -> None:
    for language in LANGUAGES.values():
        if language.grammar:
            assert importlib.metadata.version(language.distribution).startswith(f"{language.version}.")


def test_the_pins_are_those_of_the_package() -> None:
    found = (re.match(r"([\w-]+).*>=([\d.]+)", line) for line in importlib.metadata.requires("wherefrom") or [])
    pins = {match[1]: match[2] for match in found if match}
    for language in LANGUAGES.values():
        if language.grammar:
            assert pins[language.distribution].startswith(f"{language.version}.")


def test_grammar_versions_name_every_grammar_once() -> None:
    parts = grammar_versions().split()
    assert parts == sorted(parts)
    assert "python=0.25" in parts
    assert len(parts) == sum(1 for language in LANGUAGES.values() if language.grammar)


def test_the_table_loads_no_grammar_and_no_numpy() -> None:
    code = (
        "import sys, wherefrom.analyzers.languages;"
        "print([name for name in sys.modules if name.startswith(('tree_sitter', 'numpy', 'mmh3'))])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
