from __future__ import annotations

import dataclasses

from tests.reports.rendered import rendered
from tests.results.answers import releases_result
from wherefrom.reports.origins import RELEASES


def test_each_release_has_a_block_with_what_was_changed() -> None:
    assert rendered(RELEASES["text"], releases_result()) == (
        "vendor (4 files): 3 releases, the nearest 2 shown\n"
        "\n"
        "1. pkg:npm/x@1.0  lib\n"
        "   98% alike · 2 of 4 files identical · 2020-01-02\n"
        "   changed: a.js\n"
        "   only here: <b>␛.js\n"
        "   missing: 0.js, 1.js, 2.js, 3.js, 4.js, 5.js, 6.js, 7.js, 8.js, 9.js, ...\n"
        "\n"
        "2. github.com/x/y@v1␛\n"
        "   50% alike · 1 of 4 files identical\n"
    )


def test_nothing_fits() -> None:
    nothing = dataclasses.replace(releases_result(), releases=(), total=0)
    assert rendered(RELEASES["text"], nothing) == "vendor (4 files): no release fits\n"


def test_a_file_with_the_same_bytes_is_identical() -> None:
    result = releases_result()
    one = dataclasses.replace(result.releases[1], likeness=1.0)
    text = rendered(RELEASES["text"], dataclasses.replace(result, files=1, releases=(one,), total=1))
    assert text.endswith("   identical\n")
