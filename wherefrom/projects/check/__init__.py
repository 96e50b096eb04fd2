"""Finds code of a project, or of a change to it, that is also elsewhere, and whether the project credits its source.

The check itself is in `check.checker`; `check.findings` has the classes of the answer.
"""
