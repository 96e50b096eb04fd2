"""The experiments of the winnowing paper (Schleimer, Wilkerson, Aiken, SIGMOD 2003) on the user's own code.

`corpus` reads the code, `samplers`, `frequencies` and `noise` are one experiment each, `plots` draws their results.
"""

from whence.lab.corpus import Corpus
from whence.lab.frequencies import measure_frequencies
from whence.lab.noise import measure_noise
from whence.lab.results import (
    CorpusProgress,
    CorpusSize,
    Frequencies,
    FrequencyResult,
    Noise,
    NoiseResult,
    SamplerFigures,
    SamplerResult,
)
from whence.lab.samplers import measure_samplers

__all__ = [
    "Corpus",
    "CorpusProgress",
    "CorpusSize",
    "Frequencies",
    "FrequencyResult",
    "Noise",
    "NoiseResult",
    "SamplerFigures",
    "SamplerResult",
    "measure_frequencies",
    "measure_noise",
    "measure_samplers",
]
