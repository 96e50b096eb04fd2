"""The other way round: what of a project's own code, or of a change to it, stands elsewhere, and whether it says so.

The values are in `check.findings`, the check itself in `check.checker`.
"""
