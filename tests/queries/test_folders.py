from __future__ import annotations

import pytest

from wherefrom.queries.folders import is_mostly_copied


@pytest.mark.parametrize(
    ("copied", "files", "expected"),
    [(2, 2, False), (3, 3, True), (3, 5, True), (3, 6, False), (50, 99, True), (50, 100, False)],
)
def test_a_folder_is_a_copy_if_more_than_half_of_it_and_three_files_are(
    copied: int, files: int, expected: bool
) -> None:
    assert is_mostly_copied(copied, files) is expected
