"""The experiments of the winnowing paper (Schleimer, Wilkerson, Aiken, SIGMOD 2003) on the user's own code.

`corpus` reads the code; `sampler_experiment`, `frequencies` and `noise` are one experiment each; `plots` draws results.
"""
