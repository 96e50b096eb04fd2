"""Licenses, notices and READMEs speak for their folder; other files do not."""

from __future__ import annotations

import pytest

from wherefrom.analyzers.references import governs, is_license_file, is_notice, notices, scope
from wherefrom.analyzers.references.licenses import MOST_NOTICES


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("LICENSE", ""),
        ("LICENCE.txt", ""),
        ("LICENSE-MIT", ""),
        ("LICENSE.apache2", ""),
        ("UNLICENSE", ""),
        ("MIT-LICENSE", ""),
        ("gems/x/MIT-LICENSE.txt", "gems/x"),
        ("GPL-LICENSE.txt", ""),
        ("Apache-2.0-LICENSE", ""),
        ("check-license.txt", None),
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
        "lib/COPYING",
        *deep[: MOST_NOTICES - 1],
    ]
    assert notices([*deep[:3], "a/b/c/NOTICE", "README.md"]) == ["README.md", *deep[:3], "a/b/c/NOTICE"]


@pytest.mark.parametrize(
    ("path", "notice", "license"),
    [
        ("LICENSE", True, True),
        ("deps/x/COPYING.LIB", True, True),
        ("LICENSES/MIT.txt", True, True),
        ("UNLICENSE", True, True),
        ("MIT-LICENSE", True, True),
        ("NOTICE.txt", True, False),
        ("COPYRIGHT", True, False),
        ("ThirdPartyNotices.txt", True, False),
        ("CREDITS", True, False),
        ("README.md", False, False),
        ("AUTHORS", False, False),
        ("CONTRIBUTORS.md", False, False),
        ("src/main.c", False, False),
        ("license.py", False, False),
    ],
)
def test_a_readme_or_a_list_of_authors_credits_no_code(path: str, notice: bool, license: bool) -> None:
    assert (is_notice(path), is_license_file(path)) == (notice, license)


@pytest.mark.parametrize(
    ("speaker", "path", "speaks"),
    [
        ("LICENSE", "src/a.c", True),
        ("deps/x/LICENSE", "deps/x/src/a.c", True),
        ("deps/x/LICENSE", "deps/xy/a.c", False),
        ("deps/x/LICENSE", "src/a.c", False),
        ("deps/x/LICENSE", "deps/x/LICENSE", False),
        ("src/a.c", "src/b.c", False),
    ],
)
def test_a_notice_governs_its_folder(speaker: str, path: str, speaks: bool) -> None:
    assert governs(speaker, path) == speaks
