"""Many submissions compared with each other: what they share, found through their common terms and never by looking at
all pairs.
"""
