"""Licenses by tag and by text."""

from __future__ import annotations

import pytest

from wherefrom.analyzers.references.licenses import license_texts, tags

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
