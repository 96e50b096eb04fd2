"""`python -m release.notes VERSION`: prints the section of CHANGELOG.md for a version, for the page of its release.

Exit code 1: the file has no section for it.
"""

from __future__ import annotations

import sys

from release.check import ROOT, changes_of


def main(arguments: list[str]) -> int:
    """Prints the section of a version. Returns the exit code."""
    [version] = arguments
    notes = changes_of({"CHANGELOG.md": (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")}, version)
    print(notes or f"CHANGELOG.md has no section for version {version}", file=sys.stdout if notes else sys.stderr)
    return 0 if notes else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
