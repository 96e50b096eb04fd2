"""Watches: code that each indexing run looks for in the contents that it adds.

`watches` has what is stored, `lookup` finds the contents that have the code, `lookout` does it while an index is
written, `places` tells which places are new, and `posting` sends them to a server.
"""
