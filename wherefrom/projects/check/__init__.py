"""Finds the code of a project, or of a change to it, that also appears elsewhere, and whether the project credits it.

The check itself is in `check.checker`; `check.findings` has the classes of the answer.
"""
