"""What of a project's own code, or of a change to it, also appears elsewhere, and whether the project says so.

The values are in `check.findings`, the check itself in `check.checker`.
"""
