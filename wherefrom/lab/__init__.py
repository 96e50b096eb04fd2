"""The experiments of the winnowing paper (Schleimer, Wilkerson, Aiken, SIGMOD 2003) on the user's own code.

`corpus` reads the code, `measures` has the experiments, and `experiments` runs them and draws their results.
"""
