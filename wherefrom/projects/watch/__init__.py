"""Watches: code that each indexing run looks for in the contents that it adds.

`watches` has what is stored, `screen` and `watching` find the contents that have the code, `indexing` does it while an
index is written, and `places` tells which places are new, and posts them.
"""
