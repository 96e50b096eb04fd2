"""Licenses are found by tags and by their texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import licenseclassifier
import pytest

from wherefrom.analyzers.references import licenses
from wherefrom.analyzers.references.licenses import license_texts, tags
from wherefrom.model import UNKNOWN_LICENSE

GPL = """\
/* frobnicate.c
 *
 * This program is free software; you can redistribute it and/or modify
 * it under the terms of the GNU General Public License as published by
 * the Free Software Foundation; either version 2 of the License, or
 * (at your option) any later version.
 */
"""

APACHE = """\
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("// SPDX-License-Identifier: MIT", "MIT"),
        ("/* SPDX-License-Identifier: GPL-2.0+ */", "GPL-2.0-or-later"),
        ("<!-- SPDX-License-Identifier: CC-BY-SA-4.0 -->", "CC-BY-SA-4.0"),
        ("# SPDX-License-Identifier: (mit or apache-2.0)", "MIT OR Apache-2.0"),
        (
            "# SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note",
            "GPL-2.0-only WITH Linux-syscall-note",
        ),
        ("# SPDX-License-Identifier: LicenseRef-Ours", "LicenseRef-Ours"),
        ("# SPDX-License-Identifier: MIT. And more prose", "MIT. And more prose"),
        ("(* SPDX-License-Identifier: MIT *)", "MIT"),
        ("# SPDX-License-Identifier:\tMIT  \n", "MIT"),
    ],
)
def test_tags(text: str, expression: str) -> None:
    assert list(tags(text)) == [(text.index("SPDX"), expression)]


@pytest.mark.parametrize("text", ["SPDX-License-Identifier:", "SPDX-License-Identifier: */", "SPDX License: MIT"])
def test_no_tag(text: str) -> None:
    assert list(tags(text)) == []


@pytest.mark.parametrize(
    ("text", "license", "first_words"),
    [
        (GPL, "GPL-2.0-or-later", "redistribute it and"),
        (APACHE, "Apache-2.0", "Licensed under the Apache"),
        ("see https://creativecommons.org/licenses/by-sa/4.0/ for the license", "CC-BY-SA-4.0", "licenses/by-sa"),
    ],
)
def test_notices_behind_comment_signs(text: str, license: str, first_words: str) -> None:
    [(start, found)] = license_texts(text)
    assert found == license
    assert text[start:].startswith(first_words)


def test_two_notices_in_one_text() -> None:
    assert [found for _, found in license_texts(f"{GPL}\n\nsome words between them\n\n{APACHE}")] == [
        "GPL-2.0-or-later",
        "Apache-2.0",
    ]


@pytest.mark.parametrize("text", ["this needs a license", "Released under the MIT license.", "no permission", ""])
def test_a_mention_is_no_license(text: str) -> None:
    assert list(license_texts(text)) == []


ZLIB = """\
/* {name} -- {what}

  Copyright (C) 1995-2024 Jean-loup Gailly and Mark Adler

  This software is provided 'as-is', without any express or implied
  warranty.  In no event will the authors be held liable for any damages
  arising from the use of this software.

  Permission is granted to anyone to use this software for any purpose,
  including commercial applications, and to alter it and redistribute it
  freely, subject to the following restrictions:

  1. The origin of this software must not be misrepresented; you must not
     claim that you wrote the original software. If you use this software
     in a product, an acknowledgment in the product documentation would be
     appreciated but is not required.
  2. Altered source versions must be plainly marked as such, and must not be
     misrepresented as being the original software.
  3. This notice may not be removed or altered from any source distribution.
*/
"""


def test_a_license_begins_with_its_paragraph() -> None:
    assert [found for _, found in license_texts(ZLIB.format(name="zlib.h", what="an interface"))] == ["Zlib"]


def test_the_same_license_is_classified_once_whatever_stands_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    classify = licenses._classified

    def counted(text: str) -> Iterator[tuple[int, str]]:
        texts.append(text)
        return classify(text)

    monkeypatch.setattr(licenses, "_known", {})
    monkeypatch.setattr(licenses, "_classified", counted)
    for number in range(40):
        for text in (GPL, ZLIB.format(name=f"file{number}.c", what="x" * number), GPL.replace("frob", f"frob{number}")):
            assert [found for _, found in license_texts(text)] in (["GPL-2.0-or-later"], ["Zlib"])
    assert len(texts) == 2
    list(license_texts(APACHE))
    assert len(texts) == 3


def test_a_tag_alone_is_not_classified(monkeypatch: pytest.MonkeyPatch) -> None:
    classified: list[str] = []
    identify = licenseclassifier.identify_license

    def counted(text: str, **options: float) -> Any:
        classified.append(text)
        return identify(text, **options)

    monkeypatch.setattr(licenses, "_known", {})
    monkeypatch.setattr(licenseclassifier, "identify_license", counted)
    tag = "# SPDX-License-Identifier: MIT\n"
    assert not list(license_texts(tag + "# more\n"))
    assert not classified
    assert [found for _, found in license_texts(tag + "# It may be freely copied.\n")] == [UNKNOWN_LICENSE]
    assert not classified
    assert [found for _, found in license_texts(tag + GPL)] == ["GPL-2.0-or-later"]
    assert len(classified) == 1


@pytest.mark.parametrize(
    "text",
    [
        "// Permission to use, copy and modify this is granted to everybody on a ship.",
        "Permission is hereby granted to my friends.",
        "Redistribution and use of this are free on Tuesdays.",
        "This may be freely distributed; there is no warranty.",
        "This may be freely copied under the license below.",
        "Everyone is permitted to copy this license.",
    ],
)
def test_a_grant_in_words_of_its_own_is_an_unknown_license(text: str) -> None:
    assert [found for _, found in license_texts(text)] == [UNKNOWN_LICENSE]


@pytest.mark.parametrize(
    "text",
    [
        "Permission to use this is granted, see LICENSE for the terms.",
        "permission denied: you need permission to write the license",
        "This can be used without a license.",
        "//     Underscore may be freely distributed under the MIT license.",
        "It can be freely used, copied and sold\n# under the terms of the GNU General Public License.",
    ],
)
def test_what_grants_nothing_or_points_to_another_file_is_none(text: str) -> None:
    assert list(license_texts(text)) == []


def test_a_letter_whose_lower_case_is_longer_hides_no_license() -> None:
    assert [found for _, found in license_texts(f"# by \u0130rem\n\n{GPL}")] == ["GPL-2.0-or-later"]
