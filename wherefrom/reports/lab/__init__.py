"""Reports of the experiments, one table of formats for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from wherefrom.reports import data
from wherefrom.reports.lab import text
from wherefrom.reports.renderer import Renderer

if TYPE_CHECKING:
    from wherefrom.lab.figures import FrequencyResult, NoiseResult, SamplerResult

SAMPLERS: Mapping[str, Renderer[SamplerResult]] = {"text": Renderer(text.write_samplers), **data.formats()}

FREQUENCIES: Mapping[str, Renderer[FrequencyResult]] = {
    "text": Renderer(text.write_frequencies),
    **data.formats(),
}

NOISE: Mapping[str, Renderer[NoiseResult]] = {"text": Renderer(text.write_noise), **data.formats()}
