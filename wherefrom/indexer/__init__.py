"""From sources to the index: what is new is analysed by worker processes, the rest is only recorded. And from one index
to another.
"""

# Imports nothing: a worker process loads `work` alone.
