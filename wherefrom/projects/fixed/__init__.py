"""Who still has the code that a change fixed: what it changed, looked up in its old and its new form.

The values are in `results.fixed`, the work is begun in `fixed.finder`.
"""
