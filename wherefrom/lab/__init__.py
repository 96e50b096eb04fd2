"""The experiments of the winnowing paper (Schleimer, Wilkerson, Aiken, SIGMOD 2003) on the user's own code.

`corpus` reads the code, `samplers`, `frequencies` and `noise` are one experiment each, `plots` draws their results.
"""

from wherefrom.lab.corpus import Corpus
from wherefrom.lab.figures import (
    CommonFingerprint,
    CorpusProgress,
    CorpusSize,
    Frequencies,
    FrequencyResult,
    Noise,
    NoiseResult,
    SamplerFigures,
    SamplerResult,
)
from wherefrom.lab.frequencies import measure_frequencies
from wherefrom.lab.noise import measure_noise
from wherefrom.lab.sampler_experiment import measure_samplers

__all__ = [
    "CommonFingerprint",
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
