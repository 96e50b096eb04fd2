"""Finds who still has the code that a change fixed: each changed function is looked up in its old and its new form.

The search begins in `fixed.finder`; `results.projects` has the classes of the answer.
"""
