"""The languages: each one states all of its fields, and no two of them claim the same names."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

import pytest

from tests.languages.bare import NO_HASKELL, run_bare
from wherefrom.errors import LanguageError
from wherefrom.languages import LANGUAGES, Grammar, Language, find, get, get_installed
from wherefrom.languages.forms import Nothing, none
from wherefrom.languages.language import minor_version

WANTED = (
    "python java javascript typescript tsx c cpp csharp go rust ruby php kotlin swift scala bash lua sql haskell ocaml "
    "julia html css text markdown jupyter"
)
PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
TOKENS = ("names", "strings", "numbers", "literals", "comments", "blanks", "fragments", "prose")

every_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)


def open_fields(language: Language) -> list[str]:
    """The fields that are empty without a reason."""
    values = {field.name: getattr(language, field.name) for field in fields(language)}
    return [name for name, value in values.items() if not _is_stated(value)]


def _is_stated(value: Any) -> bool:
    if isinstance(value, Nothing):
        return len(value.reason.split()) > 1
    return isinstance(value, bool) or bool(value)


def test_all_wanted_languages_are_there() -> None:
    assert set(WANTED.split()) <= LANGUAGES.keys()
    assert all(name == language.name for name, language in LANGUAGES.items())
    assert list(LANGUAGES) == sorted(LANGUAGES)


@every_language
def test_a_language_states_every_field_or_says_why_not(language: Language) -> None:
    assert open_fields(language) == []


def test_an_empty_field_without_a_reason_is_found() -> None:
    assert open_fields(replace(LANGUAGES["python"], prompts=(), tags=none(""))) == ["tags", "prompts"]


def test_a_default_states_why_a_field_does_not_apply() -> None:
    defaults = [field.default for field in fields(Language) if field.default is not MISSING]
    assert defaults
    assert all(_is_stated(default) for default in defaults)


@pytest.mark.parametrize("field", ["extensions", "filenames", "interpreters", "script_types", "tags"])
def test_nothing_is_owned_twice(field: str) -> None:
    owned = Counter(value for language in LANGUAGES.values() for value in getattr(language, field))
    assert not [value for value, owners in owned.items() if owners > 1]
    assert all(value == value.lower() for value in owned)


def test_names_and_aliases_are_one_name_each() -> None:
    names = Counter(name for language in LANGUAGES.values() for name in {language.name, *language.aliases})
    assert not [name for name, owners in names.items() if owners > 1]


def test_a_tag_or_a_script_type_is_not_a_name_as_well() -> None:
    listed = [label for language in LANGUAGES.values() for label in (*language.tags, *language.script_types)]
    assert not [name for name in listed if find(name)]


@every_language
def test_no_kind_has_two_classes(language: Language) -> None:
    kinds = Counter(kind for field in TOKENS for kind in getattr(language, field))
    assert not [kind for kind, classes in kinds.items() if classes > 1]


@every_language
def test_a_claim_is_on_an_ending_of_another_language(language: Language) -> None:
    listed = {ending: owner for owner in LANGUAGES.values() for ending in owner.extensions}
    assert all(listed[claim.ending] is not language for claim in language.claims)


@pytest.mark.parametrize(
    ("name", "wanted"), [("Python", "python"), ("JSX", "javascript"), (" c++ ", "cpp"), ("sh", "bash")]
)
def test_get_takes_aliases_in_any_case(name: str, wanted: str) -> None:
    assert get(name).name == wanted


def test_an_unknown_name_is_an_error_that_lists_the_names() -> None:
    with pytest.raises(
        LanguageError, match=r"^no language is called 'klingon'; the languages are bash, c, .*typescript"
    ):
        get("klingon")
    assert find("klingon") is None


@every_language
def test_the_installed_grammar_is_supported(language: Language) -> None:
    if language.grammar:
        assert language.grammar.version is not None
        assert language.grammar.supports(language.grammar.version)
        assert not language.is_left_out
        assert get_installed(language.name) is language


@every_language
def test_the_package_asks_for_the_supported_versions(language: Language) -> None:
    if not language.grammar:
        return
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    [line] = [line for line in project["dependencies"] if re.match(rf"{language.grammar.distribution}\b(?!-)", line)]
    lowest, below = re.findall(r"[\d.]+", line.removeprefix(language.grammar.distribution))
    assert minor_version(lowest) == minor_version(language.grammar.oldest)
    assert language.grammar.requirement.endswith(f",<{below}")


@pytest.mark.parametrize(
    ("version", "supported"),
    [
        ("0.22.9", False),
        ("0.23.0", True),
        ("0.24.2.post1", True),
        ("0.25.99", True),
        ("0.26.0", False),
        ("1.23", False),
    ],
)
def test_versions_are_supported_from_the_oldest_to_the_newest(version: str, supported: bool) -> None:
    assert Grammar("tree-sitter-x", oldest="0.23", newest="0.25").supports(version) is supported


def test_a_grammar_that_is_not_installed_is_left_out() -> None:
    absent = Grammar("tree-sitter-absent", oldest="1.2", newest="1.10")
    assert (absent.version, absent.is_left_out) == (None, True)
    assert absent.requirement == "tree-sitter-absent>=1.2,<1.11"


def test_get_installed_needs_the_grammar_of_the_language(tmp_path: Path) -> None:
    code = (
        "from wherefrom.languages import get_installed\n"
        "print(get_installed('python').name)\n"
        "try: get_installed('hs')\n"
        "except Exception as error: print(f'{type(error).__name__}: {error}')"
    )
    assert run_bare(tmp_path, code).splitlines() == [
        "python",
        f"GrammarError: {NO_HASKELL}",
    ]


def test_the_languages_load_no_grammar_and_no_numpy() -> None:
    code = (
        "import sys, wherefrom.languages;"
        "print([name for name in sys.modules if name.startswith(('tree_sitter', 'numpy', 'mmh3'))])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
