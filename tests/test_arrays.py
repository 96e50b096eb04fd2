"""Arrays are read as they were written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wherefrom.support import arrays


def test_arrays_are_read_as_they_were_written(tmp_path: Path) -> None:
    written: dict[str, NDArray[Any]] = {
        "odd": np.arange(21, dtype=np.uint8).reshape(3, 7),
        "floats": np.linspace(0, 1, 5),
        "words": np.array(["a", "\u00e9\n"]),
        "none": np.empty((0, 2), np.int32),
    }
    arrays.write(tmp_path / "made.zst", **written)
    found = arrays.read(tmp_path / "made.zst")
    assert [*found] == [*written]
    for name, array in written.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)
        assert found[name].shape == array.shape
        assert found[name].flags.aligned
