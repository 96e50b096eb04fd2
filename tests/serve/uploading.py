"""Uploads for tests."""

from __future__ import annotations

HEAVY_FILES = [
    (f"{number}/a.py", "".join(f"def f{name}(a):\n    return a + {name * number}\n" for name in range(400)))
    for number in range(150)
]
"""Paths and texts of hand-ins whose comparison takes long enough to be stopped."""
