"""File names that frameworks and build tools give to the files they make."""

from __future__ import annotations

from wherefrom.languages import LANGUAGES

_OF_NO_LANGUAGE = (
    *("gradlew.bat", "mvnw.cmd", "make.bat", "build.gradle", "settings.gradle", "makefile.in", "cmakelists.txt"),
    "dockerfile",
)
_NAMES = frozenset((*_OF_NO_LANGUAGE, *(name for language in LANGUAGES.values() for name in language.template_names)))


def is_template_name(name: str) -> bool:
    """Whether a framework, a project generator or a build tool writes files of this name."""
    return name.lower() in _NAMES
