"""Looks the code of imported posts up in an index, block by block, and writes reports that can be resumed."""
