"""Which files speak for their folder."""

from __future__ import annotations

import pytest

from wherefrom.analyzers.references import notices, scope
from wherefrom.analyzers.references.scope import MOST_NOTICES


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("LICENSE", ""),
        ("LICENCE.txt", ""),
        ("LICENSE-MIT", ""),
        ("LICENSE.apache2", ""),
        ("UNLICENSE", ""),
        ("COPYING.LESSER", ""),
        ("README.md", ""),
        ("readme.zh-CN.rst", ""),
        ("NOTICE-binary", ""),
        ("ATTRIBUTION.md", ""),
        ("ATTRIBUTIONS", ""),
        ("AUTHORS", ""),
        ("ThirdPartyNotices.txt", ""),
        ("third_party_licenses.md", ""),
        ("vendor/lib/LICENSE", "vendor/lib"),
        ("LICENSES/MIT.txt", ""),
        ("sub/LICENSES/MIT.txt", "sub"),
        ("license.py", None),
        ("authors.html", None),
        ("licensee.txt", None),
        ("src/main.c", None),
        ("LICENSE/main.txt", None),
        ("notes.txt", None),
        ("", None),
    ],
)
def test_scope(path: str, folder: str | None) -> None:
    assert scope(path) == folder


def test_of_many_the_nearest_to_the_root_are_taken() -> None:
    deep = [f"lib/{number:03}/LICENSE" for number in range(MOST_NOTICES)]
    assert notices([*deep, "a/b/c/NOTICE", "README.md", "main.c", "lib/COPYING"]) == [
        "README.md",
        "lib/COPYING",
        *deep[: MOST_NOTICES - 2],
    ]
