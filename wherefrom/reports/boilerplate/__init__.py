"""Reports of boilerplate sets, and of what is proposed as such; one table of formats for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wherefrom.model import BoilerplateSet
from wherefrom.reports import data
from wherefrom.reports.boilerplate import text
from wherefrom.reports.renderer import Renderer

if TYPE_CHECKING:
    from wherefrom.queries.learning import Proposals
    from wherefrom.results import BoilerplateTerms

SETS: Mapping[str, Renderer[Sequence[BoilerplateSet]]] = {
    "text": Renderer(text.write_sets),
    **data.list_formats("sets"),
}
"""Of all sets."""

SHOWN: Mapping[str, Renderer[Sequence[BoilerplateSet]]] = {
    "text": Renderer(text.write_whole_sets),
    **data.list_formats("sets"),
}
"""Of sets with all that they were made of."""

TERMS: Mapping[str, Renderer[BoilerplateTerms]] = {
    "text": Renderer(text.write_terms),
    "filter": Renderer(text.write_filter),
    **data.formats(),
}
"""Of the terms of a set."""

PROPOSALS: Mapping[str, Renderer[Proposals]] = {"text": Renderer(text.write_proposals), **data.formats()}
