"""Looks up the code of imported posts in an index, block by block, and writes reports that can be resumed."""
