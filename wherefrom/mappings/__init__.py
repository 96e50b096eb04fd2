"""The index schemas as data, and the versions of their formats. Nothing here imports a search library."""
